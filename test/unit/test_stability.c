/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_stability.c - merging saves only what is equal during its whole life: programs whose objects
 * end alike (finished iterators, builders, constants), and what is reported if nobody saw them in
 * use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/replica.h"
#include "analyse/replica/stability.h"
#include "base/rng.h"
#include "model/fields.h"
#include "objects.h"
#include "programs.h"

#define Z     1.959963984540054
#define EVERY 4 /* one of so many objects is seen in use */

enum { SNAPSHOTS = 800, SIZE = 24 };

static struct replica_options options = PROGRAM_OPTIONS;

/* Object i at its end, and when used. */
struct life {
	struct object end, used;
};

typedef struct life program_of_lives(size_t i);

/* A finished iterator: always the same, whatever it iterated over. */
static struct life iterator(size_t i)
{
	return (struct life){ .end = object_of(7), .used = object_of(1000 + i % 10) };
}

static struct life constant(size_t i)
{
	(void)i;
	return (struct life){ .end = object_of(7), .used = object_of(7) };
}

/*
 * Half of the iterators are never advanced and end as all begin; the others finish. By contents,
 * each use's content occurs at the end of life; by objects, half changed.
 */
static struct life half_advanced(size_t i)
{
	bool ran = i / EVERY % 2;

	return (struct life){ .end = object_of(ran ? 7 : 1), .used = object_of(1) };
}

/* Buffers that are empty at their first use; half of them are filled later. */
static struct life filled(size_t i)
{
	return (struct life){ .end = object_of(i / EVERY % 2 ? 1 : 1000 + i),
			      .used = object_of(1) };
}

/*
 * Half are distinct and do not change, half are alike at the end. The smaller of both shares is a
 * half, but nothing can be merged.
 */
static struct life apart_or_changed(size_t i)
{
	if (i / EVERY % 2)
		return (struct life){ .end = object_of(1000 + i), .used = object_of(1000 + i) };
	return (struct life){ .end = object_of(7), .used = object_of(1) };
}

/*
 * Iterators over lists, three in each epoch: contents cannot be compared; deep contents are alike
 * at the end.
 */
static struct life deep_iterator(size_t i)
{
	struct life l = { .end = object_of(i / 3), .used = object_of(1000000 + i / 3) };

	l.end.flags = l.used.flags = WIRE_REFS;
	l.end.flags |= WIRE_DEEP;
	l.end.epoch = l.used.epoch = (uint32_t)(i / 3);
	l.end.deep = 1;
	return l;
}

static struct life deep_constant(size_t i)
{
	struct life l = deep_iterator(i);

	l.used = l.end;
	return l;
}

static void plant_some(struct objects *o, size_t n, program_of_lives *lives, bool final, bool uses)
{
	objects_init(o, 2, final ? 1 : 2);
	if (!final)
		objects_may_change(o);
	for (size_t i = 0; i < n; i++) {
		struct life l = lives(i);
		l.end.weight = l.used.weight = 10;
		l.end.ticket = l.used.ticket = (uint32_t)i * 2654435761u;
		objects_snapshot(o, &l.end);
		objects_allocate(o, 0, SIZE, 1, 10);
		if (uses && i % EVERY == 0)
			objects_use(o, &l.used, 1, 0);
	}
}

static void plant(struct objects *o, program_of_lives *lives, bool final, bool uses)
{
	plant_some(o, SNAPSHOTS, lives, final, uses);
}

/* Of objects that cannot change, and so many that could, and end like them; no use was seen. */
static struct replica row_of_mixed(size_t changing)
{
	struct objects o[2];
	struct model_context *contexts[] = { &o[0].context, &o[1].context };
	struct replica row;

	plant_some(&o[0], SNAPSHOTS, constant, true, false);
	plant_some(&o[1], changing, iterator, false, false);
	replica_compute(&row, contexts, 2, &options);
	objects_release(&o[0]);
	objects_release(&o[1]);
	return row;
}

static struct replica row_of_program(program_of_lives *lives, bool final, bool uses)
{
	struct objects o;

	plant(&o, lives, final, uses);
	struct replica row = row_of(&o, &options);
	objects_release(&o);
	return row;
}

static double share(double saved, const struct replica *row)
{
	return saved / row->bytes;
}

/* ---- what is saved ------------------------------------------------------------------------- */

