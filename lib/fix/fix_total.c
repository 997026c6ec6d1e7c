/* SPDX-License-Identifier: Apache-2.0 */
/* fix_total.c - see fix_total.h. */
#include "fix/fix_total.h"

#include <math.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "fix/fix_amount.h"
#include "report/pool.h"
#include "report/total.h"
#include "stats/binomial.h"

#define OWN_LEAST 0.5 /* share of the bytes that speak for themselves, for an estimate */
#define OPEN_MOST 1.0 /* what cannot be told, as a part of the estimate, for there to be one */

/* Objects that no call decides: a part of a fix, or a row that is too small for one. */
struct item {
	const struct row *row;
	const struct fix_part *part; /* NULL: of a small row */
	double bytes;
};

struct items {
	struct item *item;
	size_t n;
	/* by item */
	const struct row **row;
	struct total_line *merged;
};

/* What is certain. */
struct certain {
	struct fix_sum called, content; /* that calls decide; that was seen of the content */
	struct fix_sum remains;
	double bytes; /* of the parts that calls decide */
	/* of these, where it depends on more than the call, as whether an expression comes again */
	double likely, possible;
};

static double at_least_0(double x)
{
	return x > 0 ? x : 0;
}

static bool is_called(const struct fix_part *part)
{
	return part->remains || (part->rule && part->rule->by_call);
}

/* ---- what there is ----------------------------------------------------------------------- */

static void add_item(struct items *items, const struct row *row, const struct fix_part *part)
{
	items->row[items->n] = row;
	items->item[items->n++] =
		(struct item){ row, part, part ? part->bytes : row->replica.bytes };
}

static void add_part(struct items *items, struct certain *certain, const struct fix *f,
		     const struct fix_part *part)
{
	if (!is_called(part)) {
		add_item(items, part->row, part);
		if (!f->few)
			fix_sum_add(&certain->content, &part->certain);
		return;
	}
	certain->bytes += part->bytes;
	certain->likely += part->likely.value;
	certain->possible += part->possible;
	fix_sum_add(&certain->called, &part->certain);
	if (part->remains)
		fix_sum_add(&certain->remains, &part->all);
}

static bool is_small(const struct row *row, const struct fixes *fixes)
{
	return !(row->replica.bytes >= FIX_LEAST_SHARE * fixes->bytes) || row_is_other(row);
}

/* Of those that are not accepted. */
static size_t count_parts(const struct fixes *fixes)
{
	size_t n = 0;

	for (size_t i = 0; i < fixes->n; i++)
		n += fixes->fix[i].nparts;
	return n;
}

static void list_items(struct items *items, struct certain *certain, const struct fixes *fixes)
{
	size_t rows = fixes->lines ? fixes->lines->table.n : 0;
	size_t most = count_parts(fixes) + rows + 1;

	*items = (struct items){ .item = xcalloc(most, sizeof *items->item),
				 .row = xcalloc(most, sizeof(struct row *)),
				 .merged = xcalloc(most, sizeof *items->merged) };
	for (size_t i = 0; i < fixes->n; i++)
		for (size_t k = 0; k < fixes->fix[i].nparts; k++)
			add_part(items, certain, &fixes->fix[i], &fixes->fix[i].part[k]);
	for (size_t i = 0; i < rows; i++)
		if (is_small(rows_at(fixes->lines, i), fixes))
			add_item(items, rows_at(fixes->lines, i), NULL);
}

static void release_items(struct items *items)
{
	free(items->item);
	free(items->row);
	free(items->merged);
}

/* ---- what rules avoid besides --------------------------------------------------------------- */

/* Bytes that are certain or likely to be avoided. */
static double sure_of(const struct fix_part *part)
{
	return part->certain.value + part->likely.value;
}

/*
 * The share of the possible bytes that stays as it was seen: an estimate, where `weight` is a lower
 * limit, which grows with the looks.
 */
