/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_change.c - how many objects stay the same after their first use, at most: which uses count,
 * and the verdict `changing`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/replica.h"
#include "analyse/replica/stability.h"
#include "objects.h"
#include "programs.h"
#include "report/total.h"

enum { OBJECTS = 80, SIZE = 24 };

/* Object i at its end, and when used. */
struct life {
	struct object end, used;
};

typedef struct life program_of_lives(size_t i);

/* A finished iterator: always the same, whatever it iterated over. */
static struct life iterator(size_t i)
{
	return (struct life){ .end = object_of(7), .used = object_of(1000 + i) };
}

/* A buffer, filled after its first use. */
static struct life buffer(size_t i)
{
	return (struct life){ .end = object_of(1000 + i), .used = object_of(7) };
}

/* The other half stays empty. */
static struct life half_filled(size_t i)
{
	return i % 2 ? buffer(i) : (struct life){ .end = object_of(7), .used = object_of(7) };
}

/* An object of its own address that refers to a list; all lists are alike at the end. */
static struct life deep_iterator(size_t i)
{
	struct life l = { .end = object_of(i), .used = object_of(1000000 + i) };

	l.end.flags = l.used.flags = WIRE_REFS;
	l.end.flags |= WIRE_DEEP;
	l.end.deep = 1;
	return l;
}

static void plant(struct objects *o, program_of_lives *lives, bool final)
{
	objects_init(o, 2, 1);
	if (!final)
		objects_may_change(o);
	for (uint32_t i = 0; i < OBJECTS; i++) {
		struct life l = lives(i);
		l.end.weight = l.used.weight = 10;
		l.end.ticket = l.used.ticket = i * 2654435761u;
		objects_snapshot(o, &l.end);
		objects_allocate(o, 0, SIZE, 1, 10);
		objects_use(o, &l.used, 1, i % 2);
	}
}

static size_t listed(struct objects *o, size_t *same)
{
	struct model_context *c = &o->context;
	size_t n;
	struct stability_use *list = stability_list(&c, 1, &n);

	assert_non_null(list);
	*same = 0;
	for (size_t i = 0; i < n; i++) {
		assert_true(list[i].bytes == 10 * SIZE);
		*same += list[i].same;
	}
	free(list);
	return n;
}

/* Every use counts, of objects that can be compared with others or not. */
static void all_objects(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	size_t same;

	(void)state;
	plant(&o, half_filled, false);
	assert_int_equal(listed(&o, &same), OBJECTS);
	assert_int_equal(same, OBJECTS / 2);
	for (size_t i = 0; i < c->nsnapshots; i++)
		c->snapshots[i]->flags |= i % 3 == 0 ? WIRE_PARTIAL : i % 3 == 1 ? WIRE_LOCKED : 0;
	assert_int_equal(listed(&o, &same), OBJECTS);
	assert_int_equal(same, OBJECTS / 2);
	c->snapshots[0]->flags |= WIRE_CHANGED; /* seen by two snapshots */
	assert_int_equal(listed(&o, &same), OBJECTS);
	assert_int_equal(same, OBJECTS / 2 - 1);
	c->uses[0]->flags |= WIRE_SAMPLED; /* it may have come after the snapshot */
	c->uses[1]->ticket++;
	c->uses[2]->epoch++;
	assert_int_equal(listed(&o, &same), OBJECTS - 3);
	objects_release(&o);
}

static struct replica row_of_lives(program_of_lives *lives, bool final)
{
	static const struct replica_options options = PROGRAM_OPTIONS;
	struct objects o;

	plant(&o, lives, final);
	struct replica row = row_of(&o, &options);
	objects_release(&o);
	return row;
}

/* The verdict, however objects end; not if the class excludes a change, and never a deep one. */
static void verdict(void **state)
{
	struct replica r = row_of_lives(iterator, false);
	bool deep;

	(void)state;
	assert_int_equal(r.own.verdict, VERDICT_CHANGING);
	replica_release(&r);
	r = row_of_lives(buffer, false);
	assert_int_equal(r.own.verdict, VERDICT_CHANGING);
	replica_release(&r);
	r = row_of_lives(deep_iterator, false);
	assert_int_equal(r.own.verdict, VERDICT_CHANGING);
	assert_int_equal(r.deep.verdict, VERDICT_ALIKE);
	assert_int_equal(replica_shown(&r, &deep), VERDICT_CHANGING);
	replica_release(&r);
	r = row_of_lives(half_filled, false);
	assert_int_not_equal(r.own.verdict, VERDICT_CHANGING);
	replica_release(&r);
	r = row_of_lives(iterator, true);
	assert_int_not_equal(r.own.verdict, VERDICT_CHANGING);
	replica_release(&r);
}

/* It counts as decided, and not as what is alike at the end. */
static void in_the_sum(void **state)
{
	struct row row = { .replica = row_of_lives(iterator, false) };
	struct rows rows = { .table = {
				     .rows = &row, .n = 1, .all = 1, .size = sizeof(struct row) } };
	struct total total;

	(void)state;
	row.replica.saved_end_bytes = 100;
	total_measure(&total, &rows);
	assert_true(total.decided == total.bytes && total.bytes == OBJECTS * 10 * SIZE);
	assert_true(total.end == 0);
	row.replica.own.verdict = row.replica.deep.verdict = VERDICT_ALIKE;
	total_measure(&total, &rows);
	assert_true(total.decided == 0 && fabs(total.end - 100) < 1e-9);
	replica_release(&row.replica);
}

/* Small arrays are alike whenever they are seen; `large` ones are all different, and not used. */
static enum replica_verdict verdict_of_small(size_t large)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;
	struct objects o;
	struct replica r;

	objects_init(&o, 0, 1);
	for (uint32_t i = 0; i < 12; i++) {
		struct object small = { .values = { 7 }, .array_length = 4, .weight = 30 };
		small.ticket = i;
		objects_allocate(&o, 4, 32, 1, 30);
		objects_snapshot(&o, &small);
		objects_use(&o, &small, 1, i % 4);
	}
	for (uint32_t i = 0; i < large; i++) {
		struct object distinct = { .values = { i }, .array_length = 236, .weight = 1 };
		distinct.ticket = 100 + i;
		objects_allocate(&o, 236, 960, 1, 1);
		objects_snapshot(&o, &distinct);
	}
	struct model_context *c = &o.context;
	replica_compute(&r, &c, 1, &options);
	enum replica_verdict verdict = r.own.verdict;
	replica_release(&r);
	objects_release(&o);
	return verdict;
}

/* Uses tell nothing of the sizes that they are not of. */
static void other_sizes(void **state)
{
	(void)state;
	assert_int_equal(verdict_of_small(0), VERDICT_REPLICA);
	assert_int_equal(verdict_of_small(1), VERDICT_REPLICA);
	assert_int_not_equal(verdict_of_small(16), VERDICT_REPLICA);
}

int unit_change(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_objects),
		cmocka_unit_test(verdict),
		cmocka_unit_test(in_the_sum),
		cmocka_unit_test(other_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
