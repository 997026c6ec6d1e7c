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

#include "base/progress.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/callstack_hasher.h"

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

/* Equal for the contexts of one row. `h` belongs to the context's model. */
static struct callstack_hash key_of(struct callstack_hasher *h, const struct rows_options *o,
				    const struct model_context *c)
{
	uint64_t class = class_hash(c);

	if (o->grouping == ROWS_BY_SITE) /* one frame, even if no other is known of a stack */
		return callstack_hasher_frame(h, c->jvm, c->stack_id, 0, class);
	if (o->grouping != ROWS_BY_LINE)
		return callstack_hasher_hash(h, c->jvm, c->stack_id,
					     rows_compared_frames(o->grouping), class);
	return callstack_hasher_frame(h, c->jvm, c->stack_id,
				      callstack_line_of(h->model, c->jvm, c->stack_id), class);
}

/* Whether there is anything to show for a context, so that it is in some row. */
static bool shows(const struct model_context *c)
{
	return c->sampled || c->nsnapshots || c->nuses;
}

/* Whether the filter selects a context. */
static bool is_selected(struct filter_run *run, const struct model_context *c)
{
	const struct filter *f = run->filter;
	struct callstack stack = { .n = 0 };

	if (!shows(c))
		return false;
	if (f->method_glob || f->site_glob || f->line_glob)
		xcallstack_resolve(&stack, run->model, c->jvm, c->stack_id);
	bool taken = filter_takes(run, c, &stack);
	callstack_release(&stack);
	return taken;
}

/* Keys of the selected contexts, in their order. */
static struct context_key *list_keys(const struct model *m, const struct rows_options *o, size_t *n)
{
	size_t all = model_ncontexts(m);
	struct context_key *keys = xmallocarray(all, sizeof *keys);
	struct callstack_hasher hasher;
	struct filter_run run;

	*n = 0;
	filter_begin(&run, &o->filter, m);
	callstack_hasher_begin(&hasher, m);
	for (size_t i = 0; i < all; i++) {
		struct model_context *c = model_context(m, i);
		if (is_selected(&run, c))
			keys[(*n)++] = (struct context_key){ key_of(&hasher, o, c), c };
	}
	callstack_hasher_end(&hasher);
	filter_end(&run);
	return keys;
}

static int compare_age(const void *a, const void *b)
{
	const struct context_group *x = a, *y = b;

	return ORDER(x->contexts[0]->jvm, y->contexts[0]->jvm)
		       ?: ORDER(x->contexts[0]->id, y->contexts[0]->id);
}

void rows_group(struct context_groups *groups, const struct model *m, const struct rows_options *o)
{
	size_t n;
	struct context_key *keys = list_keys(m, o, &n);

	context_groups_make(groups, keys, n);
	free(keys);
	qsort(groups->group, groups->n, sizeof *groups->group, compare_age);
}
