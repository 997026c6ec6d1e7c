/* SPDX-License-Identifier: Apache-2.0 */
/*
 * referents.h - whether what objects refer to was seen to change.
 *
 * Two objects that refer to the same changing object have different deep contents if their
 * snapshots are of different times. One could replace the other nevertheless.
 */
#ifndef OJX_REFERENTS_H
#define OJX_REFERENTS_H

#include <stddef.h>

#include "model/model.h"

/*
 * Compares observations of one epoch, in which addresses are comparable, that had the same
 * references: snapshots, and uses outside of constructors. 1 if one in REFERENTS_ONE_IN neighbours
 * or more had different deep contents, else 0; -1 if out of memory.
 */
#define REFERENTS_ONE_IN 20
int referents_change(struct model_context *const *contexts, size_t n);

#endif
