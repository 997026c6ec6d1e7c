/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.h - selects the allocation contexts that a command shows: by class, by the methods on
 * their stacks, by the places of allocation and use.
 *
 * Frames are matched by what a reader sees: "com.acme.Shop.load", "Shop.load", "Shop.load:12",
 * "Shop.java:12" and "Shop.java" all name line 12 of Shop.java. A pattern that equals one of these
 * also matches if fnmatch would not match: the brackets of "byte[]" are not a set. Memory is as
 * xmalloc.h says.
 */
#ifndef OJX_FILTER_H
#define OJX_FILTER_H

#include <stdbool.h>

#include "base/idmap.h"
#include "model/callstack.h"
#include "model/finding.h"
#include "model/model.h"

/* NULL selects everything. The texts must live as long as the filter. */
struct filter {
	const char *class_glob;	 /* Java names of classes */
	const char *method_glob; /* "Class.method" of any allocation frame */
	/* the allocating frame, or the innermost outside the JDK, which reports call the site */
	const char *site_glob;
	/* any frame of a stack on which an object of the context was used or accessed */
	const char *access_glob;
	/* the line of an allocation or of an access: callstack_line; "Shop.java:12" */
	const char *line_glob;
	/* "version=1.*": labels of the JVM (model/labels.h), all of which must match */
	const char *const *labels;
	size_t nlabels;
};

/*
 * The state of a filter while it runs. Access stacks occur in many contexts, so each is resolved
 * once.
 */
struct filter_run {
	const struct filter *filter;
	const struct model *model;
	struct idmap accesses; /* by JVM and stack: whether it matches */
	struct idmap accessed; /* by JVM and id: contexts with a sampled access that matches */
};

/* Whether it selects a JVM by its labels. */
bool filter_takes_jvm(const struct filter *filter, const struct model *m, uint32_t jvm);

/* Whether it selects everything. */
bool filter_is_empty(const struct filter *filter);

/* Both must outlive the run. Release with filter_end. */
void filter_begin(struct filter_run *run, const struct filter *filter, const struct model *m);

/* Whether a context is selected; `stack` is its resolved stack. */
bool filter_takes(struct filter_run *run, const struct model_context *c,
		  const struct callstack *stack);

void filter_end(struct filter_run *run);

/* Whether a pattern equals a text, or matches it. */
bool filter_matches(const char *glob, const char *text);

/* Whether a pattern names that frame. */
bool filter_names_frame(const char *glob, const struct model_frame *frame);

/*
 * Whether a stack has a frame in a method ("Class.method"); has a frame that a pattern names; was
 * allocated at such a place; has such a line.
 */
bool filter_in_method(const char *glob, const struct callstack *stack);
bool filter_in_place(const char *glob, const struct callstack *stack);
bool filter_at_site(const char *glob, const struct callstack *stack);
bool filter_on_line(const char *glob, const struct callstack *stack);

/*
 * ---- applies the filters of a report to findings. Rows of objects are selected like
 * contexts: by class, by where the objects were allocated, by where they are accessed. If the
 * allocation was not seen, patterns for it do not select the row. Of other rows only the
 * accesses are known: `method_glob`, `access_glob` and `line_glob` select by either stack, and the
 * other two are ignored. Minor rows are left out unless requested. Fractions and shares stay shares
 * of the whole.
 */

struct findings_filter {
	const struct filter *filter;
	const struct model *model; /* has the labels; NULL: they select nothing */
	double least;		   /* the share of a row that is shown, 0..1 */
	size_t limit;		   /* rows of each table; SIZE_MAX: all */
	bool minor;		   /* show minor rows, too */
};

/*
 * Counts the rows that are not shown, and puts them behind the others, which keep their order. The
 * rows stay in their array, which an analysis may refer to.
 */
void findings_narrow(struct findings *f, const struct findings_filter *how);

/*
 * The subject of findings that exist but that the patterns of the filter cannot select; NULL: there
 * are none.
 */
const char *findings_filter_ignores(const struct filter *filter, const struct findings *f);

#endif
