/* SPDX-License-Identifier: Apache-2.0 */
/*
 * equality_lines.c - see equality_lines.h. Of the sampled object before a window the line is known.
 * That object is not counted in the window, so an equal one in a window is always another object.
 */
#include "analyse/equality/equality_lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "model/line_groups.h"
#include "stats/binomial.h"

#define NEARLY_ALL 0.9 /* an upper end above it is of no use to a reader */

/* What was counted of a line so far. */
struct counted {
	uint64_t found, unknown, hits[EQUALITY_CACHES];
	uint64_t open[EQUALITY_CACHES]; /* hits that are possible, but not known */
};

struct making {
	struct equality *e;
	const struct model *m;
	const struct equality_store *store;
	const struct equality_classes *classes;
	struct line_groups groups;
	struct counted *counted; /* by line */
	double confidence;
};

static bool has_class(const struct model_context *c, const void *classes)
{
	return equality_classes_of(classes, c) != NULL;
}

/* ---- their sampled objects ----------------------------------------------------------------- */

static void count_own(struct making *k, const struct equality_own *own)
{
	uint32_t line = k->groups.of[own->context->number];

	if (line == LINE_NONE)
		return;
	struct counted *to = &k->counted[line];
	for (uint32_t i = 0; i < own->n; i++) {
		const struct equality_content *c = equality_store_find(k->store, own->hash[i]);
		bool unknown = !own->hash[i];
		bool found = !unknown && c && c->found.clusters > own->near[i];
		/* a content that was not found may be hidden by the addresses in its key */
		bool open = unknown || !c || c->found.local;
		uint32_t rank = found ? k->classes->rank[c - k->store->contents] : UINT32_MAX;
		k->e->lines[line].row.count++;
		to->found += found;
		to->unknown += unknown;
		for (int n = 0; n < EQUALITY_CACHES; n++) {
			to->hits[n] += rank < equality_caches[n];
			to->open[n] += rank >= equality_caches[n] && open;
		}
	}
}

static struct estimate share_of(uint64_t part, uint64_t all, double confidence)
{
	double x = (double)part, n = (double)all, alpha = (1 - confidence) / 2;

	if (!all)
		return (struct estimate){ NAN, { NAN, NAN } };
	return (struct estimate){ x / n,
				  { binomial_low(x, n, alpha), binomial_high(x, n, alpha) } };
}

/* Whether the intervals tell anything: the upper end of `equal` is always 1. */
static bool is_weak(const struct equality_line *l)
{
	const struct bounds_range *hits = &l->hits[EQUALITY_CACHES - 1].range;

	return l->row.count == 0 ||
	       (!(l->equal.range.low > 0) && !(hits->low > 0) && !(hits->high < NEARLY_ALL));
}

static int fill_line(struct making *k, uint32_t line)
{
	struct equality_line *l = &k->e->lines[line];
	const struct counted *n = &k->counted[line];
	const struct line_group *g = &k->groups.line[line];

	l->objects = g->objects;
	l->bytes = g->bytes;
	l->equal = share_of(n->found, l->row.count, k->confidence);
	if (l->row.count)
		l->equal.range.high = 1;
	for (int i = 0; i < EQUALITY_CACHES; i++) {
		uint64_t most = n->hits[i] + n->open[i];
		l->hits[i] = share_of(n->hits[i], l->row.count, k->confidence);
		l->hits[i].range.high = share_of(most, l->row.count, k->confidence).range.high;
		if (n->unknown == l->row.count)
			l->hits[i] = share_of(0, 0, k->confidence);
	}
	if (n->unknown == l->row.count)
		l->equal = share_of(0, 0, k->confidence);
	l->row.weak = is_weak(l);
	return line_group_begin_row(&l->row, k->m, g);
}

/* By bytes, most first; lines whose intervals tell nothing come last. */
static int compare(const void *a, const void *b)
{
	const struct equality_line *x = a, *y = b;

	int order = ORDER(x->row.weak, y->row.weak) ?: ORDER(y->bytes, x->bytes);

	return order ?: callstack_hash_compare(&x->row.hash, &y->row.hash);
}

static int make(struct making *k)
{
	double bytes = 0;

	k->e->nlines = k->groups.n;
	for (uint32_t i = 0; i < k->store->own.n; i++)
		count_own(k, (const struct equality_own *)k->store->own.entry[i]);
	for (size_t i = 0; i < model_ncontexts(k->m); i++)
		bytes += model_context(k->m, i)->bytes;
	for (uint32_t i = 0; i < k->e->nlines; i++) {
		if (fill_line(k, i) < 0)
			return -1;
		struct finding_row *row = &k->e->lines[i].row;
		row->share = bytes > 0 ? fmin(1, k->e->lines[i].bytes / bytes) : 0;
		row->range = (struct bounds_range){ row->share, row->share };
	}
	qsort(k->e->lines, k->e->nlines, sizeof *k->e->lines, compare);
	return 0;
}

int equality_lines_make(struct equality *e, const struct model *m,
			const struct equality_store *store, const struct equality_classes *c,
			const struct findings_options *options)
{
	struct making k = {
		.e = e, .m = m, .store = store, .classes = c, .confidence = options->confidence
	};
	int result = line_groups_make(&k.groups, m, options, has_class, c);
	size_t n = k.groups.n + 1;

	e->lines = calloc(n, sizeof *e->lines);
	k.counted = calloc(n, sizeof *k.counted);
	if (!e->lines || !k.counted)
		result = -1;
	if (result == 0)
		result = make(&k);
	free(k.counted);
	line_groups_release(&k.groups);
	return result;
}
