/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica.c - see replica.h. replica_measure.c gathers the evidence of a row's contexts and
 * measures it with pairing.c, combine.c and groups.c. This file makes figures of the results;
 * verdict.c judges.
 */
#include "analyse/replica/replica.h"
#include "analyse/replica/observations.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/decide.h"
#include "analyse/replica/dedup.h"
#include "analyse/replica/deep.h"
#include "analyse/replica/live_heap.h"
#include "analyse/replica/replica_private.h"
#include "analyse/replica/replica_saved.h"
#include "analyse/replica/stability_contents.h"
#include "analyse/replica/verdict.h"
#include "base/xmalloc.h"
#include "model/fields.h"
#include "model/value_text.h"

#define LASTING_LEAST 0.5  /* share of lasting objects below which contents usually change */
#define CHANGE_MOST   0.25 /* share of a row's bytes that is left out if it could change */

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

/*
 * Limits what can be merged: objects that were more varied when used, or whose content did not
 * last, cannot be.
 */
static void limit_saved(struct replica *row, const struct work *w)
{
	struct replica_interval *objects = &row->own.saved_objects_ci,
				*bytes = &row->own.saved_bytes_ci;

	if (isnan(objects->low))
		return;
	objects->high = fmin(objects->high, row->objects - w->uses.least);
	bytes->high = fmin(bytes->high, row->bytes - w->uses.least_bytes);
	if (w->known)
		objects->high = fmin(objects->high, row->objects * w->last.high);
	objects->high = fmax(objects->low, objects->high);
	bytes->high = fmax(bytes->low, bytes->high);
}

/* The least share that does not change; 0 if objects may be needed for their identity. */
static struct stability_least least_unchanged(const struct replica *row, const struct work *w,
					      bool constant)
{
	const struct stability_least none = { 0, 0, 0 };

	return row->identity_used ? none : stability_least(&w->unchanged, constant);
}

static void set_saved(struct replica *row, const struct work *w)
{
	struct stability_least least = least_unchanged(row, w, row->constant_class);
	struct saved_of of = saved_of(w->contexts, w->n, w->z);
	struct saved saved;

	saved_measure(&saved, &w->snapshots, &w->at_end, &least, &of);
	replica_set_saved(&row->own, &saved);
	limit_saved(row, w);
	row->saved_end_bytes = saved.end_bytes;
	memcpy(row->others, saved.others, sizeof row->others);
	row->used_alike = w->unchanged.seen;
	row->used_same = w->unchanged.same;
}

/* Objects without fields, such as java.lang.Object, equal only themselves. */
static bool is_itself(const struct model_class *class)
{
	return class && !class->is_array && class->nfields == 0 && class->name &&
	       class->name[0] != '(';
}

/* Arrays of length 0 cannot change. */
static bool has_no_elements(const struct model_context *c)
{
	for (size_t i = 0; i < c->nstrata; i++)
		if (c->strata[i].array_length)
			return false;
	return c->class && c->class->is_array && c->nstrata;
}

/* Whether the objects of a context cannot change. */
static bool is_immutable(const struct model_context *c)
{
	return fields_are_final(c->class) || has_no_elements(c) ||
	       string_value_made(c->model, c->jvm, c->class, c->stack_id);
}

/*
 * Sets whether the objects of a row cannot change. If only a small part of the bytes could change,
 * that part is left out: it counts as equal to nothing. The rest is then judged as a row whose
 * objects cannot change.
 */
static void set_constant(struct replica *row, struct work *w)
{
	double bytes = 0, change = 0;

	w->change = xcalloc(w->n + 1, sizeof *w->change);
	for (size_t i = 0; i < w->n; i++) {
		w->change[i] = !is_immutable(w->contexts[i]);
		bytes += w->contexts[i]->bytes;
		change += w->change[i] ? w->contexts[i]->bytes : 0;
	}
	row->constant_class = w->n > 0 && change <= CHANGE_MOST * bytes;
	w->all_constant = row->constant_class;
	for (size_t i = 0; i < w->n; i++)
		w->all_constant &= !w->change[i];
	if (row->constant_class && !w->all_constant && bytes > 0)
		return;
	row->constant_class = w->all_constant;
	free(w->change);
	w->change = NULL;
}

