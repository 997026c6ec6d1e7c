/* SPDX-License-Identifier: Apache-2.0 */
/*
 * analysis.h - what an analysis is to all who use one without knowing which: what `ojx record -e`
 * calls it, what it needs, which records it takes and where it keeps them.
 *
 * Each analysis is a folder of lib/analyse/ and a row of the table in lib/analyse/analyses.c. cmd/
 * passes the table in. The model has a store for each, by its place in the table.
 */
#ifndef OJX_ANALYSIS_H
#define OJX_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"

struct jvm;
struct finding;
struct findings_options;
struct finding_kind;
struct analysis_metric;

enum { ANALYSES_MAX = 16 };

/* Of fewer pairs, or whatever is counted, no share is told, if nobody says otherwise. */
#define ANALYSIS_MIN_PAIRS 5

/* What a recording must have for an analysis. */
struct analysis_needs {
	bool objects;		     /* the contents of sampled allocations */
	bool allocations;	     /* which objects are allocated where */
	bool watches;		     /* debug registers, on addresses of sampled accesses */
	bool loads, stores, latency; /* samples of these accesses; latency: of slow ones */
	bool nodes;		     /* in whose memory pages lie */
	uint32_t pairs;		     /* kinds of pairs of accesses, as wire_config has them */
	uint32_t flags;		     /* wire_config_flags */
	uint32_t analyses;	     /* bits 1 << place in the table: those that were named */
};

/* A name of -e. */
struct analysis_event {
	const char *name;
	const char *help;
	struct analysis_needs needs;
};

/* A record that an analysis takes, events and sums alike. */
struct analysis_record {
	uint16_t type;
	uint16_t min_len;
	bool exact; /* the record has no variable part */
	enum model_fed (*take)(struct model *m, void *store, struct jvm *j,
			       const struct wire_rec *rec);
};

typedef int analysis_emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

/* Sampled accesses by one stack; `context` NULL: to what is not followed. */
struct analysis_access {
	uint32_t jvm, stack;
	const struct model_context *context;
	uint64_t count;
};
typedef int analysis_access_fn(const struct analysis_access *a, void *arg);

/* Functions that an analysis lacks are NULL. */
struct analysis {
	const char *key;		     /* of JSON, of conditions and of the page: one word */
	const char *title;		     /* of its page in the HTML report */
	const char *about;		     /* what its findings are about, a plural noun */
	const struct analysis_event *events; /* end with name NULL */

	/* ---- the store */
	size_t store_size;		       /* zeroed at first; 0: none */
	const struct analysis_record *records; /* end with type 0 */
	/*
	 * Its records cannot be added up: each tells of a time that may have begun long before.
	 * `--time` then leaves out only what comes after the window. Records of other threads are
	 * fed by model_feed_outside.
	 */
	bool whole;
	/* Hands out what was counted since the last call. 0, or -1 as soon as `emit` returns it. */
	int (*flush)(struct model *m, void *store, analysis_emit_fn *emit, void *arg);
	void (*release)(void *store);
	/* model_halvings has grown: drops what has a larger ticket. */
	void (*thin)(struct model *m, void *store);
	bool (*seen)(const struct model *m); /* anything at all */
	/* Tells of all sampled accesses. 0, or what `fn` returned other than that. */
	int (*accesses)(const struct model *m, analysis_access_fn *fn, void *arg);
	/* Writes what was recorded: "12 accesses sampled, "; of the JVMs' counters, `all` is the
	 * sum. */
	void (*sum_up)(FILE *out, const struct model *m, const struct analysis_needs *needs,
		       const struct file_status *all);

	/* ---- what it finds, see finding.h */
	const char *totals_key; /* of JSON: findings, where their first rows have the key */
	const struct finding_kind *const *kinds; /* end with NULL */
	const struct analysis_metric *metrics;	 /* of exports; end with name NULL */
	/* Fills in the findings, one of each kind. 0, or -1 if out of memory. */
	int (*find)(struct finding *to, const struct model *m,
		    const struct findings_options *options);
};

/*
 * Reads "replica,dead-store". NULL, or the start of the first name in it that is none; *len is then
 * its length.
 */
const char *analyses_parse(const struct analysis *const *analyses, const char *list,
			   struct analysis_needs *needs, size_t *len);

/* The store of the analysis that takes these records; NULL where the model has none for it. */
void *model_store(const struct model *m, const struct analysis_record *records);

/* The table that the model was made with. */
const struct analysis *const *model_analyses(const struct model *m);

/* Whether records of this type go to an analysis. */
bool model_is_analysed(const struct model *m, uint16_t type);

/* And whether to one whose records are `whole`. */
bool model_is_whole(const struct model *m, uint16_t type);

/* Whether any analysis has seen anything. */
bool model_has_findings(const struct model *m);

/* Tells of all sampled accesses of all analyses. 0, or what `fn` returned other than that. */
int model_each_access(const struct model *m, analysis_access_fn *fn, void *arg);

/* Of each analysis of the model that was chosen, what was recorded for it. */
void model_sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		  const struct file_status *all);

#endif
