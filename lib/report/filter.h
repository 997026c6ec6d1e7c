/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter.h - which allocation contexts a command is asked to show: by class, by the methods on
 * their stacks, by the places of allocation and use.
 *
 * Frames are matched by what a reader has in front of him: "com.acme.Shop.load", "Shop.load",
 * "Shop.load:12", "Shop.java:12" and "Shop.java" all name line 12 of Shop.java. A pattern that is
 * equal to one of them matches, also where it is none to fnmatch: the brackets of "byte[]" are no
 * set.
 */
#ifndef OJX_FILTER_H
#define OJX_FILTER_H

#include <stdbool.h>

#include "base/idmap.h"
#include "model/callstack.h"
#include "model/model.h"

/* NULL: all. The texts must stay as long as the filter. */
struct filter {
	const char *class_glob;	 /* Java names of classes */
	const char *method_glob; /* "Class.method" of any allocation frame */
	/* the frame that allocates, or the innermost that is not the JDK's: what reports call the
	 * site */
	const char *site_glob;
	const char *access_glob; /* any frame of a stack on which an object of the context was used
				    or accessed */
};

/* A filter at work. Access stacks occur in many contexts, so each is resolved once. */
struct filter_run {
	const struct filter *filter;
	const struct model *model;
	struct idmap accesses; /* by JVM and stack: whether it matches */
	struct idmap accessed; /* by JVM and id: contexts with a sampled access that does */
	bool failed;	       /* memory lacked */
};

/* Takes everything. */
bool filter_is_empty(const struct filter *filter);

/* Both must outlive the run. End with filter_end. */
void filter_begin(struct filter_run *run, const struct filter *filter, const struct model *m);

/*
 * Whether a context is wanted; `stack` is its own, resolved. False, with run->failed set, also
 * where memory lacks.
 */
bool filter_takes(struct filter_run *run, const struct model_context *c,
		  const struct callstack *stack);

void filter_end(struct filter_run *run);

/* Whether a pattern is equal to a text, or matches it. */
bool filter_matches(const char *glob, const char *text);

/* Whether a pattern names that frame; false also where memory lacks. */
bool filter_names_frame(const char *glob, const struct model_frame *frame);

/* Whether a stack has a frame of a method ("Class.method"), a frame that a pattern names, or was
 * allocated at such a place. */
bool filter_in_method(const char *glob, const struct callstack *stack);
bool filter_in_place(const char *glob, const struct callstack *stack);
bool filter_at_site(const char *glob, const struct callstack *stack);

#endif
