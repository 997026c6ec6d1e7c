/* SPDX-License-Identifier: Apache-2.0 */
/* replica_saved.c - see replica_saved.h. */
#include "analyse/replica/replica_saved.h"

#include <math.h>

#include "analyse/replica/observations.h"
#include "stats/estimate.h"

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

struct saved_of saved_of(struct model_context *const *contexts, size_t n, double z)
{
	struct observations_variances v = observations_variances(contexts, n);
	struct saved_of of = { .objects = 0 };

	for (size_t i = 0; i < n; i++) {
		of.objects += contexts[i]->objects;
		of.bytes += contexts[i]->bytes;
	}
	of.objects_low = estimate_amount(of.objects, v.objects, 0, z).range.low;
	of.bytes_low = estimate_amount(of.bytes, v.bytes, 0, z).range.low;
	return of;
}

/*
 * Corrects a lower end that is right if the amount is as estimated: the error of the amount is
 * added. The two distances from the estimate `likely`, a and b, are combined as those of errors
 * with this correlation r (Zou 2007): sqrt(a^2 + b^2 + 2 r a b). If objects that save weigh less
 * than others, the errors partly cancel; that is ignored.
 */
static double with_error(double low, double likely, double amount, double amount_low,
			 double correlation)
{
	double best = fmax(likely, low), share = amount > 0 ? best / amount : 0;
	double a = best - low, b = share * (amount - amount_low);

	return fmax(0, best - sqrt(a * a + b * b + 2 * fmax(0, correlation) * a * b));
}

/* The share of the bytes whose content was seen, as estimated. */
static double covered_mean(const struct groups *g)
{
	return fmin(g->covered_mean, g->covered_bytes.high >= 0 ? g->covered_bytes.high : 1);
}

/* Measures what is saved if no object changes before its end. */
static void measure_end(struct saved *s, const struct groups *g, const struct saved_of *of)
{
	double low =
		groups_saved(&g->covered_bytes, g->contents_bytes, g->least_bytes, of->bytes).low;

	s->likely_end = fmax(0, of->bytes * covered_mean(g) - g->contents_bytes);
	s->end_bytes =
		with_error(low, s->likely_end, of->bytes, of->bytes_low, g->correlation_bytes);
}

void saved_measure(struct saved *s, const struct groups *g, const struct groups *end,
		   const struct stability_least *least, const struct saved_of *of)
{
	struct bounds_range covered = g->covered, covered_bytes = g->covered_bytes;
	double mean = covered_mean(g);

	measure_end(s, end, of);
	s->likely = fmax(0, of->bytes * mean * least->likely - g->contents_bytes);
	covered.low *= least->objects;
	covered_bytes.low *= least->bytes;
	s->objects = interval(groups_saved(&covered, g->contents, g->least, of->objects));
	s->bytes = interval(
		groups_saved(&covered_bytes, g->contents_bytes, g->least_bytes, of->bytes));
	s->objects.low =
		with_error(s->objects.low, of->objects * mean * least->likely - g->contents,
			   of->objects, of->objects_low, g->correlation);
	s->bytes.low =
		with_error(s->bytes.low, s->likely, of->bytes, of->bytes_low, g->correlation_bytes);
	for (int b = 0; b < CLUSTER_BLOCKS; b++)
		s->others[b] = of->bytes * least->likely * g->others[b];
	/* an unknown high end sets no limit */
	const struct bounds_range high = { fmin(1, covered_bytes.high), NAN };
	s->bytes_high = groups_saved(&high, g->contents_bytes, 0, of->bytes).low;
}

/* ---- figures of one kind of content ------------------------------------------------------- */

const struct replica_contents replica_no_contents = {
	.largest = NAN,
	.largest_ci = { NAN, NAN },
	.distinct = NAN,
	.saved_objects = NAN,
	.saved_bytes = NAN,
	.saved_objects_ci = { NAN, NAN },
	.saved_bytes_ci = { NAN, NAN },
	.saved_bytes_high = NAN,
	.likely_bytes = NAN,
	.likely_end_bytes = NAN,
};

void replica_set_groups(struct replica_contents *to, const struct groups *g)
{
	to->largest = g->largest;
	to->largest_ci = (struct replica_interval){ g->largest_range.low, g->largest_range.high };
	to->distinct = g->distinct;
}

void replica_set_saved(struct replica_contents *to, const struct saved *saved)
{
	to->saved_objects_ci = saved->objects;
	to->saved_bytes_ci = saved->bytes;
	to->saved_objects = saved->objects.low;
	to->saved_bytes = saved->bytes.low;
	to->saved_bytes_high = saved->bytes_high;
	to->likely_bytes = fmax(saved->likely, saved->bytes.low);
	to->likely_end_bytes = saved->likely_end;
}
