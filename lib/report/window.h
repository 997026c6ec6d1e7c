/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.h - a part of a recording: by time, from what a file holds anyway, and by thread.
 *
 * A file says when each of its chunks was written, and counts are written at flushes
 * (docs/file-format.md): every second at first, later after 1/32 of the time so far. So a window
 * begins and ends at a flush, and what is told of it is what came between the two: objects
 * allocated, objects looked at, uses.
 *
 * Events and sums say which thread they are of: objects and their uses of the one that allocated,
 * sampled accesses and pairs of them of the one that accessed.
 *
 * Evidence before the window and of other threads is fed to the model as well, since what is kept
 * of all is decided by all, and taken out in the end: what remains is a uniform sample of the part.
 * What comes behind the window is left out at once.
 */
#ifndef OJX_WINDOW_H
#define OJX_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idmap.h"
#include "model/model.h"

struct window {
	uint64_t from_ns, to_ns; /* asked for, since the start of the recording; from < to */
	/* what was found: after begin_ns, up to end_ns; equal where nothing lies within */
	uint64_t begin_ns, end_ns;
	const char *thread_glob; /* names of threads; NULL: all, also those that are not known */
	size_t threads,
		matching;   /* what was found: threads with a name, and with one that matches */
	struct idmap taken; /* by JVM and number: threads that match */
};

/* All of a recording. What is fed is to be released with window_release. */
#define WINDOW_INIT                 \
	{                           \
		.to_ns = UINT64_MAX \
	}

/* Whether it is a part by time. */
bool window_is_timed(const struct window *w);

/* As model_feed, for records in the order of their times, which are those of their chunks. */
enum model_fed window_feed(struct window *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			   const struct wire_rec *rec, uint32_t len);

/* To be called once, when all has been fed: takes out what came before. Nothing is to be fed
 * afterwards. */
void window_end(struct window *w, struct model *m);

/* Gives back what was found out about threads. */
void window_release(struct window *w);

/*
 * Parses "10s,20s", "500ms,", ",2m" into from_ns and to_ns, and touches nothing else; a number
 * alone is in seconds. False where it is none, or ends before it begins.
 */
bool window_parse(struct window *w, const char *text);

#endif
