/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.h - what a recording knows of the lines of source files: which objects they make, where
 * objects are used, what else was found there.
 *
 * A line makes what it allocates itself, and what the JDK allocates in a call of it: the same two
 * frames that a report shows as the site. Likewise a use, or an access of a finding, is at the line
 * that does it and, where that is in the JDK, also at the line that called it. So the sum over the
 * lines of one file counts nothing twice, unless a file calls the JDK back, while the sum over all
 * files does.
 */
#ifndef OJX_ANNOTATE_H
#define OJX_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/finding.h"
#include "report/annotated.h"
#include "report/filter.h"

/*
 * Collects what is known of lines, of the contexts that `filter` takes and of all rows of
 * accesses of `findings`. The result points into the model and the findings, which must outlive it.
 * `progress` may be NULL. 0, or -1 if out of memory. Release with annotate_release.
 */
int annotate_make(struct annotate *a, const struct model *m, const struct findings *findings,
		  const struct filter *filter, const struct replica_options *options,
		  struct progress *progress);
void annotate_release(struct annotate *a);

/* What lines are sorted by, the words of --sort in the order of the enum; analyses that have rows
 * of accesses follow, by their keys. */
enum annotate_key {
	ANNOTATE_SAVED,
	ANNOTATE_BYTES,
	ANNOTATE_OBJECTS,
	ANNOTATE_THETA,
	ANNOTATE_USES,
	ANNOTATE_ACCESSES,
	ANNOTATE_FOUND, /* the first of the analyses; the next one is ANNOTATE_FOUND + 1 */
};
enum { ANNOTATE_KEYS = ANNOTATE_FOUND + ANALYSES_MAX + 1 };

/* Fills in the words, ended by NULL. */
void annotate_list_keys(const char *keys[ANNOTATE_KEYS], const struct analysis *const *analyses);

/* A line and its file, for a list of the hottest. */
struct annotate_spot {
	const struct annotate_file *file;
	const struct annotate_line *line;
};

/*
 * All lines, those of the JDK among them or not, the largest by `key` first; ties are broken by
 * bytes, uses, findings, then by name. Allocated, of *n; NULL if out of memory.
 */
struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n);

/*
 * The class whose theta stands for a line: that with most bytes, if it has at least `min_pairs`
 * pairs. NULL where it has not.
 */
const struct annotate_class *annotate_theta(const struct annotate_line *line, uint64_t min_pairs);

/* The largest share that a row at the line has, of an analysis (NULL: of any); 0: none. */
double annotate_share(const struct annotate_line *line, const struct analysis *a);

/*
 * Whether a word of the user's names that file: a class in it or its file, in full, simple or as a
 * glob, "com.acme.Shop", "Shop", "Shop.java", "com/acme/Shop.java", each also with ":12" behind it.
 * *line receives that number, or 0.
 */
bool annotate_names(const struct annotate_file *file, const char *word, int *line);

#endif
