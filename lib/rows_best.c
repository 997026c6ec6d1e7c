/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_best.c - see rows_best.h. Rows are analysed from those of the largest possible value downwards. When the first of
 * them are known, so is a value that others have to reach; those that can not, are only counted.
 *
 * Each part of the work is done in the order of the contexts, since that is the order in which evidence is packed.
 */
#include "rows_best.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "replica_pairs.h"
#include "rows_group.h"
#include "rows_work.h"

enum { FIRST = 16 /* times as many rows as are wanted are analysed at first */ };

/* A row that is not made yet. */
struct item {
	double most;  /* of its value */
	size_t index; /* of its first context in the model */
	size_t group;
};

struct best {
	const struct model *model;
	const struct rows_options *options;
	const struct rows_rank *rank;
	struct row_groups groups;
	struct item *item;
	struct row_place *place; /* of items that were analysed; `row` is the group */
	size_t analysed;	 /* the first of the items */
	atomic_uint_fast64_t pairs;
};

/* ---- items ------------------------------------------------------------------------------- */

static double most_of(const struct best *b, const struct row_group *g)
{
	struct row_amounts amounts = { 0, 0 };

	for (size_t i = g->first; i < g->first + g->n; i++) {
		amounts.objects += b->groups.context[i]->objects;
		amounts.bytes += b->groups.context[i]->bytes;
	}
	return columns_most(b->rank->key, &amounts);
}

static int list_items(struct best *b)
{
	size_t n = b->groups.n;

	b->item = calloc(n ? n : 1, sizeof *b->item);
	b->place = calloc(n ? n : 1, sizeof *b->place);
	if (!b->item || !b->place)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct row_group *g = &b->groups.group[i];
		b->item[i] = (struct item){ most_of(b, g), g->index, i };
	}
	return 0;
}

