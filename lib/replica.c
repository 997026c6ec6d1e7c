/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica.c - see replica.h. It gathers the evidence of a row's contexts, lets pairing.c, combine.c and
 * groups.c measure, and verdict.c judge.
 */
#include "replica.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "alive.h"
#include "bounds.h"
#include "breakdown.h"
#include "combine.h"
#include "dedup.h"
#include "lasting.h"
#include "marks.h"
#include "pairing.h"
#include "replica_deep.h"
#include "replica_pairs.h"
#include "replica_saved.h"
#include "rng.h"
#include "sights.h"
#include "unchanged.h"
#include "verdict.h"

#define LASTING_LEAST 0.5 /* share of lasting objects, below which contents change as a rule */
#define EQUAL_LEAST \
	0.05 /* share of equal pairs, below which there is no verdict to be had by them */
#define KNOWN_LEAST 0.5 /* coverage of the looks, below which a missing content says nothing */

/* What one source of evidence says. */
struct source {
	struct combine sum;
	struct combined result;
};

struct work {
	struct model_context *const *contexts;
	size_t n;
	const struct replica_options *options;
	double z;
	double objects; /* of all contexts, or what stands for it: see context_objects */
	bool counted;	/* allocations were counted */
	struct source watch, scan;
	struct breakdown breakdown;
	struct groups looks, uses;
	double uses_equal_low; /* see groups.h */
	struct lasting lasting;
	struct bounds_range last; /* share of objects that did, see lasting.h */
	bool known;		  /* most contents at the end of life were seen */
	struct unchanged unchanged;
};

