/* SPDX-License-Identifier: Apache-2.0 */
/* fix_expression.h - part of fix_line.c: how much of what compiles expressions is in vain. */
#ifndef OJX_FIX_EXPRESSION_H
#define OJX_FIX_EXPRESSION_H

#include "fix/fix_part.h"

/* Of the measured parts of one line, those that compile expressions. */
void fix_weigh_expressions(struct fix_part *parts, size_t n, double z);

#endif
