/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_group.c - see rows_group.h. Each context gets a hash of the text by which it is compared;
 * contexts with equal hashes are a row. Stacks are resolved only for a filter: all stacks of a
 * large recording would take some hundred megabytes.
 */
#define XXH_INLINE_ALL

#include "report/rows_group.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/idmap.h"
#include "base/progress.h"
#include "base/sort.h"

/* ---- A row depends only on its contexts, so any thread may make it. */

enum {
	SLICE = 64, /* rows that a thread takes at once */
	MOST_THREADS = 8,
};

struct pool {
	const struct rows_work *work;
	atomic_size_t next; /* index of the next row */
};

static void *work(void *arg)
{
	struct pool *p = arg;
	const struct rows_work *w = p->work;
	size_t first;

	while ((first = atomic_fetch_add_explicit(&p->next, SLICE, memory_order_relaxed)) < w->n) {
		for (size_t i = first; i < first + SLICE && i < w->n; i++) {
			w->make(w->arg, i);
			progress_add(w->progress, 1);
		}
	}
	return NULL;
}

/* If a thread cannot be started, the others do its work. */
static void run(struct pool *p)
{
	pthread_t thread[MOST_THREADS];
	size_t n = 0, threads = processors_allowed();

	if (threads > MOST_THREADS)
		threads = MOST_THREADS;
	while (n + 1 < threads && (n + 1) * SLICE < p->work->n &&
	       pthread_create(&thread[n], NULL, work, p) == 0)
		n++;
	work(p);
	while (n > 0)
		pthread_join(thread[--n], NULL);
}

void rows_work_do(const struct rows_work *w)
{
	struct pool p = { .work = w };

	progress_begin(w->progress, "analysing", w->n);
	run(&p);
}

struct keyed {
	struct callstack_hash key;
	size_t index; /* of the context */
	uint32_t group;
};

/* ---- keys -------------------------------------------------------------------------------- */

/*
 * Hash of the class, to be combined with that of the stack: equal for contexts that may be in one
 * row. Positions of contents mean fields, so classes are mixed only if their fields agree.
 */
static uint64_t class_hash(const struct model_context *c)
{
	XXH64_hash_t hash = c->jvm;

	if (!c->class)
		return hash;
	const char *name = c->class->name ? c->class->name : "?";
	hash = XXH3_64bits_withSeed(name, strlen(name) + 1, hash);
	for (uint32_t i = 0; c->class->fields && i < c->class->nfields; i++) {
		const struct model_field *f = &c->class->fields[i];
		uint32_t numbers[3] = { f->offset, f->size, (unsigned char)f->type };
		hash = XXH3_64bits_withSeed(numbers, sizeof numbers, hash);
		hash = XXH3_64bits_withSeed(f->name, f->name ? strlen(f->name) : 0, hash);
	}
	return hash;
}

size_t rows_compared_frames(enum rows_grouping grouping)
{
	switch (grouping) {
	case ROWS_BY_CLASS:
		return 0;
	case ROWS_BY_SITE:
	case ROWS_BY_LINE:
		return 1;
	default:
		return WIRE_MAX_STACK;
	}
}

/*
 * Makes the key of a context: equal for those of one row. 0, or -1 if out of memory. `h` belongs to
 * the context's model.
 */
static int make_key(struct callstack_hasher *h, const struct rows_options *o,
		    const struct model_context *c, struct callstack_hash *key)
{
	uint64_t class = class_hash(c);

	if (o->grouping == ROWS_BY_SITE) /* one frame, even if no other is known of a stack */
		return callstack_hasher_frame(h, c->jvm, c->stack_id, 0, class, key);
	if (o->grouping != ROWS_BY_LINE)
		return callstack_hasher_hash(h, c->jvm, c->stack_id,
					     rows_compared_frames(o->grouping), class, key);
	return callstack_hasher_frame(h, c->jvm, c->stack_id,
				      callstack_line_of(h->model, c->jvm, c->stack_id), class, key);
}

/* Whether there is anything to show for a context, so that it is in some row. */
static bool shows(const struct model_context *c)
{
	return c->sampled || c->nsnapshots || c->nuses;
}

