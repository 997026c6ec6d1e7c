/* SPDX-License-Identifier: Apache-2.0 */
/* decide.c - see decide.h. content_keys.h says how contents are compared. */
#include "analyse/replica/decide.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/content_keys.h"
#include "analyse/replica/observations.h"
#include "analyse/replica/stability.h"
#include "analyse/replica/verdict.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/bounds.h"
#include "stats/cluster.h"
#include "stats/groups.h"
#include "stats/spread.h"

#define SLOT_SNAPSHOTS 1024 /* snapshots of which slots are compared; each slot needs a sort */

/* The observations of a row, of one source. */
struct seen {
	struct keyed *keyed;
	size_t n;
	double largest; /* the largest v of any sample */
	double design;
};

/* Bytes; or objects, if allocations were not counted. */
static double value_of(const struct observation *s)
{
	return s->weight * (s->bytes > 0 ? s->bytes : 1);
}

/* ---- all of them ------------------------------------------------------------------------- */

/* The largest v that any sample of the row can have, with or without a snapshot. */
static double largest_sample(const struct decide_input *in)
{
	double bytes = 0, largest = 0;

	for (size_t i = 0; i < in->n; i++) {
		bytes += in->contexts[i]->bytes;
		for (size_t k = 0; k < in->contexts[i]->nstrata; k++) {
			const struct model_stratum *t = &in->contexts[i]->strata[k];
			if (t->sampled)
				largest = fmax(largest,
					       t->objects / (double)t->sampled * (double)t->size);
		}
	}
	return bytes > 0 ? fmax(largest, in->options->interval) : largest;
}

/*
 * The largest v that any use can have. Uses also stand for samples whose objects were not seen in
 * use. So it is the mean v, times the factor by which the heaviest sample exceeds the mean.
 */
static double largest_use(const struct seen *uses, double heaviest)
{
	double all = 0;

	for (size_t i = 0; i < uses->n; i++)
		all += uses->keyed[i].v;
	return uses->n ? heaviest * all / (double)uses->n : 0;
}

/*
 * The factor by which the heaviest sample exceeds the mean, from the snapshots and the sampling
 * interval.
 */
static double heaviest_of(const struct decide_input *in, const struct seen *s)
{
	double all = 0, largest = 0, bytes = 0, sampled = 0;

	for (size_t i = 0; i < in->n; i++) {
		bytes += in->contexts[i]->bytes;
		sampled += (double)in->contexts[i]->sampled;
	}
	for (size_t i = 0; i < s->n; i++) {
		all += s->keyed[i].v;
		largest = fmax(largest, s->keyed[i].v);
	}
	return fmax(all > 0 ? largest * (double)s->n / all : 0,
		    bytes > 0 ? in->options->interval * sampled / bytes : 0);
}

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return (x->differing > y->differing) - (x->differing < y->differing);
}

SORT_DEFINE(sort_keyed, struct keyed, compare_keyed)

/* The commonest `differing` key by v; sorts the array. */
static uint64_t commonest(struct keyed *keyed, size_t n)
{
	uint64_t best = 0;
	double most = -1;

	sort_keyed(keyed, n);
	for (size_t first = 0, next; first < n; first = next) {
		double v = 0;
		for (next = first; next < n && keyed[next].differing == keyed[first].differing;)
			v += keyed[next++].v;
		if (v > most) {
			most = v;
			best = keyed[first].differing;
		}
	}
	return best;
}

/*
 * Sets the design effect (Kish): a snapshot also stands for the samples before it that have none.
 * Where these resemble each other, n snapshots tell less than n independent ones.
 */
static void set_design(struct seen *to, const struct observation *observations)
{
	struct cluster_observation *cluster = xmallocarray(to->n + 1, sizeof *cluster);

	for (size_t i = 0; i < to->n; i++) {
		const struct observation *o = &observations[i];
		cluster[i] = (struct cluster_observation){
			.weight = to->keyed[i].v,
			.others = to->keyed[i].v * o->others / o->weight,
			.content = to->keyed[i].differing,
			.process = o->jvm,
			.block = o->own_block * CLUSTER_BLOCKS / GROUPS_BLOCKS,
		};
	}
	to->design = cluster_design(cluster, to->n);
	free(cluster);
}

/*
 * Gives each snapshot whose `alike` is not known the `alike` that is commonest among the others. So
 * what could be equal counts as equal.
 */
