/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_report.h - what a heap dump tells, as findings (model/finding.h), which everybody can sort,
 * filter, test and render who knows no heap.
 */
#ifndef OJX_HEAP_REPORT_H
#define OJX_HEAP_REPORT_H

#include "heapdump/merge.h"
#include "heapdump/query/query.h"
#include "heapdump/retained/retained.h"
#include "model/finding.h"

/* The analysis, as a table that functions on findings take; its key is "heap". */
extern const struct analysis *const heap_analyses[];

struct heap_report {
	struct hprof dump;
	struct heap heap;
	struct merge merge;
	struct arena arena;
	bool values;			      /* rows tell contents */
	struct retained_sum held, weak, dead; /* of HEAP_RETAINED */
	struct findings findings;	      /* as below; HEAP_RETAINED if it is asked for */
	char error[HEAP_ERROR];		      /* what is wrong with the dump */
};

/* HEAP_EQUAL has three tables: classes, holders and sites. */
enum { HEAP_EQUAL, HEAP_WASTEFUL, HEAP_KEPT, HEAP_OUTSIDE, HEAP_RETAINED, HEAP_FINDINGS };

/* A row of any table; what does not belong to its table is 0. row.count: objects. */
struct heap_row {
	struct finding_row row;
	const struct heap_report *report;
	const char *label; /* who holds; what is wasteful; the line that allocates */
	const char *path;  /* of what holds: through which collections; NULL: none */
	uint64_t shared;   /* copies in what other fields lead to, too */
	struct merge_sum sum;
	uint64_t wasted;
	enum query_problem problem;
	const char *holder; /* of a problem: a field; NULL: none is told */
	uint64_t retained;
	const char *root_path; /* to one of its objects; NULL: not asked for */
	double made, of_class; /* bytes allocated at the line; as a share of the class's */
};

/* A line of code that allocates objects of a class, as a recording has it. */
struct heap_site {
	const char *class_name, *line;
	double bytes; /* allocated there */
};

/*
 * Reads a dump ("-": standard input), or one in memory, which stays the caller's, and makes the
 * findings. `dump` says which one of those in the file, from 1 on; 0: the last. 0, or -1 with
 * r->error. Release in any case.
 */
int heap_report_make(struct heap_report *r, const char *path, unsigned dump, bool values,
		     struct progress *progress);

/*
 * What else a reader of the figures must know: that the dump is cut, say. The number-th text, from
 * 0 on, or NULL.
 */
enum { HEAP_NOTE = 2 * HPROF_ERROR };
const char *heap_report_note(const struct heap_report *r, unsigned number, char room[HEAP_NOTE]);
int heap_report_memory(struct heap_report *r, const void *data, size_t size, unsigned dump,
		       bool values);
void heap_report_release(struct heap_report *r);

/* What is found out besides. */
struct heap_retained_options {
	bool tables; /* HEAP_RETAINED: who keeps how much */
	bool paths;  /* of rows with objects that stand for them: how a root leads there */
};
void heap_report_add_retained(struct heap_report *r, const struct heap_retained_options *o,
			      struct progress *progress);

/* Adds the findings to r->findings. */
void heap_findings_make(struct heap_report *r);
/* Adds those on what a heap is asked (query.h). */
void heap_add_problems(struct heap_report *r);

/*
 * Adds the lines that allocate the classes of which there are copies: those of a recording of the
 * same program. Sorts them, and copies the texts.
 */
void heap_report_add_sites(struct heap_report *r, struct heap_site *sites, size_t n);

#endif