/* Whether the filter selects a context; -1 if out of memory. */
static int is_selected(struct filter_run *run, const struct model_context *c)
{
	const struct filter *f = run->filter;
	struct callstack stack = { .n = 0 };

	if (!shows(c))
		return 0;
	if ((f->method_glob || f->site_glob || f->line_glob) &&
	    callstack_resolve(&stack, run->model, c->jvm, c->stack_id) < 0)
		return -1;
	bool taken = filter_takes(run, c, &stack);
	callstack_release(&stack);
	return run->failed ? -1 : taken;
}

/* Fills `keys` for the contexts that are selected; *n receives their number. */
static int make_keys(struct keyed *keys, size_t *n, struct filter_run *run,
		     struct callstack_hasher *hasher, const struct rows_options *o)
{
	for (size_t i = 0; i < model_ncontexts(run->model); i++) {
		const struct model_context *c = model_context(run->model, i);
		int selected = is_selected(run, c);
		if (selected < 0)
			return -1;
		if (!selected)
			continue;
		keys[*n].index = i;
		if (make_key(hasher, o, c, &keys[*n].key) < 0)
			return -1;
		++*n;
	}
	return 0;
}

/* Keys of the selected contexts, in their order. NULL if out of memory. */
static struct keyed *list_keys(const struct model *m, const struct rows_options *o, size_t *n)
{
	size_t all = model_ncontexts(m);
	struct keyed *keys = calloc(all ? all : 1, sizeof *keys);
	struct callstack_hasher hasher;
	struct filter_run run;

	*n = 0;
	filter_begin(&run, &o->filter, m);
	callstack_hasher_begin(&hasher, m);
	if (keys && make_keys(keys, n, &run, &hasher, o) < 0) {
		free(keys);
		keys = NULL;
	}
	callstack_hasher_end(&hasher);
	filter_end(&run);
	return keys;
}

/* ---- groups ------------------------------------------------------------------------------ */

static int compare_age(const void *a, const void *b)
{
	const struct row_group *x = a, *y = b;

	return ORDER(x->jvm, y->jvm) ?: ORDER(x->id, y->id);
}

/*
 * Finds the group of each key, and the size of each group. Groups are in the order of their first
 * contexts. 0, or -1.
 */
static int find_groups(struct row_groups *g, struct keyed *keys, size_t n)
{
	struct hash_numbers groups = HASH_NUMBERS_INIT;
	bool is_new;
	int result = 0;

	for (size_t i = 0; i < n && result == 0; i++) {
		const XXH128_hash_t hash = { keys[i].key.low, keys[i].key.high };
		result = hash_numbers_of(&groups, hash, &keys[i].group, &is_new);
		if (result == 0)
			g->group[keys[i].group].n++;
	}
	g->n = groups.n;
	hash_numbers_release(&groups);
	return result;
}

/* Contexts keep their order within the model. */
static void fill_groups(struct row_groups *g, const struct model *m, const struct keyed *keys,
			size_t n)
{
	for (size_t i = 0, first = 0; i < g->n; i++) {
		g->group[i].first = first;
		first += g->group[i].n;
		g->group[i].n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct row_group *group = &g->group[keys[i].group];
		struct model_context *c = model_context(m, keys[i].index);
		if (group->n == 0) {
			group->jvm = c->jvm;
			group->id = c->id;
			group->index = keys[i].index;
		}
		g->context[group->first + group->n++] = c;
	}
	g->ncontexts = n;
	qsort(g->group, g->n, sizeof *g->group, compare_age);
}

int row_groups_make(struct row_groups *groups, const struct model *m, const struct rows_options *o)
{
	size_t n;
	struct keyed *keys = list_keys(m, o, &n);

	*groups = (struct row_groups){ 0 };
	if (!keys)
		return -1;
	groups->group = calloc(n ? n : 1, sizeof *groups->group);
	groups->context = calloc(n ? n : 1, sizeof(struct model_context *));
	int result = groups->group && groups->context ? find_groups(groups, keys, n) : -1;
	if (result == 0)
		fill_groups(groups, m, keys, n);
	free(keys);
	if (result < 0)
		row_groups_release(groups);
	return result;
}

void row_groups_release(struct row_groups *groups)
{
	free(groups->group);
	free(groups->context);
	*groups = (struct row_groups){ 0 };
}
