/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hashtable.h - a lock-free hash table from 64-bit keys to numbers, also for handlers. Its memory
 * grows with its content.
 *
 * The table consists of tiers, each four times as large as the one before. A key belongs to one
 * bucket in each tier. It lies in the first of these that was not full when it was added, or else
 * in one of the next buckets of the last tier. So small tiers fill up before large ones are
 * touched, and nothing ever moves. Nothing is removed either. Two threads that add the same key
 * get the same slot.
 *
 * The memory is static and zero, so it costs nothing until a page of it is touched.
 */
#ifndef OJX_HASHTABLE_H
#define OJX_HASHTABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct hashtable_slot {
	_Atomic uint64_t key;	/* 0: free */
	_Atomic uint32_t value; /* 0: not known yet */
};

#define HASHTABLE_TIERS	 4
#define HASHTABLE_BUCKET 8 /* slots */
/* Number of slots of a table whose first tier has `first`, a power of two >= HASHTABLE_BUCKET. */
#define HASHTABLE_SLOTS(first) ((first) * (1 + 4 + 16 + 64))

struct hashtable {
	struct hashtable_slot *slots;
	uint32_t first; /* slots of the first tier */
};

/* [handler] The slot of a key other than 0; NULL if the key is missing. */
struct hashtable_slot *hashtable_find(const struct hashtable *t, uint64_t key);

/*
 * [handler] The same, but takes a slot for a missing key. *mine: the slot is new, and the caller
 * has to store the value. NULL if there is no room.
 */
struct hashtable_slot *hashtable_claim(const struct hashtable *t, uint64_t key, bool *mine);

#endif
