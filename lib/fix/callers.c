/* SPDX-License-Identifier: Apache-2.0 */
/* callers.c - see callers.h. */
#include "fix/callers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "stats/binomial.h"

/* Weights of samples: their sum, and the sum of their squares. */
struct part {
	double all, squares;
};

/* A caller, while contexts are added. */
struct node {
	struct caller caller;
	size_t parent; /* index in work.node; that of the line for the line itself */
	struct part read, counted;
};

struct work {
	const struct model *model;
	struct hash_numbers numbers; /* of node 1 and so on, from 0 */
	struct node *node;	     /* [0] is the line */
	size_t n, room;
	struct part unread;	  /* with a stack that ends at the line */
	struct bounds_range part; /* interval of their share */
	double z;
};

/* The callers that a stack tells, the nearest first. */
struct path {
	struct model_frame frame[WIRE_MAX_STACK];
	size_t n;
};

static void add_part(struct part *to, double all, double squares)
{
	to->all += all;
	to->squares += squares;
}

/* ---- the callers of a stack ---------------------------------------------------------------- */

static bool same_method(const struct model_frame *a, const struct model_frame *b)
{
	return strcmp(a->class_name, b->class_name) == 0 && strcmp(a->method, b->method) == 0;
}

/* Whether a method is on the path. Names of a model are the same texts if they are equal. */
static bool is_on(const struct path *path, const struct model_frame *frame)
{
	for (size_t i = 0; i < path->n; i++)
		if (path->frame[i].method == frame->method &&
		    path->frame[i].class_name == frame->class_name)
			return true;
	return false;
}

/* Takes a frame beyond the line, `of`; *beyond is the first one of the platform. */
static void take_frame(struct path *path, struct model_frame f, const struct model_frame *of,
		       struct model_frame *beyond)
{
	if (f.folded != 0)
		return;
	if (f.platform)
		*beyond = beyond->method ? *beyond : f;
	else if (!same_method(&f, of) && !is_on(path, &f))
		path->frame[path->n++] = f;
}

/* Whether the callers are known, if the frames that were taken are all. */
static bool end_path(struct path *path, struct model_frame beyond, unsigned flags)
{
	if (path->n > 0)
		return true;
	path->frame[path->n++] = beyond;
	return !(flags & WIRE_STACK_CUT);
}

/* At most `depth` callers of a stack's line; false: they are not known. */
static bool path_of(const struct model *m, const struct model_context *c, size_t depth,
		    struct path *path)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = callstack_numbers(m, c->jvm, c->stack_id, &numbers, &flags);
	size_t line = callstack_line_of(m, c->jvm, c->stack_id);
	struct model_frame beyond = { .method = NULL };

	path->n = 0;
	if (n == 0)
		return false;
	struct model_frame of = model_frame(m, c->jvm, numbers[line]);
	for (size_t i = line + 1; i < n && path->n < depth; i++)
		take_frame(path, model_frame(m, c->jvm, numbers[i]), &of, &beyond);
	return end_path(path, beyond, flags);
}

/* The same for a stack that is resolved. */
static bool path_of_stack(const struct callstack *stack, size_t depth, struct path *path)
{
	size_t line = callstack_line(stack);
	struct model_frame beyond = { .method = NULL };

	path->n = 0;
	for (size_t i = line + 1; i < stack->n && path->n < depth; i++)
		take_frame(path, stack->frames[i], &stack->frames[line], &beyond);
	return stack->n > 0 && end_path(path, beyond, stack->flags);
}

/* The caller of a node; it moves when another one is added. */
static size_t caller_of(struct work *w, size_t parent, const struct model_frame *frame)
{
	struct model_frame one = *frame;
	const struct callstack stack = { .frames = &one, .n = frame->method ? 1 : 0 };
	struct callstack_hash hash = callstack_hash(&stack, 1, parent);
	bool is_new;
	size_t at = (size_t)xhash_numbers_of(&w->numbers, (XXH128_hash_t){ hash.low, hash.high },
					     &is_new) +
		    1;

	if (is_new) {
		XGROW(w->node, w->n, w->room, 64);
		w->node[w->n++] = (struct node){ .caller.frame = *frame, .parent = parent };
	}
	return at;
}

