/* SPDX-License-Identifier: Apache-2.0 */
/* population.c - see population.h. */
#include "stats/population.h"

#include <math.h>

#include "stats/binomial.h"
#include "wire/wire_population.h"

/* Bytes before an object in which a window that has it begins, at least. */
#define REACH	  ((double)(WIRE_WINDOW_BYTES - WIRE_WINDOW_START))
#define MANY	  1e7  /* trials, with which a binomial is a Poisson distribution */
#define SMALL	  0.97 /* of the bytes are of objects that the bound is made for */
#define REST_LOW  0.02 /* share that is allowed for rare contents, at least and at most */
#define REST_HIGH 0.12
#define FOUND	  (1.0 / 32) /* share of looks that is expected to be found by chance */
#define BLOCKS	  256u

struct sums {
	double all, squares;
	double phantom; /* v of what was not seen */
	double n;
};

static struct sums sum_up(const struct population_look *l, size_t n, double largest)
{
	struct sums s = { .all = 0 };

	for (size_t i = 0; i < n; i++) {
		s.all += l[i].v;
		s.squares += l[i].v * l[i].v;
	}
	s.phantom = n ? fmax(0, largest - s.all / (double)n) : 0;
	double all = s.all + s.phantom;
	s.n = n ? all * all / (s.squares + s.phantom * s.phantom) : 0;
	return s;
}

/* Bytes that an object has at most, of all but some. */
static double size_limit(const struct population_look *l, size_t n, double all)
{
	double limit = WIRE_WINDOW_START;

	for (double tried = 16; tried < WIRE_WINDOW_START; tried *= M_SQRT2) {
		double larger = 0;
		for (size_t i = 0; i < n; i++)
			larger += l[i].bytes > tried ? l[i].v : 0;
		if (larger <= (1 - SMALL) * all)
			return tried;
	}
	return limit;
}

static unsigned count_blocks(const struct population_look *l, size_t n)
{
	bool there[BLOCKS] = { false };
	unsigned count = 0;

	for (size_t i = 0; i < n; i++) {
		count += !there[l[i].block % BLOCKS];
		there[l[i].block % BLOCKS] = true;
	}
	return count;
}

/* P(Poisson(mean) <= m). */
static double poisson_at_most(unsigned m, double mean)
{
	double term = exp(-mean), sum = term;

	for (unsigned i = 1; i <= m; i++) {
		term *= mean / i;
		sum += term;
	}
	return fmin(1, sum);
}

/*
 * In how many other windows a content may be and still count as rare, if a common one is to be in
 * so few with a probability of `alpha` at most. `mean`: windows that one is in which is just
 * common; `ratio`: objects of the k contents per window. -1: not even in none.
 */
static int rare_windows(double mean, double ratio, double alpha)
{
	int most = -1;

	/* mean P(Poisson(mean) <= m) falls with the mean from m + 1 on */
	while (most + 2 <= mean &&
	       ratio * mean * poisson_at_most((unsigned)(most + 1), mean) <= alpha)
		most++;
	return most;
}

/* The v of looks that are of a common content, or may be. */
static double common(const struct population_look *l, size_t n, double bytes, int rare)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		bool judged = l[i].known && l[i].bytes <= bytes;
		sum += l[i].v * (judged && l[i].others <= (unsigned)rare ? 1 - l[i].alone : 1);
	}
	return sum;
}

static double held_high(const struct population_look *l, size_t n, const struct sums *s, unsigned k,
			double limit, double alpha)
{
	double bytes = size_limit(l, n, s->all), blocks = count_blocks(l, n);
	double expected = binomial_low((double)n, MANY, alpha / 10) * MANY;
	double windows = expected * REACH / bytes; /* looks' worth of objects in all windows */
	double rest = limit - binomial_high(FOUND * s->n, s->n, alpha * 0.8);

	rest = fmax(REST_LOW, fmin(REST_HIGH, rest));
	double mean = rest * windows / (k * blocks);
	int rare = rare_windows(mean, k * blocks * bytes / REACH, alpha / 10);
	if (rare < 0)
		return 1;
	double seen = common(l, n, bytes, rare) + s->phantom;
	double share = fmin(1, seen / (s->all + s->phantom));
	return fmin(1, binomial_high(share * s->n, s->n, alpha * 0.8) + rest);
}

void population_measure(struct population *p, const struct population_look *looks, size_t n,
			unsigned k, double largest, double limit, double alpha)
{
	struct sums s = sum_up(looks, n, largest);
	double found = 0, shared = 0;

	*p = (struct population){ .looks = n, .n = s.n, .held_high = 1 };
	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		bool elsewhere = looks[i].known && looks[i].others > 0;
		found += elsewhere ? looks[i].v : 0;
		shared += looks[i].shareable && looks[i].known && (elsewhere || looks[i].alone < 1)
				  ? looks[i].v
				  : 0;
	}
	p->found = found / s.all;
	p->shared_low = binomial_low(s.n * shared / (s.all + s.phantom), s.n, alpha);
	p->held_high = held_high(looks, n, &s, k, limit, alpha);
}
