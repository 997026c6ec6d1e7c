/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_compute.c - see lifetime.h. Lives are told as of the last census of their JVM: objects
 * that were made after it, and deaths that were found after it, are not complete and are left out.
 */
#include "analyse/lifetime/lifetime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/lifetime/lifetime_lines.h"
#include "analyse/lifetime/lifetime_uses.h"
#include "base/xmalloc.h"

#define GROWS_ERROR 0.01 /* probability that any line is called growing that does not grow */
#define EIGHTHS	    8	 /* parts of the time; a steady line allocates in MOST of them */
#define MOST	    6
#define FEWEST	    (1.0 / 64) /* of a line's objects, in an eighth of the time: fewer are none */
#define LONG_SHARE  0.9

const unsigned lifetime_survived[LIFETIME_SURVIVED] = { 1, 2, 5, 15 };

/* ---- one line ------------------------------------------------------------------------------ */

static double age(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) : 0; /* clocks are read one after the other */
}

/* The age that an object has reached at a moment. */
static double age_at(const struct lifetime_known *k, const struct wire_heap_time *at,
		     enum lifetime_clock clock)
{
	switch (clock) {
	case LIFETIME_SECONDS:
		return age(k->birth.ns, at->ns) / 1e9;
	case LIFETIME_COLLECTIONS:
		return age(k->birth.collections, at->collections);
	default:
		return age(k->birth.bytes, at->bytes);
	}
}

/*
 * Counted in collections, an age is the number that the object has survived. The end of a life lies
 * between two such numbers, since an object dies before the collection that finds it dead.
 */
static struct survival_life in_collections(struct survival_life l)
{
	if (l.ended) {
		l.low += 0.5;
		l.high = fmax(l.low, l.high - 0.5);
	} else {
		l.low = l.low < 0 ? l.low : l.low + 0.75;
		l.high += 0.25;
	}
	return l;
}

static struct survival_life life_of(const struct lifetime_known *k, enum lifetime_clock clock)
{
	bool looked_at = k->alive.ns > k->birth.ns;
	double alive = age_at(k, &k->alive, clock), before = age_at(k, &k->before, clock);
	struct survival_life l = { .low = k->ended    ? alive
					  : looked_at ? before
						      : -1,
				   .high = fmax(alive, age_at(k, &k->end, clock)),
				   .weight = k->weight,
				   .ended = k->ended };

	return clock == LIFETIME_COLLECTIONS ? in_collections(l) : l;
}

static void make_survival(struct survival *s, const struct lifetime_known *known, size_t n,
			  enum lifetime_clock clock, bool bytes)
{
	struct survival_life *lives = xcalloc(n, sizeof *lives);

	memset(s, 0, sizeof *s);
	for (size_t i = 0; i < n; i++) {
		lives[i] = life_of(&known[i], clock);
		lives[i].weight *= bytes ? known[i].size : 1;
	}
	survival_make(s, lives, n);
	free(lives);
}

/* Rounds an age in collections down to a whole number. */
static struct estimate whole(struct estimate e)
{
	e.value = floor(e.value);
	e.range.low = floor(e.range.low);
	e.range.high = floor(e.range.high);
	return e;
}

/* `counts`: the JVM counts its collections. If not, ages in collections are unknown. */
static void fill_ages(struct lifetime_line *l, const struct lifetime_known *known, size_t n,
		      bool counts, double z)
{
	for (int clock = 0; clock < LIFETIME_CLOCKS; clock++) {
		struct survival s;
		size_t told = clock != LIFETIME_COLLECTIONS || counts ? n : 0;
		make_survival(&s, known, told, (enum lifetime_clock)clock, false);
		l->median[clock] = survival_age(&s, 0.5, z);
		l->most[clock] = survival_age(&s, LONG_SHARE, z);
		for (int i = 0; i < LIFETIME_SURVIVED && clock == LIFETIME_COLLECTIONS; i++) {
			struct survival_point p = survival_at(&s, lifetime_survived[i]);
			l->survivors[i] = (struct estimate){ p.value, survival_range(&p, z) };
		}
		if (clock == LIFETIME_SECONDS && l->curves)
			lifetime_curve_ages(l->curves, &s, z);
		survival_release(&s);
	}
	l->median[LIFETIME_COLLECTIONS] = whole(l->median[LIFETIME_COLLECTIONS]);
	l->most[LIFETIME_COLLECTIONS] = whole(l->most[LIFETIME_COLLECTIONS]);
}

