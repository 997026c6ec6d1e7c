/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica.h - the object replica analysis: computes the figures of a report from the evidence of
 * allocation contexts.
 *
 * A row stands for one context, or for several that are grouped (by site or class). Pairs are
 * formed within one context, one size, one position and, with references, one epoch; then they are
 * summed. Contents are pooled. Formulas: OJXPerf (ICSE'22) section 6, and docs/method.md for
 * differences. A value that was not measured is NAN, never 0.
 */
#ifndef OJX_REPLICA_H
#define OJX_REPLICA_H

#include <stdbool.h>
#include <stddef.h>

#include "analyse/replica/replica_result.h"
#include "model/analysis.h"
#include "model/model.h"

/*
 * Analyses `n` contexts as one row. Release the row with replica_release. The same input and
 * options give the same result.
 */
void replica_compute(struct replica *row, struct model_context *const *contexts, size_t n,
		     const struct replica_options *options);
/* Gives `to` the same result; it is released as well. One thread at a time may share a result. */
void replica_copy(struct replica *to, const struct replica *from);
void replica_release(struct replica *row);

/* Least bytes that merging would save: by contents or by deep contents, whichever is more. */
double replica_saved(const struct replica *r);
bool replica_saved_deep(const struct replica *r); /* it is by deep contents */
/* The same as an estimate, and at the upper end of the coverage. */
double replica_likely(const struct replica *r);
double replica_saved_high(const struct replica *r);
double replica_likely_end(const struct replica *r); /* as if no object changed before its end */

/* What merging would free of the live heap: least and most. */
struct replica_interval replica_saved_live(const struct replica *r);

/*
 * The verdict that a report shows, of contents or (*deep is set) of deep contents. It is the deep
 * one if deep contents are more alike, if nothing is known of contents, and for strings whenever it
 * is known.
 */
enum replica_verdict replica_shown(const struct replica *r, bool *deep);

/* "replica", "few-values", ...; "watch", "scan", NULL for REPLICA_NONE. */
const char *replica_verdict_name(enum replica_verdict v);
const char *replica_source_name(enum replica_source s);
/* "identity", "changes", "unseen", "referred"; NULL for DOUBT_NONE. */
const char *replica_doubt_name(enum replica_doubt d);
/* Whether it says what is to be done: all but "unknown" and "alike-at-end" do. */
bool replica_is_decided(enum replica_verdict v);
/* The decision of the verdict that replica_shown() gives. */
const struct replica_decision *replica_decided(const struct replica *r);

/*
 * Object replicas as a row of the table of analyses. Its evidence is the model's own, and what it
 * finds are the rows of a report.
 */

extern const struct analysis replica_analysis;

#endif
