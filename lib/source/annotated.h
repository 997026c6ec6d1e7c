/* SPDX-License-Identifier: Apache-2.0 */
/* annotated.h - what is known of the lines of source files; annotate.h collects it. */
#ifndef OJX_ANNOTATED_H
#define OJX_ANNOTATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica.h"
#include "model/finding.h"

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

/* One access of a row of a finding. */
struct annotate_found {
	const struct finding *finding;
	const struct finding_row *row;
	int access;  /* which of its stacks: 0: that of the first access, 1: of the second */
	bool called; /* in a call of this line, by the platform */
};

struct annotate_line {
	int number;
	const char *class_name, *method; /* of a frame there; method may be NULL */
	double objects, bytes;
	double saved;	   /* of the classes for which it is known; NAN: of none */
	uint64_t uses;	   /* that watches saw */
	uint64_t accesses; /* samples of them */
	size_t nclasses;
	struct annotate_class *classes;	 /* by saved, then bytes, most first */
	struct model_context **contexts; /* whose line (callstack_line) it is */
	size_t ncontexts;
	size_t nfound;
	struct annotate_found *found; /* by share, most first */
};

struct annotate_file {
	const char *class_name; /* a class that is declared there; it gives the package */
	const char *name;	/* "Shop.java" */
	bool platform;		/* none of its lines is the program's code */
	double objects, bytes;
	double saved; /* the same sums as of lines */
	uint64_t uses, accesses;
	size_t nlines;
	struct annotate_line *lines; /* by number */
};

struct annotate {
	size_t nfiles;
	struct annotate_file *files; /* hottest first */
	double objects, bytes;	     /* of all contexts that were selected, each once */
	uint64_t uses, accesses;
	double placed; /* bytes of those for which a line is known */
	/* analyses that have rows of accesses, and whether there are any */
	size_t nanalyses;
	const struct analysis *analysis[ANALYSES_MAX];
	bool has[ANALYSES_MAX];
};

#endif
