/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_growth.c - see lifetime_growth.h. */
#include "analyse/lifetime/lifetime_growth.h"

#include <math.h>

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

static void add(struct sum *s, double weight, double each)
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
		add(&p->least, k->weight, 1);
	if (maybe_alive(k, at))
		add(&p->most, k->weight, 1);
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
		add(after ? &c->came : &c->went, k->weight, k->size);
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
