/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regime.c - how often reports are wrong where there are few looks at a line: simulated recordings
 * of known programs (test/unit/regime.h), judged by the number of looks.
 *
 *	regime [RECORDINGS [SEEDS [SCENARIO [FIRST]]]]
 *
 * For each scenario (default, or "": all) and truth: RECORDINGS (100) of 20 lines for each of SEEDS
 * (5) seeds from FIRST (1) on. What larger budgets tell is of the first seed alone. It prints the
 * tables that docs/accuracy.md sums up. A number with ! breaks a promise by more than chance; then
 * the exit status is 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/unit/regime.h"

enum { SCENARIOS = 64, MIXES = 16 };
#define FEW  4.0 /* looks at a line, to be expected */
#define MANY 160.0

static struct regime_cells cells[SCENARIOS][MIXES];
static unsigned broken;

struct count {
	unsigned n, of;
	double limit;
};

static void put(struct count c)
{
	bool bad = !isnan(c.limit) && regime_too_many(c.n, c.of, c.limit);

	broken += bad;
	if (c.of)
		printf(" %7.1f%c", 100.0 * c.n / c.of, bad ? '!' : ' ');
	else
		printf(" %8s", "-");
}

/* ---- what is shown of a cell ----------------------------------------------------------------- */

typedef struct count count_fn(const struct regime_cell *c, double limit);

static struct count wrong(const struct regime_cell *c, double limit)
{
	return (struct count){ c->wrong, c->lines, limit };
}

static struct count decided(const struct regime_cell *c, double limit)
{
	(void)limit;
	return (struct count){ c->decided, c->lines, NAN };
}

static struct count exceeded(const struct regime_cell *c, double limit)
{
	(void)limit;
	return (struct count){ c->exceeded, c->expected, REGIME_LEAST };
}

static struct count held(const struct regime_cell *c, double limit)
{
	(void)limit;
	return (struct count){ c->held, c->lines, 0.05 };
}

/* The worse of two: the one that chance explains less. */
static struct count worse(struct count a, struct count b)
{
	double x = a.of ? (double)a.n / a.of : -1, y = b.of ? (double)b.n / b.of : -1;
	bool bad = regime_too_many(a.n, a.of, a.limit);

	if (bad != regime_too_many(b.n, b.of, b.limit))
		return bad ? a : b;
	return x >= y ? a : b;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_shown(const struct regime *r, const char *only)
{
	return !only || !*only || strcmp(r->name, only) == 0;
}

/* Few looks miss what is rare and large, and so cannot tell of it. */
static bool is_of_few(const struct regime *r, const char *only)
{
	return r->kind != REGIME_SIZES && is_shown(r, only);
}

/* A row for each scenario; of the truths first..last - 1 the worst. */
static void put_table(const char *title, count_fn *of, unsigned first, unsigned last,
		      const char *only)
{
	printf("\n%s\n%-38s", title, "looks");
	for (unsigned k = 0; k < REGIME_CELLS; k++)
		printf(" %7u+", regime_from[k]);
	printf("\n");
	for (const struct regime *r = regimes; r->name; r++) {
		if (!is_of_few(r, only))
			continue;
		printf("%-38s", r->name);
		for (unsigned k = 0; k < REGIME_CELLS; k++) {
			struct count c = { 0, 0, NAN };
			for (unsigned m = first; m < last; m++) {
				double limit = regime_limit(&regime_mixes[m], k);
				struct count next = of(&cells[r - regimes][m].by_looks[k], limit);
				c = c.of ? worse(c, next) : next;
			}
			put(c);
		}
		printf("\n");
	}
}

static void put_sums(const char *only)
{
	printf("\nSums: %% of recordings whose sum \"at least\" is exceeded, limit 2.5; in "
	       "brackets "
	       "the mean bound, %% of the truth\n%-38s",
	       "");
	for (const struct regime_mix *m = regime_mixes; m->name; m++)
		printf(" %16s", m->name);
	printf("\n");
	for (const struct regime *r = regimes; r->name; r++) {
		if (!is_of_few(r, only))
			continue;
		printf("%-38s", r->name);
		for (const struct regime_mix *m = regime_mixes; m->name; m++) {
			const struct regime_cells *c = &cells[r - regimes][m - regime_mixes];
			put((struct count){ c->exceeded, c->recordings, REGIME_LEAST });
			if (c->saved > 0)
				printf(" (%4.0f)", 100 * c->low / c->saved);
			else
				printf(" %6s", "");
		}
		printf("\n");
	}
}

/* ---- budgets --------------------------------------------------------------------------------- */

/* Budgets, in percent; each has as many times the looks as it is larger. */
static const double budgets[] = { 2, 5, 20, 100 };
enum { BUDGETS = sizeof budgets / sizeof *budgets };

/* Sums over the cells. */
static struct regime_cell all_of(const struct regime_cells *c)
{
	struct regime_cell sum = { 0 };

