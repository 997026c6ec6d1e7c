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

/* What one more sample would stand for; 0 if all weigh one object, so that none is missing. */
static double unit_of(const struct lifetime_known *known, size_t n, bool bytes)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (known[i].weight > 1)
			most = fmax(most, known[i].weight * (bytes ? known[i].size : 1));
	return most;
}

struct estimate lifetime_alive(const struct lifetime_known *known, size_t n, uint64_t at, double z)
{
	struct sum least = { .sum = 0 }, most = { .sum = 0 };
	double unit = unit_of(known, n, false);

	for (size_t i = 0; i < n; i++) {
		if (known_alive(&known[i], at))
			add(&least, known[i].weight, 1);
		if (maybe_alive(&known[i], at))
			add(&most, known[i].weight, 1);
	}
	struct estimate low = amount(&least, unit, z), high = amount(&most, unit, z);
	return (struct estimate){ (low.value + high.value) / 2,
				  { low.range.low, high.range.high } };
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
