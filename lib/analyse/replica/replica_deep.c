/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_deep.c - see replica_deep.h: figures and verdict of deep contents; values and arrays of
 * strings.
 */
#include "analyse/replica/replica_deep.h"

#include <math.h>
#include <string.h>

#include "analyse/replica/decide.h"
#include "analyse/replica/dedup.h"
#include "analyse/replica/deep.h"
#include "analyse/replica/replica_saved.h"
#include "analyse/replica/stability.h"
#include "analyse/replica/values.h"
#include "analyse/replica/verdict.h"

static const struct replica_interval none = { NAN, NAN };

static struct replica_interval interval(struct bounds_range range)
{
	return (struct replica_interval){ range.low, range.high };
}

static void set_nothing(struct replica *row)
{
	row->deep_cut = row->largest_deep = row->distinct_deep = row->covered_deep_high = NAN;
	row->saved_deep_objects = row->saved_deep_bytes = row->saved_deep_bytes_high = NAN;
	row->likely_deep_bytes = row->likely_deep_end_bytes = NAN;
	row->largest_deep_ci = row->dedup_ci = none;
	row->saved_deep_objects_ci = row->saved_deep_bytes_ci = none;
	row->verdict_deep = VERDICT_UNKNOWN;
}

/* Nothing refers to anything: deep contents equal contents. */
static void set_same(struct replica *row)
{
	row->deep_scanned = row->scanned;
	row->deep_cut = row->scanned ? 0 : NAN;
	row->largest_deep = row->largest_group;
	row->largest_deep_ci = row->largest_group_ci;
	row->distinct_deep = row->distinct;
	row->saved_deep_objects = row->saved_objects;
	row->saved_deep_bytes = row->saved_bytes;
	row->saved_deep_bytes_high = row->saved_bytes_high;
	row->likely_deep_bytes = row->likely_bytes;
	row->likely_deep_end_bytes = row->likely_end_bytes;
	row->saved_deep_objects_ci = row->saved_objects_ci;
	row->saved_deep_bytes_ci = row->saved_bytes_ci;
}

/* Applies a limit, since only contents that last can be merged; NAN is no limit. */
static void limit(struct bounds_range *range, const struct bounds_range *lasting)
{
	range->low = fmin(range->low, lasting->low);
	range->high = isnan(range->high) ? NAN : fmin(range->high, lasting->high);
}

/* With fewer snapshots the bounds are too wide to rank rows. */
static void set_saved(struct replica *row, const struct deep *d, const struct stability *u,
		      const struct replica_deep_input *in)
{
	struct saved_of of = saved_of(in->contexts, in->n, in->z);
	struct stability_least least = { 0, 0, 0 };
	struct replica_interval *objects = &row->saved_deep_objects_ci;
	struct saved saved;

	if (row->constant_referred && !in->identity)
		least = stability_least(u, row->constant_class);
	row->stability_deep = least.bytes;
	if (row->deep_scanned < in->options->min_pairs)
		return;
	saved_measure(&saved, &d->groups, &d->at_end, &least, &of);
	*objects = saved.objects;
	row->saved_deep_bytes_ci = saved.bytes;
	if (!isnan(objects->low)) /* a share of objects is not a share of bytes */
		objects->high =
			fmax(objects->low, fmin(objects->high, row->objects * in->lasting.high));
	row->saved_deep_objects = objects->low;
	row->saved_deep_bytes = row->saved_deep_bytes_ci.low;
	row->saved_deep_bytes_high = saved.bytes_high;
	row->likely_deep_bytes = fmax(saved.likely, row->saved_deep_bytes);
	row->likely_deep_end_bytes = saved.likely_end;
	if (!(row->saved_bytes >= row->saved_deep_bytes)) /* then these are the row's */
		memcpy(row->others, saved.others, sizeof row->others);
	if (!(row->saved_end_bytes >= saved.end_bytes)) {
		row->saved_end_bytes = saved.end_bytes;
		row->used_alike = u->seen;
		row->used_same = u->same;
	}
}

static void set_groups(struct replica *row, struct deep *d, const struct stability *u,
		       const struct replica_deep_input *in)
{
	struct groups *g = &d->groups;

	row->deep_scanned = d->scanned;
	row->deep_cut = d->cut;
	row->largest_deep = g->largest;
	row->largest_deep_ci = interval(g->largest_range);
	row->distinct_deep = g->distinct;
	row->covered_deep_high = g->covered.high;
	limit(&g->covered, &in->lasting);
	limit(&g->covered_bytes, &in->lasting);
	limit(&d->at_end.covered, &in->lasting);
	limit(&d->at_end.covered_bytes, &in->lasting);
	set_saved(row, d, u, in);
}

/*
 * Sets the verdict of deep contents. That referred objects did not change is concluded only from
 * the types of fields. A use shows just one moment: a list is empty when it is used first, and may
 * be empty again at the end.
 */
static int set_verdict(struct replica *row, const struct stability *u,
		       const struct replica_deep_input *in)
{
	struct decide_input decide = {
		.contexts = in->contexts,
		.n = in->n,
		.change = in->change,
		.deep = true,
		.unchanged = u,
		.constant = row->constant_class,
		.identity = in->identity,
		.referred = !row->constant_referred,
		.equal_low = NAN,
		.values_low = NAN,
		.options = in->options,
	};

	if (decide_measure(&row->decision_deep, &decide) < 0)
		return -1;
	row->verdict_deep = row->decision_deep.verdict;
	return 0;
}

static int add_strings(struct replica *row, const struct replica_deep_input *in)
{
	const struct bounds_range exact = { 1, 1 };
	struct bounds_range saved;

	if (!in->options->summary &&
	    values_rank(&row->values, &row->nvalues, in->contexts, in->n) < 0)
		return -1;
	if (!row->by_value || row->deep_scanned < 2 * in->options->min_pairs)
		return 0;
	if (dedup_measure(&saved, in->contexts, in->n, row->objects, &exact, in->z,
			  in->options->seed) < 0)
		return -1;
	row->dedup_ci = interval(saved);
	return 0;
}

int replica_add_deep(struct replica *row, const struct replica_deep_input *in)
{
	struct deep d;
	struct stability u;
	struct deep_options options = {
		.objects = row->objects,
		.share = in->share,
		.change = in->change,
		.z = in->z,
		.seed = in->options->seed,
	};

	set_nothing(row);
	row->by_value = in->n > 0 && dedup_applies(in->contexts[0]->class);
	if (deep_measure(&d, in->contexts, in->n, &options) < 0)
		return -1;
	row->refers = !d.same;
	if (d.same) {
		set_same(row);
		return 0;
	}
	if (d.scanned == 0)
		return 0;
	if (stability_measure(&u, in->contexts, in->n,
			      row->constant_referred ? STABILITY_DEEP_FIXED : STABILITY_DEEP,
			      in->z) < 0)
		return -1;
	set_groups(row, &d, &u, in);
	if (set_verdict(row, &u, in) < 0)
		return -1;
	return add_strings(row, in);
}
