/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capacity.h - how long arrays and the tables of collections would have to be for what they held,
 * and what they would do without.
 */
#ifndef OJX_CAPACITY_H
#define OJX_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

#define CAPACITY_OF 0.95 /* of the objects: the capacity that is named is enough for so many */

struct capacity {
	/* share of the bytes that arrays of just what each holds would do without; NAN: unknown */
	double unfilled;
	/* elements: what CAPACITY_OF of the arrays use, rounded up; NAN: not known */
	double enough;
	double named; /* share of the bytes that arrays of `enough` elements do without, or NAN */
};

/* Of the arrays of some contexts. */
struct capacity capacity_of_arrays(const char *class_name, struct model_context *const *contexts,
				   size_t n);

/* Whether the sentences name a capacity. */
bool capacity_is_named(const struct capacity *c);

/* The share of the bytes of arrays that are avoided; NAN: not known. */
double capacity_avoids(const struct capacity *c);

/* Bytes of an array of that class and length. */
double capacity_bytes(const char *class_name, struct model_context *const *contexts, size_t n,
		      double length);

/* An amount, as that of one object, and how many objects it stands for. */
struct weighed {
	double value, weight;
};

/* The value that is enough for CAPACITY_OF of them; sorts them. NAN: there are none. */
double capacity_enough(struct weighed *values, size_t n);

#endif
