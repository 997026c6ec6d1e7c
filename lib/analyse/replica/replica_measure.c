/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_measure.c - measures the evidence of a row's contexts: pairs, groups of equal contents,
 * and whether contents last.
 */
#include <math.h>

#include "analyse/replica/observations.h"
#include "analyse/replica/pairing.h"
#include "analyse/replica/replica.h"
#include "analyse/replica/replica_private.h"
#include "base/rng.h"

/*
 * ---- chooses what reports show of a row that has two figures of a kind, and names verdicts;
 * see replica.h.
 */

bool replica_saved_deep(const struct replica *r)
{
	return r->deep.saved_bytes > r->own.saved_bytes ||
	       (isnan(r->own.saved_bytes) && !isnan(r->deep.saved_bytes));
}

/* The contents by which merging is known to save more. */
static const struct replica_contents *saved_by(const struct replica *r)
{
	return replica_saved_deep(r) ? &r->deep : &r->own;
}

double replica_saved(const struct replica *r)
{
	return saved_by(r)->saved_bytes;
}

double replica_likely(const struct replica *r)
{
	return saved_by(r)->likely_bytes;
}

double replica_likely_end(const struct replica *r)
{
	return saved_by(r)->likely_end_bytes;
}

double replica_saved_high(const struct replica *r)
{
	return saved_by(r)->saved_bytes_high;
}

struct replica_interval replica_saved_live(const struct replica *r)
{
	const struct replica_interval *as_such = &r->own.saved_live_ci,
				      *deep = &r->deep.saved_live_ci;

	return deep->low > as_such->low || isnan(as_such->low) ? *deep : *as_such;
}

/* Of two verdicts, the one that says for sure that objects can be merged, or says the most. */
static bool deep_is_better(enum replica_verdict such, enum replica_verdict with, bool by_value)
{
	if (such == VERDICT_SOME_EQUAL)
		return with == VERDICT_REPLICA || with == VERDICT_FEW_VALUES;
	if (with == VERDICT_REPLICA || with == VERDICT_FEW_VALUES || with == VERDICT_SOME_EQUAL)
		return true;
	if (with == VERDICT_ALIKE && such != VERDICT_ALIKE && such != VERDICT_CHANGING)
		return true;
	return (such == VERDICT_UNKNOWN || by_value) && with != VERDICT_UNKNOWN;
}

enum replica_verdict replica_shown(const struct replica *r, bool *deep)
{
	enum replica_verdict such = r->own.verdict, with = r->deep.verdict;

	*deep = false;
	if (such == VERDICT_REPLICA || (such == VERDICT_FEW_VALUES && with != VERDICT_REPLICA))
		return such;
	*deep = deep_is_better(such, with, r->by_value);
	/*
	 * Distinct objects differ in what is always comparable: primitive fields and lengths. So
	 * their deep contents differ, too. But the value of a string is not in its own fields, and
	 * nobody can split off what these have in common.
	 */
	bool own = such == VERDICT_DISTINCT || such == VERDICT_PARTIAL || such == VERDICT_CHANGING;
	if (!*deep && own && r->by_value && r->refers)
		return VERDICT_UNKNOWN;
	return *deep ? with : such;
}

bool replica_is_decided(enum replica_verdict v)
{
	return v != VERDICT_UNKNOWN && v != VERDICT_ALIKE;
}

const struct replica_decision *replica_decided(const struct replica *r)
{
	bool deep;

	replica_shown(r, &deep);
	return deep || (r->by_value && r->refers) ? &r->deep.decision : &r->own.decision;
}

const char *replica_source_name(enum replica_source s)
{
	switch (s) {
	case REPLICA_WATCH:
		return "watch";
	case REPLICA_SCAN:
		return "scan";
	default:
		return NULL;
	}
}

#define KNOWN_LEAST 0.5 /* coverage of the snapshots below which a missing content says nothing */
#define WATCH_PAIRS 30	/* pairs of uses from which on pairs of snapshots are not needed */

/*
 * A context's own random numbers, for uses (0) or snapshots (1), so that its pairs do not depend on
 * its group.
 */
static struct rng context_rng(const struct replica_options *options, const struct model_context *c,
			      uint64_t use)
{
	uint64_t id = (uint64_t)c->jvm << 32 | c->id;

	return (struct rng){ rng_mix(options->seed + rng_mix(id + rng_mix(use))) };
}

/*
 * Chooses the source. Uses alone are enough if there are many: content at the use is the better
 * evidence.
 */
