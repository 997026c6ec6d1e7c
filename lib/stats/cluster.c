/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.c - see cluster.h.
 *
 * Objects that were missed together belong to one phase of the program, and are more alike than
 * objects of the whole run. Whoever stands for them adds the covariance of its neighbours: over the
 * pairs of a block, the product of their deviations from the mean share, weighed by what they stand
 * for. Each observation's own variance is in Kish's effective number already. So the pair of an
 * observation with itself does not count, and the sum is 0 in the mean if contents come in random
 * order. Blocks are wide, as phases are: the neighbours across a narrow block's end are alike, too.
 */
#include "stats/cluster.h"

double cluster_design(const struct cluster_observation *o, size_t n)
{
	double sum[CLUSTER_BLOCKS] = { 0 };
	double all = 0, squares = 0, share = 0, pairs = 0;

	for (size_t i = 0; i < n; i++) {
		all += o[i].weight;
		squares += o[i].weight * o[i].weight;
		share += o[i].hit ? o[i].weight : 0;
	}
	if (!(all > 0))
		return 1;
	share /= all;
	for (size_t i = 0; i < n; i++) {
		double off = o[i].others * ((double)o[i].hit - share);
		sum[o[i].block] += off;
		pairs -= off * off;
	}
	for (unsigned b = 0; b < CLUSTER_BLOCKS; b++)
		pairs += sum[b] * sum[b];
	double own = share * (1 - share) * squares;
	return own > 0 && pairs > 0 ? 1 + pairs / own : 1;
}
