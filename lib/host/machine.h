/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - finds out by trying which of the facilities that ojx uses this machine permits.
 *
 * If a seccomp filter kills a process for a call (probe.h), the call is not made and the result is
 * MACHINE_KILLS. Nothing is left behind.
 */
#ifndef OJX_MACHINE_H
#define OJX_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
