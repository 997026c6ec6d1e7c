/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_lines.c - see lifetime_lines.h. */
#include "analyse/lifetime/lifetime_lines.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/lifetime/lifetime_uses.h"
#include "base/xmalloc.h"

/*
 * ---- Lives of one line range from milliseconds to hours, so ages have equal ratios. They
 * begin at the least age at which a life may have ended, and go on to the oldest object.
 */

#define YOUNGEST 0.01 /* share of the oldest age at which a curve begins if no life has ended */

/* The first age above 0 at which a share changes; INFINITY if there is none. */
static double first_age(const struct survival_curve *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->step[i].age > 0)
			return c->step[i].age;
	return INFINITY;
}

static struct figure_point point_of(double x, double value, const struct bounds_range *range)
{
	return (struct figure_point){ (float)x, (float)value, (float)range->low,
				      (float)range->high };
}

void lifetime_curve_ages(struct lifetime_curves *c, const struct survival *survival, double z)
{
	double from = fmin(first_age(&survival->early), first_age(&survival->late));
	double to = survival->late.oldest;

	c->nages = 0;
	if (!isfinite(from))
		from = YOUNGEST * to;
	if (!(from < to))
		return;
	for (int i = 0; i < LIFETIME_AGES; i++) {
		double age = from * pow(to / from, (double)i / (LIFETIME_AGES - 1));
		struct survival_point p = survival_at(survival, i < LIFETIME_AGES - 1 ? age : to);
		struct bounds_range range = survival_range(&p, z);
		c->age[c->nages++] = point_of(age, p.value, &range);
	}
}

void lifetime_curve_times(struct lifetime_curves *c, const struct lifetime_known *known, size_t n,
			  uint64_t end, uint64_t looked, double z)
{
	struct estimate alive[LIFETIME_TIMES];
	uint64_t step = end / LIFETIME_TIMES;

	c->ntimes = 0;
	if (!step)
		return;
	lifetime_alive_over(alive, known, n, step, z);
	for (int i = 0; i < LIFETIME_TIMES; i++) {
		uint64_t at = (uint64_t)(i + 1) * step;
		c->time[c->ntimes++] = point_of(
			(double)at / 1e9, at <= looked ? alive[i].value : NAN, &alive[i].range);
	}
}

static bool known_alive(const struct lifetime_known *k, uint64_t at)
{
	return k->birth.ns <= at && k->alive.ns >= at;
}

static bool maybe_alive(const struct lifetime_known *k, uint64_t at)
{
	return k->birth.ns <= at && (!k->ended || k->end.ns > at);
}

/* A sum over samples, of what each stands for. */
struct sum {
	double sum, variance, squares;
};

static void add_step(struct sum *s, double weight, double each)
{
	s->sum += weight * each;
	s->variance += weight * (weight - 1) * each * each;
}

static struct estimate amount(const struct sum *s, double unit, double z)
{
	return estimate_amount(s->sum, s->variance, unit, z);
}

/* What one more sample could stand for; 0 if all objects were sampled, so that none is missing. */
static double unit_of(const struct lifetime_known *known, size_t n, bool bytes)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (known[i].weight > 1)
			most = fmax(most, known[i].weight * (bytes ? known[i].size : 1));
	return most;
}

/* What is alive at one time: for sure, and perhaps. */
struct present {
	struct sum least, most;
};

static void add_present(struct present *p, const struct lifetime_known *k, uint64_t at)
{
	if (known_alive(k, at))
		add_step(&p->least, k->weight, 1);
	if (maybe_alive(k, at))
		add_step(&p->most, k->weight, 1);
}

static struct estimate present_of(const struct present *p, double unit, double z)
{
	struct estimate low = amount(&p->least, unit, z), high = amount(&p->most, unit, z);

	return (struct estimate){ (low.value + high.value) / 2,
				  { low.range.low, high.range.high } };
}

struct estimate lifetime_alive(const struct lifetime_known *known, size_t n, uint64_t at, double z)
{
	struct present p = { .least = { .sum = 0 } };

	for (size_t i = 0; i < n; i++)
		add_present(&p, &known[i], at);
	return present_of(&p, unit_of(known, n, false), z);
}

void lifetime_alive_over(struct estimate to[LIFETIME_TIMES], const struct lifetime_known *known,
			 size_t n, uint64_t step, double z)
{
	struct present p[LIFETIME_TIMES] = { { .least = { .sum = 0 } } };
	double unit = unit_of(known, n, false);

	for (size_t i = 0; i < n; i++) {
		/* only times within the life: most lives are short */
		uint64_t k = known[i].birth.ns ? (known[i].birth.ns - 1) / step : 0;
		for (; k < LIFETIME_TIMES && maybe_alive(&known[i], (k + 1) * step); k++)
			add_present(&p[k], &known[i], (k + 1) * step);
	}
	for (int k = 0; k < LIFETIME_TIMES; k++)
		to[k] = present_of(&p[k], unit, z);
}

/* What came and what went, for sure and perhaps. */
struct change {
	struct sum came, went;
};

static struct estimate change_of(const struct change *c, double unit, double z)
{
	struct estimate came = amount(&c->came, unit, z), went = amount(&c->went, unit, z);

	return estimate_change(&went, &came);
}

static void count(struct change *c, const struct lifetime_known *k, bool before, bool after)
{
	if (before != after)
		add_step(after ? &c->came : &c->went, k->weight, k->size);
}

