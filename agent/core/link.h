/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.h - the agent's end of the connection to the tool: handshake, definitions, rings.
 */
#ifndef OJX_LINK_H
#define OJX_LINK_H

#include "core/state.h"

struct link_way;

/* A thread's way to the tool. */
struct link_ring {
	struct link_way *way; /* NULL: no ring was free; events are counted as lost */
};

/*
 * Connects to the tool's socket at `path`, says hello and maps the shared memory. False where
 * there is no tool, it refuses, or is not to be trusted; `refused` (a wire_refusal) is only
 * reported, then false.
 */
bool link_open(const char *path, const char *vm_name, const char *vm_version, int refused);

/* True while the tool is there. Waits up to `ms` for its end, or for link_wake. Service thread
 * only. */
bool link_wait(int ms);

/* Has link_wait return at once, as if the tool had gone. Not at the time of link_close. */
void link_wake(void);

/*
 * Gives back memory of rings that was read, or that nobody has needed for a while. Service thread
 * only.
 */
void link_tidy(void);

/*
 * The tool has gone: gives back the memory of what was written for it. Headers and counters remain,
 * and of rings that threads have the blocks that they may still write to. False where a thread is
 * at work on a definition just now: to be called again. Service thread only.
 */
bool link_close(void);

/*
 * Takes a free ring for the calling thread; `service` takes ring 0. Given back with
 * link_ring_release, by any thread, once no more is written.
 */
void link_ring_acquire(struct link_ring *r, bool service);
void link_ring_release(struct link_ring *r);

/*
 * Room for an event of `len` bytes in the ring; fill it in behind its header, then link_commit.
 * NULL: the ring is full or missing, the event is dropped and counted.
 */
void *link_reserve(struct link_ring *r, uint16_t type, uint32_t len);
void link_commit(struct link_ring *r);

/*
 * Waits until the ring has room for an event of `len` bytes, for some seconds at most, and no more
 * for a tool that has not moved since. Only where the user wants every event, whatever it costs
 * (WIRE_EXACT).
 */
void link_await_room(struct link_ring *r, uint32_t len);

/*
 * [handler] Room for a definition of `len` bytes; NULL (counted) where the table is full.
 * link_define publishes it with its type.
 */
void *link_define_reserve(uint32_t len);
void link_define(void *rec, uint16_t type);

/*
 * Opens memory for the next definitions, which takes a sample with a new stack longer than all the
 * rest. Service thread.
 */
void link_define_ahead(void);

/* Records a line for the user, once per text. printf-like; truncated to WIRE_NOTE. */
void link_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
