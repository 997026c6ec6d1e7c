/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.h - the analysis of object locality (DJXPerf): where the objects were allocated that
 * sampled accesses met, and which code accesses them. docs/locality.md says what the shares mean.
 *
 * Different ways of sampling are not mixed: each has an analysis of its own.
 */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "analyse/locality/access_store.h"
#include "model/finding.h"
#include "stats/bounds.h"

/* With fewer effective samples no share is shown. */
#define LOCALITY_LEAST 5

/* What a sample is a sample of. */
enum locality_metric {
	LOCALITY_TIME,	 /* the clock: time spent at accesses to the heap */
	LOCALITY_ACCESS, /* the processor: accesses that its event counts */
	LOCALITY_FAULT,	 /* the kernel: page faults */
	LOCALITY_METRICS
};

/*
 * The objects of one allocation context; or the objects of a class that are not followed, which
 * have no stack[0]. The share is an estimated share of all samples; for objects that are not
 * followed, a share of what was seen. The paths are accesses whose stacks read the same.
 */
struct locality_object {
	struct finding_row row;
	double objects, bytes; /* allocated, estimated; NAN if they are not followed */
	uint64_t loads, stores;
	struct file_access_sums sums;
	double effective; /* effective number of samples (of weight 1) */
};

struct locality {
	enum locality_metric metric;
	uint64_t samples; /* all samples taken while the addresses of followed objects were known */
	/*
	 * `samples` weighted by how much the rate was lowered then, and the sum of the squared
	 * weights; docs/locality.md
	 */
	double times, squares;
	uint64_t unplaced; /* samples taken while they were not known; these count in no share */
	/* estimated share of the samples that are to the objects below; at most 1 */
	double followed;
	size_t nobjects;
	struct locality_object
		*objects; /* by the lower end of the share's interval, the largest first */
	size_t nothers;
	/* objects that are not followed, by class; most samples first */
	struct locality_object *others;
	uint64_t local, remote; /* samples whose nodes are known */
};

/*
 * Computes all metrics, in the order of the enum; `confidence` is that of the intervals. Release
 * with locality_release.
 */
void locality_compute(struct locality l[LOCALITY_METRICS], const struct model *m,
		      double confidence);
/* The same for objects of these allocation contexts only. Shares remain shares of all samples. */
void locality_compute_of(struct locality l[LOCALITY_METRICS], const struct model *m,
			 double confidence, struct model_context *const *contexts, size_t n);
void locality_release(struct locality l[LOCALITY_METRICS]);

/* "time", "access", "page-fault". */
const char *locality_metric_name(enum locality_metric metric);

#endif