struct estimate lifetime_change(const struct lifetime_known *known, size_t n, uint64_t from,
				uint64_t to, double z)
{
	struct change least = { .came = { .sum = 0 } }, most = least;
	double unit = unit_of(known, n, true);

	for (size_t i = 0; i < n; i++) {
		const struct lifetime_known *k = &known[i];
		count(&least, k, maybe_alive(k, from), known_alive(k, to));
		count(&most, k, known_alive(k, from), maybe_alive(k, to));
	}
	struct estimate low = change_of(&least, unit, z), high = change_of(&most, unit, z);
	return (struct estimate){ (low.value + high.value) / 2,
				  { low.range.low, high.range.high } };
}

struct making {
	struct lifetime_lines *to;
	const struct life_store *store;
	struct line_groups groups;
	bool counting; /* the first time lives are only counted */
};

/* ---- groups -------------------------------------------------------------------------------- */

static bool has_census(const struct model_context *c, const void *store)
{
	return life_store_census(store, c->jvm) != NULL;
}

static void make_groups(struct making *k)
{
	struct lifetime_lines *to = k->to;

	to->group = xcalloc(k->groups.n, sizeof *to->group);
	for (uint32_t i = 0; i < k->groups.n; i++) {
		const struct line_group *line = &k->groups.line[i];
		to->group[i].line = *line;
		to->group[i].census = life_store_census(k->store, line->context->jvm);
	}
	to->ngroups = k->groups.n;
}

static struct lifetime_group *group_of(const struct making *k, const struct model_context *c)
{
	uint32_t line = k->groups.of[c->number];

	return line == LINE_NONE ? NULL : &k->to->group[line];
}

/* ---- lives --------------------------------------------------------------------------------- */

static void add(struct making *k, const struct model_context *c, const struct life *l, double scale)
{
	struct lifetime_group *g = group_of(k, c);
	bool ended = l->dead.ns > 0;

	if (!g || !g->census || l->outside || l->birth.ns > g->census->now.ns ||
	    (ended && l->dead.ns > g->census->now.ns))
		return;
	if (!k->counting)
		g->known[g->n] = (struct lifetime_known){
			.birth = l->birth,
			.before = l->before,
			.alive = l->alive,
			.end = ended ? l->dead : g->census->now,
			.weight = l->weight * scale,
			.size = (double)l->size,
			.ticket = l->ticket,
			.ended = ended,
		};
	g->n++;
}

static void add_next_use(struct making *k, const struct life_context *c,
			 const struct life_next_use *u)
{
	struct lifetime_group *g = group_of(k, c->context);

	if (!g || u->outside)
		return;
	if (!k->counting)
		g->use[g->nuses] = (struct lifetime_next_use){
			.birth = u->birth_ns,
			.start = u->start_ns,
			.end = u->end_ns,
			.ticket = u->ticket,
			.weight = u->weight * life_context_scale(c),
			.size = (double)u->size,
			.chance = 1 / life_context_scale(c),
			.outcome = u->outcome,
			.flags = u->flags,
		};
	g->nuses++;
}

static void add_all(struct making *k)
{
	for (uint32_t i = 0; i < k->store->contexts.n; i++) {
		const struct life_context *c =
			(const struct life_context *)k->store->contexts.entry[i];
		for (uint32_t n = 0; n < c->n; n++)
			add(k, c->context, &c->life[n], life_context_scale(c));
		for (uint32_t n = 0; n < c->nnext_uses; n++)
			add_next_use(k, c, &c->next_use[n]);
	}
	for (uint32_t j = 0; j < k->store->njvms; j++) {
		const struct life_census *census = life_store_census(k->store, j);
		for (uint32_t n = 0; census && n < census->n; n++)
			add(k, census->living[n].context, &census->living[n].life, 1);
	}
}

/* Gives each group its part of the vector. Groups without lives are dropped. */
static void make_room(struct making *k)
{
	struct lifetime_lines *to = k->to;

	for (size_t i = 0; i < to->ngroups; i++) {
		to->n += to->group[i].n;
		to->nuses += to->group[i].nuses;
	}
	to->known = xcalloc(to->n, sizeof *to->known);
	to->use = xcalloc(to->nuses, sizeof *to->use);
	for (size_t i = 0, first = 0, first_use = 0; i < to->ngroups; i++) {
		struct lifetime_group *g = &to->group[i];
		g->known = to->known + first;
		g->use = to->use + first_use;
		first += g->n;
		first_use += g->nuses;
		g->n = g->nuses = 0;
	}
}

static void drop_empty(struct lifetime_lines *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < lines->ngroups; i++)
		if (lines->group[i].n)
			lines->group[n++] = lines->group[i];
	lines->ngroups = n;
}

static void make(struct making *k)
{
	make_groups(k);
	k->counting = true;
	add_all(k);
	make_room(k);
	k->counting = false;
	add_all(k);
	for (size_t i = 0; i < k->to->ngroups; i++) {
		struct lifetime_group *g = &k->to->group[i];
		lifetime_uses_join(g->use, g->nuses, g->known, g->n);
	}
	drop_empty(k->to);
}

void lifetime_lines_make(struct lifetime_lines *lines, const struct model *m,
			 const struct findings_options *options)
{
	struct making k = { .to = lines, .store = life_store_of(m) };

	*lines = (struct lifetime_lines){ .n = 0 };
	if (!k.store)
		return;
	line_groups_make(&k.groups, m, options, has_census, k.store);
	make(&k);
	line_groups_release(&k.groups);
}

void lifetime_lines_release(struct lifetime_lines *lines)
{
	free(lines->known);
	free(lines->use);
	free(lines->group);
	*lines = (struct lifetime_lines){ .n = 0 };
}
