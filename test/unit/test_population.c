/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_population.c - what windows tell of programs whose contents are known: how often each bound
 * is wrong, and that few looks are enough.
 *
 * A program is a row of objects. Some are of the line that is judged, the others of other lines of
 * the class. Windows begin at random objects, as if bytes were sampled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "stats/population.h"
#include "wire/wire_population.h"

#define OBJECTS	  400000u
#define BYTES	  32u
#define WINDOW	  (WIRE_WINDOW_BYTES / BYTES)
#define TRIALS	  120
#define ALPHA	  0.05
#define MOST	  (TRIALS * ALPHA + 3 * sqrt(TRIALS * ALPHA * (1 - ALPHA)))
#define LIMIT	  0.25
#define CONTENTS  (2 * OBJECTS)
#define LENGTH(a) (sizeof(a) / sizeof(a)[0])

/* How a line's objects are spread: `k` contents have `share` of them, in runs of `run` equal ones;
 * the rest are in groups of `group`. */
struct spread_of {
	double line; /* share of the class's objects that are the line's */
	unsigned k;
	double share;
	unsigned run, group;
	bool late; /* the contents of the k come in the last tenth only, and are all of it */
};

struct program {
	uint32_t *content;
	bool *ours;
	uint32_t *windows; /* in which a content is */
	uint32_t *last;
};

static struct program make_room(void)
{
	struct program p = {
		calloc(OBJECTS, sizeof *p.content),
		calloc(OBJECTS, sizeof *p.ours),
		calloc(CONTENTS, sizeof *p.windows),
		calloc(CONTENTS, sizeof *p.last),
	};
	assert_true(p.content && p.ours && p.windows && p.last);
	return p;
}

static void release(struct program *p)
{
	free(p->content);
	free(p->ours);
	free(p->windows);
	free(p->last);
}

/* Makes the objects; returns the share of the line that its 16 commonest contents have. */
static double make(struct program *p, const struct spread_of *s, struct rng *rng)
{
	uint32_t next = s->k, run = 0, current = 0, n = 0, hits = 0, grouped = 0;

	for (uint32_t i = 0; i < OBJECTS; i++) {
		p->ours[i] = rng_unit(rng) < s->line;
		if (!p->ours[i]) { /* each once */
			p->content[i] = CONTENTS - 1 - i;
			continue;
		}
		n++;
		double share = s->share / s->run;
		if (s->late)
			share = i > OBJECTS / 10 * 9 ? s->share * 10 : 0;
		if (run > 0 || (s->k && rng_unit(rng) < share / (1 - s->share + share))) {
			if (run == 0) {
				run = s->run;
				current = (uint32_t)rng_below(rng, s->k);
			}
			run--;
			hits += current < 16;
			p->content[i] = current;
			continue;
		}
		p->content[i] = next;
		if (++grouped == s->group) {
			next++;
			grouped = 0;
		}
	}
	return n ? (double)hits / n : 0;
}

/* Takes windows until there are `wanted` looks of the line; returns how many. */
static size_t look(struct program *p, struct population_look *looks, size_t wanted, struct rng *rng)
{
	uint32_t *at = calloc(OBJECTS, sizeof *at);
	uint32_t number = 0;
	size_t n = 0;

	assert_non_null(at);
	memset(p->windows, 0, CONTENTS * sizeof *p->windows);
	memset(p->last, 0, CONTENTS * sizeof *p->last);
	while (n < wanted) {
		uint32_t from = (uint32_t)rng_below(rng, OBJECTS - WINDOW), own = p->content[from];
		double alone = 1;
		number++;
		for (uint32_t i = 0; i < WINDOW; i++) {
			uint32_t c = p->content[from + i];
			if (i > 0 && c == own && alone >= 1)
				alone = (double)i / WINDOW;
			p->windows[c] += p->last[c] != number;
			p->last[c] = number;
		}
		if (!p->ours[from])
			continue;
		at[n] = own;
		looks[n++] = (struct population_look){
			.v = 1, .alone = alone, .bytes = BYTES, .known = true, .shareable = true
		};
	}
	for (size_t i = 0; i < n; i++)
		looks[i].others = p->windows[at[i]] - 1;
	free(at);
	return n;
}

static const struct spread_of spreads[] = {
	{ .line = 0.5, .k = 16, .share = 0.26, .run = 1, .group = 1 },
	{ .line = 0.05, .k = 16, .share = 0.26, .run = 1, .group = 1 },
	{ .line = 0.5, .k = 16, .share = 0.3, .run = 200, .group = 1 },
	{ .line = 0.05, .k = 16, .share = 0.3, .run = 200, .group = 10 },
	{ .line = 0.5, .k = 1, .share = 0.26, .run = 1, .group = 1 },
	{ .line = 0.2, .k = 16, .share = 0.09, .run = 1, .group = 1, .late = true },
	{ .line = 0.5, .k = 200, .share = 0.9, .run = 1, .group = 1 },
	{ .line = 0.5, .k = 0, .share = 0, .run = 1, .group = 2 },
	{ .line = 1, .k = 16, .share = 0.28, .run = 20, .group = 3 },
};