static double stays_of(const struct fix_part *part)
{
	double least = binomial_low(part->agreed, part->looked, FIX_POSSIBLE_ALPHA);

	return least > 0 ? fmin(1, part->weight * part->agreed / part->looked / least) : 0;
}

static bool has_doubt(const struct item *item)
{
	return item->part && item->part->possible > 0;
}

/* Sets how much of the possible bytes of each item counts; others lend to those not looked at. */
static void estimate_stays(const struct items *items, double *stays)
{
	struct pool_line *lines = xcalloc(items->n + 1, sizeof *lines);
	size_t n = 0;

	for (size_t i = 0; i < items->n; i++) {
		const struct fix_part *part = items->item[i].part;
		stays[i] = 0;
		/* that nobody saw a use tells of a place and a moment */
		if (!has_doubt(&items->item[i]) || part->rule->removes == REMOVES_UNREAD)
			continue;
		lines[n] = items->merged[i].like;
		lines[n].line = i;
		if (part->looked > 0) {
			lines[n].share = stays_of(part);
			lines[n].number = part->looked;
		}
		n++;
	}
	pool_estimate(lines, n);
	for (size_t i = 0; i < n; i++)
		stays[lines[i].line] = lines[i].estimate;
	free(lines);
}

/* A sum over all items of shares that few of them have of their own. */
struct lent {
	double value, error;
};

/* `share` of each item's bytes; NAN: it has none of its own. */
static struct lent sum_shares(const struct items *items, const double *share, double z)
{
	struct pool_line *lines = xcalloc(items->n + 1, sizeof *lines);
	struct lent sum = { 0, 0 };

	for (size_t i = 0; i < items->n; i++) {
		lines[i] = items->merged[i].like;
		lines[i].line = i;
		if (isnan(share[i]))
			continue;
		lines[i].share = share[i];
		lines[i].number = (double)items->item[i].part->advice->facts.snapshots;
	}
	double error = at_least_0(pool_estimate(lines, items->n));
	for (size_t i = 0; i < items->n; i++) {
		double bytes = items->item[lines[i].line].bytes;
		sum.value += bytes * lines[i].estimate;
		sum.error += z * error * bytes * lines[i].lent;
	}
	free(lines);
	return sum;
}

/* What rules avoid beyond merging: as expected, and at most. */
static void measure_rest(const struct items *items, double z, struct lent *rest, struct lent *most)
{
	double *stays = xcalloc(items->n + 1, sizeof *stays);
	double *share = xcalloc(items->n + 1, sizeof *share);
	double *high = xcalloc(items->n + 1, sizeof *high);

	estimate_stays(items, stays);
	for (size_t i = 0; i < items->n; i++) {
		const struct fix_part *part = items->item[i].part;
		double bytes = items->item[i].bytes;
		share[i] = high[i] = NAN;
		if (!part || part->advice->facts.snapshots < REPLICA_MIN_PAIRS || !(bytes > 0))
			continue;
		double sure = sure_of(part), possible = part->possible;
		share[i] = at_least_0(sure + stays[i] * possible - items->merged[i].saved) / bytes;
		high[i] = at_least_0(sure + possible - items->merged[i].most) / bytes;
	}
	*rest = sum_shares(items, share, z);
	*most = sum_shares(items, high, z);
	free(stays);
	free(share);
	free(high);
}

/* ---- small rows -------------------------------------------------------------------------- */

static struct pool_line *add_known(struct pool_line *to, const struct fix_part *part)
{
	double share = is_called(part) && part->bytes > 0 ? part->certain.value / part->bytes : 0;

	*to = (struct pool_line){ .class = part->class_name,
				  .share = fmin(1, share),
				  .number = INFINITY };
	return to + 1;
}