static bool is_steady(const struct lifetime_known *known, size_t n, uint64_t now)
{
	double made[EIGHTHS] = { 0 }, all = 0;
	int some = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = now ? (size_t)((double)known[i].birth.ns / (double)now * EIGHTHS) : 0;
		made[at < EIGHTHS ? at : EIGHTHS - 1] += known[i].weight;
		all += known[i].weight;
	}
	for (int i = 0; i < EIGHTHS; i++)
		some += made[i] > FEWEST * all;
	return some >= MOST;
}

/* The last time at which the state of the objects was checked: of old ones, if it ever was. */
static const struct wire_heap_time *last_look(const struct life_census *census)
{
	return census->marked.ns ? &census->marked : &census->collected;
}

/* Computes what is alive and its growth, with intervals of quantile `z`. */
static void fill_growth(struct lifetime_line *l, const struct lifetime_known *known, size_t n,
			const struct life_census *census, double z)
{
	const struct wire_heap_time *last = last_look(census);
	uint64_t first = last->ns / 3;
	struct estimate none = { NAN, { NAN, NAN } };

	l->alive = l->growth = none;
	if (!last->ns)
		return;
	l->alive = lifetime_alive(known, n, last->ns, z);
	struct estimate grown = lifetime_change(known, n, first, last->ns, z);
	l->growth = estimate_scale(grown, 60e9 / (double)(last->ns - first));
}

static void fill_number(struct lifetime_line *l, const struct lifetime_known *known, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += known[i].weight;
		squares += known[i].weight * known[i].weight;
	}
	l->number = bounds_effective(sum, squares);
	l->row.count = n;
	l->row.weak = l->number < LIFETIME_LEAST;
	l->followed = l->objects > 0 ? fmin(1, sum / l->objects) : NAN;
}

/* ---- all lines ----------------------------------------------------------------------------- */

/* Shenandoah does not count its collections. */
static bool counts(const struct life_census *census)
{
	return census->now.collections > 0;
}

/* Makes the curves. Here only that of times; fill_ages makes that of ages. */
static void fill_curves(struct lifetime_line *l, const struct lifetime_group *g, double z)
{
	if (l->row.weak)
		return;
	l->curves = xcalloc(1, sizeof *l->curves);
	lifetime_curve_times(l->curves, g->known, g->n, g->census->now.ns, last_look(g->census)->ns,
			     z);
}

static void fill_uses(struct lifetime_line *l, const struct lifetime_group *g, double z)
{
	struct estimate *drag = &l->uses.drag;

	l->uses = lifetime_uses_of(g->use, g->nuses, z);
	l->held = lifetime_held(g->known, g->n, g->census->now.ns, z);
	l->dragged = (struct estimate){ drag->value * l->held.value,
					{ drag->range.low * l->held.range.low,
					  drag->range.high * l->held.range.high } };
}

static void fill_line(struct lifetime_line *l, const struct model *m,
		      const struct lifetime_group *g, double z)
{
	l->objects = g->line.objects;
	l->bytes = g->line.bytes;
	line_group_begin_row(&l->row, m, &g->line);
	fill_number(l, g->known, g->n);
	l->steady = is_steady(g->known, g->n, g->census->now.ns);
	fill_curves(l, g, z);
	fill_growth(l, g->known, g->n, g->census, z);
	fill_uses(l, g, z);
	fill_ages(l, g->known, g->n, counts(g->census), z);
	l->survived = estimate_scale(l->survivors[0], l->bytes);
}

static int compare_lines(const void *a, const void *b)
{
	const struct lifetime_line *x = a, *y = b;

	if (x->grows != y->grows)
		return x->grows ? -1 : 1;
	if (x->grows && x->growth.range.low != y->growth.range.low)
		return x->growth.range.low > y->growth.range.low ? -1 : 1;
	if (x->row.share != y->row.share)
		return x->row.share > y->row.share ? -1 : 1;
	return callstack_hash_compare(&x->row.hash, &y->row.hash);
}

/* Shares of the bytes that all lines of the recording have allocated. */
static void fill_shares(struct lifetime *l, const struct model *m)
{
	double all = 0, held = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++)
		all += model_context(m, i)->bytes;
	for (size_t i = 0; i < l->nlines; i++)
		held += l->lines[i].held.value;
	for (size_t i = 0; i < l->nlines; i++) {
		l->lines[i].held_share = held > 0 ? l->lines[i].held.value / held : 0;
		struct finding_row *row = &l->lines[i].row;
		row->share = all > 0 ? fmin(1, l->lines[i].bytes / all) : 0;
		row->range = (struct bounds_range){ row->share, row->share };
	}
}

