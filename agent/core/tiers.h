/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiers.h - a lock-free hash table from 64-bit keys to numbers, for handlers too, which is as large
 * as what is in it.
 *
 * It is a row of tiers, each four times as large as the one before. A key belongs to one bucket of
 * each tier, and lies in the first of them that was not full when it came. So the small tiers fill
 * up before the large ones are touched, and nothing ever moves. Nothing is removed either. Two
 * threads that come with the same new key meet on the same slot.
 *
 * The memory is static and zero, so that it costs nothing until a page of it is touched.
 */
#ifndef OJX_TIERS_H
#define OJX_TIERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tiers_slot {
	_Atomic uint64_t key;	/* 0: free */
	_Atomic uint32_t value; /* 0: not known yet */
};

#define TIERS	     4
#define TIERS_BUCKET 8 /* slots */
/* Slots of a table whose first tier has `first`, a power of two >= TIERS_BUCKET. */
#define TIERS_SLOTS(first) ((first) * (1 + 4 + 16 + 64))

struct tiers {
	struct tiers_slot *slots;
	uint32_t first; /* slots of the first tier */
};

/* [handler] The slot of a key other than 0; NULL where there is none. */
struct tiers_slot *tiers_find(const struct tiers *t, uint64_t key);

/*
 * [handler] The same; takes a slot for a key that has none. *mine: it is the caller who has to
 * store the value. NULL where there is no room.
 */
struct tiers_slot *tiers_claim(const struct tiers *t, uint64_t key, bool *mine);

#endif
