/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.h - what merging equal objects would free: by class, and by who holds them.
 *
 * `Deep` equality is the partition's: references to equal objects. `Shallow` equality wants
 * references to the same objects; it is what one pass that merges would find.
 */
#ifndef OJX_MERGE_H
#define OJX_MERGE_H

#include "heapdump/heap.h"
#include "heapdump/owners.h"

/* Sums over objects. A group is a set of equal ones. */
struct merge_sum {
	uint64_t objects, bytes;
	uint64_t distinct, distinct_shallow;
	uint64_t freed, freed_shallow; /* bytes, if one object of each group is left */
	uint64_t largest;	       /* objects of the largest group */
	uint32_t example;	       /* one of that group; HEAP_NONE: there is none */
};

/* Of classes with one name, whatever loaded them. */
struct merge_class {
	const char *name;
	bool apart;
	struct merge_sum sum;
};

/* How copies are held by a field: the way, and at its end the field that the copies are in. */
struct merge_path {
	uint32_t way, inner;
};
enum { MERGE_PATHS = 3 };

/*
 * Who holds copies: objects that are equal to others. Holders that are copies themselves count once
 * for each group of them: if the holders are merged, what they hold is. What is in a collection, an
 * array or a wrapper counts as held by the field that this belongs to (owners.h).
 */
struct merge_holder {
	uint32_t field; /* OWNER_ROOT; HEAP_NONE: neither a field nor a root leads there */
	uint32_t group; /* of `classes`: of the copies */
	struct merge_path path[MERGE_PATHS];
	uint8_t npaths;
	bool more_paths;
	uint64_t shared; /* copies in what other fields lead to, too */
	uint64_t copies, distinct;
	uint64_t bytes; /* of the copies, and of what only they hold */
	uint64_t freed; /* of these, if one copy of each group is left */
	uint64_t largest;
	uint32_t example;
	/* while it is computed: the last object and the last block that were counted */
	uint32_t object, block;
	uint64_t run;
};

struct merge {
	struct partition partition; /* its blocks until there are holders */
	uint32_t *count;	    /* objects of each block, until there are holders */
	unsigned char *gone;	    /* a bit for each object that merging frees */
	uint32_t *holder;	/* of each object: the only one, or HEAP_NONE, or MERGE_SHARED */
	struct packed retained; /* of each object, HEAP_UNITs: its own, and what only it holds */
	struct owners owners;	/* its ways alone, once there are holders */
	uint32_t *class_group;	/* of each class: its place in `classes` */
	struct merge_class *classes;
	size_t nclasses;
	struct merge_holder *holders;
	size_t nholders;
	struct merge_sum total;
};
#define MERGE_SHARED (UINT32_MAX - 1)

/*
 * Computes all. It frees h->own. False if hashes collided, so that another seed is needed. Release
 * in any case.
 */
bool merge_make(struct merge *m, struct heap *h, struct progress *progress);
void merge_release(struct merge *m);

/* ---- parts of merge_make ----------------------------------------------------------------- */

/* Whether objects of one block are equal indeed. */
bool merge_verify(const struct heap *h, const struct partition *p, const uint32_t *first);
/* Finds `holder` and `retained`. */
void merge_find_retained(struct merge *m, const struct heap *h);
/* Finds `holders`. */
void merge_find_holders(struct merge *m, const struct heap *h);

#endif
