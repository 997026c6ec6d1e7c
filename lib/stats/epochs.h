/* SPDX-License-Identifier: Apache-2.0 */
/*
 * epochs.h - what the few commonest contents of a line hold at each time, from pairs of snapshots
 * of one epoch, in which addresses are comparable.
 *
 * What few contents hold of the whole run is no more than what the few commonest of each epoch
 * hold of it, averaged over the epochs. So pairs of one epoch, of any epochs, prove that contents
 * with references are distinct. epochs.c derives it. Pure functions of arrays.
 */
#ifndef OJX_EPOCHS_H
#define OJX_EPOCHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct epoch_snapshot {
	uint64_t epoch, content; /* equal numbers mean equal contents, within an epoch */
	double v;		 /* bytes that it stands for, > 0 */
};

struct epoch_pairs {
	double pairs; /* effective number, as if all weighed as much as the heaviest of an epoch */
	double equal; /* the share of equal ones, averaged over the epochs by bytes */
	/* the share of the bytes of epochs without a pair, and of what was not seen */
	double alone;
};

/*
 * Measures `n` snapshots, and sorts them. `largest` is the largest v of any sample of the line,
 * seen or not; 0: of those seen. `design` (>= 1) divides the number of pairs.
 */
void epochs_measure(struct epoch_pairs *e, struct epoch_snapshot *snapshots, size_t n,
		    double largest, double design);

/*
 * The most that `k` contents hold of the bytes; one-sided, wrong with probability `alpha`; 1 if
 * nothing is known.
 */
double epochs_high(const struct epoch_pairs *e, unsigned k, double alpha);

/*
 * The share of contents of which each holds `least` of the bytes, at each time: as estimated at
 * most, and an upper bound.
 */
double epochs_covered(const struct epoch_pairs *e, double least);
double epochs_covered_high(const struct epoch_pairs *e, double least, double alpha);

/* What `times` as many snapshots are expected to tell: more pairs, and fewer epochs without one. */
struct epoch_pairs epochs_more(const struct epoch_pairs *e, double times);

#endif
