/* SPDX-License-Identifier: Apache-2.0 */
/* klass.h - the agent's entry of a sampled object's class; classes.h makes it. */
#ifndef OJX_KLASS_H
#define OJX_KLASS_H

#include "core/state.h"
#include "wire/wire_collections.h"

/*
 * ---- where an object of a collection's class has what tells how full it is (collection_classes.h)
 */

/* A field in an object. */
struct collection_place {
	uint32_t offset;
	uint8_t size; /* bytes; 0: there is no such field */
};

/* Where an object of a class has what tells how full it is. */
struct collection {
	uint16_t kind; /* wire_fill_kind */
	uint8_t rules; /* wire_collection_rules */
	uint32_t end;  /* bytes of the object that has the fields: the last one ends there */
	/* a reference to an object that has all the others, as a HashSet's to its map */
	struct collection_place inner;
	uint64_t word; /* the class word of that object, if others can be there; 0: they cannot */
	struct collection_place size, changes;
	struct collection_place from;	/* subtracted from `size`, which goes around in the table */
	struct collection_place unless; /* if this reference is not null, the size is not known */
	struct collection_place first;	/* a reference that is null until it holds something */
	struct collection_place coder;	/* how often the table's length is halved */
	struct collection_place table[WIRE_COLLECTION_TABLES];
};

/* ---- all classes. */

struct class_position {
	uint32_t offset;
	uint8_t size;
	bool reference;
};

struct klass {
	uint32_t id;
	uint64_t salt; /* of its name: equal contents of two classes have unrelated hashes */
	bool wanted;   /* matches --class */
	bool array;
	bool reference_elements;
	uint8_t element_size;		  /* arrays */
	uint32_t base;			  /* arrays: first element */
	uint32_t size;			  /* other objects: end of the last field */
	uint32_t npositions;		  /* fields */
	uint32_t field_bytes;		  /* sum of their sizes */
	struct class_position *positions; /* by offset */
	bool tells;			  /* how full its objects are, by */
	struct collection collection;
	_Atomic uint64_t word; /* class word in headers; 0 until an object was seen */
	_Atomic(jweak) mirror; /* NULL: out of memory */
};

/* [handler][pause] The number of an object's positions (fields, elements). */
static inline uint64_t class_npositions(const struct klass *k, uint32_t array_length)
{
	return k->array ? array_length : k->npositions;
}

/* [handler][pause] Bytes from the object's start to the end of its content. */
static inline uint64_t class_end(const struct klass *k, uint32_t array_length)
{
	return k->array ? k->base + (uint64_t)array_length * k->element_size : k->size;
}

/* [handler][pause] Whether objects of the class can hold references. */
static inline bool class_refers(const struct klass *k)
{
	if (k->array)
		return k->reference_elements;
	for (uint32_t i = 0; i < k->npositions; i++)
		if (k->positions[i].reference)
			return true;
	return false;
}

#endif
