/* SPDX-License-Identifier: Apache-2.0 */
/* test_advice_evidence.c - rules by evidence: values, uses, doubts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "advice_fixture.h"

/* Adds snapshots of `n` objects; `zeros` of them hold `few`, the others `many`. */
static void add_snapshots(struct advice_fixture *f, size_t n, size_t zeros, uint32_t array_length)
{
	objects_allocate(&f->objects, array_length, 48, n, (double)n);
	for (size_t i = 0; i < n; i++) {
		struct object o = { .weight = 1,
				    .array_length = array_length,
				    .values = { 5, 6, 7, 8, 9 } };
		if (i < zeros)
			memset(o.values, 0, sizeof o.values);
		objects_snapshot(&f->objects, &o);
	}
}

/* Names the first fields; `declarers` of NULL is the class itself. */
static void name_fields(struct advice_fixture *f, size_t n, const char *const names[],
			const char *const declarers[])
{
	for (size_t i = 0; i < n; i++) {
		f->objects.fields[i].name = names[i];
		f->objects.fields[i].declarer = declarers[i];
	}
}

static void add_object(struct advice_fixture *f, uint64_t first, uint64_t second)
{
	objects_snapshot(&f->objects,
			 &(struct object){ .weight = 1, .values = { first, second, 7, 8 } });
}

/* 40 collections; the agent tells of 34 of them whether they ever held anything. */
static const struct collection {
	uint16_t kind, flags;
	bool never;
} collections[] = {
	{ WIRE_FILL_HASH, WIRE_FILL_SIZE | WIRE_FILL_CHANGES | WIRE_FILL_NEVER, true },
	{ WIRE_FILL_LINKED, WIRE_FILL_NEVER | WIRE_FILL_DIED, true },
	{ WIRE_FILL_HASH, WIRE_FILL_SIZE | WIRE_FILL_CHANGES, false }, /* cleared */
	{ WIRE_FILL_LIST, WIRE_FILL_SIZE, false },		       /* changes are not counted */
	{ WIRE_FILL_ARRAY, WIRE_FILL_NEVER, false },
	{ 0, WIRE_FILL_NEVER, false },
};

static void empty_collections(void **state)
{
	const struct advice_made made = { "java.util.HashMap", VERDICT_PARTIAL, { OWN } };

	(void)state;
	for (size_t i = 0; i < sizeof collections / sizeof collections[0]; i++) {
		const struct collection *c = &collections[i];
		struct advice_fixture f;
		char found[32];
		advice_row(&f, &made);
		objects_allocate(&f.objects, 0, 48, 40, 40);
		for (int k = 0; k < 40; k++) {
			struct object o = { .weight = 1, .values = { 9, 9, 7, 8 } };
			o.fill.kind = c->kind;
			o.fill.flags = k < 34 ? c->flags : c->flags & ~WIRE_FILL_NEVER;
			objects_snapshot(&f.objects, &o);
		}
		char *text = advice_say(&f, found);
		if (c->never != (strcmp(found, "empty-collection") == 0))
			fail_msg("%zu: %s", i, found);
		if (c->never && strncmp(text, "85.0 % of these ", 16) != 0)
			fail_msg("%zu: %s", i, text);
		free(text);
		objects_release(&f.objects);
	}
}

/* Whether exceptions have stack traces is in a field of theirs. */
static void traces(void **state)
{
	const struct advice_made made = { "com.acme.StopException", VERDICT_REPLICA, { OWN } };
	static const char *const rules[] = { "same", "exception-some", "exception" };
	struct advice_fixture f;

	(void)state;
	for (int third = 0; third < 3; third++) {
		advice_row(&f, &made);
		name_fields(&f, 1, (const char *const[]){ "depth" },
			    (const char *const[]){ "java.lang.Throwable" });
		objects_allocate(&f.objects, 0, 48, 40, 40);
		for (int k = 0; k < 40; k++)
			add_object(&f, k < 20 * third ? 12 : 0, 1);
		assert_found(&f, rules[third], third == 2 ? "each with a stack trace" : "");
	}
}

/* A class that only has the name of an exception. */
static void no_exception(void **state)
{
	const struct advice_made made = { "com.acme.SyntaxError", VERDICT_REPLICA, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &made);
	name_fields(&f, 1, (const char *const[]){ "line" },
		    (const char *const[]){ "com.acme.SyntaxError" });
	assert_found(&f, "same", "");
}

