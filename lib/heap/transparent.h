/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transparent.h - classes that only hold what others put into them: collections, their nodes and
 * views, wrappers of one object. Who looks for a holder goes through them.
 */
#ifndef OJX_TRANSPARENT_H
#define OJX_TRANSPARENT_H

#include <stdbool.h>

/* Of a class that declares fields. Arrays of objects are transparent, too, and not asked for. */
bool transparent_class(const char *name);

#endif
