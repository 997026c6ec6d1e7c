/* SPDX-License-Identifier: Apache-2.0 */
/* regime_run.c - see regime.h: many simulated recordings, and what is counted of them. */
#include <math.h>

#include "regime.h"
#include "stats/binomial.h"
#include "stats/spread.h"

#define BY_CHANCE 0.001 /* that a cell which keeps its promise is said to break it */

const unsigned regime_from[REGIME_CELLS] = { 2, 5, 8, 12, 16, 20, 30, 60, 120 };

/* ---- truths -------------------------------------------------------------------------------- */

static struct regime_spread any(struct rng *rng)
{
	static const unsigned groups[] = { 1, 1, 2, 3, 10, REGIME_GROUPS };
	double share = rng_unit(rng), unchanged = rng_unit(rng);

	return (struct regime_spread){ share, groups[rng_below(rng, 6)], unchanged };
}

/* Just not what a verdict says. */
static struct regime_spread nearly_half(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.49, 1, 1 };
}

static struct regime_spread half_of_two(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.49, 2, 1 };
}

static struct regime_spread nearly_half_each(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.98, 2, 1 };
}

static struct regime_spread sixteen(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.26, 16, 1 };
}

static struct regime_spread half_changes(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 1, 1, 0.49 };
}

static struct regime_spread nearly_quarter(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.24, 1, 1 };
}

/* Ten contents that hold half; of these objects, too many change. */
static struct regime_spread quarter_stays(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.5, 10, 0.48 };
}

static struct regime_spread most_change(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 1, 1, 0.24 };
}

static struct regime_spread too_few_change(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 1, 1, 0.26 };
}

/* Of buffers, the part that is alike in the end does not change. */
static struct regime_spread quarter_alike(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 0.26, 1, 0.26 };
}

static struct regime_spread alike(struct rng *rng)
{
	(void)rng;
	return (struct regime_spread){ 1, 1, 1 };
}

const struct regime_mix regime_mixes[] = {
	{ "mix", any, 0.01 },
	{ "one of 0.49", nearly_half, NAN },
	{ "2 in 0.49", half_of_two, NAN },
	{ "2 of 0.49 each", nearly_half_each, NAN },
	{ "16 in 0.26", sixteen, NAN },
	{ "0.51 change", half_changes, NAN },
	{ "all equal", alike, NAN },
	{ "one of 0.24", nearly_quarter, NAN },
	{ "10, 0.52 change", quarter_stays, NAN },
	{ "0.76 change", most_change, NAN },
	{ "0.74 change", too_few_change, NAN },
	{ "one of 0.26", quarter_alike, NAN },
	{ .name = NULL },
};

double regime_limit(const struct regime_mix *mix, unsigned cell)
{
	return isnan(mix->limit) ? spread_alpha(regime_from[cell], false) : mix->limit;
}

/* ---- counting ------------------------------------------------------------------------------ */

/* REGIME_CELLS: in none. */
static unsigned cell_of(double looks)
{
	unsigned k = REGIME_CELLS;

	while (k > 0 && looks < regime_from[k - 1])
		k--;
	return k > 0 ? k - 1 : REGIME_CELLS;
}

static void count(struct regime_cells *cells, const struct regime_report *r,
		  const struct regime_program *p)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct regime_said *s = &r->said[i];
		unsigned k = cell_of((double)s->snapshots);
		if (s->exceeded)
			cells->by_looks[cell_of(p->line[s->line].looks)].exceeded++;
		if (k == REGIME_CELLS)
			continue;
		struct regime_cell *c = &cells->by_looks[k];
		c->lines++;
		c->decided += replica_is_decided(s->verdict);
		c->wrong += s->wrong;
		c->held += s->held;
	}
	for (size_t i = 0; i < REGIME_LINES; i++)
		cells->by_looks[cell_of(p->line[i].looks)].expected++;
	cells->recordings++;
	cells->exceeded += r->exceeded;
	cells->held += !r->exceeded && r->high >= r->saved * (1 - 1e-9);
	cells->all_held += r->all_low <= r->saved * (1 + 1e-9) &&
			   r->all_high >= fmin(r->saved, r->bytes) * (1 - 1e-9);
	cells->all_low += r->all_low;
	cells->all_high += r->all_high;
	cells->found += r->found;
	cells->low += r->low;
	cells->high += r->high;
	if (!isnan(r->likely)) {
		cells->points++;
		cells->likely += r->likely;
		cells->likely_saved += r->saved;
	}
	cells->saved += r->saved;
}

void regime_run(struct regime_cells *cells, const struct regime *r, const struct regime_mix *mix,
		const struct regime_depth *depth, unsigned recordings, uint64_t seed)
{
	uint64_t scenario = (uint64_t)(r - regimes) << 8 | (uint64_t)(mix - regime_mixes);
	struct rng rng = { rng_mix(seed + rng_mix(scenario)) };

	for (unsigned n = 0; n < recordings; n++) {
		struct regime_program p;
		struct regime_report report;
		regime_program_make(&p, r, &rng);
		p.budget = depth->budget;
		for (size_t i = 0; i < REGIME_LINES; i++) {
			struct regime_spread spread = mix->draw(&rng);
			double looks =
				depth->least * pow(depth->most / depth->least, rng_unit(&rng));
			regime_line_make(&p.line[i], &p, &spread, looks, &rng);
		}
		regime_report(&report, &p, &rng);
		count(cells, &report, &p);
	}
}

bool regime_too_many(unsigned n, unsigned of, double limit)
{
	return n > 0 && binomial_tail(n, of, limit) < BY_CHANCE;
}