/* Sets what the fields tell of referred objects, and whether the identity of an object matters. */
static void set_kind(struct replica *row, const struct work *w)
{
	row->constant_referred = w->n > 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct model_context *c = w->contexts[i];
		row->constant_referred &= stability_is_immutable_below(c->class);
		row->identity_used |= is_itself(c->class);
		for (size_t k = 0; k < c->nsnapshots; k++)
			row->identity_used |=
				(c->snapshots[k]->flags & (WIRE_HASHED | WIRE_LOCKED)) != 0;
	}
}

static void set_groups(struct replica *row, const struct work *w)
{
	replica_set_groups(&row->own, &w->snapshots);
	row->lasting = w->known && w->lasting.uses
			       ? (double)w->lasting.lasted / (double)w->lasting.uses
			       : NAN;
	row->saved_end_bytes = NAN;
	/* the bounds hold with fewer snapshots, too, but are too wide to rank rows */
	if (row->own.scanned >= w->options->min_pairs)
		set_saved(row, w);
}

static void set_counts(struct replica *row, const struct work *w)
{
	double idle = 0, outcomes = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct model_context *c = w->contexts[i];
		row->sampled += c->sampled;
		row->objects += c->objects;
		row->bytes += c->bytes;
		row->own.scanned +=
			c->snapshots_seen > c->nsnapshots ? c->snapshots_seen : c->nsnapshots;
		uint64_t uses = c->uses_seen > c->nuses ? c->uses_seen : c->nuses;
		idle += (double)c->unused[WIRE_UNUSED_TIME];
		outcomes +=
			(double)(uses + c->unused[WIRE_UNUSED_TIME] + c->unused[WIRE_UNUSED_TRAPS]);
	}
	row->unused = outcomes > 0 ? idle / outcomes : NAN;
}

/* Sets whether objects change, and whether their identity is used. */
static void set_flags(struct replica *row, const struct work *w)
{
	double uses = (double)w->lasting.uses;
	struct bounds_range lasting = bounds_wilson(row->lasting, uses, w->z);
	struct stability_flags flags;

	stability_flags_count(&flags, w->contexts, w->n, w->z);
	struct stability_share constant = stability_flags_constant(&flags, row->lasting, &lasting);
	row->identity = flags.identity.share;
	row->identity_ci = interval(flags.identity.range);
	row->immutable = flags.immutable.share;
	row->immutable_ci = interval(flags.immutable.range);
	row->twice = flags.twice;
	row->unchanged = flags.unchanged;
	row->lasting_uses = w->lasting.uses;
	row->lasted = w->lasting.lasted;
	row->constant = constant.share;
	row->constant_ci = interval(constant.range);
}

static bool holds_references(const struct work *w)
{
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->contexts[i]->nsnapshots; k++)
			if (w->contexts[i]->snapshots[k]->flags & WIRE_REFS)
				return true;
	return false;
}

static void set_verdict(struct replica *row, const struct work *w)
{
	struct decide_input decide = {
		.contexts = w->contexts,
		.n = w->n,
		.change = w->change,
		.unchanged = &w->unchanged,
		.constant = row->constant_class,
		.identity = row->identity_used,
		.equal_low = holds_references(w) || observations_of_several(w->contexts, w->n)
				     ? row->identical_ci.low
				     : NAN,
		.values_low = w->watch.result.alpha_within.low,
		.options = w->options,
	};

	decide_measure(&row->own.decision, &decide);
	row->own.verdict = row->own.decision.verdict;
	if (!row->refers) { /* then deep contents equal contents */
		row->deep.decision = row->own.decision;
		row->deep.verdict = row->own.verdict;
	}
}

/*
 * Snapshots compare all positions at once. But if contents change between use and end of life, only
 * uses can tell, if there are any.
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

/*
 * Contents of strings are not limited by how long they lasted: their cached hash code is their only
 * state, and does not matter to users.
 */
static void add_deep(struct replica *row, const struct work *w)
{
	bool limited = w->known && w->n > 0 && !dedup_applies(w->contexts[0]->class);
	const struct bounds_range none = { NAN, NAN };
	double *share = xcalloc(w->n, sizeof *share);

	for (size_t i = 0; i < w->n; i++)
		share[i] = replica_share(w, w->contexts[i]);
	struct replica_deep_input input = {
		.contexts = w->contexts,
		.n = w->n,
		.share = share,
		.change = w->change,
		.options = w->options,
		.z = w->z,
		.objects = w->objects,
		.identity = row->identity_used,
		.lasting = limited ? w->last : none,
	};
	replica_add_deep(row, &input);
	free(share);
}

