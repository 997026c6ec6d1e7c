/* SPDX-License-Identifier: Apache-2.0 */
/* combine_private.h - sums that both making and reading a combination needs. */
#ifndef OJX_COMBINE_PRIVATE_H
#define OJX_COMBINE_PRIVATE_H

#include "analyse/replica/combine.h"

/* Shares of pairs known to be of equal content, and of equal values. */
double combine_sum_equal(const struct combine *sum);
double combine_sum_values(const struct combine *sum);

#endif
