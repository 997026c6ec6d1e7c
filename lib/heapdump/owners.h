/* SPDX-License-Identifier: Apache-2.0 */
/*
 * owners.h - to which fields collections, arrays and wrappers belong: objects that only hold what
 * others put into them, and are transparent.
 *
 * From each field of another class, a walk in breadth goes through such objects. An object belongs
 * to the field that is the fewest steps away; of several, to the first in the dump's order. Fields
 * of the program come before those of the platform, and these before roots. Where another field of
 * the same rank leads there, too, the object and all that it holds are `shared`. What a Reference
 * refers to comes last, and shares nothing.
 */
#ifndef OJX_OWNERS_H
#define OJX_OWNERS_H

#include <stdbool.h>

#include "heapdump/heap.h"

/*
 * ---- classes that only hold what others put into them: collections, their nodes and views,
 * wrappers of one object. Who looks for a holder goes through them.
 */

/* Of a class that declares fields. Arrays of objects are transparent, too, and not asked for. */
bool transparent_class(const char *name);

/*
 * A way from a field to an object: the field, or a way and the next class on it. Ways are few,
 * because classes of one family (HashMap, HashMap$Node) count as one, and so do arrays behind them.
 */
struct owner_way {
	uint32_t before; /* 0: this is the field itself */
	uint32_t class;	 /* HEAP_NONE of the field itself */
	uint32_t field;	 /* where the way begins; OWNER_ROOT */
	uint8_t rank, length;
	uint32_t last_class, last_way; /* that goes on from here, found last */
};
enum { OWNER_LENGTH = 8 }; /* classes on a way; what is further away is counted there */
/* Not a field but a root: a local variable, or a reference of native code. */
#define OWNER_ROOT (HEAP_NONE - 1)

struct owners {
	const struct heap *h;
	bool *through;		/* of each field: it is one of a transparent class */
	uint8_t *rank;		/* of each field that is not */
	uint32_t referent;	/* the field of java.lang.ref.Reference */
	uint64_t *is_in;	/* a bit for each object that is transparent */
	uint32_t *before;	/* for 64 objects each: transparent ones before them */
	uint32_t n;		/* transparent objects */
	uint32_t *way;		/* of each of them; 0: none leads there */
	unsigned char *both;	/* a bit for each of them: shared */
	struct owner_way *ways; /* from 1 */
	size_t nways, room;
	struct idmap index;  /* ways by what is before them and the class */
	uint64_t *family;    /* of each class */
	uint32_t *first_way; /* of each field */
	uint32_t root_way;
};

void owners_make(struct owners *o, const struct heap *h);
/* Frees all but the ways. */
void owners_forget(struct owners *o);
void owners_release(struct owners *o);

/* Whether an object is transparent. */
static inline bool owners_is_in(const struct owners *o, uint32_t x)
{
	return o->is_in[x / 64] >> x % 64 & 1;
}

/* Of an object with a field that is `through`: the way to it, 0 if there is none. */
uint32_t owners_way(const struct owners *o, uint32_t x);
bool owners_shared(const struct owners *o, uint32_t x);

/* The name of a class's outermost class is equal: HashMap, HashMap$Node. */
bool owners_family(const struct owners *o, uint32_t class, uint32_t other);

#endif