static void fill_all(struct lifetime *l, const struct lifetime_lines *lines, double z)
{
	struct survival s;
	bool counted = lines->ngroups > 0;

	make_survival(&s, lines->known, lines->n, LIFETIME_COLLECTIONS, true);
	for (size_t i = 0; i < lines->ngroups; i++)
		counted &= counts(lines->group[i].census);
	if (counted)
		l->survivors = survival_at(&s, 1);
	survival_release(&s);
	for (size_t i = 0; i < lines->n; i++)
		l->ended += lines->known[i].ended;
	l->lives = lines->n;
	l->uses = lifetime_uses_of(lines->use, lines->nuses, z);
	for (size_t i = 0; i < lines->ngroups; i++) {
		const struct life_census *c = lines->group[i].census;
		l->seconds = fmax(l->seconds, (double)c->now.ns / 1e9);
		l->marked = fmax(l->marked, (double)c->marked.ns / 1e9);
	}
}

/* ---- what grows -------------------------------------------------------------------------- */

/* Whether it can be told: enough lives, and a look at the old generation that is late enough. */
static bool is_tested(const struct lifetime_line *l, const struct life_census *c)
{
	return !l->row.weak && c->marked.ns > 0 && c->marked.ns >= c->now.ns / 2;
}

/*
 * Whether what is alive grows in the last two thirds of the time, by the quantile `sure`, and in
 * each of them, by `z`.
 */
static bool grows(const struct lifetime_group *g, double z, double sure)
{
	uint64_t last = g->census->marked.ns, first = last / 3, second = first * 2;

	return lifetime_change(g->known, g->n, first, last, sure).range.low > 0 &&
	       lifetime_change(g->known, g->n, first, second, z).range.low > 0 &&
	       lifetime_change(g->known, g->n, second, last, z).range.low > 0;
}

/*
 * Holm's procedure: the lines found at the level for all that are tested leave fewer for the next
 * round, where a lower level is enough. An interval leaves out as much on the other side, which
 * makes no line grow.
 */
static void judge_growth(struct lifetime *l, const struct lifetime_lines *lines, double z)
{
	size_t left = 0, found = 1;

	for (size_t i = 0; i < l->nlines; i++)
		left += is_tested(&l->lines[i], lines->group[i].census);
	while (left > 0 && found > 0) {
		double sure = bounds_z(estimate_level(1 - 2 * GROWS_ERROR, (double)left));
		found = 0;
		for (size_t i = 0; i < l->nlines; i++) {
			struct lifetime_line *line = &l->lines[i];
			if (line->grows || !is_tested(line, lines->group[i].census))
				continue;
			line->grows = grows(&lines->group[i], z, sure);
			found += line->grows;
		}
		left -= found;
	}
}

static void compute(struct lifetime *l, const struct model *m, const struct lifetime_lines *lines,
		    double confidence)
{
	double z = bounds_z(confidence);

	l->lines = xcalloc(lines->ngroups, sizeof *l->lines);
	fill_all(l, lines, z);
	for (size_t i = 0; i < lines->ngroups; i++)
		fill_line(&l->lines[l->nlines++], m, &lines->group[i], z);
	judge_growth(l, lines, z);
	fill_shares(l, m);
	for (size_t i = 0; i < l->nlines; i++) {
		const struct model_jvm *jvm = model_jvm(m, lines->group[i].line.context->jvm);
		l->lines[i].advice = lifetime_advise(&l->lines[i], jvm ? jvm->info.gc : "");
	}
	qsort(l->lines, l->nlines, sizeof *l->lines, compare_lines);
}

void lifetime_compute(struct lifetime *l, const struct model *m,
		      const struct findings_options *options)
{
	struct lifetime_lines lines;

	*l = (struct lifetime){ .survivors = { .value = NAN } };
	lifetime_lines_make(&lines, m, options);
	compute(l, m, &lines, options->confidence);
	lifetime_lines_release(&lines);
}

void lifetime_release(struct lifetime *l)
{
	for (size_t i = 0; i < l->nlines; i++) {
		callstack_release(&l->lines[i].row.stack[0]);
		free(l->lines[i].curves);
	}
	free(l->lines);
	*l = (struct lifetime){ .lines = NULL };
}
