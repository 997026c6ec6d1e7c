/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c - see match.h. Each way to match has a key. Rows of both sides are sorted by it; rows
 * with equal keys form a group, in which rows are paired. The time is proportional to the rows,
 * since groups are small; large groups are left alone.
 */
#include "compare/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "compare/linemap.h"
#include "stats/estimate.h"

enum {
	UNTOLD = -1,	   /* a line that cannot be found */
	MOST_SITES = 4000, /* pairs of rows of one site that are compared */
};

/* A row, with the key of the current way to match. */
struct item {
	struct callstack_hash key;
	const struct row *row;
	size_t index;
};

struct side {
	const struct rows *rows;
	const struct linemap *map; /* NULL: lines are already those of the second recording */
	struct item *items;	   /* not matched yet */
	size_t n;
};

struct group {
	const struct linemap *map;
	struct item *from, *to;
	size_t nfrom, nto;
};

struct work {
	struct linemap *map;
	struct side from, to;
	bool *taken; /* flags for rows of `to` */
	struct match *matches;
};

const char *match_name(enum match_how how)
{
	static const char *const names[] = { NULL, "lines", "methods", "site" };

	return names[how];
}

/* ---- keys -------------------------------------------------------------------------------- */

static void add_text(XXH3_state_t *state, const char *text)
{
	text = text ? text : "?";
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

/* The line of the frame in the second recording; 0: it has none. */
static int line_there(const struct linemap *map, const struct model_frame *f)
{
	if (!map || f->line == 0)
		return f->line;
	int line = linemap_line(map, f);
	return line ? line : UNTOLD;
}

static struct callstack_hash make_key(const struct linemap *map, const struct row *row, size_t n,
				      bool lines)
{
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	add_text(&state, row_class(row));
	for (size_t i = row->first; i < n; i++) {
		const struct model_frame *f = &row_stack(row)->frames[i];
		int numbers[2] = { f->folded, lines ? line_there(map, f) : 0 };
		XXH3_128bits_update(&state, numbers, sizeof numbers);
		if (f->folded > 0)
			continue;
		add_text(&state, f->class_name);
		add_text(&state, f->method);
	}
	XXH128_hash_t hash = XXH3_128bits_digest(&state);
	return (struct callstack_hash){ hash.high64, hash.low64 };
}

/* The frames that make the site: down to the first outside the JDK, or all. */
static size_t site_frames(const struct row *row)
{
	size_t n = row->line + 1;

	return n < row->common ? n : row->common;
}

static struct callstack_hash key_of(const struct linemap *map, const struct row *row,
				    enum match_how how)
{
	size_t n = how == MATCH_SITE ? site_frames(row) : row->common;

	return make_key(map, row, n, how == MATCH_LINES);
}

/* By key, then by lines from the innermost frame on, then in the order of the recording. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = callstack_hash_compare(&x->key, &y->key);

	size_t i = x->row->first, k = y->row->first;
	while (!order && i < x->row->common && k < y->row->common)
		order = row_stack(x->row)->frames[i++].line - row_stack(y->row)->frames[k++].line;
	return order ?: ORDER(x->index, y->index);
}

/* ---- pairing within a group -------------------------------------------------------------- */

/*
 * Distance between the lines of the first `n` frames; ALIGN_NEVER if they are known to be different
 * lines.
 */
static double distance(const struct linemap *map, const struct row *x, const struct row *y,
		       size_t n)
{
	double sum = 0;

	for (size_t i = x->first, k = y->first; i < n && k < y->common; i++, k++) {
		const struct model_frame *f = &row_stack(x)->frames[i],
					 *g = &row_stack(y)->frames[k];
		int there = line_there(map, f);
		if (there == g->line)
			continue;
		if (there != UNTOLD)
			return ALIGN_NEVER;
		sum += abs((g->line - linemap_first_line(g)) - (f->line - linemap_first_line(f)));
	}
	return sum;
}

static void pair_up(struct work *w, const struct item *from, const struct item *to,
		    enum match_how how)
{
	w->matches[from->index] = (struct match){ to->index, how };
	w->taken[to->index] = true;
}

static void pair_in_order(struct work *w, const struct group *g)
{
	for (size_t i = 0; i < g->nfrom && i < g->nto; i++)
		pair_up(w, &g->from[i], &g->to[i], MATCH_LINES);
}

static double line_cost(size_t i, size_t k, void *arg)
{
	const struct group *g = arg;

	return distance(g->map, g->from[i].row, g->to[k].row, g->from[i].row->common);
}

static void pair_by_lines(struct work *w, struct group *g)
{
	int32_t *at = xcalloc(g->nfrom, sizeof *at);

	align(g->nfrom, g->nto, line_cost, g, at);
	for (size_t i = 0; i < g->nfrom; i++)
		if (at[i] >= 0)
			pair_up(w, &g->from[i], &g->to[at[i]], MATCH_METHODS);
	free(at);
}

static bool same_method(const struct model_frame *f, const struct model_frame *g)
{
	return f->folded == g->folded &&
	       (f->folded > 0 ||
		(f->class_name && g->class_name && f->method && g->method &&
		 strcmp(f->class_name, g->class_name) == 0 && strcmp(f->method, g->method) == 0));
}

/* Number of frames that two stacks share, from the innermost and from the outermost on. */
static size_t shared_frames(const struct row *x, const struct row *y)
{
	size_t of = x->common - x->first, others = y->common - y->first, n = 0, tail = 0;
	size_t most = of < others ? of : others;

	while (n < most && same_method(&row_stack(x)->frames[x->first + n],
				       &row_stack(y)->frames[y->first + n]))
		n++;
	while (n + tail < most && same_method(&row_stack(x)->frames[x->common - 1 - tail],
					      &row_stack(y)->frames[y->common - 1 - tail]))
		tail++;
	return n + tail;
}

/* The partner that shares most with a row, among those that are still free. */
static const struct item *nearest(const struct work *w, const struct group *g,
				  const struct item *item)
{
	const struct item *best = NULL;
	size_t most = 0;

	for (size_t k = 0; k < g->nto; k++) {
		if (w->taken[g->to[k].index] ||
		    isinf(distance(g->map, item->row, g->to[k].row, site_frames(item->row))))
			continue;
		size_t shared = shared_frames(item->row, g->to[k].row);
		if (!best || shared > most) {
			best = &g->to[k];
			most = shared;
		}
	}
	return best;
}

static void pair_by_site(struct work *w, const struct group *g)
{
	if (g->nfrom > MOST_SITES / g->nto)
		return;
	for (size_t i = 0; i < g->nfrom; i++) {
		const struct item *to = nearest(w, g, &g->from[i]);
		if (to)
			pair_up(w, &g->from[i], to, MATCH_SITE);
	}
}

static void pair_group(struct work *w, struct group *g, enum match_how how)
{
	switch (how) {
	case MATCH_LINES:
		pair_in_order(w, g);
		break;
	case MATCH_METHODS:
		pair_by_lines(w, g);
		break;
	default:
		pair_by_site(w, g);
	}
}

/* ---- ways -------------------------------------------------------------------------------- */

/* Lists rows without a match: `matches` is about the first side, `taken` about the other. */
static void list_rows(struct side *s, const bool *taken, const struct match *matches,
		      enum match_how how)
{
	s->n = 0;
	for (size_t i = 0; i < s->rows->table.n; i++) {
		const struct row *row = rows_at(s->rows, i);
		if ((taken && taken[i]) || (matches && matches[i].row != MATCH_NO_ROW))
			continue;
		if (row_is_other(row))
			continue;
		if (how != MATCH_LINES && row->common == 0)
			continue; /* only the class is known */
		s->items[s->n++] = (struct item){ key_of(s->map, row, how), row, i };
	}
	qsort(s->items, s->n, sizeof *s->items, compare_items);
}

static size_t group_size(const struct side *s, size_t first)
{
	size_t n = 1;

	while (first + n < s->n &&
	       callstack_hash_compare(&s->items[first].key, &s->items[first + n].key) == 0)
		n++;
	return n;
}

static void match_by(struct work *w, enum match_how how)
{
	size_t i = 0, k = 0;

	list_rows(&w->from, NULL, w->matches, how);
	list_rows(&w->to, w->taken, NULL, how);
	while (i < w->from.n && k < w->to.n) {
		int order = callstack_hash_compare(&w->from.items[i].key, &w->to.items[k].key);
		struct group g = { w->map, w->from.items + i, w->to.items + k,
				   group_size(&w->from, i), group_size(&w->to, k) };
		if (order == 0)
			pair_group(w, &g, how);
		i += order <= 0 ? g.nfrom : 0;
		k += order >= 0 ? g.nto : 0;
	}
}

void match_rows(struct match *matches, const struct rows *from, const struct rows *to)
{
	static const enum match_how ways[] = { MATCH_LINES, MATCH_METHODS, MATCH_SITE };
	struct linemap *map = linemap_new(from, to);
	struct work w = { .map = map, .from = { .rows = from, .map = map }, .to = { .rows = to } };

	w.from.items = xcalloc(from->table.n + 1, sizeof *w.from.items);
	w.to.items = xcalloc(to->table.n + 1, sizeof *w.to.items);
	w.taken = xcalloc(to->table.n + 1, sizeof *w.taken);
	w.matches = matches;
	for (size_t i = 0; i < from->table.n; i++)
		matches[i] = (struct match){ MATCH_NO_ROW, MATCH_NONE };
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		match_by(&w, ways[i]);
	free(w.from.items);
	free(w.to.items);
	free(w.taken);
	linemap_free(map);
}
