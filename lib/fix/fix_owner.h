/* SPDX-License-Identifier: Apache-2.0 */
/* fix_owner.h - part of fix_line.c: what constructors make goes with their objects. */
#ifndef OJX_FIX_OWNER_H
#define OJX_FIX_OWNER_H

#include "fix/fix_part.h"

/* Of measured parts of one line, gives those that constructors make the rule of their object. */
void fix_follow_owners(struct fix_part *parts, size_t n);

#endif
