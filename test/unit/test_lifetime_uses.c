/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_lifetime_uses.c - drag, idle time and unused objects, from watches of simulated objects. The
 * seeds are fixed, so nothing here is left to chance.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/lifetime/lifetime.h"
#include "analyse/lifetime/lifetime_uses.h"
#include "model_fixture.h"
#include "stats/bounds.h"

#define SECOND	 1e9
#define PERIOD	 0.5 /* seconds between collections */
#define RUNS	 400
#define WATCHES	 150
#define OBJECTS	 60
#define PATIENCE 10.0
#define SHORT	 (WIRE_NEXT_SHORT_NS / SECOND)

/* A line of code: its objects are used from time to time, then not any more, then die. */
struct kind {
	double gap;	    /* mean seconds between uses */
	double used, lives; /* to these ages, seconds */
	double part;	    /* of the objects; the others are used to their end */
	bool whole;
};

struct object {
	double birth, used, death;
};

static double uniform(uint64_t *random)
{
	return (double)(build_random((*random)++) >> 11) / (double)(1ull << 53);
}

static struct object make(const struct kind *k, uint64_t *random)
{
	double birth = uniform(random) * PERIOD;
	bool dragged = uniform(random) < k->part;

	return (struct object){ birth, birth + (dragged ? k->used : k->lives), birth + k->lives };
}

/* Watches an object from `at` on, as the agent does. Times in seconds. */
static struct lifetime_next_use watched(const struct kind *k, const struct object *o,
					uint32_t ticket, double at, bool fresh, uint64_t *random)
{
	bool patient = fresh || uniform(random) < 1.0 / 8;
	double use = at - log(1 - uniform(random)) * k->gap,
	       end = at + (patient ? PATIENCE : SHORT);
	double found = (floor(o->death / PERIOD) + 1) * PERIOD;
	enum wire_next_use_outcome outcome = WIRE_NEXT_OPEN;

	if (use <= o->used && use <= end) {
		outcome = WIRE_NEXT_USED;
		end = use;
	} else if (found <= end) {
		outcome = WIRE_NEXT_DIED;
		end = found;
	}
	return (struct lifetime_next_use){
		.birth = (uint64_t)(o->birth * SECOND),
		.start = (uint64_t)(at * SECOND),
		.end = (uint64_t)(end * SECOND),
		.alive = (uint64_t)(floor(o->death / PERIOD) * PERIOD * SECOND),
		.weight = 10,
		.size = 100,
		.ticket = ticket,
		.outcome = (uint16_t)outcome,
		.flags = (uint16_t)((patient ? WIRE_NEXT_PATIENT : 0) |
				    (fresh ? WIRE_NEXT_FRESH : 0) |
				    (k->whole ? WIRE_NEXT_WHOLE : 0)),
	};
}

/* The share of the objects' time, from their first collection on, that is after their last use. */
static double truth_of(const struct kind *k)
{
	double first = PERIOD / 2; /* age at the first collection, on average */
	double last = k->gap < k->used ? k->used - k->gap : 0;

	return k->part * (k->lives - fmax(last, first)) / (k->lives - first);
}

static struct lifetime_uses estimate(const struct kind *k, bool fresh, uint64_t *random)
{
	struct lifetime_next_use use[WATCHES];
	struct object object[OBJECTS];

	for (int i = 0; i < OBJECTS; i++)
		object[i] = make(k, random);
	for (int i = 0; i < WATCHES; i++) {
		uint32_t n = (uint32_t)(uniform(random) * OBJECTS);
		const struct object *o = &object[n];
		double found = (floor(o->death / PERIOD) + 1) * PERIOD;
		double at = PERIOD + (fresh ? 0 : uniform(random) * (found - PERIOD));
		use[i] = watched(k, o, n, at, fresh, random);
	}
	lifetime_uses_join(use, WATCHES, NULL, 0);
	return lifetime_uses_of(use, WATCHES, bounds_z(0.95));
}

static int misses(const struct kind *k, double truth, double *width)
{
	uint64_t random = 7;
	int n = 0;

	*width = 0;
	for (int i = 0; i < RUNS; i++) {
		struct lifetime_uses u = estimate(k, false, &random);
		n += !(u.drag.range.low <= truth && truth <= u.drag.range.high);
		*width += (u.drag.range.high - u.drag.range.low) / RUNS;
	}
	return n;
}

