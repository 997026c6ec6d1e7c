/* SPDX-License-Identifier: Apache-2.0 */
/* record_say.h - messages of `ojx record`: about JVMs that come and go, and at the end. */
#ifndef OJX_RECORD_SAY_H
#define OJX_RECORD_SAY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/analysis.h"
#include "record/session.h"

enum { RECORD_MAX_NOTES = 32 };

/* What needs no allocation sampler. */
#define RECORD_WITHOUT_SAMPLER \
	"'ojx heap -p PID' and 'record -e dead-store,silent-store,silent-load' do without it"

struct record_say {
	bool verbose, quiet;
	const char *output; /* as given by the user */
	double budget;
	bool paced; /* accesses are sampled at the rate that was requested, whatever it costs */
	struct analysis_needs needs;   /* of the analyses that were requested */
	unsigned refused;	       /* number of JVMs that could not be profiled */
	char *notes[RECORD_MAX_NOTES]; /* already shown; many JVMs send the same */
	unsigned nnotes;
	unsigned limits; /* 1 << enum wire_limit: the same of bounds */
};

/* A callback for session_setup; `arg` is a struct record_say. */
void record_say_news(const struct session_news *news, void *arg);

/* Prints at most three lines: what was written, what it cost, what to do next. */
void record_say_summary(const struct record_say *r, const struct model *m, uint64_t bytes);

/* Frees the stored notes. */
void record_say_release(struct record_say *r);

#endif