static double squares_of(const struct model_context *c)
{
	double squares = 0;

	for (size_t i = 0; i < c->nstrata; i++)
		squares += c->strata[i].squares * (double)c->strata[i].size *
			   (double)c->strata[i].size;
	return squares;
}

static void add_to(struct node *to, const struct model_context *c, double squares)
{
	to->caller.samples += c->sampled;
	add_part(&to->read, c->bytes, squares);
	add_part(&to->counted, c->others, c->others_squares);
}

static void add_context(struct work *w, const struct model_context *c, size_t depth,
			struct path *path)
{
	double squares = squares_of(c);
	size_t at = 0;

	if (callstack_is_unread(w->model, c->jvm, c->stack_id)) {
		add_part(&w->unread, c->bytes, squares);
		return;
	}
	if (!(c->bytes > 0) || !path_of(w->model, c, depth, path))
		return;
	add_to(&w->node[0], c, squares);
	for (size_t i = 0; i < path->n; i++) {
		at = caller_of(w, at, &path->frame[i]);
		add_to(&w->node[at], c, squares);
	}
}

/* ---- shares -------------------------------------------------------------------------------- */

static double effective(const struct part *p)
{
	return p->squares > 0 ? p->all * p->all / p->squares : 0;
}

/*
 * The share of one caller in all. The number of samples is the one whose share would have the
 * variance of this one, a ratio of weighted sums (Korn and Graubard); at 0 and 1, Kish's.
 */
static double share_of(const struct part *one, const struct part *all, double z,
		       struct bounds_range *range)
{
	double alpha = bounds_tail(z);
	double p = all->all > 0 ? fmin(1, one->all / all->all) : 0;
	double rest = fmax(0, all->squares - one->squares);
	double variance = ((1 - p) * (1 - p) * one->squares + p * p * rest) / (all->all * all->all);
	double n = effective(all);

	*range = (struct bounds_range){ 0, 1 };
	if (!(n > 0))
		return NAN;
	if (p > 0 && p < 1 && variance > 0)
		n = p * (1 - p) / variance;
	*range = (struct bounds_range){ binomial_low(p * n, n, alpha),
					binomial_high(p * n, n, alpha) };
	return p;
}

/* The share of one part in another; NAN: nothing is known. */
static double ratio_of(const struct part *one, const struct part *all)
{
	return all->all > 0 && all->squares > 0 ? fmin(1, one->all / all->all) : NAN;
}

/* Adds both parts by their bytes; `counted` is the share of the second. */
static void measure(const struct work *w, struct node *node, double counted)
{
	double p = ratio_of(&node->read, &w->node[0].read);
	double q = ratio_of(&node->counted, &w->node[0].counted);

	node->caller.share = (1 - counted) * p + counted * (isnan(q) ? p : q);
	node->caller.range = (struct bounds_range){ 0, 1 };
}

/* The interval of a share that measure() has found. */
static void find_range(const struct work *w, struct node *node, double counted)
{
	struct caller *c = &node->caller;
	struct bounds_range read, unread;
	double p = share_of(&node->read, &w->node[0].read, w->z, &read);
	double q = share_of(&node->counted, &w->node[0].counted, w->z, &unread);

	if (isnan(q))
		q = p;
	double less = q > p ? counted - w->part.low : w->part.high - counted;
	double more = q > p ? w->part.high - counted : counted - w->part.low;
	double low = hypot((1 - counted) * (p - read.low), counted * (q - unread.low));
	double high = hypot((1 - counted) * (read.high - p), counted * (unread.high - q));
	low = hypot(low, (q - p) * less);
	high = hypot(high, (q - p) * more);
	c->range.low = fmax(0, c->share - low);
	c->range.high = fmin(1, c->share + high);
}

