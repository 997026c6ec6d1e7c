/* SPDX-License-Identifier: Apache-2.0 */
/* condition_text.h - what a condition holds for, in words. */
#ifndef OJX_CONDITION_TEXT_H
#define OJX_CONDITION_TEXT_H

#include <stdio.h>

#include "base/style.h"
#include "report/condition.h"

/*
 * Writes "'saved>1MB' holds for 2 lines, the first of which is Foo at Shop.load:12: 3.4 MB" of a
 * condition that holds.
 */
void condition_put_hit(FILE *out, const struct condition *c, const struct condition_hit *hit,
		       const struct style *s);

#endif
