/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe.h - whether a system call that the agent would make kills whoever makes it.
 *
 * A seccomp filter can do more than refuse a call: where its action is to kill (systemd's
 * SystemCallFilter, some sandboxes), an agent that merely tries would end the program. The tool
 * lives under the filter that its children inherit, so it lets a child of its own try first.
 */
#ifndef OJX_PROBE_H
#define OJX_PROBE_H

enum probe_call {
	PROBE_PERF_EVENT_OPEN,
	PROBE_PROCESS_VM_READV,
	PROBE_TIMER_CREATE,
	PROBE_MOVE_PAGES,
};

/*
 * 1: a signal killed the child that made the call; 0: it lived, whether the call was permitted or
 * failed; -1 with errno: it could not be tried. Takes the time of a fork. The caller sees no
 * SIGCHLD of it, and an ignored one does no harm; no child remains.
 */
int probe_kills(enum probe_call call);

#endif