/* Where no allocation was counted, contexts are as large as their evidence. */
static double context_objects(const struct work *w, const struct model_context *c)
{
	double sum = 0;

	if (w->counted)
		return c->objects;
	for (size_t i = 0; i < c->nlooks; i++)
		sum += c->looks[i]->weight;
	for (size_t i = 0; i < c->nuses; i++)
		sum += c->uses[i]->weight;
	return sum;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static int pair_uses(struct work *w, const struct model_context *c, double share)
{
	struct rng rng = replica_rng(w->options, c, 0);
	struct pairs pairs;

	if (pairing_uses(&pairs, c, &rng) < 0)
		return -1;
	int result = combine_add(&w->watch.sum, c, share, &pairs);
	if (result == 0 && !w->options->brief)
		result = breakdown_uses(&w->breakdown, c, share, &pairs);
	pairs_release(&pairs);
	return result;
}

static int pair_looks(struct work *w, const struct model_context *c, double share)
{
	struct rng rng = replica_rng(w->options, c, 1);
	struct pairs pairs;

	if (pairing_looks(&pairs, c, &rng) < 0)
		return -1;
	int result = combine_add(&w->scan.sum, c, share, &pairs);
	if (result == 0 && !w->options->brief)
		result = breakdown_looks(&w->breakdown, c, share, &pairs);
	pairs_release(&pairs);
	return result;
}

static double context_share(const struct work *w, const struct model_context *c)
{
	return w->objects > 0 ? context_objects(w, c) / w->objects : 0;
}

static int pair_all(struct work *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (pair_uses(w, w->contexts[i], context_share(w, w->contexts[i])) < 0)
			return -1;
	for (size_t i = 0; i < w->n; i++)
		if (pair_looks(w, w->contexts[i], context_share(w, w->contexts[i])) < 0)
			return -1;
	combine_finish(&w->watch.sum, w->z, &w->watch.result);
	combine_finish(&w->scan.sum, w->z, &w->scan.result);
	return 0;
}

/* ---- groups -------------------------------------------------------------------------------- */

static void limit_range(struct bounds_range *range, const struct bounds_range *by)
{
	range->low = fmin(range->low, by->high);
	range->high = fmin(range->high, by->high);
}

/*
 * No more objects can be merged than lasted. Where looks have seen the lesser part of the contents, that a use's is
 * not among them is no sign that it changed, so that only the lower end may follow.
 */
static void limit_lasting(const struct work *w, struct bounds_range *range)
{
	range->low = fmin(range->low, w->last.low);
	if (w->known)
		range->high = fmin(range->high, w->last.high);
}

/* Looks are so few that uses tell more of how many contents there are. */
static bool uses_tell_more(const struct work *w)
{
	return w->scan.sum.pairs < w->options->min_pairs && w->watch.sum.pairs > w->scan.sum.pairs;
}

/* All pairs of uses, whatever their positions; of contents that are rarely equal it makes no verdict. */
static int compare_uses(struct work *w, double objects)
{
	struct rng rng = { rng_mix(w->options->seed) };
	struct groups uses;

	if (w->n != 1 || !(w->watch.result.a_range.high >= EQUAL_LEAST))
		return 0;
	if (sights_of_uses(&uses, w->contexts, w->n, objects, w->z, &rng) < 0)
		return -1;
	w->uses_equal_low = uses.equal_low;
	return 0;
}

/*
 * Where objects were more varied when used than at the end of life (a pool clears them, say), only as
 * many can be merged as were alike when used.
 */
static int group_all(struct work *w, double objects)
{
	bool limited = w->watch.result.a_range.high < w->scan.result.a_range.low;
	struct rng rng = { rng_mix(w->options->seed) };

	if (sights_of_looks(&w->looks, w->contexts, w->n, objects, w->z, &rng) < 0 ||
	    lasting_count(&w->lasting, w->contexts, w->n) < 0 ||
	    unchanged_measure(&w->unchanged, w->contexts, w->n, false, w->z) < 0)
		return -1;
	w->last = lasting_range(&w->lasting, w->z);
	w->known = w->looks.covered.low >= KNOWN_LEAST;
	limit_lasting(w, &w->looks.covered);
	limit_lasting(w, &w->looks.covered_bytes);
	if ((limited || uses_tell_more(w)) &&
	    sights_of_uses(&w->uses, w->contexts, w->n, objects, w->z, &rng) < 0)
		return -1;
	if (limited) {
		limit_range(&w->looks.covered, &w->uses.covered);
		limit_range(&w->looks.covered_bytes, &w->uses.covered_bytes);
	}
	return 0;
}

/* ---- results ------------------------------------------------------------------------------- */

static struct replica_interval interval(struct bounds_range range)
{
	return (struct replica_interval){ range.low, range.high };
}

static void set_pairs(struct replica *row, const struct work *w, const struct source *s)
{
	const struct combined *r = &s->result;

	row->pairs = s->sum.pairs;
	row->a = s->sum.a;
	row->b = s->sum.b;
	row->c = s->sum.c;
	row->theta = row->pairs ? fmin(1, r->a + r->b) : NAN;
	row->alpha = row->pairs ? bounds_alpha(r->b, r->c) : NAN;
	row->omega = row->pairs ? bounds_omega(r->a, r->b, r->c) : NAN;
	row->gamma = w->counted && row->objects < 2 ? NAN : r->gamma;
	row->identical = r->a;
	row->theta_ci = interval(r->theta_range);
	row->identical_ci = interval(r->a_range);
}

/* What was more varied when used, or did not last, can be merged only as far as that allows. */
static void limit_saved(struct replica *row, const struct work *w)
{
	struct replica_interval *objects = &row->saved_objects_ci, *bytes = &row->saved_bytes_ci;

	if (isnan(objects->low))
		return;
	objects->high = fmin(objects->high, row->objects - w->uses.least);
	bytes->high = fmin(bytes->high, row->bytes - w->uses.least_bytes);
	if (w->known)
		objects->high = fmin(objects->high, row->objects * w->last.high);
	objects->high = fmax(objects->low, objects->high);
	bytes->high = fmax(bytes->low, bytes->high);
}

static void set_saved(struct replica *row, const struct work *w)
{
	struct unchanged_least least = unchanged_least(&w->unchanged, row->constant_class);
	struct saved saved;

	saved_measure(&saved, &w->looks, &least, row->objects, row->bytes);
	row->saved_objects_ci = saved.objects;
	row->saved_bytes_ci = saved.bytes;
	limit_saved(row, w);
	row->saved_objects = row->saved_objects_ci.low;
	row->saved_bytes = row->saved_bytes_ci.low;
	row->saved_bytes_high = saved.bytes_high;
	row->saved_end_bytes = saved.end_bytes;
	row->used_alike = w->unchanged.seen;
	row->used_same = w->unchanged.same;
}

static void set_groups(struct replica *row, const struct work *w)
{
	row->largest_group = w->looks.largest;
	row->largest_group_ci = interval(w->looks.largest_range);
	row->distinct = w->looks.distinct;
	row->lasting = w->known && w->lasting.uses
			       ? (double)w->lasting.lasted / (double)w->lasting.uses
			       : NAN;
	row->saved_objects = row->saved_bytes = row->saved_bytes_high = NAN;
	row->saved_end_bytes = NAN;
	row->constant_class = w->n > 0;
	for (size_t i = 0; i < w->n; i++)
		row->constant_class &= unchanged_ever(w->contexts[i]->class);
	row->saved_objects_ci = row->saved_bytes_ci = (struct replica_interval){ NAN, NAN };
	if (row->scanned >= 2 * w->options->min_pairs)
		set_saved(row,
			  w); /* of a handful of objects it would hold as well, but rank nothing */
}

static void set_counts(struct replica *row, const struct work *w)
{
	double idle = 0, outcomes = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct model_context *c = w->contexts[i];
		row->sampled += c->sampled;
		row->objects += c->objects;
		row->bytes += c->bytes;
		row->scanned += c->looks_seen > c->nlooks ? c->looks_seen : c->nlooks;
		uint64_t uses = c->uses_seen > c->nuses ? c->uses_seen : c->nuses;
		idle += (double)c->unused[WIRE_UNUSED_TIME];
		outcomes +=
			(double)(uses + c->unused[WIRE_UNUSED_TIME] + c->unused[WIRE_UNUSED_TRAPS]);
	}
	row->unused = outcomes > 0 ? idle / outcomes : NAN;
}

