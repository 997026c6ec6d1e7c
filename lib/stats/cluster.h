/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.h - what observations tell that stand for others which were missed together. Objects that
 * were missed together belong to one phase of a program, and are more alike than objects of the
 * whole run.
 *
 * Of several processes, each has contents and phases of its own: no content of one is that of
 * another, and no two objects of different processes were missed together.
 */
#ifndef OJX_CLUSTER_H
#define OJX_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

#define CLUSTER_BLOCKS 32 /* of the run; objects missed in one block are taken as correlated */

struct cluster_observation {
	double weight; /* > 0 */
	double others; /* the part of it for objects that were missed, 0..weight */
	uint64_t content;
	uint32_t process;
	uint32_t block; /* 0..CLUSTER_BLOCKS - 1, the time of observation in the process */
};

/*
 * The design effect, >= 1: the factor by which the variance of the share of a content exceeds that
 * of independent observations of these weights (Kish 1965, section 5.4); of the content of a
 * process that is commonest in it. 1 without observations, or if no process has several contents.
 * With v for `weight`, u for `others`, h = 1 for an observation of the commonest content and p its
 * share in the process, it is 1 + the sum over pairs i != j of a block of a process of u_i u_j (h_i
 * - p) (h_j - p), divided by the sum over the processes of p (1 - p) times the sum of v^2. Sorts
 * the observations.
 */
double cluster_design(struct cluster_observation *o, size_t n);

/* How far what an observation stands for is from what it would be on average. */
struct cluster_error {
	uint32_t process, block;
	double error;
};

/*
 * The sum over the blocks of the processes of the square of their errors: the variance of the sum
 * of a cluster sample (Kish 1965, section 6.3). Sorts the errors.
 */
double cluster_squares(struct cluster_error *e, size_t n);

#endif
