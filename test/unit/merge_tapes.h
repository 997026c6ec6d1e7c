/* SPDX-License-Identifier: Apache-2.0 */
/* merge_tapes.h - recordings in memory, for tests of lib/merge/: made, merged and read. */
#ifndef OJX_MERGE_TAPES_H
#define OJX_MERGE_TAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "builder.h"
#include "merge/merge.h"

enum { TAPES = 12 }; /* most that are merged at once */

/* Records with their JVMs, as a file has them. */
struct tape {
	struct file_header header;
	struct builder b;
	size_t n;
	uint64_t end_ns;
};

/* A recording of `n` contexts, in each of which one class allocates. */
struct tape *tape_of_sites(uint32_t number, uint32_t n);
void tape_release(struct tape *t);

/* The recording is of process 0, 1, .. and its hashes are of that secret. */
void tape_be_of(struct tape *t, uint32_t process, uint64_t secret);

enum merge_added tape_add(struct merge *m, const struct tape *t);

/* What the merge, which goes, writes. */
struct tape *tape_out(struct merge *m);

/* Merges n recordings, 2 to TAPES; if there is an `rng`, in an order and groups that are random. */
struct tape *tape_merge(struct tape *const *from, size_t n, struct rng *rng);

/* Merges n recordings in random orders and groups, and the result again: the bytes are the same. */
struct tape *tape_merge_alike(struct tape *const *from, size_t n, unsigned trials);

/* Feeds a model, which has to believe all. */
void tape_load(struct model *to, const struct tape *t);

#endif
