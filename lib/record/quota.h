/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota.h - how many sampled objects of each line of code the agent takes a snapshot of, and of
 * which lines it watches objects.
 *
 * A few lines make most of a program's allocations, and most samples are of these. The verdict of
 * a line needs a hundred snapshots, mostly fewer, whatever it allocates; where addresses can only
 * be compared within an epoch, it needs more. So of each line QUOTA are wanted, more at a large
 * budget, each time that its allocations have doubled. Snapshots so taken count for the whole run,
 * late ones as much as early ones, and their effective number (Kish) is 2.7 to 3 times QUOTA.
 * Leaving out early ones until all weigh as much would leave QUOTA to twice that.
 *
 * Verdicts are of bytes, so each snapshot is to stand for as many. A sample of a small object
 * stands for the bytes between two samples, one of a large array for the array. The agent is told
 * for how many bytes a kept sample is to stand. One that stands for as many by itself is
 * kept. Of the others one in 2^k is, so that it stands for half of that to all of it. With N
 * samples that are alike, N / 2^k lies between QUOTA and twice that. If all samples were thinned
 * alike, a few that stand for large arrays would outweigh all others: of Soot's line of large
 * arrays, 236 snapshots counted as 17.
 *
 * Samples are kept evenly, not in turns. To keep all of a line's in a few epochs and none in the
 * others, in the same number, makes more pairs of one epoch. In simulated lines of references that
 * decides nothing more at a budget of 2, where lines stay below their quota, and 55 instead of 46 %
 * at 100. But in programs with phases 20 to 32 % of the sums' intervals then miss the truth, and up
 * to 7 % of the verdicts are wrong.
 *
 * Lines that have a verdict could leave their share to others. At a budget of 2, snapshots beyond
 * the first 64 of such lines are 0 to 1 % of all (PMD, JRuby, Soot); at 5 they are 4 to 19 %. So
 * few would decide hardly more.
 *
 * What the agent is told (wire_layout.h) rests on what came before. It is told lines, so that
 * contexts that were never met before share what is known of their line.
 */
#ifndef OJX_QUOTA_H
#define OJX_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "wire/wire.h"

#define QUOTA	     128
#define QUOTA_BUDGET 2.5 /* percent */
#define QUOTA_MOST   1024

struct quota;

/*
 * How many snapshots of a line are wanted at a budget in percent: QUOTA up to QUOTA_BUDGET, then in
 * proportion, up to QUOTA_MOST. A budget that is spent on samples which are only counted decides
 * nothing more of large lines.
 */
unsigned quota_wanted(double budget);

/*
 * For one JVM of a model, which both outlive the quota, as do the controls; `wanted` snapshots of
 * each line (>= 1). NULL if out of memory. Release with quota_free.
 */
struct quota *quota_new(const struct model *model, uint32_t jvm, struct wire_controls *controls,
			unsigned wanted);
void quota_free(struct quota *q);

/* The agent is told nothing any more, as before the first quota. */
void quota_forget(struct wire_controls *controls);

/* A record that the model has taken; those of allocations, snapshots and uses count. */
void quota_take(struct quota *q, const struct wire_rec *rec);

/* Tells the agent what follows from all that has come. */
void quota_tell(struct quota *q);

/*
 * ---- of which lines uses are wanted, and so watches. A watch costs several times what a
 * snapshot costs. It tells whether objects that are alike at the end of life were alike when
 * they were used. So uses are wanted of lines whose snapshots repeat recent ones, until
 * WANTED_USES have come. Of other lines they decide nothing: if contents differ at the end, or
 * the class is immutable, the snapshots tell all. What is wanted rests on the snapshots that
 * came before, and never on what uses have shown.
 */

#define WANTED_USES   64
#define WANTED_RECENT 16 /* snapshots that a new one is compared with */

/* What is known of a line; all 0 at first. */
struct wanted_uses {
	uint32_t recent[WANTED_RECENT]; /* hashes of the last contents */
	uint32_t snapshots, uses;
	float repeats;	/* share of the snapshots that repeat one of `recent`, lately */
	bool immutable; /* its objects cannot change */
};

#endif