	for (unsigned k = 0; k < REGIME_CELLS; k++) {
		sum.lines += c->by_looks[k].lines;
		sum.decided += c->by_looks[k].decided;
		sum.wrong += c->by_looks[k].wrong;
	}
	return sum;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* What larger budgets tell of the same programs. */
static void put_budget(const struct regime *r, const struct regime_mix *m, unsigned recordings,
		       uint64_t seed)
{
	struct regime_cells by[BUDGETS];

	for (unsigned b = 0; b < BUDGETS; b++) {
		by[b] = (struct regime_cells){ .recordings = 0 };
		double times = budgets[b] / budgets[0];
		struct regime_depth depth = { FEW * times, MANY * times, budgets[b] };
		regime_run(&by[b], r, m, &depth, recordings, seed);
	}
	printf("%-34s %-8s", r->name, m->name);
	for (unsigned b = 0; b < BUDGETS; b++) {
		struct regime_cell sum = all_of(&by[b]);
		put((struct count){ sum.decided, sum.lines, NAN });
	}
	for (unsigned b = 0; b < BUDGETS; b++) {
		struct regime_cell sum = all_of(&by[b]);
		put((struct count){ sum.wrong, sum.lines, regime_limit(m, REGIME_CELLS - 1) });
	}
	printf(" ");
	for (unsigned b = 0; b < BUDGETS; b++)
		put((struct count){ by[b].recordings - by[b].held, by[b].recordings, 0.08 });
	printf(" ");
	for (unsigned b = 0; b < BUDGETS; b++)
		printf(" %3.0f<%3.0f<%3.0f (%u)", percent(by[b].low, by[b].saved),
		       percent(by[b].likely, by[b].likely_saved), percent(by[b].high, by[b].saved),
		       by[b].points);
	printf("\n%43s", "findings");
	for (unsigned b = 0; b < BUDGETS; b++)
		put((struct count){ by[b].recordings - by[b].all_held, by[b].recordings, 0.08 });
	printf(" ");
	for (unsigned b = 0; b < BUDGETS; b++)
		printf(" %3.0f<%3.0f", percent(by[b].all_low, by[b].saved),
		       percent(by[b].all_high, by[b].saved));
	printf(" ");
	for (unsigned b = 0; b < BUDGETS; b++)
		printf(" %3.0f", percent(by[b].found, by[b].saved));
	printf("\n");
}

static void put_budgets(const char *only, unsigned recordings, uint64_t seed)
{
	printf("\nBudgets 2, 5, 20, 100: lines decided, %%; wrong, %%, limit 1; sums whose\n"
	       "interval misses the truth, %%, limit 8; mean lower end, estimate and upper\n"
	       "end, %% of the truth; how many estimates\n"
	       "findings: intervals of all lines that miss the truth, %%, limit 8; their mean\n"
	       "ends, and what was found, %% of the truth\n");
	for (const struct regime *r = regimes; r->name; r++)
		if (is_shown(r, only))
			put_budget(r, regime_mixes, recordings, seed);
}

int main(int argc, char **argv)
{
	unsigned recordings = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
	unsigned seeds = argc > 2 ? (unsigned)atoi(argv[2]) : 5, mixes = 0;
	const char *only = argc > 3 ? argv[3] : NULL;
	unsigned first = argc > 4 ? (unsigned)atoi(argv[4]) : 1;

	for (const struct regime *r = regimes; r->name; r++)
		for (const struct regime_mix *m = regime_mixes; m->name; m++)
			for (unsigned k = 0; k < seeds && is_of_few(r, only); k++)
				regime_run(&cells[r - regimes][m - regime_mixes], r, m,
					   &(struct regime_depth){ FEW, MANY, budgets[0] },
					   recordings, first + k);
	while (regime_mixes[mixes].name)
		mixes++;
	put_table("Wrong verdicts, % of the lines, truths uniform on [0, 1]; limit 1", wrong, 0, 1,
		  only);
	put_table("The same at the worst of the other truths; limit 1, from 20 looks on 5", wrong,
		  1, mixes, only);
	put_table("Decided, % of the lines, truths uniform on [0, 1]", decided, 0, 1, only);
	put_table("\"At least\" exceeded, % of the lines, at the worst truth; limit 2.5", exceeded,
		  0, mixes, only);
	put_table("\"16 contents hold at most\" too low, % of the lines, at the worst truth; "
		  "limit 5",
		  held, 0, mixes, only);
	put_sums(only);
	put_budgets(only, recordings, first);
	printf("\n%u figures break a promise\n", broken);
	return broken > 0;
}
