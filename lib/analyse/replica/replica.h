/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica.h - the object replica analysis: from the evidence of allocation contexts to the figures
 * a report shows.
 *
 * One row stands for one context, or for several that are grouped (by site or class): pairs are
 * formed within each context, one size, one position and, for references, one epoch; then they are
 * summed, and contents are pooled. Formulas: OJXPerf (ICSE'22) section 6, and docs/method.md for
 * what differs. A value that was not measured is NAN, never 0.
 */
#ifndef OJX_REPLICA_H
#define OJX_REPLICA_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/replica/replica_result.h"
#include "model/model.h"

/*
 * Analyses `n` contexts as one row. Returns 0, or -1 where memory lacks. The row is released with
 * replica_release. Same input and options give the same result.
 */
int replica_compute(struct replica *row, struct model_context *const *contexts, size_t n,
		    const struct replica_options *options);
void replica_release(struct replica *row);

/* Bytes that merging would at least save: by contents or by deep ones, whichever is more. */
double replica_saved(const struct replica *r);
bool replica_saved_deep(const struct replica *r); /* it is by deep ones */
/* The same, as it is likely, and at the upper end of what was looked at. */
double replica_likely(const struct replica *r);
double replica_saved_high(const struct replica *r);
double replica_likely_end(const struct replica *r); /* as if no object changed before its end */

/* The same of what is alive: what merging would free of it, at least and at most. */
struct replica_interval replica_saved_live(const struct replica *r);

/*
 * The verdict that a report shows: that of contents; or that of deep ones, *deep being set, where
 * they are more alike, where nothing is known of contents, and of strings wherever it is known.
 */
enum replica_verdict replica_shown(const struct replica *r, bool *deep);

/* "replica", "few-values", ...; "watch", "scan", NULL for REPLICA_NONE. */
const char *replica_verdict_name(enum replica_verdict v);
const char *replica_source_name(enum replica_source s);
/* "identity", "changes", "unseen", "referred"; NULL for DOUBT_NONE. */
const char *replica_doubt_name(enum replica_doubt d);
/* The decision of the verdict that replica_shown() gives. */
const struct replica_decision *replica_decided(const struct replica *r);

#endif
