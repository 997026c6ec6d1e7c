/* SPDX-License-Identifier: Apache-2.0 */
/* test_lifetime.c - lives of objects: kept, thinned, told by line; what grows, and the advice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "agent/heap/lifetimes_room.h"
#include "analyse/lifetime/life_store.h"
#include "analyse/lifetime/lifetime.h"
#include "analyse/lifetime/lifetime_lines.h"
#include "core/cost.h"
#include "model_fixture.h"

#define SECOND	  1000000000ull
#define SIZE	  100
#define ROUNDS	  30
#define PER_ROUND 20
#define Z95	  1.959964

static const struct findings_options all = { .confidence = 0.95 };

/* In round i: a collection each second, at its end; a megabyte a second. */
static struct wire_heap_time at(double seconds)
{
	return (struct wire_heap_time){ .ns = (uint64_t)(seconds * (double)SECOND),
					.bytes = (uint64_t)(seconds * 1e6),
					.collections = (uint32_t)seconds };
}

static struct wire_life *add(struct fixture *f, uint16_t type, uint32_t context)
{
	static uint32_t ticket;
	struct wire_life *l = build_record(&f->b, type, sizeof *l);

	ticket += 2654435761u;
	l->context = context;
	l->ticket = ticket;
	l->size = SIZE;
	l->weight = 1;
	return l;
}

/* An object made at `birth` that survives `rounds` of the collections at 1 s, 2 s, ... ROUNDS s. */
static void add_object(struct fixture *f, uint32_t context, double birth, int rounds)
{
	double last = floor(birth) + rounds, end = last + 1;
	bool dead = end <= ROUNDS;
	struct wire_life *l = add(f, dead ? WIRE_LIFE : WIRE_LIVING, context);

	last = fmin(last, ROUNDS);
	l->birth = l->before = l->alive = at(birth);
	if (last > birth)
		l->alive = at(last);
	if (last - 1 > birth)
		l->before = at(last - 1);
	if (dead)
		l->dead = at(end);
}

static struct wire_census *add_census(struct fixture *f, uint32_t objects, double now)
{
	struct wire_census *c = build_record(&f->b, WIRE_CENSUS, sizeof *c);

	c->objects = objects;
	c->now = at(now);
	c->collected = c->marked = at(floor(now));
	return c;
}

/* Lines 1 to 4: objects that survive 0, 2 and 6 collections, and those that stay for ever. */
static void add_program(struct fixture *f)
{
	static const int rounds[] = { 0, 2, 6, 1000 };
	static const struct wire_line lines[] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 } };
	uint32_t living = 0;

	build_method(&f->b, 1, "Lcom/acme/Main;", "run", "Main.java", lines, 4);
	for (uint32_t k = 0; k < 4; k++) {
		const struct wire_frame frame = { .method = 1, .bci = (int32_t)k };
		build_class(&f->b, k + 1, "Lcom/acme/Item;", NULL, 0);
		build_stack(&f->b, k + 1, 0, &frame, 1);
		build_context(&f->b, k + 1, k + 1, k + 1);
		build_alloc(&f->b, k + 1, 0, SIZE, ROUNDS * PER_ROUND);
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < PER_ROUND; i++)
			for (uint32_t k = 0; k < 4; k++) {
				double birth = round + (i + 0.5) / PER_ROUND;
				add_object(f, k + 1, birth, rounds[k]);
				living += round + rounds[k] + 1 > ROUNDS;
			}
	add_census(f, living, ROUNDS);
	struct file_jvm *jvm = build_record(&f->b, FILE_JVM, sizeof *jvm);
	strcpy(jvm->gc, "Serial");
	feed(f, 1);
}

static const struct lifetime_line *line(const struct lifetime *l, int number)
{
	for (size_t i = 0; i < l->nlines; i++)
		if (l->lines[i].row.stack[0].frames[0].line == number)
			return &l->lines[i];
	return NULL;
}

static void assert_survives(const struct lifetime_line *l, int which, double truth)
{
	const struct estimate *e = &l->survivors[which];

	assert_float_equal(e->value, truth, 0.01);
	assert_true(e->range.low <= truth && truth <= e->range.high);
	assert_true(e->range.high - e->range.low < 0.02);
}