/*
 * Limits a saving to the live bytes that are reported, since no more can be merged. Their interval
 * only says that more may be alive. If no live bytes are reported, the upper end of the interval is
 * the limit.
 */
static struct replica_interval within_live(struct bounds_range saved, const struct replica *row)
{
	double most = row->live_bytes > 0 ? row->live_bytes : row->live_bytes_ci.high;

	if (row->bytes > 0)
		most = fmin(most, row->bytes);
	if (isnan(saved.low)) /* fmin would return the other value */
		return interval(saved);
	return (struct replica_interval){ fmin(saved.low, most), fmin(saved.high, most) };
}

/*
 * The live heap has the same limits as all allocations: objects that differ when used, or change,
 * cannot be merged.
 */
static void add_alive(struct replica *row, const struct work *w)
{
	bool strings = w->n > 0 && dedup_applies(w->contexts[0]->class);
	bool varied = w->watch.result.a_range.high < w->scan.result.a_range.low;
	struct live_heap_options options = {
		.z = w->z,
		.seed = w->options->seed,
		.most = varied ? fmin(w->last.low, w->uses.covered_bytes.high) : w->last.low,
		.most_deep = w->known && !strings ? w->last.low : NAN,
		/* the view may hold other parts of the row */
		.unchanged = least_unchanged(row, w, w->all_constant).bytes,
		.stability_deep = row->stability_deep,
		.strings = strings,
	};
	struct live_heap a;

	live_heap_measure(&a, w->contexts, w->n, &options);
	row->live_sampled = isnan(a.objects) ? NAN : (double)a.sampled;
	row->live_objects = a.objects;
	row->live_bytes = a.bytes;
	row->live_objects_ci = interval(a.objects_range);
	row->live_bytes_ci = interval(a.bytes_range);
	row->own.saved_live_ci = within_live(a.saved, row);
	row->deep.saved_live_ci = within_live(a.saved_deep, row);
	row->dedup_live_ci = interval(a.dedup);
}

static void compute(struct replica *row, struct work *w)
{
	set_counts(row, w);
	w->counted = row->objects > 0;
	for (size_t i = 0; i < w->n; i++)
		w->objects += replica_objects(w, w->contexts[i]);
	set_constant(row, w);
	replica_pair_all(w);
	replica_group_all(w, row->objects);
	row->source = replica_choose(w->watch.sum.pairs, w->scan.sum.pairs, w->options);
	const struct source *s = row->source == REPLICA_SCAN ? &w->scan : &w->watch;
	set_pairs(row, w, s);
	set_kind(row, w);
	set_groups(row, w);
	set_flags(row, w);
	add_deep(row, w);
	add_alive(row, w);
	set_verdict(row, w);
	if (row->details)
		breakdown_finish(&w->breakdown, fields_source(w, row), row->details);
}

void replica_compute(struct replica *row, struct model_context *const *contexts, size_t n,
		     const struct replica_options *options)
{
	struct work w = {
		.contexts = contexts, .n = n, .options = options, .z = bounds_z(options->confidence)
	};

	w.uses.least = w.uses.least_bytes = NAN; /* measured only if needed */

	*row = (struct replica){ .own = replica_no_contents };
	if (!options->summary) {
		row->details = xcalloc(1, sizeof *row->details);
		row->details->owners = 1;
	}
	compute(row, &w);
	breakdown_release(&w.breakdown);
	free(w.change);
}

void replica_copy(struct replica *to, const struct replica *from)
{
	*to = *from;
	if (to->details)
		to->details->owners++;
}

void replica_release(struct replica *row)
{
	if (row->details && --row->details->owners == 0) {
		free(row->details->fields);
		free(row->details->accesses);
		free(row->details->values);
		free(row->details);
	}
	*row = (struct replica){ 0 };
}

/* ---- the row of the table of analyses ----------------------------------------------------- */

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	(void)needs;
	fprintf(out,
		"%" PRIu64 " objects sampled, %" PRIu64 " scanned, %" PRIu64 " uses watched, "
		"%zu contexts, ",
		all->sampled, all->scanned, all->used, model_ncontexts(m));
}

const struct analysis replica_analysis = {
	.key = "replica",
	.title = "Contexts",
	.about = "replicas",
	.events = { { "replica",
		      "objects of one content, made again and again (the default)",
		      { .objects = true, .allocations = true } } },
	.sum_up = sum_up,
};
