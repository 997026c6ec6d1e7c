/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fill.h - how full an object is: the size, the count of changes and the table of a collection or
 * buffer of a known class (collection_classes.h), and how far an array is used.
 */
#ifndef OJX_FILL_H
#define OJX_FILL_H

#include "heap/deep.h"
#include "hotspot/metadata/classes.h"

/*
 * [pause] Of the object readable at `at` up to class_end(). Follows its references with `d` after
 * deep_begin; NULL: does not follow. False if nothing is known of it, or an array is used to its
 * end. `*followed`: references were followed, so outside a pause the epoch has to be looked at.
 */
bool fill_read(const unsigned char *at, const struct klass *k, uint32_t array_length,
	       struct deep *d, struct wire_fill *to, bool *followed);

#endif
