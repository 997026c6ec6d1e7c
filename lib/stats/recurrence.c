/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.c - see recurrence.h. */
#include "stats/recurrence.h"

#include <math.h>
#include <stdlib.h>

#define GROUPS RECURRENCE_GROUPS
#define SAME   1e-6 /* relative; sums of float differ by less */

/* ---- ratios of sums over groups ---------------------------------------------------------- */

/* Student's quantile for the normal one `z`, with `n` degrees of freedom (Cornish and Fisher). */
static double student(double z, double n)
{
	double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;

	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

/* The sum of `part` over that of `all`, both by group; `objects`: how many it is from. */
static struct estimate ratio(const double part[GROUPS], const double all[GROUPS], double objects,
			     double z)
{
	double sum = 0, whole = 0, squares = 0;
	int used = 0;

	for (int g = 0; g < GROUPS; g++) {
		sum += part[g];
		whole += all[g];
		used += all[g] > 0;
	}
	if (!(whole > 0))
		return (struct estimate){ NAN, { NAN, NAN } };
	double share = fmin(1, sum / whole);
	for (int g = 0; g < GROUPS; g++) {
		double rest = part[g] - share * all[g];
		squares += rest * rest;
	}
	if (used < 2)
		return (struct estimate){ share, { 0, 1 } };
	double error = student(z, used - 1) * sqrt(squares * used / (used - 1)) / whole;
	struct bounds_range wilson = bounds_wilson(share, objects, z);
	return (struct estimate){ share,
				  { fmax(0, fmin(share - error, wilson.low)),
				    fmin(1, fmax(share + error, wilson.high)) } };
}

double recurrence_weight(const struct recurrence_content *c)
{
	double sum = 0;

	for (int g = 0; g < GROUPS; g++)
		sum += c->weight[g];
	return sum;
}

double recurrence_all(const struct recurrence_whole *all)
{
	double sum = 0;

	for (int g = 0; g < GROUPS; g++)
		sum += all->weight[g];
	return sum;
}

static const struct estimate nothing_known = { NAN, { NAN, NAN } };

/* The share of the objects whose content is not known; 1 if there are none. */
static double unknown_share(const struct recurrence_whole *all)
{
	double sum = recurrence_all(all);

	return sum > 0 ? fmin(1, all->unknown / sum) : 1;
}

/* The same of those that are equal to more than was recognised, from the k commonest on. */
static double local_share(const struct recurrence_content *const *c, size_t n, size_t k,
			  const struct recurrence_whole *all)
{
	double sum = recurrence_all(all), local = 0;

	for (size_t i = k; i < n; i++)
		local += c[i]->local ? recurrence_weight(c[i]) : 0;
	return sum > 0 ? fmin(1, local / sum) : 1;
}

int recurrence_compare(const void *a, const void *b)
{
	double x = recurrence_weight(*(const struct recurrence_content *const *)a);
	double y = recurrence_weight(*(const struct recurrence_content *const *)b);

	return x > y ? -1 : x < y;
}

/* ---- estimates --------------------------------------------------------------------------- */

struct estimate recurrence_elsewhere(const struct recurrence_content *const *c, size_t n,
				     const struct recurrence_whole *all, bool bytes, double z)
{
	double seen[GROUPS] = { 0 };

	for (size_t i = 0; i < n; i++)
		for (int g = 0; g < GROUPS && c[i]->clusters > 1; g++)
			seen[g] += (double)c[i]->weight[g] * (bytes ? (double)c[i]->size : 1);
	struct estimate e = ratio(seen, bytes ? all->bytes : all->weight, (double)all->objects, z);
	if (!isnan(e.value))
		e.range.high = 1;
	return e;
}

/* Equal pairs, and all pairs, of different groups; without group `but` (-1: with all). */
static double pairs_without(const struct recurrence_content *const *c, size_t n,
			    const struct recurrence_whole *all, int but)
{
	double equal = 0, whole = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		double of = 0, squares = 0;
		for (int g = 0; g < GROUPS && c[i]->clusters > 1; g++) {
			double w = g == but ? 0 : (double)c[i]->weight[g];
			of += w;
			squares += w * w;
		}
		equal += of * of - squares;
	}
	for (int g = 0; g < GROUPS; g++) {
		double w = g == but ? 0 : all->weight[g];
		sum += w;
		whole -= w * w;
	}
	whole += sum * sum;
	return whole > 0 ? fmax(0, equal / whole) : NAN;
}

