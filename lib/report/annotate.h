/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate.h - what a recording knows of the lines of source files: which objects they make, where
 * objects are used, where memory operations are wasted.
 *
 * A line makes what it allocates itself, and what the JDK allocates in a call of it: the same two frames
 * that a report shows as the site. Likewise a use, or a wasted operation, is at the line that does it and, where
 * that is in the JDK, also at the line that called it. So the sum over the lines of one file counts
 * nothing twice, unless a file calls the JDK back, while the sum over all files does.
 */
#ifndef OJX_ANNOTATE_H
#define OJX_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica.h"
#include "analyse/waste/waste.h"
#include "base/progress.h"
#include "model/model.h"
#include "report/filter.h"

/* Objects of one class, of one JVM, made at a line. */
struct annotate_class {
	const char *name; /* Java name */
	int32_t pid;
	bool called; /* by the JDK, in a call of this line */
	double objects, bytes;
	double saved; /* bytes; NAN: not measured */
	uint64_t pairs;
	double theta; /* NAN: not measured */
	struct replica_interval theta_ci;
	enum replica_verdict verdict;
	bool deep; /* of the objects with what they refer to */
};

/* One access of a pair, see waste.h. */
struct annotate_waste {
	const struct waste_pair *pair;
	const struct waste_sum *sum;
	int access;  /* 0: the first of the two, 1: the second */
	bool called; /* in the JDK, in a call of this line */
};

struct annotate_line {
	int number;
	const char *class_name, *method; /* of a frame there; method may be NULL */
	double objects, bytes;
	double saved;	   /* of those classes of which it is known; NAN: of none */
	uint64_t uses;	   /* that watches saw */
	uint64_t accesses; /* samples of them, of 'ojx record -e locality' and its like */
	size_t nclasses;
	struct annotate_class *classes; /* by saved, then bytes, most first */
	size_t nwastes;
	struct annotate_waste *wastes; /* by share, most first */
};

struct annotate_file {
	const char *class_name; /* one that is declared there: names the package */
	const char *name;	/* "Shop.java" */
	bool in_jdk;
	double objects, bytes;
	double saved; /* as of lines */
	uint64_t uses, accesses, wastes;
	size_t nlines;
	struct annotate_line *lines; /* by number */
};

struct annotate {
	size_t nfiles;
	struct annotate_file *files; /* hottest first, as annotate_compare says */
	double objects, bytes;	     /* of all contexts that were selected, each once */
	uint64_t uses, accesses;
	double placed; /* bytes of those for which a line is known */
	bool has_waste;
};

/*
 * Collects what is known of lines, of the contexts that `filter` takes and of all pairs of `waste`
 * (WASTE_KINDS of them). The result points into the model and the waste, which must outlive it. `progress` may be
 * NULL. 0, or -1 where memory lacks. Release with annotate_release.
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
 * All lines, those of the JDK among them or not, the largest by `key` first; ties are broken by bytes, uses, waste, then by
 * name. Allocated, of *n; NULL where memory lacks.
 */
struct annotate_spot *annotate_spots(const struct annotate *a, enum annotate_key key, bool jdk,
				     size_t *n);

/*
 * The class whose theta stands for a line: that with most bytes, if it has at least `min_pairs` pairs. NULL
 * where it has not.
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
