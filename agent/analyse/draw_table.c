/* SPDX-License-Identifier: Apache-2.0 */
/* draw_table.c - see draw_table.h. */
#include "analyse/draw_table.h"

void draw_table_add(struct draw_table *t, double amount)
{
	t->upto[t->n] = draw_table_sum(t) + amount;
	t->n++;
}

double draw_table_sum(const struct draw_table *t)
{
	return t->n ? t->upto[t->n - 1] : 0;
}

uint32_t draw_table_pick(const struct draw_table *t, double random)
{
	double at = random * draw_table_sum(t);
	uint32_t low = 0, high = t->n - 1;

	/* the first entry whose sum is larger, so none of amount 0 */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (t->upto[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

double draw_table_share(const struct draw_table *t, uint32_t entry)
{
	if (entry >= t->n || !(draw_table_sum(t) > 0))
		return 0;
	return (t->upto[entry] - (entry ? t->upto[entry - 1] : 0)) / draw_table_sum(t);
}

double draw_table_chance(double share, uint32_t n)
{
	return (share + 1.0 / n) / 2;
}
