/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_collections.h - the classes of collections, buffers and builders of which is known how full
 * an object is, and which of its fields tell it: by name, type, and the class that declares them.
 * The agent needs them for snapshots, the tool for heap dumps.
 *
 * An object's class counts if it is in the table, or if it is the subclass of one that is and
 * declares no field of its own: then it has no place for elements but its superclass's. Properties
 * inherits from Hashtable, but has a map of its own.
 */
#ifndef OJX_WIRE_COLLECTIONS_H
#define OJX_WIRE_COLLECTIONS_H

#include <stdint.h>

#define WIRE_COLLECTION_TABLES 4

enum wire_collection_rules {
	/*
	 * Each element that comes or goes is a change of its own. So if there were as many changes
	 * as there are elements, it held no more before.
	 */
	WIRE_COLLECTION_EACH = 1 << 0,
	/* `first`, or its first table, is null until it holds something */
	WIRE_COLLECTION_LAZY = 1 << 1,
};

struct wire_collection_field {
	const char *name, *type; /* NULL: there is none */
	const char *declarer;	 /* NULL: the class of the row */
};

struct wire_collection {
	const char *class; /* its signature; NULL ends the table */
	uint16_t kind;	   /* wire_fill_kind */
	uint8_t rules;
	/* a reference to an object that has all the others, as a HashSet's to its map */
	struct wire_collection_field inner;
	struct wire_collection_field size, changes;
	struct wire_collection_field from;   /* subtracted from `size`, which goes around */
	struct wire_collection_field unless; /* if it is not null, the size is not known */
	struct wire_collection_field first;  /* a reference, null until it holds something */
	struct wire_collection_field coder;  /* how often the table's length is halved */
	struct wire_collection_field table[WIRE_COLLECTION_TABLES];
};

extern const struct wire_collection wire_collections[];

#endif
