/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.c - see cluster.h. */
#include "stats/cluster.h"

#include "base/sort.h"

static int compare_errors(const void *a, const void *b)
{
	const struct cluster_error *x = a, *y = b;

	return ORDER(x->process, y->process) ?: ORDER(x->block, y->block);
}

SORT_DEFINE(sort_errors, struct cluster_error, compare_errors)

double cluster_squares(struct cluster_error *e, size_t n)
{
	double squares = 0;

	sort_errors(e, n);
	for (size_t first = 0, next; first < n; first = next) {
		double sum = 0;
		for (next = first; next < n && compare_errors(&e[next], &e[first]) == 0;)
			sum += e[next++].error;
		squares += sum * sum;
	}
	return squares;
}

/* ---- design effect ------------------------------------------------------------------------- */

static int compare_contents(const void *a, const void *b)
{
	const struct cluster_observation *x = a, *y = b;

	return ORDER(x->process, y->process) ?: ORDER(x->content, y->content);
}

SORT_DEFINE(sort_contents, struct cluster_observation, compare_contents)

/* Those of one process. */
struct process {
	double weight, squares, top; /* top: weight of the commonest content */
	uint64_t content;	     /* which that is */
};

static struct process sum_up(const struct cluster_observation *o, size_t n)
{
	struct process p = { .top = -1 };

	for (size_t first = 0, next; first < n; first = next) {
		double weight = 0;
		for (next = first; next < n && o[next].content == o[first].content; next++) {
			weight += o[next].weight;
			p.squares += o[next].weight * o[next].weight;
		}
		p.weight += weight;
		if (weight > p.top) {
			p.top = weight;
			p.content = o[first].content;
		}
	}
	return p;
}

/*
 * Whoever stands for missed objects adds the covariance of its neighbours: over the pairs of a
 * block, the product of their deviations from the mean share, weighed by what they stand for. Each
 * observation's own variance is in Kish's effective number already. So the pair of an observation
 * with itself does not count, and the sum is 0 in the mean if contents come in random order. Blocks
 * are wide, as phases are: the neighbours across a narrow block's end are alike, too.
 */
static double add_pairs(double *own, const struct cluster_observation *o, size_t n)
{
	double sum[CLUSTER_BLOCKS] = { 0 }, pairs = 0;
	struct process p = sum_up(o, n);

	if (!(p.weight > 0))
		return 0;
	double share = p.top / p.weight;
	for (size_t i = 0; i < n; i++) {
		double off = o[i].others * ((double)(o[i].content == p.content) - share);
		sum[o[i].block] += off;
		pairs -= off * off;
	}
	for (unsigned b = 0; b < CLUSTER_BLOCKS; b++)
		pairs += sum[b] * sum[b];
	*own += share * (1 - share) * p.squares;
	return pairs;
}

double cluster_design(struct cluster_observation *o, size_t n)
{
	double pairs = 0, own = 0;

	sort_contents(o, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first; next < n && o[next].process == o[first].process;)
			next++;
		pairs += add_pairs(&own, o + first, next - first);
	}
	return own > 0 && pairs > 0 ? 1 + pairs / own : 1;
}
