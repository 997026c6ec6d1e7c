/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selection.h - a part of a recording: by time and by thread.
 *
 * A file says when each of its chunks was written, and counts are written at flushes
 * (docs/file-format.md): every second at first, later after 1/32 of the time so far. So a selection
 * begins and ends at a flush. It contains what came between the two: allocations, snapshots, uses.
 *
 * Events and sums name their thread: for objects and their uses the thread that allocated, for
 * sampled accesses and pairs of accesses the thread that accessed.
 *
 * Evidence before the selection and of other threads is fed to the model, too, since it takes part
 * in the choice of what is kept. In the end it is removed; what remains is a uniform sample of the
 * part. What comes after the selection is not fed.
 */
#ifndef OJX_SELECTION_H
#define OJX_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "model/model.h"

struct selection {
	uint64_t from_ns, to_ns; /* as requested, since the start of the recording; from < to */
	/* as found: after begin_ns, up to end_ns; equal if nothing lies within */
	uint64_t begin_ns, end_ns;
	const char *thread_glob; /* names of threads; NULL: all, also unknown ones */
	size_t threads,
		matching;   /* number of threads with a name; of these, with a name that matches */
	struct idmap taken; /* by JVM and number: threads that match */
};

/* The whole recording. Release with selection_release after feeding. */
#define SELECTION_INIT              \
	{                           \
		.to_ns = UINT64_MAX \
	}

/* Whether it is limited by time. */
bool selection_is_timed(const struct selection *w);

/* Like model_feed. Records come in the order of their times, which are those of their chunks. */
enum model_fed selection_feed(struct selection *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			      const struct wire_rec *rec, uint32_t len);

/* Removes what came before the selection. Call it once, after everything has been fed. */
void selection_end(struct selection *w, struct model *m);

/* Frees what is known about threads. */
void selection_release(struct selection *w);

/*
 * Parses "10s,20s", "500ms,", ",2m" into from_ns and to_ns, and changes nothing else; a number
 * without a unit is in seconds. False if it is not valid, or ends before it begins.
 */
bool selection_parse(struct selection *w, const char *text);

#endif
