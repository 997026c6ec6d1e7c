/* SPDX-License-Identifier: Apache-2.0 */
/*
 * more.h - what further snapshots of a line will tell, if they are like those seen: the spread that
 * is to be expected of some times as many.
 */
#ifndef OJX_MORE_H
#define OJX_MORE_H

#include "stats/spread.h"

/*
 * What is thought of the contents of a line: one is common, some groups are equally common, and the
 * rest is distinct. Shares are of the bytes.
 */
struct more {
	struct spread seen;
	double number;	/* effective number of those seen, without the phantom */
	double common;	/* the share of the commonest content */
	double grouped; /* of the groups in all; of each */
	double each;
};

/* No group has less than `least` of the bytes; 0: any. */
void more_begin(struct more *m, const struct spread *seen, double least);

/* The spread of `times` (>= 1) as many snapshots; of 1, that which was seen. */
struct spread more_of(const struct more *m, double times);

/* The share of the bytes whose content others have, too: as estimated, seen or not. */
double more_covered(const struct more *m);

/*
 * The same at most, of contents with `least` of the bytes each; one-sided, at `alpha`. Of n
 * snapshots of those, at most (1 - least)^(n - 1) are alone. So it is Clopper and Pearson's upper
 * limit of the share of contents seen twice or more, divided by 1 - (1 - least)^(n - 1).
 */
double more_covered_high(const struct spread *seen, double least, double alpha);

#endif