static void test_lines(void **state)
{
	struct fixture *f = *state;
	struct lifetime l;

	add_program(f);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.nlines, 4);
	assert_int_equal(l.lives, 4 * ROUNDS * PER_ROUND);
	for (int i = 0; i < LIFETIME_SURVIVED; i++) {
		unsigned n = lifetime_survived[i];
		assert_survives(line(&l, 1), i, 0);
		assert_survives(line(&l, 2), i, n <= 2);
		assert_survives(line(&l, 3), i, n <= 6);
		assert_survives(line(&l, 4), i, 1);
	}
	const struct lifetime_line *two = line(&l, 2);
	assert_float_equal(two->median[LIFETIME_COLLECTIONS].value, 2, 0);
	/* they live for 2 s to 3 s and are found dead at most a second later */
	assert_in_range((int)(two->median[LIFETIME_SECONDS].range.low * 10), 14, 25);
	assert_in_range((int)(two->median[LIFETIME_SECONDS].range.high * 10), 25, 36);
	assert_float_equal(two->median[LIFETIME_BYTES].value,
			   two->median[LIFETIME_SECONDS].value * 1e6, 1);
	assert_true(isnan(line(&l, 4)->median[LIFETIME_SECONDS].value));
	assert_true(isinf(line(&l, 4)->median[LIFETIME_SECONDS].range.high));
	assert_float_equal(line(&l, 1)->followed, 1, 1e-9);
	lifetime_release(&l);
}

static void test_growth_and_advice(void **state)
{
	struct fixture *f = *state;
	struct lifetime l;

	add_program(f);
	lifetime_compute(&l, f->m, &all);
	const struct lifetime_line *leak = line(&l, 4);
	assert_ptr_equal(leak, l.lines); /* it comes first */
	assert_true(leak->grows);
	/* all weights are 1: no chance, only what is not known of the last second */
	assert_float_equal(leak->growth.value, 60.0 * PER_ROUND * SIZE, 60.0 * SIZE);
	assert_float_equal(leak->alive.value, ROUNDS * PER_ROUND, 1);
	for (int i = 1; i <= 3; i++)
		assert_false(line(&l, i)->grows);
	assert_string_equal(leak->advice->rule.name, "leak-suspect");
	assert_string_equal(line(&l, 1)->advice->rule.name, "dies-at-once");
	assert_string_equal(line(&l, 2)->advice->rule.name, "larger-young-generation");
	assert_string_equal(line(&l, 3)->advice->rule.name, "larger-young-generation");
	struct lifetime_line rare = *line(&l, 1);
	rare.steady = false; /* not made all the time */
	assert_null(lifetime_advise(&rare, "G1"));
	struct lifetime_line stays = *leak;
	stays.grows = false;
	assert_string_equal(lifetime_advise(&stays, "G1")->rule.name, "growing");
	stays.growth.range.low = -1;
	assert_string_equal(lifetime_advise(&stays, "G1")->rule.name, "promote-earlier");
	assert_null(lifetime_advise(&stays, "Z"));
	lifetime_release(&l);
}

enum { OTHERS = 39, THIRDS = 3 };

/* Objects that stay, made in each third of the time. */
static void add_growing(struct fixture *f, uint32_t context, const int made[THIRDS], double weight)
{
	for (int third = 0; third < THIRDS; third++)
		for (int i = 0; i < made[third]; i++) {
			struct wire_life *l = add(f, WIRE_LIVING, context);
			l->birth = at(ROUNDS / THIRDS * (third + (i + 0.5) / made[third]));
			l->before = at(ROUNDS - 1);
			l->alive = at(ROUNDS);
			l->weight = weight;
		}
}

