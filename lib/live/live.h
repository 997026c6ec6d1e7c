/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - a growing recording, analysed again and again: what `ojx top` shows.
 *
 * An update reads new records and makes all rows anew. The more CPU time it takes, the later the
 * next one comes.
 */
#ifndef OJX_LIVE_H
#define OJX_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile_follow.h"
#include "fix/fix.h"
#include "live/rates.h"
#include "model/model.h"
#include "report/recording.h"
#include "report/rows.h"

#define LIVE_SHARE	0.02	     /* of a processor, for updates */
#define LIVE_LONGEST_NS 30000000000u /* longest time between two updates */

struct live {
	struct follow follow;
	const struct analysis *const *analyses;
	struct model *model;
	struct rows_options options;
	struct rows rows;
	struct fixes fixes; /* of the rows, if these are lines and have not been sorted since */
	struct rates rates;
	struct rates kept[ROWS_GROUPINGS]; /* those of other groupings */
	struct recording recording;
	bool from_zero;	   /* it is read from its beginning: all that is in it is new */
	uint64_t reset_at; /* bytes of the file that do not count */
	uint64_t reset_ns; /* the same, as a time of the recording */
	uint64_t bad;	   /* records that make no sense; they are left out */
	uint64_t cost_ns;  /* CPU time of the last update */
};

/*
 * Opens the recording at `path`, for these analyses (see model_new). With `from_zero` it is one
 * that begins now. 0, or -1 with errno. Release with live_close.
 */
int live_open(struct live *l, const char *path, const struct analysis *const *analyses,
	      const struct rows_options *options, bool from_zero);
void live_close(struct live *l);

/*
 * Reads new records and makes rows (summaries) and rates anew; frees the old rows. 0, or -1 with
 * errno as follow_step.
 */
int live_update(struct live *l);

/*
 * How long to wait for the next update, so that updates stay within their share; at most
 * LIVE_LONGEST_NS.
 */
uint64_t live_pause_ns(const struct live *l);

/*
 * Groups the rows in another way. A grouping keeps its rates while there is another; what came
 * meanwhile is spread over that time. 0, or -1 with errno.
 */
int live_group(struct live *l, enum rows_grouping grouping);

/* Starts over: evidence before now is forgotten. 0, or -1 with errno. */
int live_reset(struct live *l);

/* Whether the recording ended normally. */
bool live_ended(const struct live *l);

/* Writes what was read so far to `path`, as a recording that ends here. 0, or -1 with errno. */
int live_write(const struct live *l, const char *path);

/* Bytes per second over all rows, and how many of them merging would save. */
void live_totals(const struct live *l, double *bytes, double *saved);

#endif
