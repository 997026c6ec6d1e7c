/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.h - records on their way into the model and the file, which stays below a bound.
 *
 * A file is only appended to, so that it can be read at any time, and what is in it cannot be taken
 * back. So evidence is thinned before it is written, by its tickets, and the more of the file is
 * used, the less of it is kept:
 *
 * - What the model keeps is at most a part of the room that is left. To hold that, all thresholds
 *   are halved at once, and a record in the file says so. The file then grows with the logarithm of
 *   what comes, and evidence of the first minute counts as much as that of the last.
 * - Sums are written the more seldom, the more they take of what is left. What they would take now
 *   is kept free for the end.
 * - Near the bound there are no new contexts. What is of others counts as that of id 0.
 */
#ifndef OJX_RECORDER_H
#define OJX_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/model.h"

#define RECORDER_LEAST (1u << 20) /* bytes: no smaller bound can be held */

/* What is known of a JVM's views of what is alive. */
struct recorder_view {
	uint64_t written_ns, bytes; /* of the last one in the file */
	uint64_t coming;	    /* bytes of the one that is coming; 0: none is */
	bool taken;		    /* it goes into the file */
};

struct recorder {
	struct model *model;		/* the caller's, like the writer */
	struct datafile_writer *writer; /* at its beginning */
	uint64_t max_size;		/* bytes of the file; 0: no bound */
	uint64_t start_ns, now_ns;	/* the caller's clock, which it keeps up */
	bool closed;			/* there are no new contexts any more */
	int failed; /* errno of the output: nothing is written any more; the model goes on */
	uint64_t flushed_ns, flushed_bytes; /* the last flush, and what it took of the file */
	struct recorder_view *views;	    /* by JVM */
	uint32_t nviews;
};

void recorder_release(struct recorder *r);

/*
 * Takes a record of a JVM that is of wire.h. As model_feed; the file has it as well, if it is to.
 */
enum model_fed recorder_take(struct recorder *r, uint32_t jvm, const struct wire_rec *rec,
			     uint32_t len);

/*
 * The same of a record of our own, which goes into the file in any case. 0, or -1 where the model
 * does not want it.
 */
int recorder_put(struct recorder *r, uint32_t jvm, const struct wire_rec *rec);

/* Whether sums are to be written again; `watched`: somebody would like to see them soon. */
bool recorder_flush_due(const struct recorder *r, bool watched);

/* Writes all that was only counted, and brings the file up to date. */
void recorder_flush(struct recorder *r);

#endif