static const size_t numbers[] = { 12, 20, 40 };

/* No bound is wrong more often than it says. */
static void test_bounds_hold(void **state)
{
	(void)state;
	struct program p = make_room();
	struct population_look looks[64];
	struct rng rng;

	for (size_t i = 0; i < LENGTH(spreads); i++) {
		rng = (struct rng){ .state = 100 + i };
		double held = make(&p, &spreads[i], &rng);
		for (size_t k = 0; k < LENGTH(numbers); k++) {
			int wrong = 0;
			for (int t = 0; t < TRIALS; t++) {
				struct population r;
				size_t n = look(&p, looks, numbers[k], &rng);
				population_measure(&r, looks, n, 16, 1, LIMIT, ALPHA);
				wrong += r.held_high < held - 1e-9;
			}
			if (wrong > MOST)
				fail_msg("spread %zu, %zu looks: %d of %d bounds are wrong", i,
					 numbers[k], wrong, TRIALS);
		}
	}
	release(&p);
}

/* Objects that are alone, or in small groups, are known to be so from 20 looks on. */
static void test_few_looks_are_enough(void **state)
{
	(void)state;
	static const struct spread_of few[] = {
		{ .line = 0.5, .k = 0, .run = 1, .group = 1 },
		{ .line = 0.05, .k = 0, .run = 1, .group = 1 },
	};
	struct program p = make_room();
	struct population_look looks[64];
	struct rng rng;

	for (size_t i = 0; i < LENGTH(few); i++) {
		int decided = 0;
		rng = (struct rng){ .state = 200 + i };
		make(&p, &few[i], &rng);
		for (int t = 0; t < 20; t++) {
			struct population r;
			size_t n = look(&p, looks, 20, &rng);
			population_measure(&r, looks, n, 16, 1, LIMIT, ALPHA);
			decided += r.held_high <= LIMIT;
		}
		assert_true(decided >= 19);
	}
	release(&p);
}

/* What is not known, or too large, is taken for common; and so are looks that weigh more unseen. */
static void test_unknown_is_common(void **state)
{
	(void)state;
	struct population_look looks[40];
	struct population r;

	for (size_t i = 0; i < LENGTH(looks); i++)
		looks[i] = (struct population_look){
			.v = 1, .alone = 1, .bytes = 32, .known = true, .shareable = true
		};
	population_measure(&r, looks, LENGTH(looks), 16, 1, LIMIT, ALPHA);
	assert_true(r.held_high < 0.25 && r.shared_low == 0 && r.found == 0);
	double before = r.held_high;
	looks[0].known = looks[1].known = false;
	population_measure(&r, looks, LENGTH(looks), 16, 1, LIMIT, ALPHA);
	assert_true(r.held_high > before);
	looks[0].known = looks[1].known = true;
	population_measure(&r, looks, LENGTH(looks), 16, 10, LIMIT, ALPHA);
	assert_true(r.held_high > before);
	for (size_t i = 0; i < LENGTH(looks); i++)
		looks[i].bytes = 4000; /* windows hold a few of them */
	population_measure(&r, looks, LENGTH(looks), 16, 1, LIMIT, ALPHA);
	assert_true(r.held_high > LIMIT);
	population_measure(&r, looks, 1, 16, 1, LIMIT, ALPHA);
	assert_true(r.held_high == 1);
}

/* What has an equal object is counted, in whichever window. */
static void test_shared(void **state)
{
	(void)state;
	struct population_look looks[30];
	struct population r;

	for (size_t i = 0; i < LENGTH(looks); i++)
		looks[i] = (struct population_look){ .v = 1,
						     .alone = i % 2 ? 0.5 : 1,
						     .others = i % 2 ? 0 : 3,
						     .bytes = 32,
						     .known = true,
						     .shareable = true };
	population_measure(&r, looks, LENGTH(looks), 16, 1, LIMIT, ALPHA);
	assert_true(r.shared_low > 0.9 && r.shared_low < 1);
	assert_true(fabs(r.found - 0.5) < 1e-9);
	for (size_t i = 0; i < LENGTH(looks); i++)
		looks[i].shareable = false;
	population_measure(&r, looks, LENGTH(looks), 16, 1, LIMIT, ALPHA);
	assert_true(r.shared_low == 0);
}

int unit_population(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds_hold),
		cmocka_unit_test(test_few_looks_are_enough),
		cmocka_unit_test(test_unknown_is_common),
		cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