static void measure_all(struct callers *to, struct work *w)
{
	double read = effective(&w->node[0].read), counted = effective(&w->node[0].counted);
	struct part known = w->node[0].read;

	add_part(&known, w->unread.all, w->unread.squares);
	to->counted = known.all > 0 ? share_of(&w->unread, &known, w->z, &w->part) : 0;
	to->samples = w->node[0].caller.samples;
	for (size_t i = 1; i < w->n; i++) {
		measure(w, &w->node[i], to->counted);
		if (w->node[i].parent == 0)
			find_range(w, &w->node[i], to->counted);
	}
	double variance = read > 0 ? (1 - to->counted) * (1 - to->counted) / read : 0;
	if (counted > 0)
		variance += to->counted * to->counted / counted;
	to->effective = variance > 0 ? 1 / variance : read;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Those of one parent side by side, the largest first; equal ones as they were found. */
static int compare_nodes(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	return ORDER((*x)->parent, (*y)->parent)
		       ?: ORDER((*y)->caller.share, (*x)->caller.share)
		       ?: ORDER((*y)->caller.samples, (*x)->caller.samples)
		       ?: ORDER(*x, *y);
}

/* Numbers of the nodes, by what compare_nodes says; *start receives the first of each parent. */
static size_t *sort_nodes(const struct work *w, size_t **start)
{
	const struct node **node = xmallocarray(w->n, sizeof(struct node *));
	size_t *number = xmallocarray(w->n, sizeof *number);

	*start = xcalloc(w->n + 1, sizeof **start);
	for (size_t i = 1; i < w->n; i++) {
		node[i - 1] = &w->node[i];
		(*start)[w->node[i].parent + 1]++;
	}
	for (size_t i = 0; i < w->n; i++)
		(*start)[i + 1] += (*start)[i];
	qsort(node, w->n - 1, sizeof(struct node *), compare_nodes);
	for (size_t i = 0; i + 1 < w->n; i++)
		number[i] = (size_t)(node[i] - w->node);
	free(node);
	return number;
}

static void put_in_order(struct callers *to, const struct work *w)
{
	size_t *from = xmallocarray(w->n, sizeof *from); /* the node of each caller */
	size_t *start, *number = sort_nodes(w, &start);

	to->caller = xcalloc(w->n, sizeof *to->caller);
	from[0] = 0;
	to->n = 1;
	for (size_t i = 0; i < to->n; i++) {
		size_t node = from[i];
		to->caller[i] = w->node[node].caller;
		to->caller[i].first = to->n;
		to->caller[i].n = start[node + 1] - start[node];
		for (size_t k = start[node]; k < start[node + 1]; k++)
			from[to->n++] = number[k];
	}
	free(from);
	free(start);
	free(number);
}

/* Measures and sorts what was added, and releases it. */
static void end_estimate(struct callers *to, struct work *w)
{
	*to = (struct callers){ .n = 0 };
	measure_all(to, w);
	put_in_order(to, w);
	hash_numbers_release(&w->numbers);
	free(w->node);
}

void callers_estimate(struct callers *to, const struct model *m,
		      struct model_context *const *contexts, size_t n, size_t depth, double z)
{
	struct work w = { .model = m, .numbers = HASH_NUMBERS_INIT, .z = z };
	struct path *path = xmalloc(sizeof *path);

	XGROW(w.node, w.n, w.room, 64);
	w.node[w.n++] = (struct node){ .caller.share = 1 };
	for (size_t i = 0; i < n; i++)
		add_context(&w, contexts[i], depth, path);
	free(path);
	end_estimate(to, &w);
}

/* Adds a stack of `weight`, which is the sum of equal weights. */
static void add_stack(struct work *w, const struct callers_stack *s, size_t depth,
		      struct path *path)
{
	double squares = s->samples > 0 ? s->weight * s->weight / (double)s->samples : 0;
	size_t at = 0;

	if (!(s->weight > 0) || !path_of_stack(s->stack, depth, path))
		return;
	for (size_t i = 0; i <= path->n; i++) {
		if (i > 0)
			at = caller_of(w, at, &path->frame[i - 1]);
		w->node[at].caller.samples += s->samples;
		add_part(&w->node[at].read, s->weight, squares);
	}
}

void callers_of_stacks(struct callers *to, const struct callers_stack *stacks, size_t n,
		       size_t depth, double z)
{
	struct work w = { .model = NULL, .numbers = HASH_NUMBERS_INIT, .z = z };
	struct path *path = xmalloc(sizeof *path);

	XGROW(w.node, w.n, w.room, 64);
	w.node[w.n++] = (struct node){ .caller.share = 1 };
	for (size_t i = 0; i < n; i++)
		add_stack(&w, &stacks[i], depth, path);
	free(path);
	end_estimate(to, &w);
}

void callers_release(struct callers *callers)
{
	free(callers->caller);
	*callers = (struct callers){ .n = 0 };
}
