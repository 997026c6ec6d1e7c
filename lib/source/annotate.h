/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.h - what a recording knows of the lines of source files: which objects they make, where
 * objects are used, what else was found there.
 *
 * A line makes what it allocates itself and what the platform allocates when the line calls it:
 * the two frames that a report shows as the site. Likewise a use, or an access of a finding, is
 * at the line that does it; if that line is the platform's, also at the line that called the
 * platform. So the sum over the lines of one file counts nothing twice, unless the platform
 * calls a file back. The sum over all files counts things twice.
 */
#ifndef OJX_ANNOTATE_H
#define OJX_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "model/finding.h"
#include "report/filter.h"
#include "source/annotated.h"

/*
 * Collects what is known of lines: of the contexts that `filter` selects, and of all rows of
 * accesses of `findings`. The result points into the model and the findings, which must outlive it.
 * `progress` may be NULL. Memory is as xmalloc.h says. Release with annotate_release.
 */
void annotate_make(struct annotate *a, const struct model *m, const struct findings *findings,
		   const struct filter *filter, const struct replica_options *options,
		   struct progress *progress);
void annotate_release(struct annotate *a);

/*
 * What lines are sorted by. The words of --sort are in the order of the enum; the keys of the
 * analyses that have rows of accesses follow.
 */
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

/* Fills in the words; the last is NULL. */
void annotate_list_keys(const char *keys[ANNOTATE_KEYS], const struct analysis *const *analyses);

/* A line and its file, for a list of the hottest. */
struct annotate_spot {
	const struct annotate_file *file;
	const struct annotate_line *line;
};

/*
 * All lines, with or without those of the platform, the largest by `key` first. Ties are broken by
 * bytes, uses, findings, then by name. Returns an allocated array of *n.
 */
struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n);

/*
 * The class whose theta stands for a line: the one with most bytes. NULL if it has fewer than
 * `min_pairs` pairs.
 */
const struct annotate_class *annotate_theta(const struct annotate_line *line, uint64_t min_pairs);

/* The largest share of a row at the line, of one analysis (NULL: of any); 0: there is none. */
double annotate_share(const struct annotate_line *line, const struct analysis *a);

/*
 * Whether the word of a user names that file: the file or a class in it, in full, without its
 * package, or as a glob: "com.acme.Shop", "Shop", "Shop.java", "com/acme/Shop.java". ":12" may
 * follow; *line receives that number, or 0.
 */
bool annotate_names(const struct annotate_file *file, const char *word, int *line);

#endif
