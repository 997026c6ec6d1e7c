/* SPDX-License-Identifier: Apache-2.0 */
/*
 * other_findings.h - findings of the other analyses (waste, locality, lifetimes, equality, heap
 * dumps) in the form of those that a report ranks (fix.h): where, what, problem, fix, how much, and
 * a key.
 *
 * A finding is all that one rule of an analysis (model/finding_rule.h) says of one method of one
 * process. How much it is has the analysis's own unit: a share of the bytes stored, bytes that are
 * kept in vain, a share of the samples. So these findings have sections and sums of their own, and
 * no byte of them is in what fixes avoid.
 */
#ifndef OJX_OTHER_FINDINGS_H
#define OJX_OTHER_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fix/callers.h"
#include "model/finding.h"
#include "model/finding_rule.h"
#include "stats/estimate.h"

struct other_finding {
	const struct finding *finding;
	const struct finding_table_kind *table;
	const struct finding_rule *rule;
	const struct figure *figure;	       /* that of the rule */
	const struct finding_row *const *rows; /* by amount, the largest first; in others.row */
	size_t nrows;
	uint32_t jvm;
	int32_t pid;
	const struct model_frame *line; /* of the first row; NULL: its `place` says where */
	const char *place;
	struct estimate amount; /* of all rows, in the unit of `figure` */
	bool exact;		/* it has no interval */
	uint64_t count;		/* of what was seen: finding->kind->counted */
	bool few;		/* of so few that the amount is a guess */
	bool possible;		/* by its rule, or since there are few */
	uint64_t rank;		/* in its section, from 1 */
};

struct others {
	/* by section: analysis, kind and figure; in each the likely ones first, by amount */
	struct other_finding *item;
	size_t n;
	size_t naccepted; /* those that were taken out, behind the others */
	const struct finding_row **row;
};

/* Whether a row is of a finding that was taken out. */
bool others_accept(const struct others *o, const struct finding_row *row);

/* What the findings of a section come to; if they can have the same bytes, the largest of them. */
struct others_sum {
	size_t n;
	struct estimate likely, possible;
};

/* The findings must outlive them. Release with others_release. */
void others_find(struct others *to, const struct findings *findings);
void others_release(struct others *o);

/* The end of the section that begins with finding `first`; what its findings come to. */
size_t others_section_end(const struct others *o, size_t first);
struct others_sum others_sum_of(const struct others *o, size_t first);
/* How many of that kind were taken out. */
size_t others_accepted_of(const struct others *o, const struct finding *f);

/* Whether rows of a table are told as findings; then a short text has no rows of it. */
bool others_tell(const struct others *o, const struct finding *f,
		 const struct finding_table_kind *t);

/*
 * Writes "dead-store com.acme.Shop.load", as fix_put_key does; the names of rules of different
 * analyses differ.
 */
void other_put_key(FILE *out, const struct other_finding *o);

/* The line numbers of its rows, each once; the caller frees them. */
int *other_lines_of(const struct other_finding *o, size_t *n);

/*
 * Who calls the method, by what its rows count; of rows of objects, by what the method allocates in
 * their classes. Without a line there is nobody.
 */
void other_callers(struct callers *to, const struct other_finding *o, const struct model *m,
		   size_t depth, double z);

/* Takes out what `accepts` says. */
void others_take_out(struct others *o, bool (*accepts)(const struct other_finding *one, void *arg),
		     void *arg);

#endif
