/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.h - the objects of a heap dump as a graph: numbers instead of addresses, in the order of
 * addresses; the class of each, and what it references.
 */
#ifndef OJX_HEAP_H
#define OJX_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "base/progress.h"
#include "heapdump/bits.h"
#include "heapdump/hprof.h"
#include "heapdump/packed.h"
#include "heapdump/partition.h"
#include "heapdump/retained/dominators.h"

#define HEAP_NONE UINT32_MAX /* no object, class or field */

/* What references are in: a field that a class declares, or the elements of an array. */
struct heap_field {
	uint32_t class;
	uint64_t name; /* a string's identifier; of elements, 0 */
	/* the first field of this name in a class of this name, as loaders can have one each */
	uint32_t one;
	bool is_static, is_element;
};

struct heap_slot {
	uint32_t offset; /* in the body of an instance */
	uint32_t field;
};

struct heap_run {
	uint32_t offset, n; /* bytes */
};

enum heap_class_kind { HEAP_INSTANCE, HEAP_OBJECTS, HEAP_PRIMITIVES };

struct heap_class {
	uint64_t id;	  /* of primitive arrays, which have none in their records, 0 */
	uint64_t name_id; /* of HPROF_LOAD_CLASS */
	const char *name; /* as in Java */
	enum heap_class_kind kind;
	uint8_t element; /* hprof_type of an array */
	bool defined;	 /* the dump has its record, the item's part of which is here */
	uint64_t super_id;
	const unsigned char *fields, *statics;
	uint16_t nfields, nstatics;
	uint32_t super;	      /* HEAP_NONE: it has none, or it is missing */
	uint32_t first_field; /* of `field`: its own, then its statics, then its elements */
	bool apart;	      /* its objects have identities that matter: equal to none */
	/* of instances; inherited fields, too */
	bool planned;
	struct heap_slot *slot; /* references that count */
	struct heap_run *run;	/* primitive values that count */
	uint32_t nslots, nruns, bytes;
	/* what tells how much it holds (heap_classes.c); no bytes: nothing does */
	struct heap_run count, empty, none;
	uint32_t added;	   /* bytes of fields that the VM adds and no dump has */
	uint32_t size;	   /* of an instance; without its stack or statics, if it has any */
	bool is_chunk;	   /* jdk.internal.vm.StackChunk: an instance holds a stack, too */
	uint32_t stack_at; /* in the body: how many words of it */
};

enum { HEAP_ERROR = HPROF_ERROR, HEAP_SUPERCLASSES_MAX = 1000 };

/* How the VM lays objects out; a dump does not tell. */
struct heap_layout {
	uint32_t header;       /* bytes of an instance's: 8, 12 or 16 */
	uint32_t array_header; /* with the length */
	uint32_t reference;    /* 4 or 8 */
	uint32_t alignment;    /* of objects: a power of 2 */
	bool split;   /* no class puts fields into gaps of its superclass (before JDK 15) */
	bool guessed; /* identifiers are no addresses, so nothing tells */
};

/* What holds an object from outside of the heap. */
struct heap_root {
	uint32_t object;
	uint8_t tag; /* hprof_root */
};

struct heap {
	struct hprof *dump;
	char error[HEAP_ERROR];
	struct arena arena;
	struct idmap strings; /* their records */
	struct idmap classes; /* their numbers, from 1 */
	struct heap_class *class;
	uint32_t nclasses, class_room;
	uint32_t mirror; /* the class of class objects */
	struct heap_field *field;
	uint32_t nfields;

	uint32_t n;		/* objects */
	struct packed at;	/* the record of each */
	uint64_t *address;	/* until heap_link */
	struct packed class_of; /* of each; a class object is of `mirror` */
	uint64_t *root;		/* addresses, until heap_link */
	uint8_t *root_tag;
	size_t nroots;
	unsigned char *rooted, *apart; /* a bit for each object */
	struct heap_root *held;	       /* by object; an object can have several */
	size_t nheld;
	/* references that equality does not see, by their objects; what never dies (heap_more.c) */
	struct graph_more *more;
	size_t nmore;
	unsigned char *forever;	   /* a bit for each object */
	uint32_t *edge;		   /* n + 1: where the references of an object begin */
	uint32_t *to;		   /* objects, or PARTITION_NULL */
	uint64_t *own;		   /* hashes of contents, until there is a partition */
	uint64_t seed;		   /* of these */
	unsigned char *size;	   /* of each object, or HEAP_LARGE: see heap_size */
	uint64_t twice;		   /* records of objects that are there already, left out */
	uint64_t unknown;	   /* objects whose class is behind a cut, left out */
	_Atomic uint64_t dangling; /* references to what is not there */
	struct heap_layout layout;
	bool erased; /* the contents: all objects are apart, since nobody knows what they held */
};

/*
 * Reads a dump, which must stay open. Then heap_link makes the graph. 0, or -1 with h->error.
 * Release in any case.
 */
