/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - a recording as it grows, analysed as it does: what `ojx top` shows.
 *
 * Looking on is to cost little, however large the recording. What an update does depends on what has come since the last one
 * (growing.h): amounts and rates of what has changed; and for LIVE_SHARE of the time rows are analysed, those first of which most
 * has come. Where an update still takes longer than it should, as while a program makes thousands of new contexts a second, the
 * next one comes later.
 */
#ifndef OJX_LIVE_H
#define OJX_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyse/waste/waste.h"
#include "file/datafile_follow.h"
#include "live/growing.h"
#include "live/rates.h"
#include "model/model.h"
#include "report/recording.h"
#include "report/rows.h"

#define LIVE_SHARE	   0.004 /* of a processor, for the analysis */
#define LIVE_REFRESH_SHARE 0.003 /* the same for all that is done at each update */
/* CPU time of either that may be spent at once: at the beginning, when all is new, and saved up later, ns. */
#define LIVE_FIRST_NS	150000000u
#define LIVE_LONGEST_NS 30000000000u /* between two updates */

struct live {
	struct follow follow;
	struct model *model;
	struct rows_options options;
	struct growing growing; /* the rows */
	bool anew; /* the last update made all rows anew; else growing.changed tells which are others */
	struct rates rates;
	struct waste_sum waste[WASTE_KINDS];
	struct recording recording;
	bool from_zero;		       /* the recording has begun with us: what there is is new */
	uint64_t reset_at;	       /* bytes of the file before which nothing counts */
	uint64_t reset_ns;	       /* the same as a time of the recording */
	uint64_t seen_ns;	       /* the last update, by the clock of live_update; 0: none */
	uint64_t allowance;	       /* CPU time that may be spent on analyses, ns */
	double credit;		       /* and on the rest of updates; below 0: too much was */
	uint64_t refresh_cost;	       /* CPU time that the rest of an update takes, ns */
	uint64_t waste_ns, waste_cost; /* when `waste` was made, by that clock, and what it took */
};

/*
 * Opens the recording at `path`. With `from_zero` it is one that begins now. 0, or -1 with
 * errno. Release with live_close.
 */
int live_open(struct live *l, const char *path, const struct rows_options *options, bool from_zero);
void live_close(struct live *l);

/*
 * Reads what has come, and brings rows and rates up to date. `now_ns`: any monotonic clock. `all`: all rows are made and
 * analysed anew, whatever it costs. They are in brief. 0, or -1 with errno as follow_step has it.
 */
int live_update(struct live *l, uint64_t now_ns, bool all);

/* How long the next update should wait, so that they do not take more than their share; at most LIVE_LONGEST_NS. */
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
