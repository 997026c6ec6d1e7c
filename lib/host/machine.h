/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - what this machine permits of what ojx uses, found out by trying it.
 *
 * Where a seccomp filter kills whoever makes a call (probe.h), the call is not made and
 * MACHINE_KILLS is the answer. Nothing is left behind.
 */
#ifndef OJX_MACHINE_H
#define OJX_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* In place of an errno. */
#define MACHINE_KILLS	   (-1)
#define MACHINE_OLD_KERNEL (-2)

/* Linux that watches need: the first one that can move an open breakpoint. */
#define MACHINE_WATCH_MAJOR 4
#define MACHINE_WATCH_MINOR 17

/* Whether a kernel is new enough for that, by its release as uname gives it ("6.1.0-13-amd64");
 * true where that is no number. */
bool machine_watches(const char *release);

/* Opening a perf event on this thread, user code only: 0, errno, or MACHINE_KILLS. */
int machine_event(uint32_t type, uint64_t config);

/* Opening an event that samples this thread, as the agent does: the same. */
struct wire_event;
int machine_sampling(const struct wire_event *e);

struct machine_breakpoints {
	int slots; /* watches that one thread can have armed at once */
	int traps; /* of these, that did signal the access */
	int error; /* of the one that could not be had: errno, MACHINE_KILLS or MACHINE_OLD_KERNEL
		    */
};

/* Arms watches, as the agent does, until there are no more, and touches what they watch. */
void machine_breakpoints(struct machine_breakpoints *b);

/* Reading one's own memory through the kernel: 0, errno, or MACHINE_KILLS. */
int machine_readv(void);

/* Making, sizing and mapping an anonymous file: 0 or errno. */
int machine_memfd(void);

/* The number a file of /proc begins with, or that follows "KEY:" in /proc/self/status; -1: there is
 * none. */
long machine_number(const char *path);
long machine_status(const char *key);

/* Whether this looks like the inside of a container. */
int machine_in_container(void);

#endif
