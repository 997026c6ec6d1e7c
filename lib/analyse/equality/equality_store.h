/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equality_store.h - what the model keeps of windows (wire_rec.h): by class, what its objects
 * hold, and in how many windows.
 *
 * Contents are counted in a table of at most EQUALITY_CONTENTS. When it is full, most of the
 * contents that were seen in one window only are forgotten. Their hash decides, so a content that
 * was forgotten once is forgotten again, and more are each time. If that does not make room,
 * contents of two windows are forgotten as well, then of four, and so on. The commonest contents
 * stay.
 */
#ifndef OJX_EQUALITY_STORE_H
#define OJX_EQUALITY_STORE_H

#include "base/idmap.h"
#include "model/analysis.h"
#include "model/finding.h"
#include "model/sums.h"
#include "stats/recurrence.h"

#define EQUALITY_CONTENTS (1u << 18)
#define EQUALITY_CLASSES  (1u << 14)
#define EQUALITY_OWN	  64u	     /* sampled objects of one context */
#define EQUALITY_CONTEXTS (1u << 14) /* of which sampled objects are kept */

struct equality_content {
	struct recurrence_content found;
	uint64_t hash; /* of class and content */
	uint32_t class_at;
	uint32_t last; /* the window that it was found in last */
};

/* A class of one JVM. */
struct equality_class {
	const struct model_class *class;
	uint32_t jvm, last;
	uint64_t windows;
	struct recurrence_whole all;
	double addresses;	 /* objects that refer to others that were not seen */
	uint64_t hashed, locked; /* objects, as counted */
};

/* Sampled objects of one context, in no order. */
struct equality_own {
	struct sums sums;
	const struct model_context *context;
	uint32_t n, seen;
	uint64_t hash[EQUALITY_OWN]; /* 0: it is not known what it holds */
	bool near[EQUALITY_OWN];     /* its window has an equal one */
};

struct equality_store {
	struct equality_class *classes;
	uint32_t nclasses, classes_room;
	struct idmap class_at; /* number + 1 as a pointer, by JVM and id */
	struct equality_content *contents;
	uint32_t ncontents, contents_room;
	uint32_t *slots;	     /* number + 1 of a content, by hash */
	uint32_t slots_mask, rounds; /* how often contents were forgotten */
	struct sums_store own;	     /* struct equality_own */
	uint64_t objects, windows;
	uint64_t last_window; /* JVM and number */
};

/* Of struct analysis. */
extern const struct analysis_record equality_records[];
void equality_store_release(void *store);

/* NULL: the model has none. */
const struct equality_store *equality_store_of(const struct model *m);

/* The content with this hash; NULL: it was not found, or is forgotten. */
const struct equality_content *equality_store_find(const struct equality_store *store,
						   uint64_t hash);

/*
 * ---- the classes of a store, one for each name and JVM. Each has its contents, sorted from
 * the commonest on.
 */

struct equality_group {
	struct equality_class sum;		    /* its class is that of the first one */
	uint64_t key;				    /* line_class_key */
	const struct recurrence_content **contents; /* commonest first; part of a common vector */
	size_t ncontents;
	double objects, bytes; /* allocated in contexts */
	bool wanted, changed, looked_twice;
};

struct equality_classes {
	struct equality_group *group;
	size_t n;
	struct idmap by_key;
	const struct recurrence_content **contents; /* all, by group */
	uint32_t *rank; /* by number in the store: place among those of its group */
};

/* 0, or -1 if out of memory; release in any case. */
int equality_classes_make(struct equality_classes *c, const struct model *m,
			  const struct equality_store *store,
			  const struct findings_options *options);
void equality_classes_release(struct equality_classes *c);

/* The group of a context's class; NULL if no object of that class was looked at. */
struct equality_group *equality_classes_of(const struct equality_classes *c,
					   const struct model_context *context);

#endif