static void iterators_save_nothing(void **state)
{
	(void)state;
	struct replica r = row_of_program(iterator, false, true);
	assert_true(share(r.own.saved_bytes, &r) < 0.03 && share(r.saved_end_bytes, &r) < 0.05);
	assert_int_equal(r.used_alike, SNAPSHOTS / EVERY);
	assert_int_equal(r.used_same, 0);
	replica_release(&r);
}

/* Those alike at the end were alike when used; but many that were alike when used are not. */
static void buffers_are_no_replicas(void **state)
{
	(void)state;
	struct stability u;
	struct objects o;
	struct model_context *contexts[] = { &o.context };
	plant(&o, filled, false, true);
	stability_measure(&u, contexts, 1, false, Z);
	assert_true(u.share == 1 && fabs(u.used_share - 0.5) < 1e-9);
	assert_true(fabs(u.used_number - SNAPSHOTS / EVERY) < 1e-9);
	objects_release(&o);
	struct replica r = row_of_program(filled, false, true);
	assert_int_not_equal(r.own.verdict, VERDICT_REPLICA);
	replica_release(&r);
}

static void constants_are_saved(void **state)
{
	(void)state;
	struct replica r = row_of_program(constant, false, true);
	assert_true(share(r.own.saved_bytes, &r) > 0.95 && share(r.own.saved_bytes, &r) < 1);
	assert_int_equal(r.used_same, r.used_alike);
	replica_release(&r);
}

/* Nobody saw one in use: nothing is promised, unless they cannot change. */
/* What little of a row can change saves nothing, and does not hinder the rest. */
static void little_can_change(void **state)
{
	(void)state;
	struct replica r = row_of_mixed(8);
	assert_true(r.constant_class);
	assert_int_equal(r.own.verdict, VERDICT_REPLICA);
	assert_true(share(r.own.saved_bytes, &r) > 0.97 && share(r.own.saved_bytes, &r) < 0.99);
	replica_release(&r);
	r = row_of_mixed(SNAPSHOTS / 4); /* a fifth of all */
	assert_true(r.own.verdict == VERDICT_REPLICA && share(r.own.saved_bytes, &r) > 0.75 &&
		    share(r.own.saved_bytes, &r) < 0.8);
	replica_release(&r);
	r = row_of_mixed(SNAPSHOTS / 2); /* a third */
	assert_true(!r.constant_class && r.own.verdict == VERDICT_ALIKE && r.own.saved_bytes == 0);
	replica_release(&r);
}

/*
 * Of five objects with a snapshot, and many with a use, two of five are constants; one could change
 * and was empty at its first use, like these. When used, three of five were alike.
 */
static void empty_when_used(void **state)
{
	struct objects o[2];
	struct model_context *contexts[] = { &o[0].context, &o[1].context };
	struct replica row;

	(void)state;
	objects_init(&o[0], 2, 1);
	objects_init(&o[1], 2, 2);
	objects_may_change(&o[1]);
	for (uint32_t i = 0; i < 500; i++) {
		struct objects *to = &o[i % 5 == 0];
		struct object used = object_of(i % 5 < 3 ? 7 : 1000 + i);
		used.weight = 10;
		used.ticket = i;
		objects_allocate(to, 0, SIZE, 1, 10);
		objects_use(to, &used, 1, 0);
		if (i < 5)
			objects_snapshot(to, &used);
	}
	replica_compute(&row, contexts, 2, &options);
	assert_true(row.constant_class);
	assert_true(row.own.verdict != VERDICT_REPLICA && row.own.verdict != VERDICT_FEW_VALUES);
	replica_release(&row);
	objects_release(&o[0]);
	objects_release(&o[1]);
}

static void unused_saves_nothing(void **state)
{
	(void)state;
	struct replica r = row_of_program(iterator, false, false);
	assert_true(r.own.saved_bytes == 0 && r.own.verdict == VERDICT_ALIKE);
	assert_int_equal(r.own.decision.doubt, DOUBT_UNSEEN);
	assert_true(share(r.own.saved_bytes_ci.high, &r) > 0.99);
	assert_true(share(r.saved_end_bytes, &r) > 0.95);
	assert_int_equal(r.used_alike, 0);
	assert_false(r.constant_class);
	replica_release(&r);
	r = row_of_program(constant, true, false);
	assert_true(r.constant_class && share(r.own.saved_bytes, &r) > 0.98);
	assert_int_equal(r.own.verdict, VERDICT_REPLICA);
	replica_release(&r);
}

