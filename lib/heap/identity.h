/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity.h - what cannot be shared even if it is equal: objects whose identity matters, and those
 * that are still empty because they wait for their contents. And how many elements a collection
 * has.
 */
#ifndef OJX_IDENTITY_H
#define OJX_IDENTITY_H

#include <stdbool.h>

/* Objects of this class and of its subclasses are equal to none but themselves. */
bool identity_class(const char *name);

/*
 * What fields of a class tell of an object. `empty`: while this one is 0 or null, the object waits
 * for its contents, and so is equal to none but itself. `count`: holds how many elements there are,
 * an `int` or `long`, which is 0 while it is empty; it counts only while `none` is null.
 */
struct identity_fields {
	const char *class;
	const char *count, *empty, *none; /* NULL: there is none */
};
/* Of a class that declares them; NULL: there are none. */
const struct identity_fields *identity_fields(const char *class);

#endif
