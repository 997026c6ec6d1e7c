/* SPDX-License-Identifier: Apache-2.0 */
/* combine_private.h - shared by combine.c and combine_row.c. */
#ifndef OJX_COMBINE_PRIVATE_H
#define OJX_COMBINE_PRIVATE_H

#include "analyse/replica/combine.h"

/* Share of pairs that are known to have equal content; the other, equal values. */
double combine_sum_equal(const struct combine *sum);
double combine_sum_values(const struct combine *sum);

#endif
