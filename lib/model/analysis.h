/* SPDX-License-Identifier: Apache-2.0 */
/*
 * analysis.h - an analysis, as everybody uses it who does not know which one it is: its name for
 * `ojx record -e`, what it needs, which records it takes and where it keeps them.
 *
 * Each analysis is a folder of lib/analyse/ and a row of the table in lib/analyse/analyses.c, which
 * cmd/ passes in. The model has a store for each, by its place in the table.
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

enum { ANALYSES_MAX = 16, ANALYSIS_PARTS = 5 /* events, kinds or metrics of one */ };

/* Default: no share is shown for fewer pairs, or whatever is counted. */
#define ANALYSIS_MIN_PAIRS 5

/* What a recording must have for an analysis. */
struct analysis_needs {
	bool objects;		     /* the contents of sampled allocations */
	bool allocations;	     /* which objects are allocated where */
	bool watches;		     /* debug registers, on addresses of sampled accesses */
	bool loads, stores, latency; /* samples of these accesses; latency: of slow ones */
	bool nodes;		     /* on which memory node pages lie */
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

/*
 * How sums of several recordings are added up (lib/merge/). A record's members are its key, or they
 * are sums; members that name something of the recording are part of the key.
 */
enum analysis_names { ANALYSIS_NAMES_NOTHING, ANALYSIS_CONTEXT, ANALYSIS_CLASS, ANALYSIS_STACK };

struct analysis_sums {
	struct {
		uint16_t at;   /* where in the record a number stands that 4 bytes hold */
		uint16_t what; /* enum analysis_names */
	} name[4];	       /* end with one that names nothing */
	void (*clear)(struct wire_rec *rec); /* zeroes all sums */
	/* Of a context that nothing defines, which is the other one when recordings are merged. */
	void (*lose_context)(struct wire_rec *rec); /* NULL: it names none */
	/* The same for any order and grouping of additions to a cleared one. */
	void (*add)(struct wire_rec *to, const struct wire_rec *from);
};

/* A type of record that an analysis takes: events, or sums of events. */
struct analysis_record {
	uint16_t type;
	uint16_t min_len;
	bool exact; /* the record has no variable part */
	enum model_fed (*take)(struct model *m, void *store, struct jvm *j,
			       const struct wire_rec *rec);
	struct model_room room;
	const struct analysis_sums *sums; /* NULL: it is none, or cannot be added up */
};

typedef int analysis_emit_fn(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg);

/* Sampled accesses by one stack; `context` is NULL if the objects are not followed. */
struct analysis_access {
	uint32_t jvm, stack;
	const struct model_context *context;
	uint64_t count;
};
typedef int analysis_access_fn(const struct analysis_access *a, void *arg);

/* What exports can count: a figure of rows, or the weights of their paths. */
struct analysis_metric {
	const char *name;
	const char *unit; /* "bytes" or "count" */
	const char *help;
	const char *figure;		 /* its name; NULL: weights of paths */
	const struct finding_kind *kind; /* of rows of this kind only; NULL: of all */
};

/* Functions that an analysis lacks are NULL. Lists end with an element that has no name. */
struct analysis {
	const char *key;   /* of JSON, of conditions and of the page: one word */
	const char *title; /* of its page in the HTML report */
	const char *about; /* what its findings are about, a plural noun */
	struct analysis_event events[ANALYSIS_PARTS + 1];

	/* ---- the store */
	size_t store_size;		       /* zeroed at first; 0: none */
	const struct analysis_record *records; /* end with type 0 */
	/*
	 * Its records cannot be added up: each tells of a time that may have begun long before.
	 * `--time` then leaves out only what comes after the selection. Records of other threads
	 * are fed by model_feed_outside.
	 */
	bool whole;
	/* Passes on what was counted since the last call. 0, or -1 as soon as `emit` returns -1. */
	int (*flush)(struct model *m, void *store, analysis_emit_fn *emit, void *arg);
	void (*release)(void *store);
	/* model_halvings has grown: drops what has a larger ticket. */
	void (*thin)(struct model *m, void *store);
	bool (*seen)(const struct model *m); /* whether it has seen anything */
	/*
	 * Calls `fn` for all sampled accesses, until it returns something other than 0; returns
	 * that, or 0.
	 */
	int (*accesses)(const struct model *m, analysis_access_fn *fn, void *arg);
	/*
	 * Writes what was recorded: "12 accesses sampled, "; `all` is the sum of the counters of
	 * the JVMs.
	 */
	void (*sum_up)(FILE *out, const struct model *m, const struct analysis_needs *needs,
		       const struct file_status *all);

	/* ---- what it finds, see finding.h */
	const char *totals_key; /* of JSON: findings, where their first rows have the key */
	const struct finding_kind *kinds[ANALYSIS_PARTS + 1]; /* end with NULL */
	struct analysis_metric metrics[ANALYSIS_PARTS + 1];   /* of exports */
	/* Fills in the findings, one of each kind. */
	void (*find)(struct finding *to, const struct model *m,
		     const struct findings_options *options);
};

/*
 * Parses "replica,dead-store". Returns NULL, or the start of the first unknown name; *len is then
 * its length.
 */
const char *analyses_parse(const struct analysis *const *analyses, const char *list,
			   struct analysis_needs *needs, size_t *len);

/* The store of the analysis that takes these records; NULL if the model has none. */
void *model_store(const struct model *m, const struct analysis_record *records);

/* The table that the model was made with. */
const struct analysis *const *model_analyses(const struct model *m);

/* Whether records of this type go to an analysis. */
bool model_is_analysed(const struct model *m, uint16_t type);

/* How the record of that type is added up; NULL: it is not. */
const struct analysis_sums *model_sums_in(const struct model *m, uint16_t type);

/* Whether they go to an analysis whose records are `whole`. */
bool model_is_whole(const struct model *m, uint16_t type);

/* Whether any analysis has seen anything. */
bool model_has_findings(const struct model *m);

/*
 * Calls `fn` for the sampled accesses of all analyses, until it returns something other than 0;
 * returns that, or 0.
 */
int model_each_access(const struct model *m, analysis_access_fn *fn, void *arg);

/* Writes, for each chosen analysis of the model, what was recorded. */
void model_sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		  const struct file_status *all);

#endif
