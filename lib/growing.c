/* SPDX-License-Identifier: Apache-2.0 */
/* growing.c - see growing.h. */
#include "growing.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rows_group.h"
#include "rows_work.h"

enum { FIRST_ROWS = 64, AT_ONCE = 8 /* rows analysed between two looks at the clock */ };

/* ---- room -------------------------------------------------------------------------------- */

static int make_rows_room(struct growing *g)
{
	size_t room = g->room ? 2 * g->room : FIRST_ROWS;

	if (g->rows.n < g->room)
		return 0;
	struct row *row = realloc(g->rows.row, room * sizeof *row);
	if (!row)
		return -1;
	g->rows.row = row;
	struct growing_row *own = realloc(g->own, room * sizeof *own);
	if (!own)
		return -1;
	g->own = own;
	uint32_t *slots = calloc(2 * room, sizeof *slots);
	if (!slots)
		return -1;
	free(g->slots);
	g->slots = slots;
	g->mask = 2 * room - 1;
	g->room = room;
	for (size_t i = 0; i < g->rows.n; i++) {
		size_t at = g->own[i].key.low;
		while (g->slots[at & g->mask])
			at++;
		g->slots[at & g->mask] = (uint32_t)i + 1;
	}
	return 0;
}

static int cover_contexts(struct growing *g)
{
	size_t n = model_ncontexts(g->model);

	if (n <= g->ncontexts)
		return 0;
	n += n / 2;
	uint32_t *row_of = realloc(g->row_of, n * sizeof *row_of);
	if (!row_of)
		return -1;
	memset(row_of + g->ncontexts, 0, (n - g->ncontexts) * sizeof *row_of);
	g->row_of = row_of;
	g->ncontexts = n;
	return 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* The slot of the row with that key, or the free one where it belongs. */
static uint32_t *find_slot(const struct growing *g, const struct callstack_hash *key)
{
	size_t at = key->low;

	for (;; at++) {
		uint32_t *slot = &g->slots[at & g->mask];
		if (!*slot || callstack_hash_compare(&g->own[*slot - 1].key, key) == 0)
			return slot;
	}
}

/* One more context, in the model's order; lists that have become too small are left to the arena. */
static int add_to_row(struct growing *g, struct row *row, struct model_context *c)
{
	if ((row->ncontexts & (row->ncontexts - 1)) == 0) {
		size_t room = row->ncontexts ? 2 * row->ncontexts : 1;
		struct model_context **list =
			arena_alloc(&g->memory, room * sizeof(struct model_context *));
		if (!list)
			return -1;
		if (row->ncontexts)
			memcpy(list, row->contexts,
			       row->ncontexts * sizeof(struct model_context *));
		row->contexts = list;
	}
	size_t at = row->ncontexts++;
	for (; at > 0 && row->contexts[at - 1]->number > c->number; at--)
		row->contexts[at] = row->contexts[at - 1];
	row->contexts[at] = c;
	return 0;
}

static int begin_row(struct growing *g, struct model_context *c, const struct callstack_hash *key)
{
	struct row *row = &g->rows.row[g->rows.n];

	*row = (struct row){ .replica = g->none };
	g->own[g->rows.n] = (struct growing_row){ .key = *key };
	if (add_to_row(g, row, c) < 0)
		return -1;
	row_describe(row, g->model, g->options.grouping);
	g->rows.n++;
	return 0;
}

/* Puts a context into its row: 1; 0 where that is not known yet, and need not be; -1 where memory lacks. */
static int place(struct growing *g, uint32_t number, bool now)
{
	struct model_context *c = model_context(g->model, number);
	struct callstack_hash key;

	g->hasher.incomplete = !c->class || !c->class->name;
	if (callstack_hasher_hash(&g->hasher, c->jvm, c->stack_id,
				  rows_compared_frames(g->options.grouping), rows_class_hash(c),
				  &key) < 0)
		return -1;
	if (g->hasher.incomplete && !now)
		return 0;
	if (make_rows_room(g) < 0)
		return -1;
	uint32_t *slot = find_slot(g, &key);
	if (*slot) {
		if (add_to_row(g, &g->rows.row[*slot - 1], c) < 0)
			return -1;
	} else {
		if (begin_row(g, c, &key) < 0)
			return -1;
		*slot = (uint32_t)g->rows.n;
	}
	g->row_of[number] = *slot;
	return 1;
}

/* The row of a context has changed. */
static int note(struct growing *g, uint32_t number)
{
	uint32_t row = g->row_of[number] - 1;

	return numset_add(&g->changed, row) < 0 || numset_add(&g->due, row) < 0 ? -1 : 0;
}

static bool is_waiting(const struct growing *g, uint32_t number)
{
	for (size_t i = 0; i < GROWING_PATIENCE; i++)
		if (numset_has(&g->waiting[i], number))
			return true;
	return false;
}

/* Something came for a context. */
static int take(struct growing *g, uint32_t number)
{
	if (g->row_of[number])
		return note(g, number);
	if (!rows_shows(model_context(g->model, number)) || is_waiting(g, number))
		return 0;
	int placed = place(g, number, false);
	if (placed == 0)
		return numset_add(&g->waiting[0], number);
	return placed < 0 ? -1 : note(g, number);
}

/* Those that have waited longest are placed as they are. */
static int take_waiting(struct growing *g)
{
	for (size_t k = GROWING_PATIENCE; k > 0; k--) {
		struct numset *s = &g->waiting[k - 1];
		for (size_t i = 0; i < s->n; i++) {
			int placed = place(g, s->item[i], k == GROWING_PATIENCE);
			if (placed < 0 ||
			    (placed ? note(g, s->item[i]) : numset_add(s + 1, s->item[i])) < 0)
				return -1;
		}
		numset_clear(s);
	}
	return 0;
}

/* ---- amounts ----------------------------------------------------------------------------- */

static void add_amounts(struct row *row)
{
	struct replica *x = &row->replica;

	x->objects = x->bytes = 0;
	x->sampled = 0;
	for (size_t k = 0; k < row->ncontexts; k++) {
		x->objects += row->contexts[k]->objects;
		x->bytes += row->contexts[k]->bytes;
		x->sampled += row->contexts[k]->sampled;
	}
}

int growing_take(struct growing *g)
{
	size_t n;
	const uint32_t *changed = model_changed(g->model, &n);

	numset_clear(&g->changed);
	numset_clear(&g->analysed);
	if (cover_contexts(g) < 0 || take_waiting(g) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (take(g, changed[i]) < 0)
			return -1;
	model_forget_changed(g->model);
	numset_sort(&g->changed);
	for (size_t i = 0; i < g->changed.n; i++) {
		uint32_t row = g->changed.item[i];
		add_amounts(&g->rows.row[row]);
		g->own[row].bytes = g->rows.row[row].replica.bytes;
	}
	return 0;
}

/* ---- analysis ---------------------------------------------------------------------------- */

/* Makes a row of its contexts, which is all that it keeps but its rate. 0, or -1 where memory lacks. */
static int analyse(void *arg, size_t i)
{
	struct growing *g = arg;
	struct row *row = &g->rows.row[i];
	struct row made = { .contexts = row->contexts,
			    .ncontexts = row->ncontexts,
			    .rate = row->rate };

	if (row_make(&made, g->model, &g->options, true) < 0) {
		row_release(&made);
		return -1;
	}
	if (made.jvm == row->jvm && made.stack_id == row->stack_id) {
		made.stack = row->stack; /* it may have been shown */
		made.via = row->via;
		row->stack = (struct callstack){ .n = 0 };
	}
	row_release(row);
	*row = made;
	g->own[i].bytes = g->own[i].analysed = made.replica.bytes;
	return 0;
}

static uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* How soon a row is to be analysed, by the bytes that have come since: from 0. */
#define LEVELS 64
static unsigned level_of(const struct growing *g, uint32_t row)
{
	double more = g->own[row].bytes - g->own[row].analysed;

	return more < 1 ? LEVELS - 1 : LEVELS - 2 - (unsigned)fmin(LEVELS - 2, ilogb(more));
}

/* Puts the rows that are due in the order of their levels. 0, or -1 where memory lacks. */
static int order_due(struct growing *g)
{
	size_t begin[LEVELS + 1] = { 0 };
	uint32_t *rows = malloc(g->due.n * sizeof *rows + 1);
	unsigned char *level = malloc(g->due.n + 1);
	bool ok = rows && level;

	for (size_t i = 0; ok && i < g->due.n; i++) {
		level[i] = (unsigned char)level_of(g, g->due.item[i]);
		begin[level[i] + 1]++;
	}
	for (size_t k = 1; k <= LEVELS; k++)
		begin[k] += begin[k - 1];
	for (size_t i = 0; ok && i < g->due.n; i++)
		rows[begin[level[i]]++] = g->due.item[i];
	if (ok)
		memcpy(g->due.item, rows, g->due.n * sizeof *rows);
	free(rows);
	free(level);
	return ok ? 0 : -1;
}

static int analyse_one(struct growing *g, uint32_t i)
{
	struct row *row = &g->rows.row[i];
	uint64_t pairs = row->replica.pairs;

	if (analyse(g, i) < 0)
		return -1;
	g->rows.pairs += row->replica.pairs - pairs;
	g->rows.seen |= rows_seen(row->contexts, row->ncontexts);
	return numset_add(&g->changed, i) < 0 ? -1 : numset_add(&g->analysed, i);
}

int growing_analyse(struct growing *g, uint64_t cpu_ns)
{
	uint64_t begin = thread_ns();
	size_t done = 0;

	if (cpu_ns == 0 || g->due.n == 0)
		return 0;
	if (order_due(g) < 0)
		return -1;
	/* some of them in any case: it goes on */
	while (done < g->due.n && (done == 0 || done % AT_ONCE || thread_ns() - begin < cpu_ns)) {
		if (analyse_one(g, g->due.item[done]) < 0)
			return -1;
		g->due.has[g->due.item[done++]] = 0;
	}
	g->due.n -= done;
	memmove(g->due.item, g->due.item + done, g->due.n * sizeof *g->due.item);
	return 0;
}

/* ---- all of them ------------------------------------------------------------------------- */

/* Of a context of which nothing was seen. */
static int make_none(struct growing *g)
{
	static const struct model_class unknown = { .name = "(unknown)" };
	struct model_context nothing = { .class = &unknown }, *list[] = { &nothing };
	struct replica_options replica = g->options.replica;

	replica.brief = true;
	return replica_compute(&g->none, list, 1, &replica);
}

int growing_begin(struct growing *g, struct model *m, const struct rows_options *options)
{
	*g = (struct growing){ .model = m, .options = *options };
	g->options.brief = true;
	callstack_hasher_begin(&g->hasher, m);
	return make_none(g);
}

void growing_release(struct growing *g)
{
	rows_release(&g->rows);
	free(g->own);
	free(g->slots);
	free(g->row_of);
	arena_release(&g->memory);
	callstack_hasher_end(&g->hasher);
	for (size_t i = 0; i < GROWING_PATIENCE; i++)
		numset_release(&g->waiting[i]);
	numset_release(&g->changed);
	numset_release(&g->due);
	numset_release(&g->analysed);
	replica_release(&g->none);
	*g = (struct growing){ .room = 0 };
}

static int place_all(struct growing *g)
{
	if (cover_contexts(g) < 0)
		return -1;
	for (uint32_t i = 0; i < model_ncontexts(g->model); i++)
		if (rows_shows(model_context(g->model, i)) && place(g, i, true) < 0)
			return -1;
	model_forget_changed(g->model);
	return 0;
}

static int analyse_all(struct growing *g)
{
	struct rows_work w = { .n = g->rows.n, .make = analyse, .arg = g };

	if (rows_work_do(&w) < 0)
		return -1;
	for (size_t i = 0; i < g->rows.n; i++) {
		const struct row *row = &g->rows.row[i];
		g->rows.pairs += row->replica.pairs;
		g->rows.seen |= rows_seen(row->contexts, row->ncontexts);
	}
	return 0;
}

int growing_all(struct growing *g)
{
	struct model *m = g->model;
	struct rows_options options = g->options;

	growing_release(g);
	if (growing_begin(g, m, &options) == 0 && place_all(g) == 0 && analyse_all(g) == 0)
		return 0;
	growing_release(g);
	g->model = m;
	g->options = options;
	errno = ENOMEM;
	return -1;
}
