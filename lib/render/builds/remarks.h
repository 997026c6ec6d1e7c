/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remarks.h - the findings of a report for programs that show them beside source lines. A remark is
 * one finding: its place, how much it matters, and what it says.
 *
 * There is a remark for each fix that the report ranks (fix/fix.h), for each finding of another
 * analysis (fix/other_findings.h), and for rows of tables without these whose place is known. If
 * several JVMs of a recording have the same finding, there is one remark: its amounts and shares
 * are sums; all else is from the JVM that comes first.
 */
#ifndef OJX_REMARKS_H
#define OJX_REMARKS_H

#include <stdint.h>

#include "fix/fix.h"
#include "fix/other_findings.h"
#include "render/render.h"

/* The kind of remarks of large lines of which no fix is known. */
#define REMARK_WITHOUT_FIX "no-fix-known"

enum remark_level {
	REMARK_NOTE,	/* worth a look */
	REMARK_WARNING, /* a fix that avoids something, certain or likely */
};

struct remark {
	const char *kind; /* "format", "dead-store": the same from run to run */
	enum remark_level level;
	const struct fix *fix; /* what the report ranks; or NULL, and then: ... */
	/*
	 * ... a finding, and one of its rows for each of `nfound` JVMs; the finding is of the first
	 * JVM
	 */
	const struct finding_row *const *found;
	size_t nfound;
	const struct finding *finding;
	const struct other_finding *other; /* ... what is to be done about it; NULL: a row alone */
	double share;	  /* of all bytes, or of the finding; added up over these JVMs */
	const int *lines; /* of a fix: of its method; 0: not known */
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

/* Takes a remark, which is valid during the call. */
typedef void remark_fn(const struct remark *m, void *arg);

/* Hands out the remarks of fixes, then of findings of other analyses. */
void remarks_each(const struct report *r, remark_fn *fn, void *arg);
/* Those of rows about which there is nothing to do. */
void remarks_of_rows(const struct report *r, remark_fn *fn, void *arg);

#endif
