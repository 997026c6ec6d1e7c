/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equality.h - which objects of a class have an equal one, from what windows of new objects hold.
 * docs/equality.md says what the figures mean.
 */
#ifndef OJX_EQUALITY_H
#define OJX_EQUALITY_H

#include "analyse/equality/equality_store.h"
#include "model/finding.h"
#include "stats/estimate.h"

/* With fewer objects, or fewer windows, no share is shown. */
#define EQUALITY_LEAST_OBJECTS 20
#define EQUALITY_LEAST_WINDOWS 16

enum { EQUALITY_CACHES = 3 };

/* Contents that a cache holds. */
extern const unsigned equality_caches[EQUALITY_CACHES];

/* What must be true for objects to be merged (Infante, after Marinov and O'Callahan). */
enum equality_condition {
	EQUALITY_SAME_CLASS,
	EQUALITY_SAME_FIELDS,
	EQUALITY_NO_IDENTITY,
	EQUALITY_UNCHANGED,
	EQUALITY_NO_SIDE_EFFECTS,
	EQUALITY_CONDITIONS,
};

/* HELD and BROKEN are what the objects looked at show. NOT_SEEN: nothing was seen that tells. */
enum equality_state {
	EQUALITY_HELD,
	EQUALITY_BROKEN,
	EQUALITY_NOT_SEEN,
	EQUALITY_NOT_OBSERVABLE,
};

/* A class of one JVM. Its share is of the bytes allocated by all classes. */
struct equality_row {
	struct finding_row row;
	double objects, bytes; /* allocated, estimated */
	uint64_t looked, windows;
	size_t contents;		    /* different ones */
	struct estimate equal, equal_bytes; /* shares with an equal in another window, at least */
	struct estimate mergeable;	    /* bytes of these, at least */
	struct estimate pairs;		    /* probability that two objects are equal */
	struct estimate largest;	    /* share of the commonest content */
	struct estimate held[EQUALITY_CACHES]; /* shares of the commonest contents */
	double unknown;			       /* share of the objects whose content is not known */
	double addresses;		       /* share comparable in one collection only */
	uint64_t hashed, locked;
	enum equality_state condition[EQUALITY_CONDITIONS];
};

/*
 * What the sampled objects of an allocation line show. Each stands for as many bytes as the others.
 */
struct equality_line {
	struct finding_row row;
	double objects, bytes;		       /* allocated, estimated */
	struct estimate equal;		       /* share of the bytes with an equal in a window */
	struct estimate equal_bytes;	       /* these bytes */
	struct estimate hits[EQUALITY_CACHES]; /* share that is among the commonest of the class */
};

struct equality {
	uint64_t objects, windows;
	struct estimate equal; /* share of all bytes with an equal, at least */
	size_t nrows, nlines;
	struct equality_row *rows;   /* most mergeable bytes first */
	struct equality_line *lines; /* most bytes first */
};

/* Computes it. Release with equality_release. */
void equality_compute(struct equality *e, const struct model *m,
		      const struct findings_options *options);
void equality_release(struct equality *e);

/* "equal fields"; "held" */
const char *equality_condition_name(enum equality_condition c);
const char *equality_state_name(enum equality_state s);

/*
 * ---- the lines that make the objects of classes, and whose contents are known from sampled
 * objects.
 */

/* Fills e->lines, after e->rows. */
void equality_lines_make(struct equality *e, const struct model *m,
			 const struct equality_store *store, const struct equality_classes *c,
			 const struct findings_options *options);

#endif
