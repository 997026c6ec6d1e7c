/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.h - where objects of any class hold references, from the VM's own description of the class.
 *
 * Most objects that a sampled object refers to have classes that were never sampled, and JVMTI
 * cannot be called in a pause. So the agent follows the class word in the header to HotSpot's
 * Klass. Its layout helper tells arrays from other objects, and their size; its oop maps tell where
 * references are. The VM's tables (vmstructs.h) give the offsets of all this; shape_measure checks
 * it on objects of known classes.
 *
 * Some classes are special. Some objects are equal only to themselves: locks, class loaders,
 * references that the collector clears, method handles (wire_identity.h). Threads, classes and enum
 * constants have a stable name in place of a content. Fields that only cache a value or count
 * changes (String.hash, modCount) are ignored.
 */
#ifndef OJX_SHAPE_H
#define OJX_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state.h"
#include "hotspot/reader.h"

/*
 * ---- which bytes of an object lie in final fields, from the VM's own description of them.
 * What a final field holds does not change once its object is made. So it stays comparable for
 * ever, wherever the object is moved. Nothing here calls JVMTI, since it runs in pauses, too.
 */

#define FINALS_BYTES 256u /* of an object; fields beyond count as not final */

struct finals {
	uintptr_t described; /* where the VM describes the fields; 0: nothing is known yet */
	uint64_t epoch;	     /* in which that was checked last */
	uint64_t bits[FINALS_BYTES / 64];
};

/* At VMInit: whether this VM's description is understood. shape_measure checks that it is. */
bool finals_init(void);

/* For good: nothing counts as final any more. */
void finals_off(void);

/* [pause] Whether the byte at an offset in the object lies in a final field. */
static inline bool finals_has(const struct finals *f, uint32_t offset)
{
	return offset < FINALS_BYTES && f->bits[offset / 64] >> offset % 64 & 1;
}

#define SHAPE_BLOCKS  16
#define SHAPE_IGNORED 4

enum shape_kind {
	SHAPE_BAD,	  /* not a class, or not understood */
	SHAPE_FIELDS,	  /* content and references */
	SHAPE_STRING,	  /* the same, a java.lang.String */
	SHAPE_PRIMITIVES, /* an array */
	SHAPE_REFERENCES, /* an array */
	SHAPE_MIRROR,	  /* a java.lang.Class: named by its Klass */
	SHAPE_NAMED,	/* named by the class and a number in the object: enum constants, threads */
	SHAPE_IDENTITY, /* equal only to itself */
};

struct shape_range {
	uint32_t offset, bytes;
};

/*
 * By which a class is known again after a collection, which may have put another one in its place.
 * No padding, since it is compared as a whole.
 */
struct shape_identity {
	uintptr_t name, loader, super;
	uint32_t helper; /* Klass::layout_helper */
	uint32_t rules;	 /* how many rules there were for special classes */
};

struct shape {
	uintptr_t klass;
	uint64_t epoch; /* valid only in this one, or after another look at the identity */
	struct shape_identity identity;
	uint8_t kind; /* shape_kind */
	uint8_t nblocks, nignored;
	uint8_t log2;	 /* arrays: log2 of an element's size */
	uint8_t name_at; /* SHAPE_NAMED: the number's offset */
	uint8_t name_size;
	uint32_t base; /* first element, or end of the header */
	uint32_t size; /* other objects: bytes, with padding */
	/* runs of reference slots, `bytes` long */
	struct shape_range blocks[SHAPE_BLOCKS];
	struct shape_range ignored[SHAPE_IGNORED];
	struct finals finals; /* shape_finals */
};

struct shape_cache;

/* The caller frees it with memory_free(). */
struct shape_cache *shape_cache_new(void);

/*
 * At VMInit: finds out how the VM describes classes, and checks it. `r` and `cache` can be used for
 * other purposes afterwards. On failure returns false and the reason in `why`.
 */
bool shape_measure(JNIEnv *jni, struct reader *r, struct shape_cache *cache, const char **why);

/*
 * Event ClassLoad: a special class that was not loaded at VMInit is known from now on. Where only a
 * pause can read memory it is not, and its objects count by content.
 */
void shape_class_loaded(jclass type);

/* The range of object addresses, once measured. */
bool shape_heap(uintptr_t *low, uintptr_t *high);

/* [pause] shape_of will be asked for an object with this header: see reader_want. */
void shape_want(struct shape_cache *cache, struct reader *r, const unsigned char *header,
		uint64_t epoch);

/*
 * [pause] The shape of the object whose header (shape_header bytes) is at `header`; NULL if it
 * makes no sense.
 */
const struct shape *shape_of(struct shape_cache *cache, struct reader *r,
			     const unsigned char *header, uint64_t epoch);

/*
 * [pause] Which bytes of objects of a shape from shape_of are of final fields; NULL if that is not
 * known, and for arrays.
 */
const struct finals *shape_finals(struct shape_cache *cache, struct reader *r,
				  const struct shape *s);

/* [pause] Bytes of a header up to the end of its class word. */
uint32_t shape_header(void);

/*
 * [pause] The address in a reference slot: 0 for null; SHAPE_STALE if only the collector knows it
 * (the object moved and the slot was not updated).
 */
uintptr_t shape_reference(const unsigned char *slot);

#define SHAPE_STALE 1u

/*
 * [pause] Whether the object has moved: the mark word at `header` is a forwarding pointer
 * (Shenandoah).
 */
bool shape_forwarded(const unsigned char *header);

/* [pause] The Klass of a java.lang.Class; 0: none, as for void. */
uintptr_t shape_mirror(struct reader *r, uintptr_t mirror);

/* [pause] Offset of String.coder. */
uint32_t shape_coder(void);

#endif
