/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.h - the findings of a report for programs that show them beside source lines. A mark is one
 * finding: its place, how much it matters, and what it says.
 *
 * There is a mark for each fix that the report ranks (fix/fix.h), for each finding of another
 * analysis (fix/others.h), and for rows of tables without these whose place is known. If several
 * JVMs of a recording have the same finding, there is one mark: its amounts and shares are sums;
 * all else is from the JVM that comes first.
 */
#ifndef OJX_MARKS_H
#define OJX_MARKS_H

#include <stdint.h>

#include "fix/fix.h"
#include "fix/others.h"
#include "render/render.h"

/* The kind of marks of large lines of which no fix is known. */
#define MARK_WITHOUT_FIX "no-fix-known"

enum mark_level {
	MARK_NOTE,    /* worth a look */
	MARK_WARNING, /* a fix that avoids something, certain or likely */
};

struct mark {
	const char *kind; /* "format", "dead-store": the same from run to run */
	enum mark_level level;
	const struct fix *fix; /* what the report ranks; or NULL, and then: ... */
	/*
	 * ... a finding, and one of its rows for each of `nfound` JVMs; the finding is of the first
	 * JVM
	 */
	const struct finding_row *const *found;
	size_t nfound;
	const struct finding *finding;
	const struct other *other; /* ... what is to be done about it; NULL: a row alone */
	double share;		   /* of all bytes, or of the finding; added up over these JVMs */
	const int *lines;	   /* of a fix: of its method; 0: not known */
	size_t nlines;
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

/* Takes a mark, which is valid during the call. */
typedef void mark_fn(const struct mark *m, void *arg);

/* Hands out the marks of fixes, then of findings of other analyses. */
void marks_each(const struct report *r, mark_fn *fn, void *arg);
/* Those of rows about which there is nothing to do. */
void marks_of_rows(const struct report *r, mark_fn *fn, void *arg);

#endif
