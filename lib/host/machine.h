/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - finds out by trying which of the facilities that ojx uses this machine permits.
 *
 * If a seccomp filter kills a process for a call, the call is not made and the result is
 * MACHINE_KILLS. Nothing is left behind.
 */
#ifndef OJX_MACHINE_H
#define OJX_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* In place of an errno: */
#define MACHINE_KILLS	   (-1)
#define MACHINE_OLD_KERNEL (-2)

/* The first Linux that can modify an open breakpoint, which watches need. */
#define MACHINE_WATCH_MAJOR 4
#define MACHINE_WATCH_MINOR 17

/*
 * Whether a kernel release, as from uname ("6.1.0-13-amd64"), is new enough for watches; true if it
 * is not a number.
 */
bool machine_watches(const char *release);

/* Opens a perf event on this thread, user code only: 0, errno, or MACHINE_KILLS. */
int machine_event(uint32_t type, uint64_t config);

/* Opens an event that samples this thread, as the agent does; same result. */
struct wire_event;
int machine_sampling(const struct wire_event *e);

struct machine_breakpoints {
	int slots; /* watches that one thread can have armed at once */
	int traps; /* the number of them that signalled the access */
	/* why no further one could be opened: errno, MACHINE_KILLS or MACHINE_OLD_KERNEL */
	int error;
};

/* Arms watches as the agent does, until no more can be had, and accesses what they watch. */
void machine_breakpoints(struct machine_breakpoints *b);

/* Reads our own memory with process_vm_readv: 0, errno, or MACHINE_KILLS. */
int machine_readv(void);

/* Creates, sizes and maps an anonymous file: 0 or errno. */
int machine_memfd(void);

/*
 * The number at the beginning of a file in /proc, or behind "KEY:" in /proc/self/status; -1 if
 * there is none.
 */
long machine_number(const char *path);
long machine_status(const char *key);

/* Whether we seem to run in a container. */
int machine_in_container(void);

/*
 * ---- finds out whether a system call that the agent makes would kill the process. The action
 * of a seccomp filter can be to kill (systemd's SystemCallFilter, some sandboxes). Then an
 * agent that only tries a call would end the program. The tool's children inherit its filter,
 * so a child of its own tries first.
 */

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

/* ---- names of users. */

enum { USERS_NAME = 32 };

/*
 * Returns `name`, which gets a user's name, or number. Searches only local users: a directory
 * service could be slow.
 */
const char *users_name(uid_t uid, char name[USERS_NAME]);

#endif
