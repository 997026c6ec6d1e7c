/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths.h - by which references objects are reached from roots, in as few steps as possible: by
 * strong ones, by soft ones where there are no others, by weak, phantom and final ones where there
 * are none of these.
 */
#ifndef OJX_PATHS_H
#define OJX_PATHS_H

#include <stdio.h>

#include "heapdump/retained/retained.h"

struct paths {
	const struct retained *r;
	uint32_t *from; /* of each object that is not apart; itself: a root; HEAP_NONE: none */
};

/* Release it. */
void paths_make(struct paths *p, const struct retained *r);
void paths_release(struct paths *p);

/*
 * Writes the way to an object: "com.acme.Shop.carts > HashMap.table > HashMap$Node[]". Of a long
 * one the middle is left out. A step by a reference that is not strong says so: "(soft)".
 */
void paths_put(FILE *out, const struct paths *p, uint32_t x);
/* The same of objects each of which dominates the next one, perhaps without referring to it. */
void paths_put_down(FILE *out, const struct heap *h, const uint32_t *object, size_t n);

/* "Shop.byName": a field. `simple`: without the package. Of elements the class alone. */
void paths_put_field(FILE *out, const struct heap *h, uint32_t field, bool simple);

#endif
