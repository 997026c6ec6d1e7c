/* SPDX-License-Identifier: Apache-2.0 */
/*
 * condition.h - conditions on a report or a comparison, by which a build can fail:
 *
 *	conditions = condition { "," condition }          any of them
 *	condition  = [ "total." ] FIGURE OPERATOR NUMBER | "new-replica"
 *	OPERATOR   = ">" | ">=" | "<" | "<="
 *	NUMBER     = [ "+" | "-" ] DECIMAL [ UNIT ]
 *
 * FIGURE is one of findings (fix_figures.h), a sort key of lines (columns.h), a figure of an
 * analysis's rows ("ANALYSIS.FIGURE", finding.h), or a kind of finding, whose headline is then
 * compared. Without a sign the number is compared with what is sure of the value: ">" with the
 * lower end of its interval, "<" with the upper end. With a sign it is compared with the change
 * between two recordings, if that is more than noise: ">+" finds rises, "<-" falls. UNIT: B, k, kB,
 * KiB, M ... T (powers of 1024) for bytes; k, M, G, T (powers of 1000) for other amounts; "%" for
 * shares, for changes of amounts in relation to the old one, and for what findings avoid in
 * relation to all bytes.
 *
 * A condition holds if one thing at least that has the figure fulfils it or, with "total.", the sum
 * over all.
 */
#ifndef OJX_CONDITION_H
#define OJX_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"
#include "compare/diff.h"
#include "fix/fix.h"
#include "fix/other_findings.h"
#include "model/finding.h"
#include "report/columns.h"
#include "report/rows.h"

/* Bits. Of a heap dump there are findings of analyses only. */
enum condition_use {
	CONDITION_OF_REPORT = 1 << 0,
	CONDITION_OF_DIFF = 1 << 1,
	CONDITION_OF_HEAP = 1 << 2,
};

struct condition {
	const char *text; /* as it was given, `len` bytes */
	size_t len;
	bool new_replica; /* figure and number are not used */
	bool total, below, or_equal, change;
	bool relative; /* to the old amount; without `change`, to all bytes */
	const struct condition_subject *subject; /* what has the figure, see below */
	const struct figure *figure;		 /* the figure that is compared */
	const struct finding_kind *kind;	 /* of a headline */
	const struct analysis *analysis;	 /* whose rows have it */
	double limit; /* bytes, objects, shares of 0..1; of changes with their sign */
};

enum { CONDITIONS_MAX = 16, CONDITION_ERROR = 512 };

struct conditions {
	struct condition item[CONDITIONS_MAX];
	size_t n;
};

/*
 * Parses `text`, which may name what these analyses find, and adds what it has to `to`. `text` must
 * outlive the result. 0, or -1 with a message in `error` that names what is wrong and what is
 * allowed instead.
 */
int conditions_parse(struct conditions *to, const struct analysis *const *analyses,
		     const char *text, enum condition_use use, char error[CONDITION_ERROR]);

/* ---- what conditions are about */

/* A report, or one side of a comparison. NULL: there is nothing of the kind. */
struct condition_facts {
	const struct rows *rows; /* by line of code */
	const struct fixes *fixes;
	const struct findings *findings;
	const struct others *others; /* of `findings`; rows of accepted ones are left out */
	uint64_t min_pairs;	     /* shares from fewer are not compared */
	double per;		     /* seconds that amounts are divided by; 0: none */
};

struct condition_scan;

/* Things that have figures. Functions may be NULL where the words below say so. */
struct condition_subject {
	const char *many; /* what they are called */
	unsigned uses;	  /* enum condition_use: where there are such things */
	unsigned listed;  /* where an error names their figures: there are many */
	bool has_total;
	bool of_all; /* "%" of amounts is of all bytes */
	/* Finds a figure by name: sets `figure`, and what else tells where it is. */
	bool (*find)(struct condition *c, const char *name, const struct analysis *const *analyses);
	/* Writes the names that find() knows, ", " between; or those whose changes are known. */
	void (*put_names)(FILE *out, const struct analysis *const *analyses, bool change);
	/* Compares each thing. */
	void (*each)(struct condition_scan *scan, const struct condition_facts *facts);
	/* The interval of a sum, if it is not that of its parts. NULL: there is none. */
	bool (*sum)(struct bounds_range *sum, const struct figure *f,
		    const struct condition_facts *facts);
	/* Whether changes of a figure are known. NULL: of none. */
	bool (*is_compared)(const struct figure *f);
	/* Compares each change, or that of the total if the condition is on it. */
	void (*each_change)(struct condition_scan *scan, const struct diff *d);
	/* Writes what a thing is, and where it is. NULL: it has no place. */
	void (*put)(FILE *out, const struct style *s, const void *of);
	/* The frame of its place; returns NULL if it is not known. NULL: it has none. */
	const struct model_frame *(*frame)(const void *of);
};

/* In the order in which a name is looked up. */
enum {
	CONDITION_ON_FIXES,
	CONDITION_ON_LINES,
	CONDITION_ON_HEADLINES,
	CONDITION_ON_FOUND, /* rows of analyses */
};

/* End with `many` NULL. */
extern const struct condition_subject condition_subjects[];

/* What a condition holds for. */
struct condition_hit {
	size_t n;	 /* things of its subject, or 1 for the total; 0: it does not hold */
	const void *of;	 /* the first of them; NULL for the total */
	double value;	 /* what was compared */
	double relative; /* change of an amount, by the old one; else NAN */
};

struct condition_hit condition_of_report(const struct condition *c,
					 const struct condition_facts *facts);
struct condition_hit condition_of_diff(const struct condition *c, const struct diff *d,
				       uint64_t min_pairs);

/* ---- what a condition holds for, in words. */

/*
 * Writes "'saved>1MB' holds for 2 lines, the first of which is Foo at Shop.load:12: 3.4 MB" of a
 * condition that holds.
 */
void condition_put_hit(FILE *out, const struct condition *c, const struct condition_hit *hit,
		       const struct style *s);

/* The frame where the first of them is; NULL: it is not known. */
const struct model_frame *condition_frame(const struct condition *c,
					  const struct condition_hit *hit);

#endif
