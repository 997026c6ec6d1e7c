/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h - the facts about a recording as a whole, with which every report begins. */
#ifndef OJX_RECORDING_H
#define OJX_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cost.h"
#include "model/model.h"
#include "report/rows.h"
#include "report/selection.h"

struct recording {
	const struct model *model;
	struct shown_command command;
	bool full;		/* command line and names of threads are shown as they are */
	uint64_t start_unix_ns; /* 0: unknown */
	double duration_s;	/* of what is shown */
	/* only a part is shown: its beginning, its end, and the duration of the whole */
	bool is_part;
	const char *thread_glob; /* of matching threads only; NULL: of all */
	double from_s, to_s, whole_s;
	bool ended;	  /* in order */
	int wait_status;  /* of the command, if it has ended */
	unsigned engines; /* wire_engine bits of all JVMs */
	bool exact;	  /* --exact was given in all JVMs */
	/* a JVM ran virtual threads: it does not report their stacks as allocations */
	bool has_virtual_threads;
	uint64_t uncounted; /* with `exact`: allocations that no context has */
	struct cost cost;   /* NAN: not measured */
	/* longest addition to a GC pause by the clock, and the most CPU time; NAN: not measured */
	double max_pause_s, max_pause_work_s;
	size_t recordings, processes; /* that were merged; 0: it is one, as it was made */
	uint64_t sampled, counted, scanned, skipped, lost, pairs; /* of all JVMs */
	bool narrowed;		       /* `pairs` are only those of what was selected */
	uint64_t refused[WIRE_LIMITS]; /* by each bound */
};

/*
 * The pauses of collections while a JVM was recorded, without what the agent adds to them; or the
 * sum of several JVMs.
 */
struct pauses {
	bool known;
	bool collects; /* collections are counted as well: with some collectors a pause is none */
	uint64_t collections, n;
	double seconds;	 /* of the pauses */
	double recorded; /* seconds */
};

/*
 * Adds up what is known. `header` and `end_ns` come from datafile_read. `pairs` stays 0: the rows
 * know it.
 */
void recording_collect(struct recording *r, const struct model *m, const struct file_header *header,
		       uint64_t end_ns);

/* Of a JVM; NULL: of all. Not known of a part of a recording. */
struct pauses recording_pauses(const struct recording *r, const struct model_jvm *jvm);

/* Shows the whole command line, and names of threads as they are. */
void recording_show_all(struct recording *r);

/* Notes that the model was fed through a selection; NULL: it was not. */
void recording_narrow(struct recording *r, const struct selection *w);

/*
 * Whether all JVMs of the recording counted every allocation. *uncounted receives the number of
 * allocations that they saw but that are in no count of a context: there was no room, or the JVM
 * was killed while they were on their way.
 */
bool recording_exact(const struct model *m, uint64_t *uncounted);

#endif
