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
 * 1 if two observations had the same references but different deep contents: two snapshots of one
 * epoch, in which addresses are comparable, or the use and the snapshot of one object. Else 0; -1
 * if out of memory.
 */
int referents_change(struct model_context *const *contexts, size_t n);

#endif
