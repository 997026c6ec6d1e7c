/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.h - the analysis of object locality (DJXPerf): where the objects were allocated that
 * samples of accesses met, and who accesses them. docs/locality.md says what the shares mean.
 *
 * What was sampled in different ways is not mixed: there is one analysis for each way.
 */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "analyse/locality/access_store.h"
#include "model/finding.h"
#include "stats/bounds.h"

/* Fewer effective samples are too few to give a share by which anybody should act. */
#define LOCALITY_LEAST 5

/* What a sample is one of. */
enum locality_metric {
	LOCALITY_TIME,	 /* the sampling clock: of the time spent at accesses to the heap */
	LOCALITY_ACCESS, /* the processor: of the accesses that its event counts */
	LOCALITY_FAULT,	 /* the kernel: of the page faults */
	LOCALITY_METRICS
};

/*
 * The objects of one allocation context; or those of a class that are not followed, which have no
 * stack[0]. Its share is of all samples, estimated; of those not followed, of what was seen. Its
 * paths are accesses whose stacks read alike.
 */
struct locality_object {
	struct finding_row row;
	double objects, bytes; /* allocated, estimated; NAN where they are not followed */
	uint64_t loads, stores;
	struct file_access_sums sums;
	double effective; /* as many samples of weight 1 would tell as much */
};

struct locality {
	enum locality_metric metric;
	uint64_t samples; /* in all, when it was known where followed objects were */
	/* of which each counts as often as the rate was lowered then, and the sum of the squares of
	 * that; docs/locality.md */
	double times, squares;
	uint64_t unplaced; /* and when it was not: they count in nothing */
	double followed; /* share of the samples that are to the objects below, estimated; 1 at most
			  */
	size_t nobjects;
	struct locality_object
		*objects; /* by the lower end of the share's interval, the largest first */
	size_t nothers;
	struct locality_object *others; /* what is not followed, by class; the most samples first */
	uint64_t local, remote;		/* samples whose nodes are known */
};

/*
 * Computes all metrics, in the order of the enum; `confidence` is that of the intervals. 0, or -1
 * if out of memory. Release with locality_release.
 */
int locality_compute(struct locality l[LOCALITY_METRICS], const struct model *m, double confidence);
/* The same with objects of these allocation contexts only; shares are still of all samples. */
int locality_compute_of(struct locality l[LOCALITY_METRICS], const struct model *m,
			double confidence, struct model_context *const *contexts, size_t n);
void locality_release(struct locality l[LOCALITY_METRICS]);

/* "time", "access", "page-fault". */
const char *locality_metric_name(enum locality_metric metric);

#endif