/* Why nothing is promised about objects that are alike. */
static void doubts(void **state)
{
	const struct advice_made made = { "java.lang.Object", VERDICT_ALIKE, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &made);
	f.row.replica.own.decision.doubt = DOUBT_IDENTITY;
	assert_found(&f, "lock", "may be locks");
	advice_row(&f, &made);
	f.row.replica.own.decision.doubt = DOUBT_CHANGES;
	assert_found(&f, "unlike-in-use", "were not when they were used");
	advice_row(&f, &made);
	f.row.replica.own.decision.doubt = DOUBT_CHANGES;
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "changing-some", "and some do not. | Share one until somebody changes it");
}

/*
 * Objects that are alike only by uses must not be shared yet: the advice says what is missing. If
 * the allocation is the cost, that does not matter.
 */
static void unproven(void **state)
{
	const struct advice_made points = { "com.acme.Point", VERDICT_REPLICA, { OWN } };
	const struct advice_made boxes = { "java.lang.Long",
					   VERDICT_FEW_VALUES,
					   { "java.lang.Long.valueOf", OWN } };
	const struct advice_made copies = { "byte[]",
					    VERDICT_REPLICA,
					    { "java.lang.String.getBytes", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &points);
	f.row.replica.own.saved_bytes = f.row.replica.deep.saved_bytes = NAN;
	f.row.uses = 40;
	assert_found(&f, "alike-in-use", "none was looked at later. | Share one if nobody writes");
	advice_row(&f, &boxes);
	f.row.replica.own.saved_bytes = NAN;
	f.row.replica.own.scanned = REPLICA_MIN_PAIRS - 1;
	assert_found(&f, "unproven", "as too few were looked at at the end of life. | Record");
	advice_row(&f, &points);
	f.row.replica.own.saved_bytes = 0;
	f.row.replica.own.scanned = 100;
	assert_found(&f, "unproven", "as too few were seen both in use and at the end of life");
	advice_row(&f, &points);
	f.row.replica.own.saved_bytes = 0;
	f.row.replica.deep.saved_bytes = 1;
	assert_found(&f, "same", "");
	advice_row(&f, &copies);
	f.row.replica.own.saved_bytes = 0;
	assert_found(&f, "copy", "");
}

static void arrays(void **state)
{
	const struct advice_made array = { "int[]", VERDICT_REPLICA, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &array);
	objects_allocate(&f.objects, 0, 16, 40, 40);
	assert_found(&f, "empty-array", "length 0 are made at Shop.load:10");

	const struct advice_made result = { "java.lang.Object[]",
					    VERDICT_REPLICA,
					    { "java.util.Arrays.copyOf",
					      "java.util.ArrayList.toArray",
					      "java.util.ArrayList.addAll", OWN } };
	advice_row(&f, &result);
	objects_allocate(&f.objects, 0, 16, 40, 40);
	assert_found(&f, "empty-result",
		     "ArrayList.addAll at Shop.load:40 makes arrays of length 0");
	const struct advice_made copied = { "int[]",
					    VERDICT_REPLICA,
					    { "java.util.Arrays.copyOf", OWN } };
	advice_row(&f, &copied);
	objects_allocate(&f.objects, 0, 16, 40, 40);
	assert_found(&f, "empty-array", "length 0 are made at Shop.load:20");

	advice_row(&f, &array);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled", "93.8 % of the elements of these arrays that were looked at");

	const struct advice_made list = { "java.lang.Object[]",
					  VERDICT_REPLICA,
					  { "java.util.ArrayList.<init>", OWN } };
	advice_row(&f, &list);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled-collection",
		     "arrays of a collection, made at Shop.load:20, are empty");
	const struct advice_made table = { "java.lang.Object[]",
					   VERDICT_ALIKE,
					   { "java.util.IdentityHashMap.init",
					     "java.util.IdentityHashMap.<init>", OWN } };
	advice_row(&f, &table);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled-collection", "");
	const struct advice_made enlarged = { "java.lang.Object[]",
					      VERDICT_ALIKE,
					      { "java.util.IdentityHashMap.resize",
						"java.util.IdentityHashMap.put", OWN } };
	advice_row(&f, &enlarged);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "growth", "");
	const struct advice_made numbers = { "int[]",
					     VERDICT_REPLICA,
					     { "java.util.Random.ints", OWN } };
	advice_row(&f, &numbers);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled-result", "");

	advice_row(&f, &array);
	add_snapshots(&f, 40, 20, 8);
	assert_found(&f, "constant-array", "");
}