int heap_read(struct heap *h, struct hprof *dump, uint64_t seed, struct progress *progress);
int heap_link(struct heap *h, struct progress *progress);
void heap_release(struct heap *h);

/* ---- parts of heap_read and heap_link ---------------------------------------------------- */

#define HEAP_TOO_MANY_REFERENCES "it has more than %u references"
/* Sets h->error. Returns -1. */
int heap_fail(struct heap *h, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes names and classes. */
void heap_classes_begin(struct heap *h);
void heap_classes_take(struct heap *h, const struct hprof_item *item);
/* Once all are there: names, superclasses, fields, which of them are kept apart. */
int heap_classes_link(struct heap *h);
/* Finds out what bodies of instances consist of. 0, or -1 with h->error. */
int heap_class_plan(struct heap *h, uint32_t class);
/* Whether an object says how many elements it has. */
bool heap_counts(const struct heap_class *c, const unsigned char *body, uint64_t *elements);
/* Whether an object is still empty, so that its contents are to come. */
bool heap_waits(const struct heap_class *c, const unsigned char *body);
/*
 * Where the field of this name is in the body of an instance, its superclasses' fields, too. Its
 * type, or 0: there is none.
 */
unsigned heap_field_find(const struct heap *h, uint32_t class, const char *name, uint32_t *offset);
/* Of the slots of a class: that of a field which it or a superclass declares; or HEAP_NONE. */
uint32_t heap_slot_of(const struct heap *h, uint32_t class, const char *declarer, const char *name);
/* The same by the offset in the body of an instance. */
uint32_t heap_slot_at(const struct heap *h, uint32_t class, uint32_t offset);
/* The number of the class with this identifier, or HEAP_NONE. */
uint32_t heap_class_find(const struct heap *h, uint64_t id);

/* The number of the object at this address, or HEAP_NONE. */
struct heap_index {
	uint32_t *start;
	unsigned shift;
	uint64_t least;
	size_t n;
};
void heap_index_make(struct heap_index *index, const struct heap *h);
uint32_t heap_index_find(const struct heap_index *index, const struct heap *h, uint64_t address);

/* Finds `more` and `forever`. 0, or -1 with h->error. */
int heap_find_more(struct heap *h, const struct heap_index *index);

/* Finds the layout out, once the classes of all objects are known. */
void heap_measure(struct heap *h);
/* Bytes of an instance with this layout, without what not all instances of its class have. */
uint32_t heap_instance_size(const struct heap *h, const struct heap_layout *l, uint32_t class);
/* The same if a field, by its entry in the record of the class that declares it, were not there. */
uint32_t heap_instance_size_without(const struct heap *h, const struct heap_layout *l,
				    uint32_t class, const unsigned char *field);
/* The same with what this one has; `fixed` is what heap_instance_size says. */
uint64_t heap_sized(const struct heap *h, const struct heap_layout *l, uint32_t class,
		    const struct hprof_item *item, uint32_t fixed);
/* Bytes of an object, as its record tells, once the layout is known. */
uint64_t heap_item_size(const struct heap *h, uint32_t class, const struct hprof_item *item);

/* ---- questions --------------------------------------------------------------------------- */

/* Where the record of an object is in the file. */
static inline uint64_t heap_at(const struct heap *h, uint32_t x)
{
	return packed_get(&h->at, x);
}

static inline void heap_item(const struct heap *h, uint32_t x, struct hprof_item *item)
{
	hprof_item_at(h->dump, heap_at(h, x), item);
}

static inline uint32_t heap_class_of(const struct heap *h, uint32_t x)
{
	return (uint32_t)packed_get(&h->class_of, x);
}

/* Bytes of an object. Sizes are multiples of 8: a byte holds most, records tell the others. */
enum { HEAP_UNIT = 8, HEAP_LARGE = UINT8_MAX };
static inline uint64_t heap_size(const struct heap *h, uint32_t x)
{
	struct hprof_item item;

	if (h->size[x] != HEAP_LARGE)
		return (uint64_t)h->size[x] * HEAP_UNIT;
	heap_item(h, x, &item);
	return heap_item_size(h, heap_class_of(h, x), &item);
}

/*
 * An edge of object `x` that leads to `y`; HEAP_NONE: there is none. Of an array, whose edges are
 * all alike, it is the first.
 */
uint32_t heap_edge_between(const struct heap *h, uint32_t x, uint32_t y);
/* The field that edge `e` of object `x` is in. */
uint32_t heap_edge_field(const struct heap *h, uint32_t x, uint32_t e);

/* The text of a string record of the dump, not ended by NUL; *len is 0 where there is none. */
const char *heap_text(const struct heap *h, uint64_t id, size_t *len);
bool heap_text_is(const struct heap *h, uint64_t id, const char *word);

/* Whether the record is a class's, and the object a class object. Few are looked up in the file. */
static inline bool heap_is_class_object(const struct heap *h, uint32_t x)
{
	return heap_class_of(h, x) == h->mirror && h->dump->data[heap_at(h, x)] == 0x20;
}

#endif
