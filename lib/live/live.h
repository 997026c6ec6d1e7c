/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - a recording as it grows, analysed as it does: what `ojx top` shows.
 *
 * An update reads what has come, and makes all rows anew. The next one comes the later, the more
 * CPU time that takes.
 */
#ifndef OJX_LIVE_H
#define OJX_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile_follow.h"
#include "live/rates.h"
#include "model/model.h"
#include "report/recording.h"
#include "report/rows.h"

#define LIVE_SHARE	0.02	     /* of a processor, that updates may take */
#define LIVE_LONGEST_NS 30000000000u /* between two updates */

struct live {
	struct follow follow;
	const struct analysis *const *analyses;
	struct model *model;
	struct rows_options options;
	struct rows rows;
	struct rates rates;
	struct recording recording;
	bool from_zero;	   /* the recording has begun with us: what there is is new */
	uint64_t reset_at; /* bytes of the file before which nothing counts */
	uint64_t reset_ns; /* the same as a time of the recording */
	uint64_t cost_ns;  /* CPU time that the last update took */
};

/*
 * Opens the recording at `path`, for these analyses (see model_new). With `from_zero` it is one
 * that begins now. 0, or -1 with errno. Release with live_close.
 */
int live_open(struct live *l, const char *path, const struct analysis *const *analyses,
	      const struct rows_options *options, bool from_zero);
void live_close(struct live *l);

/*
 * Reads what has come, and makes rows, in brief, and rates anew; the old rows are gone. 0, or -1
 * with errno as follow_step has it.
 */
int live_update(struct live *l);

/* How long the next update should wait, so that they do not take more than their share; at most
 * LIVE_LONGEST_NS. */
uint64_t live_pause_ns(const struct live *l);

/* From here on: what came before is forgotten. 0, or -1 with errno. */
int live_reset(struct live *l);

/* Whether the recording has ended in order. */
bool live_ended(const struct live *l);

/* Writes what there is so far, as a recording that ends here, to `path`. 0, or -1 with errno. */
int live_write(const struct live *l, const char *path);

/* Bytes a second over all rows, and of those what merging would save. */
void live_totals(const struct live *l, double *bytes, double *saved);

#endif