static void test_drag(void **state)
{
	static const struct {
		struct kind kind;
		double widest; /* mean width of the intervals */
	} cases[] = {
		{ { .gap = 0.01, .used = 3, .lives = 8, .part = 1, .whole = true }, 0.5 },
		{ { .gap = 0.01, .used = 1, .lives = 6, .part = 1, .whole = true }, 0.4 },
		{ { .gap = 0.01, .used = 8, .lives = 8, .part = 1, .whole = true }, 0.2 },
		{ { .gap = 0.01, .used = 0.1, .lives = 8, .part = 0.3, .whole = true }, 0.5 },
		{ { .gap = 0.5, .used = 4, .lives = 8, .part = 1, .whole = true }, 0.6 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double width;
		int n = misses(&cases[i].kind, truth_of(&cases[i].kind), &width);
		print_message("case %zu: truth %.3f, %d of %d miss, width %.3f\n", i,
			      truth_of(&cases[i].kind), n, RUNS, width);
		assert_true(n <= RUNS / 20);
		assert_true(width <= cases[i].widest);
	}
}

/* A use somewhere else in the object may have been missed: only the high end is told. */
static void test_partly_seen(void **state)
{
	static const struct kind kind = { .gap = 0.01, .used = 3, .lives = 8, .part = 1 };
	uint64_t random = 1;
	struct lifetime_uses u = estimate(&kind, false, &random);

	(void)state;
	assert_float_equal(u.drag.range.low, 0, 0);
	assert_true(u.drag.range.high > truth_of(&kind) && u.drag.range.high < 1);
}

static void test_unused(void **state)
{
	static const struct kind kind = {
		.gap = 0.01, .used = 0.01, .lives = 8, .part = 0.4, .whole = true
	};
	uint64_t random = 3;
	struct lifetime_uses u = estimate(&kind, true, &random);

	(void)state;
	assert_true(u.unused.range.low < 0.4 && 0.4 < u.unused.range.high);
	assert_true(u.unused.range.high - u.unused.range.low < 0.35);
	assert_true(isnan(u.drag.range.low) && isnan(u.idle.range.low));
}

/* Objects that nobody frees, and which are not used for as long as anybody waits. */
static void test_idle(void **state)
{
	static const struct kind idle = { .gap = 1000, .used = 1e6, .lives = 1e6, .whole = true },
				 hot = { .gap = 0.01, .used = 1e6, .lives = 1e6, .whole = true };
	uint64_t random = 5;

	(void)state;
	struct lifetime_uses u = estimate(&idle, false, &random);
	assert_true(u.idle.range.low > 0.6 && u.idle.range.high > 0.98);
	assert_float_equal(u.drag.range.low, 0, 0.01); /* none has died */
	u = estimate(&hot, false, &random);
	assert_true(u.idle.range.high < 0.1 && u.drag.range.high < 0.1);
}

static void test_join(void **state)
{
	struct lifetime_next_use use[] = {
		{ .ticket = 2, .birth = 5, .start = 30 },
		{ .ticket = 1, .birth = 9, .start = 20 },
		{ .ticket = 2, .birth = 5, .start = 10 },
		{ .ticket = 2, .birth = 4, .start = 10 },
	};
	static const struct lifetime_known known[] = {
		{ .ticket = 2, .birth.ns = 5, .alive.ns = 50 },
		{ .ticket = 3, .birth.ns = 5, .alive.ns = 60 },
		{ .ticket = 1, .birth.ns = 9, .alive.ns = 70 },
	};

	(void)state;
	lifetime_uses_join(use, 4, known, 3);
	assert_int_equal(use[0].ticket, 1);
	assert_int_equal(use[0].alive, 70);
	assert_int_equal(use[1].alive, 0);
	assert_int_equal(use[2].start, 10);
	assert_int_equal(use[2].alive, 50);
	assert_int_equal(use[3].alive, 50);
}

static void test_held(void **state)
{
	static const struct lifetime_known known[] = {
		{ .alive = { .ns = 60, .collections = 3 }, .end.ns = 80, .weight = 1, .size = 100 },
		{ .birth.ns = 0, .alive.ns = 0, .end.ns = 80, .weight = 1, .size = 100 },
	};

	(void)state;
	struct estimate e = lifetime_held(known, 2, 100, 1.96);
	assert_float_equal(e.range.low, 40,
			   1e-9); /* without a third, before the first collection */
	assert_float_equal(e.range.high, 80, 1e-9);
}

/* ---- in recordings ------------------------------------------------------------------------- */

#define LIVES	 40
#define CYCLE_NS 1000000000ull

static struct wire_heap_time moment(uint64_t cycle)
{
	return (struct wire_heap_time){ .ns = cycle * CYCLE_NS, .collections = (uint32_t)cycle };
}

static struct wire_next_use *add_watch(struct fixture *f, uint32_t context, uint32_t ticket)
{
	struct wire_next_use *u = build_record(&f->b, WIRE_NEXT_USE, sizeof *u);

	u->context = context;
	u->ticket = ticket;
	u->size = 100;
	u->weight = 1;
	return u;
}

/*
 * Two lines, whose objects live for eight collections; of the first each watch sees a use, of the
 * second none. Half of the watches are of fresh objects.
 */
static void add_program(struct fixture *f)
{
	static const struct wire_line lines[] = { { 0, 1 }, { 1, 2 } };

	build_method(&f->b, 1, "Lcom/acme/Main;", "run", "Main.java", lines, 2);
	for (uint32_t k = 1; k <= 2; k++) {
		const struct wire_frame frame = { .method = 1, .bci = (int32_t)k - 1 };
		build_class(&f->b, k, "Lcom/acme/Item;", NULL, 0);
		build_stack(&f->b, k, 0, &frame, 1);
		build_context(&f->b, k, k, k);
		build_alloc(&f->b, k, 0, 100, LIVES);
		for (uint32_t i = 0; i < LIVES; i++) {
			struct wire_life *l = build_record(&f->b, WIRE_LIFE, sizeof *l);
			l->context = k;
			l->ticket = i;
			l->size = 100;
			l->weight = 1;
			l->birth = moment(i + 1);
			l->alive = l->before = moment(i + 8);
			l->dead = moment(i + 9);
			struct wire_next_use *u = add_watch(f, k, i);
			bool fresh = i % 2;
			u->birth_ns = moment(i + 1).ns;
			u->start_ns = moment(i + (fresh ? 2 : 4)).ns;
			u->end_ns = k == 1 ? u->start_ns + 1000 : moment(i + 9).ns;
			u->outcome = k == 1 ? WIRE_NEXT_USED : WIRE_NEXT_DIED;
			u->flags = (uint16_t)(WIRE_NEXT_PATIENT | WIRE_NEXT_WHOLE |
					      (fresh ? WIRE_NEXT_FRESH : 0));
		}
	}
	struct wire_census *census = build_record(&f->b, WIRE_CENSUS, sizeof *census);
	census->now = census->collected = census->marked = moment(LIVES + 10);
	feed(f, 1);
}

static void test_lines(void **state)
{
	static const struct findings_options all = { .confidence = 0.95 };
	struct fixture *f = *state;
	struct lifetime l;

	add_program(f);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.nlines, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct lifetime_line *line = &l.lines[i];
		bool used = line->row.stack[0].frames[0].line == 1;
		const struct lifetime_uses *u = &line->uses;
		assert_int_equal(u->n, LIVES);
		assert_true(used ? u->drag.range.low <= 0 && u->drag.range.high < 0.2
				 : u->drag.range.low > 0.7 && u->drag.range.high >= 1);
		assert_true(used ? u->unused.range.high < 0.2 : u->unused.range.low > 0.8);
		/* 100 bytes of each of 40 objects, for 6 to 8 of 50 s */
		assert_float_equal(line->held.value, 100.0 * LIVES * 7 / (LIVES + 10), 1);
		assert_float_equal(line->held_share, 0.5, 0.01);
		assert_true(used || line->dragged.range.low > 0.5 * line->held.value);
		const char *advice = line->advice ? line->advice->rule.name : "";
		assert_true(used ? strcmp(advice, "unused") != 0 : strcmp(advice, "unused") == 0);
	}
	assert_int_equal(l.uses.n, 2 * LIVES);
	assert_float_equal(l.uses.drag.value, 0.5, 0.01);
	struct lifetime_line line =
		l.lines[0].row.stack[0].frames[0].line == 2 ? l.lines[0] : l.lines[1];
	line.uses.unused.range.low = 0.4;
	assert_string_equal(lifetime_advise(&line, "G1")->rule.name, "dragged");
	line.grows = true;
	assert_string_equal(lifetime_advise(&line, "G1")->rule.name, "leak-suspect");
	line = l.lines[0].row.stack[0].frames[0].line == 1 ? l.lines[0] : l.lines[1];
	assert_true(line.uses.in_use.range.low > 0.7 && line.uses.in_use.range.high >= 1);
	line.uses.in_use.range.low = 0.91;
	for (int i = 0; i < LIFETIME_SURVIVED; i++)
		line.survivors[i].range.low = 0;
	line.survivors[0].range.high = 1;
	assert_string_equal(lifetime_advise(&line, "G1")->rule.name, "in-use");
	lifetime_release(&l);
}

static void test_store(void **state)
{
	struct fixture *f = *state;

	add_watch(f, 1, 1)->weight = 0;
	assert_bad(f);
	add_watch(f, 1, 1)->weight = NAN;
	assert_bad(f);
	add_watch(f, 1, 1)->size = UINT64_MAX;
	assert_bad(f);
	add_watch(f, 1, 1)->start_ns = 1; /* after its end */
	assert_bad(f);
	add_watch(f, 1, 1)->outcome = WIRE_NEXT_DIED + 1;
	assert_bad(f);
	for (uint32_t i = 0; i < 2 * NEXT_USES_CAP; i++)
		add_watch(f, 1, i * 2654435761u);
	feed(f, 1);
	const struct life_store *store = life_store_of(f->m);
	const struct life_context *c = (const struct life_context *)store->contexts.entry[0];
	assert_in_range(c->nnext_uses, NEXT_USES_CAP / 3, NEXT_USES_CAP);
	assert_float_equal(c->nnext_uses * life_context_scale(c), 2 * NEXT_USES_CAP,
			   0.1 * NEXT_USES_CAP);
}

int unit_lifetime_uses(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drag),
		cmocka_unit_test(test_partly_seen),
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_held),
		TEST(test_lines),
		TEST(test_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
