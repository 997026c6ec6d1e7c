/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.h - counts of pairs by a number: a position of the content, or an access stack.
 *
 * An array holds one entry for each key met; a hash map finds it. Keys are sparse, like element
 * indices, and each pair of snapshots counts dozens of them.
 */
#ifndef OJX_TALLY_H
#define OJX_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

struct tally_entry {
	uint64_t key;
	uint64_t uses, pairs, equal;
	double weight, weight_equal; /* of the pairs */
};

struct tally {
	struct tally_entry *entries; /* in the order in which keys were first met */
	size_t n, room;
	struct idmap index;
};

/*
 * The entry of a key; a new zeroed one if there is none. Valid until the next call. It ends as
 * xmalloc.h says.
 */
struct tally_entry *tally_at(struct tally *t, uint64_t key);
void tally_release(struct tally *t);

#endif