/* Whether objects change, and whether they are used as what they are. */
static void set_marks(struct replica *row, const struct work *w)
{
	double uses = (double)w->lasting.uses;
	struct bounds_range lasting = bounds_wilson(row->lasting, uses, w->z);
	struct marks marks;

	marks_count(&marks, w->contexts, w->n, w->z);
	struct marks_share constant = marks_constant(&marks, row->lasting, &lasting);
	row->identity = marks.identity.share;
	row->identity_ci = interval(marks.identity.range);
	row->immutable = marks.immutable.share;
	row->immutable_ci = interval(marks.immutable.range);
	row->constant = constant.share;
	row->constant_ci = interval(constant.range);
}

/*
 * A/n, for the verdict. Its lower end is that by all pairs of the observations, which are many more than those without
 * an object in common, where all can be compared.
 */
static struct bounds_range identical_range(const struct work *w, const struct source *s)
{
	struct bounds_range range = s->result.a_range;
	double low = s == &w->watch ? w->uses_equal_low : w->looks.equal_low;

	if (w->n == 1 && !isnan(low) && !isnan(range.low))
		range.low = fmin(low, range.high);
	return range;
}

static void set_verdict(struct replica *row, const struct work *w, const struct source *s)
{
	const struct source *other = s == &w->watch ? &w->scan : &w->watch;
	const struct groups *groups = uses_tell_more(w) ? &w->uses : &w->looks;
	double objects = w->objects > 0 ? w->objects : 1;
	struct verdict_evidence e = {
		.pairs = row->pairs,
		.min_pairs = w->options->min_pairs,
		.looks = uses_tell_more(w) ? 0 : row->scanned, /* those stand for contents then */
		.one_context = w->n == 1,
		.identical = identical_range(w, s),
		.within = s->result.within,
		.alike = s->result.alpha_within,
		.other = other->result.a_range,
		.other_within = other->result.within,
		.group = w->looks.largest_range,
		.covered = groups->covered,
		.covered_deep_high = row->covered_deep_high,
		.lasting = w->known ? (w->last.low + w->last.high) / 2 : NAN,
		.contents_share = groups->contents / objects,
		.sizes_share = (double)s->sum.nsizes / objects,
	};

	row->verdict = verdict_of(&e);
	if (!row->refers) /* then deep contents are contents */
		row->verdict_deep = row->verdict;
}

/*
 * Looks compare all positions at once. But what changes between use and end of life is told by uses,
 * if there are any.
 */
static enum replica_source fields_source(const struct work *w, const struct replica *row)
{
	uint64_t watch = w->watch.sum.pairs, scan = w->scan.sum.pairs;
	bool changes = row->lasting < LASTING_LEAST ||
		       w->watch.result.a_range.high < w->scan.result.a_range.low;

	if (scan == 0 || (changes && watch >= w->options->min_pairs))
		return watch ? REPLICA_WATCH : REPLICA_NONE;
	return scan >= w->options->min_pairs || scan >= watch ? REPLICA_SCAN : REPLICA_WATCH;
}