/* The advice on a line of few samples, beside others that surely grow or surely do not. */
static const char *advice_beside(struct fixture *f, const int made[THIRDS], uint32_t others,
				 bool grow)
{
	static const int leak[THIRDS] = { 50, 50, 50 };
	struct lifetime l;
	uint32_t living = 0;

	build_class(&f->b, 1, "Lcom/acme/Item;", NULL, 0);
	for (uint32_t id = 1; id <= others + 1; id++) {
		const struct wire_frame frame = { .method = id };
		const struct wire_line its = { 0, (uint16_t)id };
		build_method(&f->b, id, "Lcom/acme/Main;", "run", "Main.java", &its, 1);
		build_stack(&f->b, id, 0, &frame, 1);
		build_context(&f->b, id, 1, id);
		build_alloc(&f->b, id, 0, SIZE, 1000);
		if (id > others)
			add_growing(f, id, made, 10);
		else if (grow)
			add_growing(f, id, leak, 1);
		for (int i = 0; id <= others && !grow && i < ROUNDS; i++)
			add_object(f, id, i + 0.5, 0);
	}
	for (int i = 0; i < THIRDS; i++)
		living += (uint32_t)made[i] + (grow ? others * 50 : 0);
	add_census(f, living, ROUNDS);
	struct file_jvm *jvm = build_record(&f->b, FILE_JVM, sizeof *jvm);
	strcpy(jvm->gc, "Z");
	feed(f, 1);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.nlines, others + 1);
	const struct lifetime_line *faint = line(&l, (int)others + 1);
	const char *name = faint->advice ? faint->advice->rule.name : ""; /* suspects come first */
	assert_true(!faint->grows || faint <= l.lines + (grow ? others : 0));
	lifetime_release(&l);
	return name;
}