/* What calls avoid of small rows, by the parts of the same class. */
static double called_of_small(const struct fixes *fixes, const struct items *items)
{
	struct pool_line *lines = xcalloc(count_parts(fixes) + items->n + 1, sizeof *lines);
	struct pool_line *end = lines;
	double sum = 0;

	for (size_t i = 0; i < fixes->n; i++)
		for (size_t k = 0; k < fixes->fix[i].nparts; k++)
			end = add_known(end, &fixes->fix[i].part[k]);
	for (size_t i = 0; i < items->n; i++)
		if (!items->item[i].part)
			*end++ = (struct pool_line){ .line = i,
						     .class = row_class(items->item[i].row) };
	pool_estimate(lines, (size_t)(end - lines));
	for (const struct pool_line *l = lines; l < end; l++)
		sum += isinf(l->number) ? 0 : l->estimate * items->item[l->line].bytes;
	free(lines);
	return sum;
}

/* ---- the total --------------------------------------------------------------------------- */

/* Sums over the items of what merging saves. */
struct merging {
	double saved, most, error;
	double own; /* bytes that speak for themselves */
};

/* Of what a rule says that nothing is to be gained there, merging gains nothing either. */
static bool gains_nothing(const struct fix_part *part)
{
	return part && part->rule && part->rule->removes == REMOVES_NOTHING &&
	       !(sure_of(part) + part->possible > 0);
}

static struct merging measure_merging(struct items *items)
{
	struct merging sum = { 0 };
	struct total total;

	total_measure_lines(&total, items->row, items->n, items->merged);
	sum.error = total.range.high;
	for (size_t i = 0; i < items->n; i++) {
		struct total_line *of = &items->merged[i];
		sum.own += items->item[i].bytes * of->own;
		sum.error -= of->most;
		if (gains_nothing(items->item[i].part))
			of->saved = of->most = 0;
		sum.saved += of->saved;
		sum.most += of->most;
	}
	sum.error = at_least_0(sum.error);
	return sum;
}

/* What calls decide, small rows included. */
static struct estimate calls_of(const struct certain *certain, const struct fixes *fixes,
				const struct items *items)
{
	struct estimate e = fix_estimate_to(&certain->called, &certain->remains, fixes->z);
	double small = called_of_small(fixes, items);

	e.value += small;
	e.range.low += small;
	e.range.high += small;
	return e;
}

/* What is certain, and what is likely of the findings; no less than they have together. */
static double lower_end(const struct certain *certain, const struct fixes *fixes,
			const struct fix *found)
{
	struct fix_sum sum = certain->called;

	fix_sum_add(&sum, &certain->content);
	struct estimate e = fix_estimate_to(&sum, &certain->remains, fixes->z);
	fix_add(&e, &fixes->likely);
	return fmax(found->avoidable.range.low, e.range.low);
}

struct fix_total fixes_total(const struct fixes *fixes)
{
	struct certain certain = { .bytes = 0 };
	const struct fix found = fixes_sum(fixes);
	struct items items;
	struct lent rest, most;
	double bytes;

	list_items(&items, &certain, fixes);
	const struct merging merging = measure_merging(&items);
	measure_rest(&items, fixes->z, &rest, &most);
	struct fix_total t = { .calls = calls_of(&certain, fixes, &items) };
	bytes = certain.bytes;
	for (size_t i = 0; i < items.n; i++)
		bytes += items.item[i].bytes;
	release_items(&items);

	double error = hypot(t.calls.range.high - t.calls.value, hypot(merging.error, most.error));
	double doubt = certain.likely + certain.possible;
	double high = t.calls.value + doubt + merging.most + most.value + error;
	t.range.low = at_least_0(lower_end(&certain, fixes, &found));
	t.range.high = fmax(fmax(t.range.low, found.expected), fmin(bytes, high));
	t.value = t.calls.value + certain.likely + merging.saved + rest.value;
	t.value = fmin(fmax(t.value, t.range.low), t.range.high);
	double open = certain.possible + merging.most - merging.saved;
	if (!(certain.bytes + merging.own >= OWN_LEAST * bytes) || open > OPEN_MOST * t.value)
		t.value = NAN;
	return t;
}