static int compare_most(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->most != y->most)
		return x->most > y->most ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int compare_index(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static struct row row_of(const struct best *b, size_t group)
{
	const struct row_group *g = &b->groups.group[group];

	return (struct row){ .contexts = b->groups.context + g->first, .ncontexts = g->n };
}

/* ---- analysing and counting -------------------------------------------------------------- */

/* Items from `first` on. */
struct part {
	struct best *best;
	size_t first;
};

static int analyse(void *arg, size_t i)
{
	const struct part *p = arg;
	struct best *b = p->best;
	size_t group = b->item[p->first + i].group;
	struct row row = row_of(b, group);

	if (row_make(&row, b->model, b->options, true) < 0)
		return -1;
	struct row_place *place = &b->place[p->first + i];
	*place = columns_place(b->rank->key, &row, b->rank->ctx);
	place->row = group;
	b->pairs += row.replica.pairs;
	row_release(&row);
	return 0;
}

static int count(void *arg, size_t i)
{
	const struct part *p = arg;
	struct best *b = p->best;
	struct row row = row_of(b, b->item[p->first + i].group);
	uint64_t pairs;

	if (replica_count_pairs(&pairs, row.contexts, row.ncontexts, &b->options->replica) < 0)
		return -1;
	b->pairs += pairs;
	return 0;
}

/* Does it to `n` items from `first` on. */
static int do_part(struct best *b, size_t first, size_t n, int (*what)(void *arg, size_t i))
{
	struct part part = { b, first };
	struct model_context **contexts = calloc(b->groups.ncontexts + 1, sizeof(void *));
	size_t *begin = calloc(n + 1, sizeof *begin);
	struct rows_work w = { .model = b->model,
			       .options = b->options,
			       .contexts = contexts,
			       .begin = begin,
			       .n = n,
			       .make = what,
			       .arg = &part };

	qsort(b->item + first, n, sizeof *b->item, compare_index);
	for (size_t i = 0; contexts && begin && i < n; i++) {
		struct row row = row_of(b, b->item[first + i].group);
		memcpy(contexts + begin[i], row.contexts, row.ncontexts * sizeof(void *));
		begin[i + 1] = begin[i] + row.ncontexts;
	}
	int result = contexts && begin ? rows_work_do(&w) : -1;
	int saved = errno;
	free(contexts);
	free(begin);
	errno = saved;
	return result;
}

/* ---- which are the first ------------------------------------------------------------------- */

/* Sorts what was analysed. Returns the value that others have to reach; -INFINITY: any may do. */
static double sort_places(struct best *b, size_t wanted)
{
	qsort(b->place, b->analysed, sizeof *b->place, columns_compare_places);
	if (wanted == 0 || wanted > b->analysed || isnan(b->place[wanted - 1].value))
		return -INFINITY;
	return b->place[wanted - 1].value;
}

/* How many items are to be analysed before it is looked at whether others need be. */
static size_t count_first(const struct best *b, size_t wanted)
{
	size_t n = b->groups.n;
	bool bounded = n > 0 && !isinf(b->item[0].most);

	if (!bounded || b->rank->share > 0 || wanted >= n / FIRST)
		return n;
	return FIRST * wanted;
}

/* Analyses what may be among the first `wanted` rows, and counts the rest. */
static int analyse_first(struct best *b, size_t wanted)
{
	size_t n = b->groups.n, end;

	qsort(b->item, n, sizeof *b->item, compare_most);
	end = b->analysed = count_first(b, wanted);
	if (do_part(b, 0, b->analysed, analyse) < 0)
		return -1;
	double least = sort_places(b, wanted);
	while (end < n && b->item[end].most >= least)
		end++;
	if (do_part(b, b->analysed, end - b->analysed, analyse) < 0 ||
	    do_part(b, end, n - end, count) < 0)
		return -1;
	b->analysed = end;
	sort_places(b, wanted);
	return 0;
}

/* ---- the rows ---------------------------------------------------------------------------- */

struct completing {
	struct rows *rows;
	const struct best *best;
};

static int complete(void *arg, size_t i)
{
	const struct completing *c = arg;

	return row_make(&c->rows->row[i], c->best->model, c->best->options, false);
}

/* The first `n` rows without anything but their contexts. */
static int begin_rows(struct rows *rows, const struct best *b, size_t n, size_t *begin)
{
	for (size_t i = 0; i < n; i++)
		begin[i + 1] = begin[i] + b->groups.group[b->place[i].row].n;
	rows->row = calloc(n ? n : 1, sizeof *rows->row);
	rows->contexts = calloc(begin[n] + 1, sizeof(void *));
	if (!rows->row || !rows->contexts)
		return -1;
	rows->made = n;
	for (size_t i = 0; i < n; i++) {
		struct row *row = &rows->row[i];
		*row = row_of(b, b->place[i].row);
		row->contexts = memcpy(rows->contexts + begin[i], row->contexts,
				       row->ncontexts * sizeof(void *));
	}
	return 0;
}

static int make_rows(struct rows *rows, const struct best *b, size_t n)
{
	struct completing c = { rows, b };
	size_t *begin = calloc(n + 1, sizeof *begin);
	struct rows_work w = { .model = b->model,
			       .options = b->options,
			       .begin = begin,
			       .n = n,
			       .keep = &rows->evidence,
			       .make = complete,
			       .arg = &c };
	int result = begin ? begin_rows(rows, b, n, begin) : -1;

	w.contexts = rows->contexts;
	if (result == 0)
		result = rows_work_do(&w);
	int saved = errno;
	free(begin);
	errno = saved;
	return result;
}

static int find_rows(struct rows *rows, struct best *b)
{
	const struct rows_rank *rank = b->rank;
	size_t wanted = rank->limit ? rank->limit : 1;

	if (row_groups_make(&b->groups, b->model, b->options) < 0 || list_items(b) < 0 ||
	    analyse_first(b, wanted) < 0)
		return -1;
	rows->n = b->groups.n;
	rows->pairs = b->pairs;
	rows->seen = rows_seen(b->groups.context, b->groups.ncontexts);
	*rank->above = columns_above_places(rank->key, b->place, rows->n, rank->share);
	if (wanted > *rank->above)
		wanted = *rank->above ? *rank->above : 1;
	return make_rows(rows, b, wanted < rows->n ? wanted : rows->n);
}

int rows_best(struct rows *rows, const struct model *m, const struct rows_options *options,
	      const struct rows_rank *rank)
{
	struct best b = { .model = m, .options = options, .rank = rank };

	*rows = (struct rows){ 0 };
	int result = find_rows(rows, &b);
	int saved = errno;
	row_groups_release(&b.groups);
	free(b.item);
	free(b.place);
	if (result < 0)
		rows_release(rows);
	errno = saved;
	return result;
}