/* The fewer samples a suspect has, the fewer lines there may be beside it. */
static void test_suspects(void **state)
{
	static const struct {
		int made[THIRDS];
		uint32_t others;
		bool grow;
		const char *advice;
	} cases[] = {
		{ { 7, 7, 7 }, 0, false, "leak-suspect" },
		{ { 7, 7, 7 }, OTHERS, false, "growing" },
		{ { 7, 7, 7 }, OTHERS, true, "leak-suspect" }, /* the others are no chance */
		{ { 20, 20, 20 }, OTHERS, false, "leak-suspect" },
		{ { 20, 40, 0 }, OTHERS, false, "growing" }, /* it has ended */
		{ { 20, 0, 40 }, 0, false, "growing" },
		{ { 20, 0, 0 }, 0, false, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(teardown(state), 0);
		assert_int_equal(setup(state), 0);
		assert_string_equal(
			advice_beside(*state, cases[i].made, cases[i].others, cases[i].grow),
			cases[i].advice);
	}
}

/* Without a look at the old generation nothing is known to grow. */
static void test_unknown_growth(void **state)
{
	struct lifetime_known known[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		known[i] = (struct lifetime_known){ .birth = at(i),
						    .before = at(i),
						    .alive = at(i),
						    .end = at(100),
						    .weight = 10,
						    .size = SIZE };
	struct estimate e = lifetime_change(known, 100, 30 * SECOND, 90 * SECOND, Z95);
	assert_true(e.range.low < 0 && e.range.high >= 60 * 10 * SIZE);
	for (int i = 0; i < 100; i++)
		known[i].alive = at(99);
	e = lifetime_change(known, 100, 30 * SECOND, 90 * SECOND, Z95);
	assert_float_equal(e.value, 60 * 10 * SIZE, 1);
	assert_true(e.range.low > 0 && e.range.low < e.value && e.value < e.range.high);
	e = lifetime_alive(known, 100, 90 * SECOND, Z95);
	assert_float_equal(e.value, 91 * 10, 1);
}

/* Curves are told where something is known, and lie within their bands. */
static void test_curves(void **state)
{
	struct fixture *f = *state;
	struct lifetime l;

	add_program(f);
	lifetime_compute(&l, f->m, &all);
	const struct lifetime_curves *c = line(&l, 2)->curves;
	assert_int_equal(c->nages, LIFETIME_AGES);
	assert_int_equal(c->ntimes, LIFETIME_TIMES);
	for (size_t i = 0; i < c->nages; i++) {
		const struct figure_point *p = &c->age[i];
		assert_true(p->low <= p->value && p->value <= p->high);
		/* each object lives until the third collection after its birth, or the census */
		assert_true(p->x < 1 ? p->high > 0.99 : p->x < 2.9 || p->low < 0.01);
		assert_true(i == 0 || (p->x > p[-1].x && p->value <= p[-1].value));
	}
	for (size_t i = 0; i < c->ntimes; i++) {
		const struct figure_point *p = &c->time[i];
		double second = floor((double)p->x), half = fmod((double)p->x, 1) * PER_ROUND;
		/* those of this round so far, and of the two before it */
		double truth = floor(half + 0.5) + PER_ROUND * fmin(second, 2);
		assert_true(p->low <= truth && truth <= p->high + 1);
		assert_true(p->low <= p->value && p->value <= p->high);
	}
	const struct lifetime_curves *stays = line(&l, 4)->curves;
	assert_true(stays->nages == LIFETIME_AGES && stays->age[0].value == 1);
	assert_true(stays->time[LIFETIME_TIMES / 2].value > c->time[LIFETIME_TIMES / 2].value);
	lifetime_release(&l);
}

/* Many times at once are the same as one after the other. */
static void test_alive_over_time(void **state)
{
	struct estimate over[LIFETIME_TIMES];
	struct lifetime_known known[200];
	uint64_t seed = 7, step = 3 * SECOND;

	(void)state;
	for (int i = 0; i < 200; i++) {
		double t[3];
		for (int k = 0; k < 3; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			t[k] = (double)(seed >> 40) / (1 << 24) * 40;
		}
		known[i] = (struct lifetime_known){ .birth = at(floor(t[0])),
						    .alive = at(floor(t[0] + t[1])),
						    .end = at(floor(t[0] + t[1] + t[2]) + 1),
						    .weight = 1 + t[2],
						    .size = SIZE,
						    .ended = i % 3 != 0 };
	}
	lifetime_alive_over(over, known, 200, step, Z95);
	for (int k = 0; k < LIFETIME_TIMES; k++) {
		struct estimate one = lifetime_alive(known, 200, (uint64_t)(k + 1) * step, Z95);
		assert_float_equal(over[k].value, one.value, 1e-9);
		assert_float_equal(over[k].range.low, one.range.low, 1e-9);
		assert_float_equal(over[k].range.high, one.range.high, 1e-9);
	}
}

/* What came after the last census does not count, and an incomplete census is none. */
static void test_census(void **state)
{
	struct fixture *f = *state;
	struct lifetime l;

	add_object(f, 1, 0.5, 0);
	feed(f, 1);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.lives, 0);
	add_object(f, 1, 0.5, 1000);
	add_census(f, 1, 2);
	add_object(f, 1, 0.6, 3); /* found dead at 4 s, so it is in the census */
	add_object(f, 1, 2.5, 0);
	feed(f, 1);
	lifetime_release(&l);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.lives, 2);
	assert_int_equal(l.ended, 1);
	lifetime_release(&l);
	add_object(f, 1, 2.5, 1000);
	add_census(f, 2, 8); /* one is missing */
	feed(f, 1);
	lifetime_compute(&l, f->m, &all);
	assert_int_equal(l.lives, 2);
	lifetime_release(&l);
}

/* A uniform sample of many lives is kept, and stands for all. */
static void test_thinned(void **state)
{
	struct fixture *f = *state;
	uint64_t seed = 1;

	for (uint32_t i = 0; i < 8 * LIVES_CAP; i++) {
		struct wire_life *l = add(f, WIRE_LIFE, 1);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		l->ticket = (uint32_t)(seed >> 32);
		l->birth = l->before = l->alive = at(0.5);
		l->dead = at(i % 4 == 0 ? 2 : 1);
	}
	feed(f, 1);
	const struct life_store *store = life_store_of(f->m);
	const struct life_context *c = (const struct life_context *)store->contexts.entry[0];
	double late = 0, sum = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		sum += life_context_scale(c);
		late += c->life[i].dead.ns == 2 * SECOND;
	}
	assert_in_range(c->n, LIVES_CAP / 3, LIVES_CAP);
	assert_float_equal(sum, 8 * LIVES_CAP, 0.15 * 8 * LIVES_CAP);
	assert_float_equal(late / c->n, 0.25, 0.06);
	/* the writer of a file that is to stay small keeps fewer */
	size_t before = model_evidence_bytes(f->m);
	struct file_thin *thin = build_record(&f->b, FILE_THIN, sizeof *thin);
	thin->halvings = 6;
	feed(f, 0);
	assert_in_range(c->n, LIVES_CAP / 64, LIVES_CAP / 2);
	assert_true(model_evidence_bytes(f->m) < before / 2);
	assert_int_equal(store->n, c->n);
}

