/* SPDX-License-Identifier: Apache-2.0 */
/* shape_private.h - results of shape_measure.c, for shape.c. */
#ifndef OJX_SHAPE_PRIVATE_H
#define OJX_SHAPE_PRIVATE_H

#include "hotspot/metadata/shape.h"
#include "hotspot/vmstructs.h"

#define SHAPE_KNOWN 80

/* A special class, with its subclasses. */
struct shape_known {
	uintptr_t klass;
	uint32_t check_at; /* offset at which a subclass's Klass holds this one */
	uint8_t kind;	   /* SHAPE_FIELDS: special only by ignored fields */
	uint8_t name_at, name_size;
	uint8_t nignored;
	struct shape_range ignored[2];
};

/* Constant after VMInit, but for classes that are loaded later: they are added to `known`. */
struct shape_rules {
	struct vmstructs vm;
	const uint64_t *bad_mask; /* ZGC: bits that no usable reference has */
	bool forwards;		  /* mark words can be forwarding pointers between pauses */
	uint32_t coder_at;
	_Atomic bool grows; /* classes that are loaded are looked at */
	_Atomic uint32_t nknown;
	struct shape_known known[SHAPE_KNOWN];
};

extern struct shape_rules shape_rules;

/* [pause] The Klass of a header's class word; 0: none. */
uintptr_t shape_klass(const unsigned char *header);

#endif