static void by_objects_not_contents(void **state)
{
	(void)state;
	struct replica r = row_of_program(half_advanced, false, true);
	assert_true(r.lasting == 1); /* by contents */
	assert_true(share(r.own.saved_bytes, &r) < 0.5 && share(r.own.saved_bytes, &r) > 0.38);
	assert_true(share(r.saved_end_bytes, &r) > 0.98);
	replica_release(&r);
}

/* Objects that are alike and objects that do not change need not be the same. */
static void alike_or_unchanged(void **state)
{
	(void)state;
	struct replica r = row_of_program(apart_or_changed, false, true);
	assert_true(share(r.own.saved_bytes, &r) < 0.02);
	assert_true(share(r.saved_end_bytes, &r) > 0.25);
	replica_release(&r);
}

/*
 * With few snapshots per epoch, neither coverage nor contents of uses tell anything, but tickets
 * do.
 */
static void deep_contents(void **state)
{
	(void)state;
	struct replica r = row_of_program(deep_iterator, false, true);
	assert_true(r.deep.largest > 0.99);
	assert_true(share(r.deep.saved_bytes, &r) < 0.03);
	assert_true(share(r.saved_end_bytes, &r) > 0.95);
	assert_true(r.used_alike > 100 && r.used_same == 0);
	replica_release(&r);
	r = row_of_program(deep_constant, false, true);
	assert_true(share(r.deep.saved_bytes, &r) > 0.95);
	replica_release(&r);
	r = row_of_program(deep_constant, false, false);
	assert_true(r.deep.saved_bytes == 0);
	assert_true(share(r.saved_end_bytes, &r) > 0.95);
	replica_release(&r);
}

/*
 * Wrappers of something that could change. Some uses followed references: what was found is the
 * same as at the end, or it is not.
 */
static void what_they_refer_to(void **state)
{
	static const struct {
		unsigned flags;
		bool differs;
		uint64_t seen, same;
	} rows[] = {
		{ WIRE_REFS, false, 0, 0 }, /* references were not followed */
		{ WIRE_REFS | WIRE_DEEP, false, SNAPSHOTS / EVERY, SNAPSHOTS / EVERY },
		{ WIRE_REFS | WIRE_DEEP, true, SNAPSHOTS / EVERY, 0 },
		{ WIRE_REFS | WIRE_DEEP | WIRE_DEEP_CUT, false, SNAPSHOTS / EVERY, 0 },
	};
	struct model_field fields[2] = { { .type = 'I' },
					 { .type = 'L', .class_name = "java.util.List" } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct objects o;
		plant(&o, deep_constant, false, true);
		fields[0].is_final = fields[1].is_final = i % 2;
		o.class.fields = fields;
		for (size_t k = 0; k < o.context.nuses; k++) {
			o.context.uses[k]->flags = (uint16_t)rows[i].flags;
			o.context.uses[k]->deep += rows[i].differs;
		}
		struct replica r = row_of(&o, &options);
		assert_int_equal(r.used_alike, rows[i].seen);
		assert_int_equal(r.used_same, rows[i].same);
		/* a list that is empty when used first and at the end was not so all the time */
		assert_true(r.deep.saved_bytes == 0);
		assert_int_equal(r.deep.verdict, VERDICT_ALIKE);
		assert_int_equal(r.deep.decision.doubt,
				 rows[i].seen > rows[i].same ? DOUBT_CHANGES : DOUBT_REFERRED);
		replica_release(&r);
		objects_release(&o);
	}
}

/* The same rules hold for the live heap. */
static void what_is_alive(void **state)
{
	static const struct model_view everything = { .leaves = 0 };
	static const double least[] = { 0, 0.8 }, most[] = { 0.03, 1 };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct objects o;
		plant(&o, k ? constant : iterator, false, true);
		o.context.view = &everything;
		o.context.alive = o.context.snapshots;
		o.context.nalive = o.context.nsnapshots;
		struct replica r = row_of(&o, &options);
		assert_true(r.own.saved_live_ci.low >= least[k] * r.live_bytes);
		assert_true(r.own.saved_live_ci.low <= most[k] * r.live_bytes);
		replica_release(&r);
		objects_release(&o);
	}
}

/* ---- shares -------------------------------------------------------------------------------- */

