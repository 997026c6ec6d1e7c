/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe.h - finds out whether a system call that the agent makes would kill the process.
 *
 * The action of a seccomp filter can be to kill (systemd's SystemCallFilter, some sandboxes). Then
 * an agent that only tries a call would end the program. The tool's children inherit its filter, so
 * a child of its own tries first.
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
 * 1: a signal killed the child that made the call. 0: it survived, whether or not the call
 * succeeded. -1 with errno: it could not be tried. Takes as long as a fork. The caller gets no
 * SIGCHLD, may ignore SIGCHLD, and no child remains.
 */
int probe_kills(enum probe_call call);

#endif
