/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending_objects.h - sampled objects that wait to be looked at, and the look itself.
 *
 * They are appended to batches, each of one epoch. Who may touch an entry: READY and LOOKED ones
 * belong to whoever moves them to BUSY. A batch is free again when it has been sent and no thread
 * is still writing into it (`writers`).
 */
#ifndef OJX_PENDING_OBJECTS_H
#define OJX_PENDING_OBJECTS_H

#include "core/peek.h"
#include "core/state.h"
#include "heap/content.h"
#include "heap/deep.h"
#include "heap/string_values.h"
#include "hotspot/classes.h"

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
	uint8_t exponent; /* see keep.h */
	struct content content;
	struct deep_result deep;
	struct string_value *text; /* NULL: the user did not ask for texts */
};

enum batch_state { BATCH_FREE, BATCH_OPEN, BATCH_CLOSED };

struct batch {
	_Atomic uint32_t state;
	_Atomic uint32_t used;	  /* entries handed out; may exceed ENTRIES */
	_Atomic uint32_t writers; /* threads between handing out and ready */
	uint32_t settled; /* service thread: the entries before it have been looked at, or are gone
			   */
	uint64_t epoch;
	uint64_t opened;
	struct entry entries[ENTRIES];
};

/* Makes room. False where memory lacks. */
bool pending_objects_init(void);

/*
 * Remembers a sampled object, which was at `object` in `epoch`. Called in the allocation callback.
 * `thread`: the number of the allocating one; `exponent`: see keep.h, the weight knows of it;
 * `random`: 64 random bits.
 */
void pending_objects_add(uintptr_t object, uint64_t epoch, const struct klass *k,
			 const struct wire_alloc *a, uint16_t thread, uint8_t exponent,
			 uint64_t random);

/* [pause] Batch i of BATCHES. */
struct batch *pending_objects_batch(uint32_t i);

/* [pause] Entries of a batch that were handed out. */
static inline uint32_t batch_length(const struct batch *b)
{
	uint32_t n = atomic_load_explicit(&b->used, memory_order_acquire);
	return n < ENTRIES ? n : ENTRIES;
}

/* [pause] No more objects are added to any batch that is open now. */
void pending_objects_close(void);

/* Takes an open batch out of use before a GC does. False where a GC was faster. */
bool pending_objects_retire(struct batch *b);

/* Tracked objects since the last call that found no batch. */
uint64_t pending_objects_missed(void);

/*
 * Whether its thread has had no object tracked since. If it was taken off the processor, however
 * long ago, the object may not be finished.
 */
bool entry_is_last(const struct entry *e);

/* [pause] Takes an entry that is in state `from`. */
bool entry_claim(struct entry *e, uint32_t from);

/* How a look is made. */
struct snapshot_how {
	bool paused;	     /* in a GC pause */
	bool learn;	     /* take the class word from the object if there is none yet */
	uint64_t epoch;	     /* outside of a pause: what was read is good if this one is not over */
	struct deep *deep;   /* follows references, NULL: does not; deep_begin was called */
	uint64_t deep_until; /* so long */
};

/* [pause] The object of a claimed entry is readable at `at`: if it is what was tracked, hashes it.
 */
void entry_snapshot(struct entry *e, const unsigned char *at, const struct snapshot_how *how);

/* Claimed entries whose objects are copied through the kernel together. */
struct copy_run {
	struct entry *entries[PEEK_BATCH];
	struct peek_piece pieces[PEEK_BATCH];
	size_t n;
	size_t bytes;
};

/* [pause] Adds an entry to a run; false where it does not fit. */
bool run_add(struct copy_run *run, struct entry *e, unsigned char *space, size_t room);

/* [pause] Copies what the run has gathered and looks at it; outside a pause all is void if the
 * epoch is over. */
void run_finish(struct copy_run *run, const struct snapshot_how *how);

#endif