/* Nobody makes an array smaller that is the JDK's own; of Arrays.copyOf, the length is known. */
static void arrays_inside(void **state)
{
	const struct advice_made part = { "byte[]",
					  VERDICT_REPLICA,
					  { "java.nio.ByteBuffer.allocate",
					    "sun.nio.cs.StreamEncoder.<init>",
					    "java.io.OutputStreamWriter.<init>", OWN } };
	const struct advice_made result = { "byte[]",
					    VERDICT_REPLICA,
					    { "java.io.InputStream.readNBytes", OWN } };
	const struct advice_made copied = { "byte[]",
					    VERDICT_REPLICA,
					    { "java.util.Arrays.copyOf", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &part);
	add_snapshots(&f, 40, 36, 8);
	assert_found(
		&f, "unfilled-part",
		"the arrays that new OutputStreamWriter makes at Shop.load:40 are 0 or null in "
		"the end: never filled, or cleared. | Keep one OutputStreamWriter and use it");
	advice_row(&f, &result);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled-result", "InputStream.readNBytes makes at Shop.load:20 are 0");
	advice_row(&f, &copied);
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled", "| Make the array smaller or later");
	advice_row(&f, &part); /* no place is common to all */
	f.row.common = 3;
	add_snapshots(&f, 40, 36, 8);
	assert_found(&f, "unfilled-result", "that the JDK makes at several places are 0");
}

/* What holds nothing at its end may be replaced before it is used. */
static void nothing(void **state)
{
	const struct advice_made id = { "com.acme.Id", VERDICT_ALIKE, { OWN } };
	const struct advice_made zeros = { "int[]", VERDICT_ALIKE, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &id);
	add_snapshots(&f, 40, 40, 0);
	assert_found(&f, "alike-empty", "0 and null in the end; what they held before");
	advice_row(&f, &id);
	add_snapshots(&f, 40, 0, 0);
	assert_found(&f, "alike-at-end", "");
	advice_row(&f, &zeros);
	add_snapshots(&f, 40, 40, 8);
	assert_found(&f, "unfilled", "");
}

/* What they refer to is used again with another content: no map would find them. */
static void reused_target(void **state)
{
	const struct advice_made slice = { "com.acme.Slice", VERDICT_FEW_VALUES, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &slice);
	f.row.replica.refers = true;
	f.row.replica.deep.verdict = VERDICT_DISTINCT;
	assert_found(&f, "same-target", "Many of the Slice made at Shop.load:10 refer to the same");
	advice_row(&f, &slice);
	f.row.replica.refers = true;
	f.row.replica.deep.verdict = VERDICT_FEW_VALUES;
	assert_found(&f, "few-values", "");
	advice_row(&f, &slice); /* they refer to nothing */
	f.row.replica.deep.verdict = VERDICT_DISTINCT;
	assert_found(&f, "few-values", "");
}

static void fields(void **state)
{
	const struct advice_made point = { "com.acme.Point", VERDICT_PARTIAL, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &point);
	f.objects.fields[1].name = "id";
	f.objects.fields[1].declarer = "com.acme.Point";
	f.details.differing = (struct replica_differing){
		.pairs = 40, .positions = FIELDS, .compared = FIELDS, .slots = 2
	};
	assert_found(&f, "fields", "made at Shop.load:10 differ only in id (int).");

	advice_row(&f, &point); /* too few pairs for a claim */
	f.details.differing = (struct replica_differing){
		.pairs = REPLICA_MIN_PAIRS - 1, .positions = FIELDS, .compared = FIELDS, .slots = 2
	};
	assert_found(&f, "", "");

	const struct advice_made string = { "java.lang.String", VERDICT_PARTIAL, { OWN } };
	advice_row(&f, &string);
	f.details.differing = (struct replica_differing){
		.pairs = 40, .positions = FIELDS, .compared = FIELDS, .slots = 2
	};
	assert_found(&f, "", "");
}

/* Only uses tell in what the objects differed. */
static void fields_in_use(void **state)
{
	const struct advice_made point = { "com.acme.Point", VERDICT_PARTIAL, { OWN } };
	struct replica_field fields[] = { { 0, 40, 40, 1 }, { 1, 40, 2, 0.05 } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &point);
	f.objects.fields[1].name = "id";
	f.objects.fields[1].declarer = "com.acme.Point";
	f.row.uses = 80;
	f.row.replica.own.saved_bytes = NAN;
	f.details.fields = fields;
	f.details.nfields = 2;
	assert_found(&f, "fields-in-use", "when they were used, though not in id (int).");

	advice_row(&f, &point);
	f.row.uses = 80;
	assert_found(&f, "fields-in-use", "though not in some of them.");

	advice_row(&f, &point); /* snapshots tell in what the objects differ */
	f.row.uses = 80;
	f.row.replica.own.scanned = 1;
	assert_found(&f, "", "");

	const struct advice_made array = { "float[]", VERDICT_PARTIAL, { OWN } };
	advice_row(&f, &array); /* an element is no object that others could refer to */
	f.row.uses = 80;
	assert_found(&f, "", "");
}

/* There is no verdict, or none that promises anything, but something is saved. */
static void partly_proven(void **state)
{
	const struct advice_made point = { "com.acme.Point", VERDICT_UNKNOWN, { OWN } };
	const struct advice_made text = { "java.lang.String", VERDICT_UNKNOWN, { OWN } };
	const struct advice_made alike = { "com.acme.Point", VERDICT_ALIKE, { OWN } };
	const struct advice_made lambda = { "com.acme.Shop$$Lambda", VERDICT_UNKNOWN, { OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &point);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "equal-some", "Some of the Point made at Shop.load:10 are equal");
	advice_row(&f, &lambda);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "lambda-some", "Some of the lambdas at Shop.load:10 capture");
	advice_row(&f, &point);
	assert_found(&f, "", "");
	advice_row(&f, &text);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "text", "");
	advice_row(&f, &alike);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "alike-some", "some of them cannot change. | Share one if nobody");

	const struct advice_made link = { "com.acme.Link",
					  VERDICT_UNKNOWN,
					  { "com.acme.LinkIterator.<init>", OWN } };
	advice_row(&f, &link);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "part-some", "Each new LinkIterator makes its own Link (at ");

	const struct advice_made array = { "double[]", VERDICT_UNKNOWN, { OWN } };
	advice_row(&f, &array);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "some-arrays", "Some of the double[] made at Shop.load:10 have the same");

	const struct advice_made list = { "java.lang.Object[]",
					  VERDICT_UNKNOWN,
					  { "java.util.ArrayList.grow", "java.util.ArrayList.add",
					    OWN } };
	advice_row(&f, &list);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "growth-some", "What is filled at Shop.load:30 makes or enlarges");

	const struct advice_made node = { "java.util.HashMap$Node",
					  VERDICT_UNKNOWN,
					  { "java.util.HashMap.put", OWN } };
	advice_row(&f, &node);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "entry", "at Shop.load:20 more than once; how often is not known yet.");

	const struct advice_made entry = { "java.util.AbstractMap$SimpleImmutableEntry",
					   VERDICT_UNKNOWN,
					   { "java.util.TreeMap.floorEntry", OWN } };
	advice_row(&f, &entry);
	f.row.replica.own.saved_bytes = 1;
	assert_found(&f, "some-results", "that TreeMap.floorEntry makes at Shop.load:20 are equal");
}

