/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_table.h - draws entries of a table, each with the probability of its share of a sum; and how
 * likely an entry is if every second draw takes all alike instead.
 */
#ifndef OJX_DRAW_TABLE_H
#define OJX_DRAW_TABLE_H

#include <stdint.h>

struct draw_table {
	double *upto; /* the caller's, with room for all: sums of the amounts up to each entry */
	uint32_t n;
};

/* Adds the next entry; with an amount of 0 it cannot be drawn. */
void draw_table_add(struct draw_table *t, double amount);

/* The sum of all amounts. */
double draw_table_sum(const struct draw_table *t);

/* The entry for a random number in [0, 1); the sum is not 0. */
uint32_t draw_table_pick(const struct draw_table *t, double random);

/* An entry's share of the sum; of none that was added, 0. */
double draw_table_share(const struct draw_table *t, uint32_t entry);

/* How likely an entry of this share is, if half of the draws take each of `n` entries alike. */
double draw_table_chance(double share, uint32_t n);

#endif
