/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equality_classes.h - the classes of a store, one for each name and JVM. Each has its contents,
 * sorted from the commonest on.
 */
#ifndef OJX_EQUALITY_CLASSES_H
#define OJX_EQUALITY_CLASSES_H

#include "analyse/equality/equality_store.h"
#include "model/finding.h"

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