/* Only a use and a snapshot with the same ticket belong together, and only if they can. */
static void tickets(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	struct stability u;

	(void)state;
	plant(&o, constant, false, true);
	for (size_t i = 0; i < c->nuses; i += 2)
		c->uses[i]->ticket++;
	c->uses[1]->epoch = 9;
	c->uses[3]->flags |= WIRE_SAMPLED; /* it may have come after the snapshot */
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_int_equal(u.seen, SNAPSHOTS / EVERY / 2 - 2);
	assert_int_equal(u.same, u.seen);
	assert_true(u.objects.high == 1 && u.objects.low > 0.95);
	for (size_t i = 0; i < c->nsnapshots; i++)
		c->snapshots[i]->flags |= WIRE_CHANGED;
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_int_equal(u.same, 0);
	for (size_t i = 0; i < c->nsnapshots; i++)
		c->snapshots[i]->flags = WIRE_PARTIAL; /* alike up to a bound */
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_true(u.seen == 0 && isnan(u.objects.low) && isnan(u.bytes.high));
	objects_release(&o);
}

/*
 * A field that is loaded first shows every object before it changes, the other one after that. The
 * object changes nevertheless.
 */
static void first_loads(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	struct stability u;

	(void)state;
	plant(&o, constant, false, true);
	for (size_t i = 0; i < c->nuses; i++) {
		c->uses[i]->position = i % 4 == 0;
		c->uses[i]->content += i % 4 == 0;
	}
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_int_equal(u.seen, SNAPSHOTS / EVERY);
	assert_int_equal(u.same, SNAPSHOTS / EVERY / 4 * 3);
	assert_true(u.share == 0 && u.bytes.low == 0);
	/* half of the objects change, wherever one looks */
	for (size_t i = 0; i < c->nuses; i++)
		c->uses[i]->content = c->snapshots[0]->content + (i & 1);
	for (size_t i = 0; i < c->nuses; i++)
		c->uses[i]->position = i % 4 < 2;
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_true(fabs(u.share - 0.5) < 1e-9);
	/* elements of an array are one position */
	o.class.is_array = true;
	stability_measure(&u, &c, 1, STABILITY_OWN, Z);
	assert_true(fabs(u.share - 0.5) < 1e-9);
	objects_release(&o);
}

/* The bound holds as often as it claims: 70 % of the objects do not change. */
static void bound_holds(void **state)
{
	enum { RUNS = 400, OF = 60, MISSES = 20 };
	struct rng rng = { 5 };
	int missed = 0;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		struct objects o;
		struct model_context *c = &o.context;
		struct stability u;
		objects_init(&o, 1, 1);
		for (uint32_t i = 0; i < OF; i++) {
			struct object x = object_of(1);
			x.weight = 1 + rng_below(&rng, 5);
			x.ticket = i;
			objects_snapshot(&o, &x);
			x.values[0] = rng_unit(&rng) < 0.7 ? 1 : 2;
			objects_use(&o, &x, 1, 0);
		}
		stability_measure(&u, &c, 1, STABILITY_OWN, Z);
		missed += u.objects.low > 0.7;
		objects_release(&o);
	}
	assert_in_range(missed, 1, MISSES); /* 2.5 % are 10 */
}

static void classes(void **state)
{
	struct objects o;

	(void)state;
	objects_init(&o, 2, 1);
	assert_true(fields_are_final(&o.class));
	o.fields[1].is_final = false;
	assert_false(fields_are_final(&o.class));
	o.class.name = "java.lang.String"; /* only its cached hash code changes */
	assert_true(fields_are_final(&o.class));
	o.class.name = "int[]";
	o.class.nfields = 0;
	o.class.is_array = true;
	assert_false(fields_are_final(&o.class));
	o.class.is_array = false;
	o.class.name = "java.lang.Object"; /* it has no fields that could change */
	assert_true(fields_are_final(&o.class));
	o.class.name = "(unknown)";
	assert_false(fields_are_final(&o.class));
	assert_false(fields_are_final(NULL));
	objects_release(&o);
}

int unit_stability(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iterators_save_nothing),
		cmocka_unit_test(buffers_are_no_replicas),
		cmocka_unit_test(constants_are_saved),
		cmocka_unit_test(little_can_change),
		cmocka_unit_test(empty_when_used),
		cmocka_unit_test(unused_saves_nothing),
		cmocka_unit_test(by_objects_not_contents),
		cmocka_unit_test(alike_or_unchanged),
		cmocka_unit_test(deep_contents),
		cmocka_unit_test(what_they_refer_to),
		cmocka_unit_test(what_is_alive),
		cmocka_unit_test(tickets),
		cmocka_unit_test(first_loads),
		cmocka_unit_test(bound_holds),
		cmocka_unit_test(classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
