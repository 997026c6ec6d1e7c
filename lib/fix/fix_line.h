/* SPDX-License-Identifier: Apache-2.0 */
/* fix_line.h - part of fix.c: what parts of one line tell of each other. */
#ifndef OJX_FIX_LINE_H
#define OJX_FIX_LINE_H

#include "fix/fix_part.h"

/* Completes measured parts, in any order; sorts them. */
void fix_lines(struct fix_part *parts, size_t n, double z);

#endif
