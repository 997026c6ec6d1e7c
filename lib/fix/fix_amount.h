/* SPDX-License-Identifier: Apache-2.0 */
/* fix_amount.h - part of fix.c: how many bytes of one part of a fix are avoided. */
#ifndef OJX_FIX_AMOUNT_H
#define OJX_FIX_AMOUNT_H

#include "fix/fix_part.h"

/* A share of things that were looked at, and its interval. */
struct fix_share {
	double value; /* 0..1; NAN: not known */
	struct bounds_range range;
};

/* `k` of `n` (effective) things looked at; z as for bounds_z. */
struct fix_share fix_share_of(double k, double n, double z);

/* Bytes of contexts, as estimated from samples. */
struct estimate fix_bytes(struct model_context *const *contexts, size_t n, double z);

/* A share of an estimated amount; both errors count. */
struct estimate fix_part_of(struct estimate amount, const struct fix_share *share);

/* Adds an amount whose error is independent of the sum's. */
void fix_add(struct estimate *sum, const struct estimate *amount);

/*
 * Fills the amounts of a part by what its rule removes. `z` is the quantile of the intervals.
 */
void fix_measure(struct fix_part *part, double z);

#endif