static void settle_any(struct seen *to)
{
	struct keyed *known = xmallocarray(to->n + 1, sizeof *known);
	size_t n = 0;

	for (size_t i = 0; i < to->n; i++)
		if (!to->keyed[i].any)
			known[n++] = (struct keyed){ .differing = to->keyed[i].alike,
						     .v = to->keyed[i].v };
	uint64_t top = commonest(known, n);
	for (size_t i = 0; i < to->n; i++)
		if (to->keyed[i].any)
			to->keyed[i].alike = top;
	free(known);
}

static void see_snapshots(struct seen *to, const struct decide_input *in)
{
	size_t all, at = 0;
	struct observation *observations =
		observations_list_snapshots(in->contexts, in->n, NULL, &all);
	bool change = in->deep && referents_change(in->contexts, in->n);
	const struct key_options how = { in->deep, content_keys_have_fixed(in->contexts, in->n),
					 change };

	*to = (struct seen){ .keyed = xcalloc(all + 1, sizeof *to->keyed), .design = 1 };
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->contexts[i]->nsnapshots; k++, at++) {
			const struct model_snapshot *l = in->contexts[i]->snapshots[k];
			double v = value_of(&observations[at]);
			if ((in->deep && !(l->flags & WIRE_DEEP)) || !(v > 0))
				continue;
			observations[to->n] = observations[at];
			content_keys_of_snapshot(&to->keyed[to->n], in->contexts[i], l, &how, at);
			if (in->change && in->change[i])
				to->keyed[to->n].differing = content_key_unique(at);
			to->keyed[to->n++].v = v;
		}
	set_design(to, observations);
	settle_any(to);
	free(observations);
	to->largest = largest_sample(in);
}

static void see_uses(struct seen *to, const struct decide_input *in, double heaviest)
{
	size_t all, at = 0;
	struct observation *observations = observations_list_uses(in->contexts, in->n, &all);

	*to = (struct seen){ .keyed = xcalloc(all + 1, sizeof *to->keyed), .design = 1 };
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->contexts[i]->nuses; k++, at++) {
			const struct model_use *u = in->contexts[i]->uses[k];
			double v = value_of(&observations[at]);
			if (!(v > 0) || in_constructor_use(in->contexts[i], u))
				continue;
			content_keys_of_use(&to->keyed[to->n], in->contexts[i], u, at);
			if (in->change && in->change[i])
				to->keyed[to->n].differing = content_key_unique(at);
			to->keyed[to->n].sampled = u->flags & WIRE_SAMPLED;
			to->keyed[to->n++].v = v;
		}
	to->largest = largest_use(to, heaviest);
	free(observations);
}

/* Measures the spread of those uses to which sampled accesses led. */
static void spread_sampled(struct spread *s, const struct seen *uses)
{
	struct spread_snapshot *sampled = xmallocarray(uses->n + 1, sizeof *sampled);
	size_t n = 0;

	for (size_t i = 0; i < uses->n; i++)
		if (uses->keyed[i].sampled)
			sampled[n++] = (struct spread_snapshot){ uses->keyed[i].differing,
								 uses->keyed[i].v };
	spread_measure(s, sampled, n, uses->largest, 1);
	free(sampled);
}

/* Measures the spread of the observations by each of their two keys. */
static void spread_both(struct spread *differing, struct spread *alike, const struct seen *s)
{
	struct spread_snapshot *snapshots = xmallocarray(s->n + 1, sizeof *snapshots);

	for (size_t i = 0; i < s->n; i++)
		snapshots[i] = (struct spread_snapshot){ s->keyed[i].differing, s->keyed[i].v };
	spread_measure(differing, snapshots, s->n, s->largest, s->design);
	for (size_t i = 0; i < s->n; i++)
		snapshots[i] = (struct spread_snapshot){ s->keyed[i].alike, s->keyed[i].v };
	spread_measure(alike, snapshots, s->n, s->largest, s->design);
	free(snapshots);
}

/* ---- sizes ------------------------------------------------------------------------------- */

static int compare_lengths(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return ORDER(*x, *y);
}

/* The array lengths of all uses, in order. */
static uint32_t *list_used_lengths(const struct decide_input *in, size_t *n)
{
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < in->n; i++)
		all += in->contexts[i]->nuses;
	uint32_t *lengths = xmallocarray(all + 1, sizeof *lengths);
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->contexts[i]->nuses; k++)
			lengths[(*n)++] = in->contexts[i]->uses[k]->array_length;
	qsort(lengths, *n, sizeof *lengths, compare_lengths);
	return lengths;
}

