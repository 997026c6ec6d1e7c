/* SPDX-License-Identifier: Apache-2.0 */
/* replica_saved.c - see replica_saved.h. */
#include "analyse/replica/replica_saved.h"

#include <math.h>

static struct replica_interval interval(struct bounds_range range)
{
	return (struct replica_interval){ range.low, range.high };
}

struct stability_least stability_least(const struct stability *u, bool ever)
{
	if (ever)
		return (struct stability_least){ 1, 1, 1 };
	if (!(u->number > 0)) /* nothing is known */
		return (struct stability_least){ 0, 0, 0 };
	return (struct stability_least){ u->objects.low, u->bytes.low,
					 u->share * u->number / (u->number + 1) };
}

void saved_measure(struct saved *s, const struct groups *g, const struct stability_least *least,
		   double objects, double bytes)
{
	struct bounds_range covered = g->covered, covered_bytes = g->covered_bytes;

	s->end_bytes = groups_saved(&covered_bytes, g->contents_bytes, g->least_bytes, bytes).low;
	double mean = fmin(g->covered_mean, covered_bytes.high >= 0 ? covered_bytes.high : 1);
	s->likely = fmax(0, bytes * mean * least->likely - g->contents_bytes);
	s->likely_end = fmax(0, bytes * mean - g->contents_bytes);
	covered.low *= least->objects;
	covered_bytes.low *= least->bytes;
	s->objects = interval(groups_saved(&covered, g->contents, g->least, objects));
	s->bytes = interval(groups_saved(&covered_bytes, g->contents_bytes, g->least_bytes, bytes));
	/* an unknown high end sets no limit */
	const struct bounds_range high = { fmin(1, covered_bytes.high), NAN };
	s->bytes_high = groups_saved(&high, g->contents_bytes, 0, bytes).low;
}
