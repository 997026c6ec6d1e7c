/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.h - passes records to the model and the file, and keeps the file below a bound.
 *
 * A file is only appended to, so that it can be read at any time; nothing in it can be removed. So
 * evidence is downsampled by its tickets before it is written. The fuller the file, the less
 * evidence is kept:
 *
 *	- What the model keeps is at most a part of the room that is left. If it grows beyond that,
 *	  all thresholds are halved at once, and a record in the file says so. The file then grows
 *	  with the logarithm of the input, and evidence of the first minute counts as much as that
 *	  of the last.
 *	- The more of the remaining room sums take, the less often they are written. Their present
 *	  size is kept free for the end.
 *	- Near the bound there are no new contexts. Events of others count for context 0.
 */
#ifndef OJX_RECORDER_H
#define OJX_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/model.h"

#define RECORDER_LEAST (1u << 20) /* bytes: the smallest possible bound */

enum { RECORDER_GROUPS = 4 }; /* kinds of groups (struct model_room) */

/* State of a JVM's groups of one kind, such as its views of the live heap. */
struct recorder_group {
	uint64_t written_ns, bytes; /* of the last group in the file */
	uint64_t coming;	    /* bytes of the group that is arriving; 0: none */
	bool taken;		    /* it is written to the file */
};

struct recorder {
	struct model *model;		/* owned by the caller, like the writer */
	struct datafile_writer *writer; /* with nothing written yet */
	uint64_t max_size;		/* bytes of the file; 0: no bound */
	uint64_t start_ns, now_ns;	/* the caller's clock; the caller updates it */
	bool closed;			/* no new contexts any more */
	int failed; /* errno of the output: nothing is written any more, but the model is fed */
	uint64_t flushed_ns, flushed_bytes; /* the last flush: its time and its bytes in the file */
	uint16_t group_types
		[RECORDER_GROUPS];     /* the records that end them, in order of appearance */
	struct recorder_group *groups; /* by JVM and kind */
	uint32_t ngroups;
};

void recorder_release(struct recorder *r);

/*
 * Takes a record of wire.h from a JVM, like model_feed, and writes it to the file if it is
 * admitted.
 */
enum model_fed recorder_take(struct recorder *r, uint32_t jvm, const struct wire_rec *rec,
			     uint32_t len);

/* The same for a record of our own, which is always written. 0, or -1 if the model rejects it. */
int recorder_put(struct recorder *r, uint32_t jvm, const struct wire_rec *rec);

/* Whether sums should be written now; `watched`: a reader wants to see them soon. */
bool recorder_flush_due(const struct recorder *r, bool watched);

/* Writes all sums, and brings the file up to date. */
void recorder_flush(struct recorder *r);

#endif
