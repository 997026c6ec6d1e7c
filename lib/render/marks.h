/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.h - the findings of a report for programs that show them beside source lines. A mark is one
 * finding: its place, how much it matters, and what it says.
 *
 * There is a mark for each row with something to save or to fix, and for each row of a finding
 * whose place is known. If several JVMs of a recording have the same finding, there is one mark:
 * its amounts and shares are sums; all else is from the JVM that comes first.
 */
#ifndef OJX_MARKS_H
#define OJX_MARKS_H

#include <stdint.h>

#include "render/render.h"

/* The kind of marks of rows. */
#define MARK_OF_ROWS "replica"

enum mark_level {
	MARK_NOTE,    /* worth a look */
	MARK_WARNING, /* merging saves something for sure */
};

struct mark {
	const char *kind; /* "replica", "dead-store": the same from run to run */
	enum mark_level level;
	const struct row *row; /* a row of the report; or NULL, and then: ... */
	/*
	 * ... a finding, and one of its rows for each of `nfound` JVMs; the finding is of the first
	 * JVM
	 */
	const struct finding_row *const *found;
	size_t nfound;
	const struct finding *finding;
	double share;	     /* of the finding, added up over these JVMs */
	const int32_t *pids; /* of the JVMs; none if the recording has one JVM */
	size_t npids;
	const char *class_name;		  /* of the objects; NULL: not known */
	const struct callstack *stack;	  /* may have no frames */
	const struct model_frame *frame;  /* the line, of `stack`; NULL: none is known */
	const struct model_frame *second; /* where the other access is; NULL: there is none */
	const char *path;		  /* of the file, with '/'; NULL: not known */
	const char *second_path;
	const char *title; /* a line */
	const char *text;  /* sentences, a line each */
	/* Hashes: of kind, class and method; and of these and the line. */
	uint64_t method_hash, line_hash;
};

/* Takes a mark, which is valid during the call. 0, or -1 to stop. */
typedef int mark_fn(const struct mark *m, void *arg);

/*
 * Hands out the marks of the rows that are shown, then of findings. 0, or -1 with errno if out of
 * memory or `fn` stopped.
 */
int marks_each(const struct report *r, mark_fn *fn, void *arg);
int marks_of_findings(const struct report *r, mark_fn *fn, void *arg);

#endif
