/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.h - what the agent decides, a line each, for those who change it: OJX_TRACE=FILE, or
 * OJX_TRACE=stderr, in the program's environment (docs/agent.md).
 *
 * Lines are written by system calls, on the threads that decide. Handlers and pauses write none;
 * what happens there is counted, and told in the next round.
 */
#ifndef OJX_TRACE_H
#define OJX_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>

/*
 * Whether lines are written. Relaxed: it guards nothing, and a line more or less does no harm.
 */
extern _Atomic bool trace_on;

/* As the recording begins: reads the variable and prepares the file. */
void trace_begin(void);

/* Writes a line. Not in handlers and pauses. */
void trace_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Costs a look at `trace_on` where it is off: the values are not computed. */
#define trace(...)                                                         \
	do {                                                               \
		if (atomic_load_explicit(&trace_on, memory_order_relaxed)) \
			trace_line(__VA_ARGS__);                           \
	} while (0)

#endif