/* The share of the bytes that are of sizes of which no use was seen. */
static double measure_unused_sizes(const struct decide_input *in)
{
	double all = 0, unused = 0;
	size_t n;
	uint32_t *lengths = list_used_lengths(in, &n);

	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->contexts[i]->nstrata; k++) {
			const struct model_stratum *s = &in->contexts[i]->strata[k];
			double bytes = s->objects * (double)s->size;
			all += bytes;
			if (!bsearch(&s->array_length, lengths, n, sizeof *lengths,
				     compare_lengths))
				unused += bytes;
		}
	free(lengths);
	return all > 0 ? unused / all : 0;
}

/* ---- slots ------------------------------------------------------------------------------- */

struct slot_snapshot {
	const struct model_context *context;
	const struct model_snapshot *snapshot;
	double v;
};

/* Lists the snapshots whose slots are compared: all or, if they are many, every `step`-th. */
static size_t list_slots(struct slot_snapshot *to, const struct decide_input *in, size_t all,
			 uint32_t *nslots)
{
	size_t step = all / SLOT_SNAPSHOTS + 1, at = 0, n = 0;

	*nslots = 0;
	for (size_t i = 0; i < in->n; i++)
		for (size_t k = 0; k < in->contexts[i]->nsnapshots; k++) {
			const struct model_context *c = in->contexts[i];
			const struct model_snapshot *l = c->snapshots[k];
			if (at++ % step)
				continue;
			double bytes = observations_object_bytes(c, l->array_length);
			to[n++] =
				(struct slot_snapshot){ c, l, l->weight * (bytes > 0 ? bytes : 1) };
			*nslots = l->nslots > *nslots ? l->nslots : *nslots;
		}
	return n;
}

/*
 * Measures how many slots are equal, on average. Objects without slots do not count. A slot that
 * only one of two objects has counts as different. `heaviest`: see heaviest_of.
 */
static void compare_slots(struct verdict_evidence *e, const struct decide_input *in, size_t all,
			  double heaviest)
{
	struct slot_snapshot *list = xmallocarray(all + 1, sizeof *list);
	struct spread_snapshot *snapshots = xmallocarray(all + 1, sizeof *snapshots);
	uint32_t nslots = 0;
	double sum = 0, v = 0;

	size_t n = list_slots(list, in, all, &nslots);
	for (size_t i = 0; i < n; i++)
		v += list[i].v / (double)n;
	for (uint32_t k = 0; k < nslots; k++) {
		struct spread s;
		for (size_t i = 0; i < n; i++) {
			bool has = k < list[i].snapshot->nslots;
			snapshots[i].content =
				has ? content_key_of_slot(list[i].context, list[i].snapshot, k)
				    : content_key_unique(i);
			snapshots[i].v = fmax(list[i].v, 1e-9);
		}
		spread_measure(&s, snapshots, n, heaviest * v, 1);
		sum += s.equal;
		e->slots_n = s.n;
	}
	e->slots = nslots ? sum / nslots : NAN;
	free(list);
	free(snapshots);
}

/* ---- change ------------------------------------------------------------------------------ */

/*
 * Measures the share of the objects that stayed the same, at most, among those seen in use. Samples
 * that were not seen may be heavier than these, and count as the same.
 */
static void measure_change(struct verdict_evidence *e, const struct decide_input *in,
			   double heaviest)
{
	size_t n;
	struct stability_use *list = stability_list(in->contexts, in->n, &n);
	struct spread_snapshot *uses = xmallocarray(n, sizeof *uses);
	double all = 0, same = 0;
	struct spread s;

	for (size_t i = 0; i < n; i++) {
		uses[i] = (struct spread_snapshot){ list[i].same, list[i].bytes };
		all += list[i].bytes;
		same += list[i].same ? list[i].bytes : 0;
	}
	if (n > 0) {
		spread_measure(&s, uses, n, heaviest * all / (double)n, 1);
		e->all_used = s.n * s.as_quarter;
		e->all_same = fmin(1, same / all * (1 - s.phantom) + s.phantom);
	}
	free(list);
	free(uses);
}

/* ---- together ---------------------------------------------------------------------------- */

/* The share of the objects that merging would keep: one for each content that was seen. */
static double share_kept(const struct decide_input *in, const struct spread *s)
{
	double objects = 0;

	for (size_t i = 0; i < in->n; i++)
		objects += in->contexts[i]->objects;
	return objects > 0 ? fmin(1, s->contents / objects) : 0;
}

