/* SPDX-License-Identifier: Apache-2.0 */
/* fix_parts.h - part of fix.c: divides a row by what rules say of its objects. */
#ifndef OJX_FIX_PARTS_H
#define OJX_FIX_PARTS_H

#include "fix/fix_part.h"
#include "model/callstack.h"

struct fix_parts {
	struct fix_part *part;
	size_t n, room;
};

/*
 * Adds the parts of a row by line: one for each rule that the calls decide, and one for all other
 * objects, whose rule may be NULL. Their amounts are not filled.
 */
void fix_parts_of(struct fix_parts *parts, const struct row *row, struct callstack_hasher *hasher);
void fix_part_release(struct fix_part *part);

#endif
