/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.h - the agent's end of the connection to the tool: handshake, definitions, rings.
 */
#ifndef OJX_LINK_H
#define OJX_LINK_H

#include "core/handshake.h"
#include "core/state.h"

struct link_way;

/* A thread's connection to the tool. */
struct link_ring {
	struct link_way *way; /* NULL: no ring was free; events are counted as lost */
};

/*
 * Connects to the tool's socket at `path`, says hello and maps the shared memory. False if there is
 * no tool, or if it refuses or cannot be trusted. If `refused` (a wire_refusal) is set, only
 * reports it and returns false.
 */
bool link_open(const char *path, const char *vm_name, const char *vm_version, int refused);

/* The same with a tool that has answered; takes over what the answer holds. */
bool link_join(const struct handshake *h, const char *vm_name, const char *vm_version);

/*
 * True while the tool is there. Waits up to `ms` for the end of the tool, for its byte (once), or
 * for link_wake. Service thread only.
 */
bool link_wait(int ms);

/* Makes link_wait return at once, as if the tool had gone. Not while link_close runs. */
void link_wake(void);

/*
 * Frees the memory of rings that the tool has read, or that nobody needed for a while. Service
 * thread only.
 */
void link_tidy(void);

/*
 * After the tool has gone: frees the memory of what was written for it. Headers and counters
 * remain, and so do the blocks that threads with a ring may still write to. False if a thread is
 * just writing a definition: call it again. Service thread only.
 */
bool link_close(void);

/* Once nobody uses the link any more. Closes the socket if link_close has not done so. */
void link_unmap(void);

/*
 * Takes a free ring for the calling thread; `service` takes ring 0. link_ring_release gives it
 * back, on any thread, when nothing more is written.
 */
void link_ring_acquire(struct link_ring *r, bool service);
void link_ring_release(struct link_ring *r);

/*
 * [handler] Room for an event of `len` bytes in the ring. The caller fills it in behind its header,
 * then calls link_commit. NULL: the ring is full or missing; the event is dropped and counted. A
 * handler may write to its thread's ring only if it interrupted Java code: otherwise the thread may
 * be writing itself.
 */
void *link_reserve(struct link_ring *r, uint16_t type, uint32_t len);
void link_commit(struct link_ring *r);

/* The part of the ring that is written and not yet read, 0 to 1; 1 if there is no ring. */
double link_ring_used(const struct link_ring *r);

/*
 * Waits until the ring has room for an event of `len` bytes, for some seconds at most. Does not
 * wait again for a tool that has not moved since. Only for users who want every event at any cost
 * (WIRE_EXACT).
 */
void link_await_room(struct link_ring *r, uint32_t len);

/*
 * [handler] Room for a definition of `len` bytes; NULL (counted) if the table is full. link_define
 * publishes it with its type.
 */
void *link_define_reserve(uint32_t len);
void link_define(void *rec, uint16_t type);

/* [handler] The part of the table of definitions that is used, 0 to 1. */
double link_definitions_used(void);

/*
 * Opens memory for the next definitions in advance; otherwise this would dominate the cost of a
 * sample with a new stack. Service thread.
 */
void link_define_ahead(void);

/*
 * Records a line for the user, once per text. printf-like; truncated to WIRE_NOTE. Takes a lock:
 * not in handlers and pauses.
 */
void link_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
