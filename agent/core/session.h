/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.h - the beginning and the end of a recording inside a process that goes on.
 *
 * The state of a recording is every static variable of the agent that is not marked
 * OUTLIVES_SESSION, and the memory of memory.h. When a recording is over, both become what they
 * were when the library was loaded. So a new variable needs no thought: it belongs to the
 * recording. Thread-local variables cannot be reset; they have to tell of which session they are.
 *
 * All code of the agent that the JVM or the kernel calls goes through a gate. It counts who is
 * inside. Once the gate is closed and nobody is inside, no code of the agent touches its state.
 */
#ifndef OJX_SESSION_H
#define OJX_SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* For variables that no session owns; docs/architecture.md lists them. */
#define OUTLIVES_SESSION __attribute__((section("outlives_session")))

/* Opens the gate of a new session. False if the library's memory was not understood. */
bool session_open(void);

/*
 * Closes the gate and waits until nobody is inside, for `limit_ns` at most. False if somebody still
 * is; it may be called again.
 */
bool session_close(uint64_t limit_ns);

/* After session_close: gives the variables their first values, and frees the memory. */
void session_reset(void);

/* The number of the session, from 1 on; it changes when one is opened. [handler] */
uint32_t session_number(void);

/* [handler] Goes through the gate. False if it is closed. Afterwards the caller calls leave. */
bool session_enter(void);

/* [handler] */
void session_leave(void);

#endif