struct estimate recurrence_pairs(const struct recurrence_content *const *c, size_t n,
				 const struct recurrence_whole *all, double z)
{
	double value = pairs_without(c, n, all, -1), squares = 0, left[GROUPS], mean = 0;
	double unknown = unknown_share(all);
	/* pairs of which at least one may be equal to anything */
	double open = fmin(1, unknown + local_share(c, n, 0, all));
	double more = 1 - (1 - open) * (1 - open);

	if (unknown > 1 - SAME)
		return nothing_known;
	for (int g = 0; g < GROUPS; g++) {
		left[g] = pairs_without(c, n, all, g);
		mean += left[g] / GROUPS;
	}
	if (isnan(value) || isnan(mean))
		return (struct estimate){ value,
					  { isnan(value) ? NAN : 0, isnan(value) ? NAN : 1 } };
	for (int g = 0; g < GROUPS; g++)
		squares += (left[g] - mean) * (left[g] - mean);
	double error = student(z, GROUPS - 1) * sqrt(squares * (GROUPS - 1) / GROUPS);
	/* as many independent pairs as there are objects in half of the sample */
	struct bounds_range wilson = bounds_wilson(value, fmax(1, (double)all->objects / 2), z);
	return (struct estimate){ value,
				  { fmax(0, fmin(value - error, wilson.low)),
				    fmin(1, fmax(value + error, wilson.high) + more) } };
}

/* ---- what few contents hold -------------------------------------------------------------- */

/* A content, and what one half of the groups has of it. */
struct chosen {
	double weight;
	const struct recurrence_content *of;
};

static int compare_chosen(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;

	return x->weight > y->weight ? -1 : x->weight < y->weight;
}

/* Lists the contents of groups half, half + 2, ..., the commonest there first. */
static size_t list_half(struct chosen *room, const struct recurrence_content *const *c, size_t n,
			int half)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		double sum = 0;
		for (int g = half; g < GROUPS; g += 2)
			sum += (double)c[i]->weight[g];
		if (sum > 0)
			room[m++] = (struct chosen){ sum, c[i] };
	}
	qsort(room, m, sizeof *room, compare_chosen);
	return m;
}

static void add(double to[GROUPS], const struct recurrence_content *c, int half, double share)
{
	for (int g = 1 - half; g < GROUPS; g += 2)
		to[g] += share * (double)c->weight[g];
}

/*
 * What the first k of the list have in the other half. Of those that are as common as the last one
 * any are as good, so the mean of these counts.
 */
static struct estimate held_in_other(const struct chosen *list, size_t n, size_t k, int half,
				     const struct recurrence_whole *all, double z)
{
	double held[GROUPS] = { 0 }, whole[GROUPS] = { 0 };
	size_t i = 0, first, ties;

	if (n < k)
		k = n;
	double last = k > 0 ? list[k - 1].weight : 0;
	for (; i < k && list[i].weight > last * (1 + SAME); i++)
		add(held, list[i].of, half, 1);
	for (first = ties = i; ties < n && list[ties].weight > last * (1 - SAME); ties++)
		;
	for (; i < ties; i++)
		add(held, list[i].of, half, (double)(k - first) / (double)(ties - first));
	for (int g = 1 - half; g < GROUPS; g += 2)
		whole[g] = all->weight[g];
	return ratio(held, whole, (double)all->objects / 2, z);
}

/* The estimate that is too high, if anything. */
static struct estimate held_in_all(const struct recurrence_content *const *c, size_t n, size_t k,
				   const struct recurrence_whole *all, double z)
{
	double in[GROUPS] = { 0 }, sum = recurrence_all(all);

	for (size_t i = 0; i < n && i < k; i++)
		for (int g = 0; g < GROUPS; g++)
			in[g] += (double)c[i]->weight[g];
	struct estimate e = ratio(in, all->weight, (double)all->objects, z);
	/* what was forgotten, and what may be equal though it was not recognised */
	double lost = fmin(all->forgotten, (double)k * all->rounds * all->forgotten_most);
	double more = lost / sum + local_share(c, n, k, all) + unknown_share(all);
	e.range.high = sum > 0 ? fmin(1, e.range.high + more) : NAN;
	return e;
}

int recurrence_held(struct estimate *to, const unsigned *k, size_t nk,
		    const struct recurrence_content *const *c, size_t n,
		    const struct recurrence_whole *all, double z)
{
	struct chosen *room = malloc((n ? n : 1) * sizeof *room);
	bool known = unknown_share(all) <= 1 - SAME;

	if (!room)
		return -1;
	for (size_t i = 0; i < nk; i++) {
		to[i] = nothing_known;
		if (known)
			to[i] = held_in_all(c, n, k[i], all, z);
		to[i].value /= 2;
		to[i].range.low = known ? 0 : NAN;
	}
	for (int half = 0; half < 2; half++) {
		size_t m = list_half(room, c, n, half);
		for (size_t i = 0; i < nk; i++) {
			struct estimate e = held_in_other(room, m, k[i], half, all, z);
			to[i].value += e.value / 4;
			to[i].range.low += e.range.low / 2;
		}
	}
	free(room);
	return 0;
}