enum replica_source replica_choose(uint64_t watch, uint64_t scan,
				   const struct replica_options *options)
{
	if (watch >= (options->min_pairs > WATCH_PAIRS ? options->min_pairs : WATCH_PAIRS))
		return REPLICA_WATCH;
	if (scan > watch)
		return REPLICA_SCAN;
	return watch > 0 ? REPLICA_WATCH : REPLICA_NONE;
}

/* If no allocation was counted, a context is as large as its evidence. */
double replica_objects(const struct work *w, const struct model_context *c)
{
	double sum = 0;

	if (w->counted)
		return c->objects;
	for (size_t i = 0; i < c->nsnapshots; i++)
		sum += c->snapshots[i]->weight;
	for (size_t i = 0; i < c->nuses; i++)
		sum += c->uses[i]->weight;
	return sum;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void pair_uses(struct work *w, const struct model_context *c, double share)
{
	struct rng rng = context_rng(w->options, c, 0);
	struct pairs pairs;

	pairing_uses(&pairs, c, &rng);
	combine_add(&w->watch.sum, c, share, &pairs);
	if (!w->options->summary)
		breakdown_uses(&w->breakdown, c, share, &pairs);
	pairs_release(&pairs);
}

static void pair_snapshots(struct work *w, const struct model_context *c, double share)
{
	struct rng rng = context_rng(w->options, c, 1);
	struct pairs pairs;

	pairing_snapshots(&pairs, c, &rng);
	combine_add(&w->scan.sum, c, share, &pairs);
	if (!w->options->summary)
		breakdown_snapshots(&w->breakdown, c, share, &pairs);
	pairs_release(&pairs);
}

double replica_share(const struct work *w, const struct model_context *c)
{
	return w->objects > 0 ? replica_objects(w, c) / w->objects : 0;
}

void replica_pair_all(struct work *w)
{
	for (size_t i = 0; i < w->n; i++)
		pair_uses(w, w->contexts[i], replica_share(w, w->contexts[i]));
	for (size_t i = 0; i < w->n; i++)
		pair_snapshots(w, w->contexts[i], replica_share(w, w->contexts[i]));
	combine_finish(&w->watch.sum, w->z, &w->watch.result);
	combine_finish(&w->scan.sum, w->z, &w->scan.result);
}

/* ---- groups -------------------------------------------------------------------------------- */

static void limit_range(struct bounds_range *range, const struct bounds_range *by)
{
	range->low = fmin(range->low, by->high);
	range->high = fmin(range->high, by->high);
}

/*
 * Only objects that lasted can be merged. If snapshots cover less than half of the contents, a use
 * whose content is missing among them need not have changed; then only the lower end is limited.
 */
static void limit_to_unchanged(const struct work *w, struct bounds_range *range)
{
	range->low = fmin(range->low, w->last.low);
	if (w->known)
		range->high = fmin(range->high, w->last.high);
}

bool replica_uses_tell_more(const struct work *w)
{
	return w->scan.sum.pairs < w->options->min_pairs && w->watch.sum.pairs > w->scan.sum.pairs;
}

/* Measures the groups of the snapshots: without the contexts that `change` marks, and with them. */
static void group_snapshots(struct work *w, double objects, struct rng *rng)
{
	struct rng same = *rng;

	observations_of_snapshots(&w->snapshots, w->contexts, w->n, w->change, objects, w->z, rng);
	w->at_end = w->snapshots;
	if (w->change)
		observations_of_snapshots(&w->at_end, w->contexts, w->n, NULL, objects, w->z,
					  &same);
}

static void limit_groups(const struct work *w, struct groups *g, bool by_uses)
{
	limit_to_unchanged(w, &g->covered);
	limit_to_unchanged(w, &g->covered_bytes);
	if (by_uses) {
		limit_range(&g->covered, &w->uses.covered);
		limit_range(&g->covered_bytes, &w->uses.covered_bytes);
	}
}

/*
 * If objects were more varied when used than at the end of life (because a pool clears them, for
 * example), only as many can be merged as were equal when used.
 */
void replica_group_all(struct work *w, double objects)
{
	bool limited = w->watch.result.a_range.high < w->scan.result.a_range.low;
	struct rng rng = { rng_mix(w->options->seed) };

	group_snapshots(w, objects, &rng);
	stability_contents_count(&w->lasting, w->contexts, w->n);
	stability_measure(&w->unchanged, w->contexts, w->n, STABILITY_OWN, w->z);
	w->last = stability_contents_range(&w->lasting, w->z);
	w->known = w->snapshots.covered.low >= KNOWN_LEAST;
	if (limited || replica_uses_tell_more(w))
		observations_of_uses(&w->uses, w->contexts, w->n, objects, w->z, &rng);
	limit_groups(w, &w->snapshots, limited);
	limit_groups(w, &w->at_end, limited);
}
