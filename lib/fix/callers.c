/* SPDX-License-Identifier: Apache-2.0 */
/* callers.c - see callers.h. */
#include "fix/callers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "stats/binomial.h"

/* Weights of samples: their sum, and the sum of their squares. */
struct part {
	double all, squares;
};

struct sum {
	struct caller caller;
	struct part read, counted;
};

struct work {
	struct numbering numbers;
	struct sum *sum;
	struct part read, counted; /* of all callers */
	struct part unread;	   /* with a stack that ends at the line */
	struct bounds_range part;  /* interval of their share */
	double z;
};

static void add_part(struct part *to, double all, double squares)
{
	to->all += all;
	to->squares += squares;
}

/* ---- the caller of a stack ----------------------------------------------------------------- */

static bool same_method(const struct model_frame *a, const struct model_frame *b)
{
	return strcmp(a->class_name, b->class_name) == 0 && strcmp(a->method, b->method) == 0;
}

/* The direct caller of a stack's line; false: it is not known. */
static bool caller_of(const struct model *m, uint32_t jvm, uint32_t stack,
		      struct model_frame *frame)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = callstack_numbers(m, jvm, stack, &numbers, &flags);
	size_t line = callstack_line_of(m, jvm, stack);

	*frame = (struct model_frame){ .method = NULL };
	if (n == 0)
		return false;
	struct model_frame of = model_frame(m, jvm, numbers[line]);
	for (size_t i = line + 1; i < n; i++) {
		struct model_frame f = model_frame(m, jvm, numbers[i]);
		bool own = !f.platform && !same_method(&f, &of);
		if (own || (!frame->method && f.folded == 0 && f.platform))
			*frame = f;
		if (own)
			return true;
	}
	return !(flags & WIRE_STACK_CUT);
}

static struct sum *sum_of(struct work *w, const struct model_frame *frame)
{
	struct model_frame one = *frame;
	const struct callstack stack = { .frames = &one, .n = frame->method ? 1 : 0 };
	struct callstack_hash hash = callstack_hash(&stack, 1, 0);
	bool is_new;
	uint32_t at = xnumbering_of(&w->numbers, (XXH128_hash_t){ hash.low, hash.high }, &is_new);

	if (is_new)
		w->sum[at] = (struct sum){ .caller.frame = *frame };
	return &w->sum[at];
}

static double squares_of(const struct model_context *c)
{
	double squares = 0;

	for (size_t i = 0; i < c->nstrata; i++)
		squares += c->strata[i].squares * (double)c->strata[i].size *
			   (double)c->strata[i].size;
	return squares;
}

static void add_context(struct work *w, const struct model *m, const struct model_context *c)
{
	struct model_frame frame;

	if (callstack_is_unread(m, c->jvm, c->stack_id)) {
		add_part(&w->unread, c->bytes, squares_of(c));
		return;
	}
	if (!(c->bytes > 0) || !caller_of(m, c->jvm, c->stack_id, &frame))
		return;
	struct sum *s = sum_of(w, &frame);
	double squares = squares_of(c);
	s->caller.samples += c->sampled;
	add_part(&s->read, c->bytes, squares);
	add_part(&w->read, c->bytes, squares);
	add_part(&s->counted, c->others, c->others_squares);
	add_part(&w->counted, c->others, c->others_squares);
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
	double alpha = erfc(z / M_SQRT2) / 2;
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

/* Adds both parts by their bytes; `counted` is the share of the second. */
static void finish(struct caller *c, const struct work *w, const struct sum *s, double counted)
{
	struct bounds_range read, unread;
	double p = share_of(&s->read, &w->read, w->z, &read);
	double q = share_of(&s->counted, &w->counted, w->z, &unread);

	if (isnan(q))
		q = p;
	*c = s->caller;
	c->share = (1 - counted) * p + counted * q;
	double less = q > p ? counted - w->part.low : w->part.high - counted;
	double more = q > p ? w->part.high - counted : counted - w->part.low;
	double low = hypot((1 - counted) * (p - read.low), counted * (q - unread.low));
	double high = hypot((1 - counted) * (read.high - p), counted * (unread.high - q));
	low = hypot(low, (q - p) * less);
	high = hypot(high, (q - p) * more);
	c->range.low = fmax(0, c->share - low);
	c->range.high = fmin(1, c->share + high);
}

static int by_share(const void *a, const void *b)
{
	const struct caller *x = a, *y = b;

	return ORDER(y->share, x->share) ?: ORDER(y->samples, x->samples);
}

static void choose(struct callers *to, struct work *w)
{
	size_t n = w->numbers.n;
	struct caller *all = xcalloc(n, sizeof *all);
	double read = effective(&w->read), counted = effective(&w->counted);
	struct part known = w->read;

	add_part(&known, w->unread.all, w->unread.squares);
	to->counted = known.all > 0 ? share_of(&w->unread, &known, w->z, &w->part) : 0;
	for (size_t i = 0; i < n; i++) {
		finish(&all[i], w, &w->sum[i], to->counted);
		to->samples += all[i].samples;
	}
	qsort(all, n, sizeof *all, by_share);
	to->n = n < CALLERS_MOST ? n : CALLERS_MOST;
	to->others = n - to->n;
	memcpy(to->caller, all, to->n * sizeof *all);
	free(all);
	double variance = read > 0 ? (1 - to->counted) * (1 - to->counted) / read : 0;
	if (counted > 0)
		variance += to->counted * to->counted / counted;
	to->effective = variance > 0 ? 1 / variance : read;
}

void callers_estimate(struct callers *to, const struct model *m,
		      struct model_context *const *contexts, size_t n, double z)
{
	struct work w = { .numbers = NUMBERING_INIT, .sum = xcalloc(n, sizeof *w.sum), .z = z };

	*to = (struct callers){ .n = 0 };
	for (size_t i = 0; i < n; i++)
		add_context(&w, m, contexts[i]);
	choose(to, &w);
	numbering_release(&w.numbers);
	free(w.sum);
}
