/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_say.h - what `ojx record` tells its user: about JVMs that come and go, and at the end.
 */
#ifndef OJX_RECORD_SAY_H
#define OJX_RECORD_SAY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/analysis.h"
#include "record/session.h"

enum { RECORD_MAX_NOTES = 32 };

struct record_say {
	bool verbose, quiet;
	const char *output; /* as the user gave it */
	double budget;
	bool paced; /* samples of accesses come as often as was asked for, whatever that costs */
	struct analysis_needs needs;   /* what was asked for */
	unsigned refused;	       /* JVMs that could not be profiled */
	char *notes[RECORD_MAX_NOTES]; /* said already; many JVMs say the same */
	unsigned nnotes;
};

/* For session_setup; `arg` is a struct record_say. */
void record_say_news(const struct session_news *news, void *arg);

/* At most three lines: what was written, what it cost, what comes next. */
void record_say_summary(const struct record_say *r, const struct model *m, uint64_t bytes);

/* Gives back the notes that were kept. */
void record_say_release(struct record_say *r);

#endif
