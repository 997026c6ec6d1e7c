/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending_objects.h - sampled objects that wait for their snapshot, and the snapshot itself.
 *
 * They are appended to batches, each of one epoch. READY and SNAPPED entries belong to whoever
 * moves them to BUSY. A batch is free again when it has been sent and no thread is still writing
 * into it (`writers`).
 */
#ifndef OJX_PENDING_OBJECTS_H
#define OJX_PENDING_OBJECTS_H

#include "core/peek.h"
#include "core/state.h"
#include "heap/allocation.h"
#include "heap/content.h"
#include "heap/deep.h"
#include "hotspot/metadata/classes.h"

/*
 * ---- the characters of strings of which snapshots were taken, only if the user requests them
 * (WIRE_VALUES). A text is taken with the string's snapshot and kept beside it. It is sent
 * with the snapshot, unless the same text was sent for that context recently.
 */

struct deep;
struct link_ring;

struct string_value {
	uint32_t chars; /* of the whole string, in UTF-16 units */
	uint16_t len;
	bool there;
	char utf8[WIRE_VALUE_TEXT];
};

/* Service thread: sends the text. */
void string_value_send(struct link_ring *ring, const struct string_value *t, uint32_t context,
		       uint64_t deep);

#define BATCHES 24
#define ENTRIES 512

enum entry_state { ENTRY_FREE, ENTRY_READY, ENTRY_BUSY, ENTRY_SNAPPED, ENTRY_GONE };

struct entry {
	_Atomic uint32_t state;
	uint32_t class_id;
	uintptr_t object;
	uint64_t time;
	double weight;
	uint32_t context, array_length, ticket;
	uint16_t flags;
	uint16_t snapshots;
	uint16_t thread;  /* number of the allocating one */
	uint8_t exponent; /* see thinning.h */
	struct content content;
	struct deep_result deep;
	uint64_t fixed;	       /* valid with WIRE_FIXED */
	struct wire_fill fill; /* valid with WIRE_FILLED */
	/* ticket and number + 1 of its place among the held objects; 0: it is not held */
	_Atomic uint64_t held;
	struct string_value *text; /* NULL: the user requests no texts */
};

enum batch_state { BATCH_FREE, BATCH_OPEN, BATCH_CLOSED };

struct batch {
	/*
	 * seq_cst, with `writers`: who fills in an entry counts itself and then looks whether the
	 * batch is open; who sends a batch has closed it and then looks for writers. One of the two
	 * sees the other.
	 */
	_Atomic uint32_t state;
	_Atomic uint32_t used;	  /* entries handed out; may exceed ENTRIES */
	_Atomic uint32_t writers; /* threads that are filling in an entry, and the pause */
	uint32_t settled;	  /* service thread: entries before it are SNAPPED or GONE */
	uint64_t epoch;
	uint64_t opened;
	struct entry entries[ENTRIES];
};

/* Allocates the table. False when out of memory. */
bool pending_objects_init(void);

/*
 * Remembers an object that waits for its snapshot. The weight already includes the exponent, see
 * thinning.h. In the allocation callback.
 */
void pending_objects_add(struct allocation *a);

/* [pause] Batch i of BATCHES. */
struct batch *pending_objects_batch(uint32_t i);

/* [pause] Number of entries handed out from a batch. */
static inline uint32_t batch_length(const struct batch *b)
{
	uint32_t n = atomic_load_explicit(&b->used, memory_order_acquire);
	return n < ENTRIES ? n : ENTRIES;
}

/* [pause] Closes all open batches: no more objects are added to them. */
void pending_objects_close(void);

/* Closes an open batch before a GC does. False if a GC was faster. */
bool pending_objects_retire(struct batch *b);

/* Objects since the last call that found no batch. */
uint64_t pending_objects_missed(void);

/*
 * Whether the thread that allocated this object has added none since. Then the object may be
 * unfinished, however long ago it was allocated: the thread may have lost the processor. Without
 * this rule, 0.7 % of the pairs of a constant field differed at a load of 27, with it 0.03 %.
 */
bool entry_is_last(const struct entry *e);

/* [pause] Takes an entry that is in state `from`. */
bool entry_claim(struct entry *e, uint32_t from);

/* How to take a snapshot. */
struct snapshot_how {
	bool paused;	/* in a GC pause */
	bool learn;	/* take the class word from the object if it is unknown */
	uint64_t epoch; /* outside a pause: the snapshot is valid if this epoch is still current */
	struct deep *deep;   /* follows references, after deep_begin; NULL: do not follow */
	struct deep *walked; /* the finished walk from this object; NULL: there is none yet */
	uint64_t deep_until; /* only until then: now_ns in a pause, else cpu_ns */
};

/*
 * [pause] Takes the snapshot of a claimed entry, if the object readable at `at` still is the
 * sampled one.
 */
void entry_snapshot(struct entry *e, const unsigned char *at, const struct snapshot_how *how);

/*
 * [pause] Whether the last snapshot of a SNAPPED entry tells how full the object is: a collection,
 * or an array that is not used to its end.
 */
static inline bool entry_fills(const struct entry *e)
{
	return e->flags & WIRE_FILLED;
}

/*
 * [pause] In a pause: looks only how full the object of a claimed entry is, of which there is a
 * snapshot. False if nothing is known of it now, or it is an array that is used to its end.
 */
bool entry_refill(struct entry *e, const unsigned char *at, const struct snapshot_how *how);

/* Claimed entries whose objects the kernel copies together. */
struct copy_run {
	struct entry *entries[PEEK_BATCH];
	struct peek_piece pieces[PEEK_BATCH];
	size_t n;
	size_t bytes;
};

/* [pause] Adds an entry to a run; false if it does not fit. */
bool run_add(struct copy_run *run, struct entry *e, unsigned char *space, size_t room);

/*
 * [pause] Copies the objects of the run and takes their snapshots. Outside a pause all are void if
 * the epoch is over.
 */
void run_finish(struct copy_run *run, const struct snapshot_how *how);

#endif
