/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window.h - a part of a recording by time, from what a file holds anyway.
 *
 * A file says when each of its chunks was written, and counts are written at flushes (docs/file-format.md): every
 * second at first, later after 1/32 of the time so far. So a window begins and ends at a flush, and what
 * is told of it is what came between the two: objects allocated, objects looked at, uses.
 *
 * Evidence before the window is fed to the model as well, since what is kept of all is decided by all, and taken out
 * in the end: what remains is a uniform sample of the window. What comes behind it is left out at once.
 */
#ifndef OJX_WINDOW_H
#define OJX_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "model.h"

struct window {
	uint64_t from_ns, to_ns; /* asked for, since the start of the recording; from < to */
	/* what was found: after begin_ns, up to end_ns; equal where nothing lies within */
	uint64_t begin_ns, end_ns;
	bool begun; /* a record of the window has been fed */
};

/* As model_feed, for records in the order of their times, which are those of their chunks. */
enum model_fed window_feed(struct window *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			   const struct wire_rec *rec, uint32_t len);

/* To be called once, when all has been fed: takes out what came before. Nothing is to be fed afterwards. */
void window_end(struct window *w, struct model *m);

/*
 * Parses "10s,20s", "500ms,", ",2m" into from_ns and to_ns; a number alone is in seconds. False where it is none, or
 * ends before it begins.
 */
bool window_parse(struct window *w, const char *text);

#endif
