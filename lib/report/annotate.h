/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.h - what a recording knows of the lines of source files: which objects they make, where
 * objects are used, where memory operations are wasted.
 *
 * A line makes what it allocates itself, and what the JDK allocates in a call of it: the same two
 * frames that a report shows as the site. Likewise a use, or a wasted operation, is at the line
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
#include "model/model.h"
#include "report/annotated.h"
#include "report/filter.h"

/*
 * Collects what is known of lines, of the contexts that `filter` takes and of all pairs of `waste`
 * (WASTE_KINDS of them). The result points into the model and the waste, which must outlive it.
 * `progress` may be NULL. 0, or -1 where memory lacks. Release with annotate_release.
 */
int annotate_make(struct annotate *a, const struct model *m, const struct waste_sum *waste,
		  const struct filter *filter, const struct replica_options *options,
		  struct progress *progress);
void annotate_release(struct annotate *a);

/* What lines are sorted by, the words of --sort in the order of the enum, ended by NULL. */
enum annotate_key {
	ANNOTATE_SAVED,
	ANNOTATE_BYTES,
	ANNOTATE_OBJECTS,
	ANNOTATE_THETA,
	ANNOTATE_USES,
	ANNOTATE_ACCESSES,
	ANNOTATE_WASTE
};
extern const char *const annotate_keys[];

/* A line and its file, for a list of the hottest. */
struct annotate_spot {
	const struct annotate_file *file;
	const struct annotate_line *line;
};

/*
 * All lines, those of the JDK among them or not, the largest by `key` first; ties are broken by
 * bytes, uses, waste, then by name. Allocated, of *n; NULL where memory lacks.
 */
struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n);

/*
 * The class whose theta stands for a line: that with most bytes, if it has at least `min_pairs`
 * pairs. NULL where it has not.
 */
const struct annotate_class *annotate_theta(const struct annotate_line *line, uint64_t min_pairs);

/* The share that the most wasteful operation of the line has of its kind; 0: none. */
double annotate_wasted(const struct annotate_line *line);

/*
 * Whether a word of the user's names that file: a class in it or its file, in full, simple or as a
 * glob, "com.acme.Shop", "Shop", "Shop.java", "com/acme/Shop.java", each also with ":12" behind it.
 * *line receives that number, or 0.
 */
bool annotate_names(const struct annotate_file *file, const char *word, int *line);

#endif
