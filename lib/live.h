/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - a recording as it grows, analysed again and again: what `ojx top` shows.
 *
 * Two speeds, so that looking on costs little. What was allocated is added up at each update. Pairs and groups
 * are computed anew only where that takes less than LIVE_SHARE of the time that has passed since the last
 * time: for a large recording every some seconds. For a hundred thousand lines adding up takes some time, too: then there
 * are fewer updates.
 */
#ifndef OJX_LIVE_H
#define OJX_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "datafile_follow.h"
#include "model.h"
#include "rates.h"
#include "recording.h"
#include "rows.h"
#include "waste.h"

#define LIVE_SHARE	   0.005 /* of a processor, for the analysis */
#define LIVE_REFRESH_SHARE 0.004 /* the same for all that is done at each update */

struct live {
	struct follow follow;
	struct model *model;
	struct rows_options options;
	struct rows rows;
	struct rates rates;
	struct waste_sum waste[WASTE_KINDS];
	struct recording recording;
	bool from_zero;	       /* the recording has begun with us: what there is is new */
	uint64_t reset_at;     /* bytes of the file before which nothing counts */
	uint64_t reset_ns;     /* the same as a time of the recording */
	size_t ncontexts;      /* when the rows were made */
	uint64_t made_ns;      /* when they were, by the clock of live_update; 0: never */
	uint64_t made_upto;    /* the same in recording time */
	uint64_t make_cost;    /* CPU time that it took, ns */
	uint64_t refresh_cost; /* and what the rest of an update takes */
};

/*
 * Opens the recording at `path`. With `from_zero` it is one that begins now. 0, or -1 with
 * errno. Release with live_close.
 */
int live_open(struct live *l, const char *path, const struct rows_options *options, bool from_zero);
void live_close(struct live *l);

/*
 * Reads what has come, and brings rows and rates up to date. `now_ns`: any monotonic clock. `all`: the analysis is
 * made anew whatever it costs. Rows move and may be replaced; they are made
 * in brief. 0, or -1 with errno as
 * follow_step has it.
 */
int live_update(struct live *l, uint64_t now_ns, bool all);

/* How long the next update should wait, so that they do not take more than their share. */
uint64_t live_pause_ns(const struct live *l);

/* From here on: what came before is forgotten. 0, or -1 with errno. */
int live_reset(struct live *l, uint64_t now_ns);

/* Whether the recording has ended in order. */
bool live_ended(const struct live *l);

/* Writes what there is so far, as a recording that ends here, to `path`. 0, or -1 with errno. */
int live_write(const struct live *l, const char *path);

/* Bytes a second over all rows, and of those what merging would save. */
void live_totals(const struct live *l, double *bytes, double *saved);

#endif