/* Strings have no state but a cached hash code, which does not matter to who shares them. */
static int add_deep(struct replica *row, const struct work *w)
{
	bool limited = w->known && w->n > 0 && !dedup_applies(w->contexts[0]->class);
	const struct bounds_range none = { NAN, NAN };
	double *share = calloc(w->n ? w->n : 1, sizeof *share);

	if (!share)
		return -1;
	for (size_t i = 0; i < w->n; i++)
		share[i] = context_share(w, w->contexts[i]);
	struct replica_deep_input input = {
		.contexts = w->contexts,
		.n = w->n,
		.share = share,
		.options = w->options,
		.z = w->z,
		.objects = w->objects,
		.lasting = limited ? w->last : none,
	};
	int result = replica_add_deep(row, &input);
	free(share);
	return result;
}

/*
 * Of what is reported, no more than all can be merged. That more may be alive than reported is told by the interval of the live
 * bytes; where none is reported, there is nothing else to go by.
 */
static struct replica_interval within_live(struct bounds_range saved, const struct replica *row)
{
	double most = row->live_bytes > 0 ? row->live_bytes : row->live_bytes_ci.high;

	if (row->bytes > 0)
		most = fmin(most, row->bytes);
	if (isnan(saved.low)) /* fmin would take the other */
		return interval(saved);
	return (struct replica_interval){ fmin(saved.low, most), fmin(saved.high, most) };
}

/* What is alive is limited as all that was allocated is: what differs when used, or changes, can not be merged. */
static int add_alive(struct replica *row, const struct work *w)
{
	bool strings = w->n > 0 && dedup_applies(w->contexts[0]->class);
	bool varied = w->watch.result.a_range.high < w->scan.result.a_range.low;
	struct alive_options options = {
		.z = w->z,
		.seed = w->options->seed,
		.most = varied ? fmin(w->last.low, w->uses.covered_bytes.high) : w->last.low,
		.most_deep = w->known && !strings ? w->last.low : NAN,
		.unchanged = unchanged_least(&w->unchanged, row->constant_class).bytes,
		.unchanged_deep = row->unchanged_deep,
		.strings = strings,
	};
	struct alive a;

	if (alive_measure(&a, w->contexts, w->n, &options) < 0)
		return -1;
	row->live_sampled = isnan(a.objects) ? NAN : (double)a.sampled;
	row->live_objects = a.objects;
	row->live_bytes = a.bytes;
	row->live_objects_ci = interval(a.objects_range);
	row->live_bytes_ci = interval(a.bytes_range);
	row->saved_live_ci = within_live(a.saved, row);
	row->saved_live_deep_ci = within_live(a.saved_deep, row);
	row->dedup_live_ci = interval(a.dedup);
	return 0;
}

static int compute(struct replica *row, struct work *w)
{
	set_counts(row, w);
	w->counted = row->objects > 0;
	for (size_t i = 0; i < w->n; i++)
		w->objects += context_objects(w, w->contexts[i]);
	if (pair_all(w) < 0 || group_all(w, row->objects) < 0)
		return -1;
	row->source = replica_choose(w->watch.sum.pairs, w->scan.sum.pairs, w->options);
	if (row->source == REPLICA_WATCH && compare_uses(w, row->objects) < 0)
		return -1;
	const struct source *s = row->source == REPLICA_SCAN ? &w->scan : &w->watch;
	set_pairs(row, w, s);
	set_groups(row, w);
	set_marks(row, w);
	if (add_deep(row, w) < 0 || add_alive(row, w) < 0)
		return -1;
	set_verdict(row, w, s);
	if (w->options->brief)
		return 0;
	return breakdown_finish(&w->breakdown, fields_source(w, row), row);
}

int replica_compute(struct replica *row, struct model_context *const *contexts, size_t n,
		    const struct replica_options *options)
{
	struct work w = {
		.contexts = contexts, .n = n, .options = options, .z = bounds_z(options->confidence)
	};

	w.uses.least = w.uses.least_bytes = w.uses_equal_low = NAN; /* not always measured */

	*row = (struct replica){ 0 };
	int result = compute(row, &w);
	breakdown_release(&w.breakdown);
	if (result < 0)
		replica_release(row);
	return result;
}

void replica_release(struct replica *row)
{
	free(row->fields);
	free(row->accesses);
	free(row->values);
	*row = (struct replica){ 0 };
}