static void test_bad_records(void **state)
{
	struct fixture *f = *state;

	add(f, WIRE_LIFE, 1)->weight = 0;
	assert_bad(f);
	add(f, WIRE_LIFE, 1)->weight = NAN;
	assert_bad(f);
	add(f, WIRE_LIVING, 1)->size = UINT64_MAX;
	assert_bad(f);
	add(f, WIRE_LIVING, 1)->alive.ns = UINT64_MAX;
	assert_bad(f);
	add_census(f, 0, 1)->now.bytes = UINT64_MAX;
	assert_bad(f);
	struct wire_life *l = add(f, WIRE_LIFE, 1); /* clocks that disagree are put in order */
	l->birth = at(3);
	l->alive = at(2);
	l->dead = at(1);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	const struct life_store *store = life_store_of(f->m);
	const struct life *kept = ((const struct life_context *)store->contexts.entry[0])->life;
	assert_true(kept->birth.ns <= kept->alive.ns && kept->alive.ns <= kept->dead.ns);
}

/* The share of the time that looking at objects takes, with so many pauses in a second. */
static double pause_share(uint32_t held, double pauses)
{
	return held * 100e-9 * pauses;
}

/* Fewer objects are held where there are many collections, and more again when there are not. */
static void test_room(void **state)
{
	const uint32_t most = 4096, wanted = 3000;
	const double limit = 0.005;
	uint32_t room = most;

	(void)state;
	for (int second = 0; second < 20; second++) {
		uint32_t held = room < wanted ? room : wanted;
		double share = pause_share(held, 100);
		assert_true(second == 0 || share <= limit * 1.001);
		assert_true(second == 0 || share >= limit / 2);
		room = lifetimes_room(room, held, most, share, limit);
	}
	assert_in_range(room, 490, 510);
	for (int second = 0; second < 20; second++)
		room = lifetimes_room(room, room, most, 0, limit);
	assert_int_equal(room, most);
	assert_int_equal(lifetimes_room(most, 100, most, limit * 1000, limit),
			 LIFETIMES_ROOM_LEAST);
	assert_int_equal(lifetimes_room(most, 10, most, limit * 0.7, limit), most);
}

/* A pause that lost the processor makes the next ones shorter, for a while. */
static void test_pause_room(void **state)
{
	double room = 1;

	(void)state;
	assert_false(pause_room_taken(700000, 1300000));
	assert_false(pause_room_taken(1000, 90000)); /* no time slice of another thread */
	assert_true(pause_room_taken(700000, 13800000));
	assert_true(pause_room_taken(0, 4000000));

	room = pause_room(room, 700000, 13800000);
	assert_true(room == 0.5);
	room = pause_room(room, 350000, 400000);
	assert_true(room > 0.5 && room < 0.6);
	for (int pause = 0; pause < 10; pause++)
		room = pause_room(room, 100000, 4000000);
	assert_true(room == PAUSE_ROOM_LEAST);
	for (int pause = 0; pause < 30; pause++)
		room = pause_room(room, 100000, 120000);
	assert_true(room == 1);
}

int unit_lifetime(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines),	TEST(test_growth_and_advice),
		TEST(test_suspects),	TEST(test_unknown_growth),
		TEST(test_curves),	TEST(test_alive_over_time),
		TEST(test_census),	TEST(test_thinned),
		TEST(test_bad_records), TEST(test_room),
		TEST(test_pause_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
