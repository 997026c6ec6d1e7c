/* SPDX-License-Identifier: Apache-2.0 */
/* groups_draws.h - samples with known truth, and the groups found in them. */
#ifndef OJX_TEST_GROUPS_DRAWS_H
#define OJX_TEST_GROUPS_DRAWS_H

#include <stddef.h>
#include <stdint.h>

#include "stats/groups.h"

#define GROUPS_Z    1.959963984540054
#define GROUPS_MOST 20000

/* The content of object i. */
typedef struct observation draw_fn(size_t i, struct rng *rng);

draw_fn draw_all_same, draw_all_distinct, draw_three_quarters, draw_ten_groups,
	draw_hundred_lengths, draw_all_same_refs, draw_thin_refs, draw_moving_refs,
	draw_mostly_thin_refs, draw_mostly_empty, draw_phases_with_few_refs, draw_partial,
	draw_partly_partial, draw_every_other_epoch, draw_weighted, draw_large_ones_differ;

/* The groups of `n` objects (at most GROUPS_MOST) of a program that allocated `objects`. */
struct groups groups_of(draw_fn *draw, size_t n, double objects, uint64_t seed);

/* What merging them saves at least: in objects, and in bytes. */
double least_saved(const struct groups *g, double objects);
double least_saved_bytes(const struct groups *g, double bytes);

#endif