static void make_calendars(struct advice_fixture *f, double alive_low)
{
	static const struct advice_made made = { "java.util.GregorianCalendar",
						 VERDICT_PARTIAL,
						 { OWN } };

	advice_row(f, &made);
	f->row.replica.bytes = 1000;
	f->row.replica.live_bytes = 300;
	f->row.replica.live_bytes_ci = (struct replica_interval){ alive_low, 900 };
}

/* One object that is alive by chance does not mean that calendars are kept. */
static void kept(void **state)
{
	struct advice_fixture f;
	char rule[32];

	(void)state;
	make_calendars(&f, 8);
	assert_found(&f, "text-format", "new GregorianCalendar at Shop.load:10");
	make_calendars(&f, 150);
	free(advice_say(&f, rule));
	assert_string_not_equal(rule, "text-format");
	objects_release(&f.objects);
}

int unit_advice_evidence(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_collections),
		cmocka_unit_test(traces),
		cmocka_unit_test(no_exception),
		cmocka_unit_test(doubts),
		cmocka_unit_test(unproven),
		cmocka_unit_test(arrays),
		cmocka_unit_test(arrays_inside),
		cmocka_unit_test(nothing),
		cmocka_unit_test(reused_target),
		cmocka_unit_test(fields),
		cmocka_unit_test(fields_in_use),
		cmocka_unit_test(partly_proven),
		cmocka_unit_test(kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
