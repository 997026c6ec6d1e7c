/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.h - a part of a recording: by time and by thread.
 *
 * A file says when each of its chunks was written, and counts are written at flushes
 * (docs/file-format.md): every second at first, later after 1/32 of the time so far. So a window
 * begins and ends at a flush. It contains what came between the two: allocations, snapshots, uses.
 *
 * Events and sums name their thread: for objects and their uses the thread that allocated, for
 * sampled accesses and pairs of accesses the thread that accessed.
 *
 * Evidence before the window and of other threads is fed to the model, too, since it takes part in
 * the choice of what is kept. In the end it is removed; what remains is a uniform sample of the
 * part. What comes after the window is not fed.
 */
#ifndef OJX_WINDOW_H
#define OJX_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "model/model.h"

struct window {
	uint64_t from_ns, to_ns; /* as requested, since the start of the recording; from < to */
	/* as found: after begin_ns, up to end_ns; equal if nothing lies within */
	uint64_t begin_ns, end_ns;
	const char *thread_glob; /* names of threads; NULL: all, also unknown ones */
	size_t threads,
		matching;   /* number of threads with a name; of these, with a name that matches */
	struct idmap taken; /* by JVM and number: threads that match */
};

/* The whole recording. Release with window_release after feeding. */
#define WINDOW_INIT                 \
	{                           \
		.to_ns = UINT64_MAX \
	}

/* Whether it is limited by time. */
bool window_is_timed(const struct window *w);

/* Like model_feed. Records come in the order of their times, which are those of their chunks. */
enum model_fed window_feed(struct window *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			   const struct wire_rec *rec, uint32_t len);

/* Removes what came before the window. Call it once, after everything has been fed. */
void window_end(struct window *w, struct model *m);

/* Frees what is known about threads. */
void window_release(struct window *w);

/*
 * Parses "10s,20s", "500ms,", ",2m" into from_ns and to_ns, and changes nothing else; a number
 * without a unit is in seconds. False if it is not valid, or ends before it begins.
 */
bool window_parse(struct window *w, const char *text);

#endif