static void gather(struct verdict_evidence *e, const struct decide_input *in)
{
	struct seen snapshots = { .n = 0 }, uses = { .n = 0 };
	see_snapshots(&snapshots, in);
	double heaviest = heaviest_of(in, &snapshots);

	spread_both(&e->end, &e->end_most, &snapshots);
	at_once_measure(&e->at_once, in->contexts, in->n, snapshots.largest, snapshots.design);
	if (!in->deep)
		see_uses(&uses, in, heaviest);
	e->unused_sizes = in->deep ? 0 : measure_unused_sizes(in);
	spread_both(&e->use, &e->use_most, &uses);
	spread_sampled(&e->any_age, &uses);
	if (!in->deep && !in->constant)
		measure_change(e, in, heaviest);
	free(snapshots.keyed);
	free(uses.keyed);
	e->kept = share_kept(in, e->end.n > 0 ? &e->end : &e->use);
	e->seen_used = in->unchanged->number;
	e->same = in->unchanged->share;
	e->used_seen = in->unchanged->used_number;
	e->used_same = in->unchanged->used_share;
	e->slots = NAN;
	enum replica_verdict so_far = in->deep ? VERDICT_ALIKE : verdict_of(e, NULL);
	if (so_far != VERDICT_UNKNOWN && so_far != VERDICT_DISTINCT)
		return; /* the verdict does not need slots */
	size_t all = 0;
	for (size_t i = 0; i < in->n; i++)
		all += in->contexts[i]->nsnapshots;
	compare_slots(e, in, all, heaviest);
}

static bool is_alike(enum replica_verdict v)
{
	return v == VERDICT_REPLICA || v == VERDICT_FEW_VALUES || v == VERDICT_SOME_EQUAL ||
	       v == VERDICT_ALIKE;
}

/* Gathers all evidence of a row. */
static void gather_all(struct verdict_evidence *e, const struct decide_input *in)
{
	*e = (struct verdict_evidence){
		.constant = in->constant,
		.identity = in->identity,
		.referred = in->referred,
		.equal_low = in->equal_low,
		.several = observations_of_several(in->contexts, in->n),
		.values_low = in->values_low,
		.live = in->options->live,
	};
	gather(e, in);
}

/*
 * The same, but contexts whose objects could change are not left out. This only decides whether the
 * objects are alike at the end. It must not use the evidence of uses: the rule has tried that
 * already, and a second try would double its chance of error.
 */
static void gather_whole(struct verdict_evidence *e, const struct decide_input *in)
{
	struct decide_input whole = *in;

	whole.change = NULL;
	whole.constant = false;
	gather_all(e, &whole);
	e->seen_used = fmin(1, e->seen_used);
	e->used_seen = e->all_used = 0;
	e->any_age = (struct spread){ .snapshots = 0 };
}

void decide_measure(struct replica_decision *d, const struct decide_input *in)
{
	struct verdict_evidence e, whole;
	enum replica_doubt doubt;

	*d = (struct replica_decision){ .top_low = NAN,
					.top_high = NAN,
					.held_high = NAN,
					.common = NAN,
					.common_most = NAN,
					.common_high = NAN,
					.missing = NAN };
	gather_all(&e, in);
	if (in->change)
		gather_whole(&whole, in);
	d->common = verdict_common(&e);
	d->common_most = verdict_common_most(in->change ? &whole : &e);
	d->common_high =
		verdict_common_high(in->change ? &whole : &e, (1 - in->options->confidence) / 2);
	d->verdict = verdict_of(&e, &d->doubt);
	if (in->change && !is_alike(d->verdict) && verdict_of(&whole, &doubt) == VERDICT_ALIKE) {
		d->verdict = VERDICT_ALIKE;
		d->doubt = doubt;
		e = whole;
	}
	d->snapshots = e.end.n;
	if (in->options->summary || in->options->detail == REPLICA_VERDICT)
		return;
	d->missing = verdict_missing(&e);
	if (in->change)
		d->missing = fmin(d->missing, verdict_missing(&whole));
	if (in->options->detail == REPLICA_BOUNDS && e.end.n > 0) {
		double alpha = spread_alpha(e.end.n, in->options->live);
		d->top_low = spread_top_low(&e.end, alpha);
		d->top_high = spread_top_high(&e.end_most, alpha);
		d->held_high = verdict_held_high(&e);
	}
}
