/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.h - where objects of any class hold references, as the VM's own description of the class
 * says.
 *
 * The classes of objects that a sampled object leads to were mostly never sampled, and JVMTI can
 * not be asked in a pause. So the class word in the header is followed to HotSpot's Klass, whose
 * layout helper tells an array from another object and its size, and whose oop maps tell where
 * references are. Where all that stands comes from the VM's tables (vmstructs.h); shape_measure
 * checks it on objects of known classes.
 *
 * Some classes are read in a way of their own: what is only itself (threads, locks, class loaders,
 * references to be cleared by the collector, method handles), what has a stable name instead of a
 * content (classes, enum constants), and fields that only cache or count what was done
 * (String.hash, modCount).
 */
#ifndef OJX_SHAPE_H
#define OJX_SHAPE_H

#include "core/state.h"
#include "hotspot/reader.h"

#define SHAPE_BLOCKS  16
#define SHAPE_IGNORED 4

enum shape_kind {
	SHAPE_BAD,	  /* not a class, or one that is not understood */
	SHAPE_FIELDS,	  /* content and references */
	SHAPE_STRING,	  /* the same, of a java.lang.String */
	SHAPE_PRIMITIVES, /* an array */
	SHAPE_REFERENCES, /* an array */
	SHAPE_MIRROR,	  /* a java.lang.Class: the Klass that it stands for */
	SHAPE_NAMED,	  /* the class and a number in the object say which it is: enum constants,
			     threads */
	SHAPE_IDENTITY,	  /* only itself */
};

struct shape_range {
	uint32_t offset, bytes;
};

struct shape {
	uintptr_t klass;
	uint64_t epoch; /* in which it was read; good in that one */
	uint8_t kind;	/* shape_kind */
	uint8_t nblocks, nignored;
	uint8_t log2;	 /* arrays: of an element's size */
	uint8_t name_at; /* SHAPE_NAMED: the number's offset */
	uint8_t name_size;
	uint32_t base; /* first element, or end of the header */
	uint32_t size; /* not arrays: bytes, padding included */
	/* references: `bytes` long rows of slots */
	struct shape_range blocks[SHAPE_BLOCKS];
	struct shape_range ignored[SHAPE_IGNORED];
};

struct shape_cache;

/* One block of memory: free() frees it. */
struct shape_cache *shape_cache_new(void);

/*
 * At VMInit: finds out how classes are described and checks it, with a reader and a table that are
 * then used for other things. False with the reason in `why` where something is not as expected.
 */
bool shape_measure(JNIEnv *jni, struct reader *r, struct shape_cache *cache, const char **why);

/* The addresses that objects can have, once that has been measured. */
bool shape_heap(uintptr_t *low, uintptr_t *high);

/* [pause] The shape of the object whose header (shape_header bytes) is at `header`; NULL where it
 * makes no sense. */
const struct shape *shape_of(struct shape_cache *cache, struct reader *r,
			     const unsigned char *header, uint64_t epoch);

/* [pause] Bytes of a header up to the end of its class word. */
uint32_t shape_header(void);

/*
 * [pause] The address in a reference slot: 0 for null, SHAPE_STALE where the collector would have
 * to be asked (an object that moved and whose slot was not updated).
 */
uintptr_t shape_reference(const unsigned char *slot);

#define SHAPE_STALE 1u

/* [pause] Whether an object moved elsewhere: its mark word at `header` is a forwarding pointer
 * (Shenandoah). */
bool shape_forwarded(const unsigned char *header);

/* [pause] The Klass that a java.lang.Class stands for; 0: none, it is void's. */
uintptr_t shape_mirror(struct reader *r, uintptr_t mirror);

/* Offset of String.coder. */
uint32_t shape_coder(void);

#endif
