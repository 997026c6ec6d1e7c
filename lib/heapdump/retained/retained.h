/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retained.h - how many bytes go if an object goes: those of all that it dominates.
 *
 * Strong and soft references hold. What weak, phantom and final references (those of finalizers)
 * refer to is not held by them; what nothing else holds is counted as `weak`. Class objects of the
 * JDK's own loaders count as roots.
 */
#ifndef OJX_RETAINED_H
#define OJX_RETAINED_H

#include "heapdump/merge.h"
#include "heapdump/retained/reach.h"

struct retained {
	const struct heap *h;
	const struct merge *m;
	struct graph graph;
	struct dominators dominators;
	unsigned char *root, *apart, *has_more;
	struct packed bytes; /* of each number, HEAP_UNITs */
	/* in the dump, what roots lead to, what weak references alone lead to, and what nothing */
	struct retained_sum held, weak, dead;
};

/*
 * Computes all. Meanwhile references that do not hold are taken out of `h`; afterwards they are
 * there again. Release it.
 */
void retained_make(struct retained *r, struct heap *h, const struct merge *m);
void retained_release(struct retained *r);

/* Of an object that roots lead to: bytes that go with it, its own among them. */
uint64_t retained_of(const struct retained *r, uint32_t x);
/* Whether nothing but its only holder leads to it, and from it nothing to anything else. */
static inline bool retained_is_apart(const struct retained *r, uint32_t x)
{
	return bits_has(r->apart, x);
}

#endif
