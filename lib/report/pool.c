/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.c - see pool.h.
 *
 * A line's own share counts by its observations, that of its class as LENT of them. A class is
 * estimated by its lines and, as one more line, by its kind; a kind by its lines and by all. A line
 * with hundreds of observations counts hardly more than one with ten: what varies is lines.
 */
#include "report/pool.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

#define LENT 3.0 /* observations that lines of the same class are worth */

static int compare(const void *a, const void *b)
{
	const struct pool_line *x = a, *y = b;

	/* by name, so that sums are the same in each run */
	return ORDER(x->kind, y->kind) ?: ORDER(!x->class, !y->class)
		?: (x->class && y->class ? strcmp(x->class, y->class) : 0);
}

SORT_DEFINE(sort_lines, struct pool_line, compare)

static double own_of(const struct pool_line *l)
{
	return isinf(l->number) ? 1 : l->number / (l->number + LENT);
}

struct mean {
	double sum, own;
};

static struct mean mean_of(const struct pool_line *l, size_t n)
{
	struct mean m = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		double own = own_of(&l[i]);
		m.sum += own > 0 ? own * l[i].share : 0;
		m.own += own;
	}
	return m;
}

/* With what is known of more lines, as of one more. */
static double with_one(struct mean m, double more)
{
	return (m.sum + more) / (m.own + 1);
}

static void estimate_class(struct pool_line *l, size_t n, double of_kind)
{
	double of_class = with_one(mean_of(l, n), of_kind);

	for (size_t i = 0; i < n; i++) {
		double own = own_of(&l[i]);
		l[i].lent = 1 - own;
		l[i].estimate = (own > 0 ? own * l[i].share : 0) + l[i].lent * of_class;
	}
}

static void estimate_kind(struct pool_line *l, size_t n, double of_all)
{
	double of_kind = with_one(mean_of(l, n), of_all);

	for (size_t first = 0, next; first < n; first = next) {
		for (next = first; next < n && compare(&l[next], &l[first]) == 0;)
			next++;
		estimate_class(l + first, next - first, of_kind);
	}
}

double pool_estimate(struct pool_line *lines, size_t n)
{
	struct mean all = mean_of(lines, n);
	double of_all = all.own > 0 ? all.sum / all.own : 0, squares = 0;

	sort_lines(lines, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first; next < n && lines[next].kind == lines[first].kind;)
			next++;
		estimate_kind(lines + first, next - first, of_all);
	}
	for (size_t i = 0; i < n; i++) {
		double off = own_of(&lines[i]) > 0 ? lines[i].share - of_all : 0;
		squares += own_of(&lines[i]) * off * off;
	}
	return all.own > 0 ? sqrt(squares) / all.own : NAN;
}
