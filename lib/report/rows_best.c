/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_best.c - see rows_best.h. Rows are analysed from those of the largest possible value downwards. When the first of
 * them are known, so is a value that others have to reach; those that can not, are only counted.
 *
 * Each part of the work is done in the order of the contexts, since that is the order in which evidence is packed.
 */
#include "report/rows_best.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/replica_pairs.h"
#include "report/rows_group.h"
#include "report/rows_work.h"

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

/* Puts `n` items from `first` on into the order of their contexts. 0, or -1 where memory lacks. */
static int order_items(struct best *b, size_t first, size_t n)
{
	size_t contexts = model_ncontexts(b->model), done = 0;
	uint32_t *at = calloc(contexts + 1, sizeof *at); /* of each context: its item, plus one */
	struct item *item = malloc((n + 1) * sizeof *item);
	int result = at && item ? 0 : -1;

	for (size_t i = 0; result == 0 && i < n; i++)
		at[b->item[first + i].index] = (uint32_t)i + 1;
	for (size_t i = 0; result == 0 && i < contexts; i++)
		if (at[i])
			item[done++] = b->item[first + at[i] - 1];
	if (result == 0)
		memcpy(b->item + first, item, done * sizeof *item);
	free(at);
	free(item);
	return result;
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

	int result = contexts && begin ? order_items(b, first, n) : -1;
	for (size_t i = 0; result == 0 && i < n; i++) {
		struct row row = row_of(b, b->item[first + i].group);
		memcpy(contexts + begin[i], row.contexts, row.ncontexts * sizeof(void *));
		begin[i + 1] = begin[i] + row.ncontexts;
	}
	if (result == 0)
		result = rows_work_do(&w);
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
	bool bounded = n > 0 && b->rank->share <= 0;

	for (size_t i = 0; i < n && bounded; i++)
		bounded = !isinf(b->item[i].most);
	return bounded && wanted < n / FIRST ? FIRST * wanted : n;
}

/* Lets a value that has replaced the least one sink to its place in a heap. */
static void sink(double *heap, size_t n)
{
	for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
		double value = heap[i];
		child += child + 1 < n && heap[child + 1] < heap[child];
		if (value <= heap[child])
			return;
		heap[i] = heap[child];
		heap[child] = value;
	}
}

/* The value that `k` of the items (1..) have or exceed; NAN where memory lacks. */
static double reached_by(const struct best *b, size_t k)
{
	double *heap = malloc(k * sizeof *heap); /* the least one first */

	for (size_t i = 0; heap && i < k; i++)
		heap[i] = -INFINITY;
	for (size_t i = 0; heap && i < b->groups.n; i++) {
		if (b->item[i].most <= heap[0])
			continue;
		heap[0] = b->item[i].most;
		sink(heap, k);
	}
	double least = heap ? heap[0] : NAN;
	free(heap);
	return least;
}

/*
 * Moves the items from `first` on that exceed `least`, and the first `equal` of those that have it, before the others. Both
 * stay in their order. Returns where the others begin; 0 where memory lacks.
 */
static size_t move_first(struct best *b, size_t first, double least, size_t equal)
{
	size_t n = b->groups.n, to = first, others = 0;
	struct item *other = malloc((n - first + 1) * sizeof *other);

	if (!other)
		return 0;
	for (size_t i = first; i < n; i++) {
		struct item item = b->item[i];
		bool moves = item.most > least || (item.most == least && equal > 0);
		equal -= moves && item.most == least;
		if (moves)
			b->item[to++] = item;
		else
			other[others++] = item;
	}
	memcpy(b->item + to, other, others * sizeof *other);
	free(other);
	return to;
}

/* Moves the `k` items of the largest values to the front; of equal ones the first. 0, or -1. */
static int move_largest(struct best *b, size_t k)
{
	size_t above = 0;

	if (k == b->groups.n)
		return 0;
	double least = reached_by(b, k);
	for (size_t i = 0; i < b->groups.n; i++)
		above += b->item[i].most > least;
	return isnan(least) || move_first(b, 0, least, k - above) == 0 ? -1 : 0;
}

/* Analyses what may be among the first `wanted` rows, and counts the rest. */
static int analyse_first(struct best *b, size_t wanted)
{
	size_t n = b->groups.n;

	b->analysed = count_first(b, wanted);
	if (move_largest(b, b->analysed) < 0 || do_part(b, 0, b->analysed, analyse) < 0)
		return -1;
	size_t end = move_first(b, b->analysed, sort_places(b, wanted), SIZE_MAX);
	if (end < b->analysed || do_part(b, b->analysed, end - b->analysed, analyse) < 0 ||
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
