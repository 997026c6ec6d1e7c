/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_strings.c - what is known only of strings: frequent values, what deduplication could save,
 * and how a text of any bytes is shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/dedup.h"
#include "model/value_text.h"
#include "programs.h"

enum { ARRAY = 56 /* bytes of a value array */ };

static const struct replica_options defaults = PROGRAM_OPTIONS;

static void strings_init(struct objects *o)
{
	objects_init(o, 3, 1);
	o->class.name = "java.lang.String";
	o->fields[1].name = "value";
	o->fields[1].type = 'L';
}

/* A string with deep content `deep` and its characters in the array at `array`; five per epoch. */
static void add_string(struct objects *o, size_t i, uint64_t deep, uint64_t array)
{
	struct object object = { .values = { i, array, 0 },
				 .weight = 100,
				 .epoch = (uint32_t)(i / 5),
				 .flags = WIRE_REFS | WIRE_DEEP,
				 .deep = deep,
				 .deep_bytes = ARRAY };

	objects_snapshot(o, &object);
	objects_allocate(o, 0, 24, 1, object.weight);
}

/* ---- deduplication --------------------------------------------------------------------------- */

/* As the JVMs of JDK 11, 17, 21 and 25 say of each collector. */
static void test_collectors(void **state)
{
	static const struct {
		const char *gc, *version;
		enum deduplication with, without; /* the option */
	} jvms[] = {
		{ "G1", "11.0.13+8", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Shenandoah", "11.0.13+8", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Serial", "11.0.13+8", DEDUPLICATION_NONE, DEDUPLICATION_NONE },
		{ "CMS", "11.0.13+8", DEDUPLICATION_NONE, DEDUPLICATION_NONE },
		{ "G1", "17.0.15+6-Debian", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Parallel", "17.0.15+6", DEDUPLICATION_NONE, DEDUPLICATION_NONE },
		{ "Z", "17.0.15+6", DEDUPLICATION_NONE, DEDUPLICATION_NONE },
		{ "Parallel", "18+36", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Serial", "21.0.8+9-LTS", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Z", "25.0.3+9", DEDUPLICATION_ON, DEDUPLICATION_OFF },
		{ "Epsilon", "25.0.3+9", DEDUPLICATION_NONE, DEDUPLICATION_NONE },
		{ "unknown", "25.0.3+9", DEDUPLICATION_UNKNOWN, DEDUPLICATION_UNKNOWN },
		{ "G1", "", DEDUPLICATION_UNKNOWN, DEDUPLICATION_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof jvms / sizeof *jvms; i++) {
		struct file_jvm jvm = { .flags = WIRE_JVM_DEDUPLICATES };
		strcpy(jvm.gc, jvms[i].gc);
		strcpy(jvm.vm_version, jvms[i].version);
		assert_int_equal(deduplication_of(&jvm), jvms[i].with);
		jvm.flags = 0;
		assert_int_equal(deduplication_of(&jvm), jvms[i].without);
	}
}

/* Four of five strings are the same, and each has its own array. */
static void test_copies(void **state)
{
	struct objects o;
	struct rng rng = { 1 };

	(void)state;
	strings_init(&o);
	for (size_t i = 0; i < 2000; i++)
		add_string(&o, i, rng_below(&rng, 5) ? 0 : 1 + i, 5000 + i);
	struct replica r = row_of(&o, &defaults);
	double arrays = 2000 * 100 * ARRAY;
	assert_true(r.dedup_ci.low < 0.8 * arrays && r.dedup_ci.low > 0.75 * arrays);
	assert_true(r.dedup_ci.high >= 0.8 * arrays && r.dedup_ci.high <= arrays);
	assert_int_equal(r.deep.verdict, VERDICT_REPLICA);
	replica_release(&r);
	objects_release(&o);
}

/* new String(literal): equal, but there is one array. */
static void test_shared(void **state)
{
	struct objects o;

	(void)state;
	strings_init(&o);
	for (size_t i = 0; i < 2000; i++)
		add_string(&o, i, 0, 7);
	struct replica r = row_of(&o, &defaults);
	assert_true(r.dedup_ci.low < 1);
	assert_true(r.deep.saved_bytes > 0); /* the strings themselves are redundant */
	replica_release(&r);
	objects_release(&o);
}

static void test_distinct_strings(void **state)
{
	struct objects o;

	(void)state;
	strings_init(&o);
	for (size_t i = 0; i < 2000; i++)
		add_string(&o, i, i, 5000 + i);
	struct replica r = row_of(&o, &defaults);
	assert_true(r.dedup_ci.low == 0);
	replica_release(&r);
	objects_release(&o);
}

/* No two equal strings in one epoch: whether they share is not known. */
static void test_not_known(void **state)
{
	struct objects o;

	(void)state;
	strings_init(&o);
	for (size_t i = 0; i < 2000; i++)
		add_string(&o, i, i % 5, 5000 + i);
	struct replica r = row_of(&o, &defaults);
	assert_true(isnan(r.dedup_ci.low) && isnan(r.dedup_ci.high));
	assert_true(r.deep.distinct == 5);
	replica_release(&r);

	o.class.name = "com.acme.Name"; /* no string */
	r = row_of(&o, &defaults);
	assert_true(isnan(r.dedup_ci.low));
	replica_release(&r);
	/* an agent that does not report the size */
	for (size_t i = 0; i < o.context.nsnapshots; i++)
		o.context.snapshots[i]->deep_bytes = 0;
	o.class.name = "java.lang.String";
	r = row_of(&o, &defaults);
	assert_true(isnan(r.dedup_ci.low));
	replica_release(&r);
	objects_release(&o);
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct model_value *text(const char *bytes, uint32_t len, uint32_t chars)
{
	struct model_value *v = malloc(sizeof *v + len + 1);

	assert_non_null(v);
	*v = (struct model_value){ .len = len, .chars = chars };
	memcpy(v->text, bytes, len);
	v->text[len] = 0;
	return v;
}

/* Texts for the contents of some snapshots, sorted by deep content as in a model. */
static void add_text(struct objects *o, uint64_t deep, const char *what)
{
	struct model_context *c = &o->context;
	struct model_value *v = text(what, (uint32_t)strlen(what), (uint32_t)strlen(what));
	size_t at = c->nvalues++;

	v->deep = deep;
	c->values = realloc(c->values, c->nvalues * sizeof(struct model_value *));
	assert_non_null(c->values);
	for (; at > 0 && c->values[at - 1]->deep > deep; at--)
		c->values[at] = c->values[at - 1];
	c->values[at] = v;
}

static void release_texts(struct objects *o)
{
	for (size_t i = 0; i < o->context.nvalues; i++)
		free(o->context.values[i]);
	free(o->context.values);
}

static void test_rank(void **state)
{
	/* of 100 snapshots; the most frequent one has no text */
	static const size_t counts[] = { 40, 25, 15, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1 };
	enum { KINDS = sizeof counts / sizeof counts[0] };
	struct objects o;
	uint64_t deep[KINDS];
	char name[] = "a";

	(void)state;
	strings_init(&o);
	for (size_t k = 0, i = 0; k < KINDS; k++) {
		for (size_t end = i + counts[k]; i < end; i++)
			add_string(&o, i, k, 5000 + i);
		deep[k] = o.context.snapshots[o.context.nsnapshots - 1]->deep;
	}
	for (size_t k = 1; k < KINDS; k++) {
		name[0] = (char)('a' + k);
		add_text(&o, deep[k], name);
	}
	add_text(&o, 99, "of no look at hand");
	struct replica r = row_of(&o, &defaults);
	assert_int_equal(r.details->nvalues, VALUES_MOST);
	for (size_t i = 0; i < r.details->nvalues; i++)
		assert_true(fabs(r.details->values[i].share - (double)counts[i + 1] / 100) < 1e-9);
	assert_string_equal(r.details->values[0].value->text, "b");
	assert_string_equal(r.details->values[2].value->text, "d");
	replica_release(&r);
	release_texts(&o);
	objects_release(&o);
}

static void test_no_texts(void **state)
{
	struct objects o;

	(void)state;
	strings_init(&o);
	for (size_t i = 0; i < 100; i++)
		add_string(&o, i, 0, 5000 + i);
	struct replica r = row_of(&o, &defaults);
	assert_true(r.details->nvalues == 0 && r.details->values == NULL);
	replica_release(&r);
	objects_release(&o);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void assert_shown(const char *bytes, uint32_t len, uint32_t chars, bool utf8,
			 const char *expected)
{
	const struct style style = { .utf8 = utf8 };
	struct model_value *v = text(bytes, len, chars);
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);

	assert_non_null(out);
	value_put(out, &style, v);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(strlen(shown), size);
	assert_string_equal(shown, expected);
	free(shown);
	free(v);
}

static void test_put(void **state)
{
	(void)state;
	assert_shown("plain", 5, 5, true, "\"plain\"");
	assert_shown("", 0, 0, true, "\"\"");
	assert_shown("beginning", 9, 100, true, "\"beginning\"\xe2\x80\xa6");
	assert_shown("beginning", 9, 100, false, "\"beginning\"...");
	assert_shown("a\nb\tc\r\"\\", 8, 8, true, "\"a\\nb\\tc\\r\\\"\\\\\"");
	assert_shown("gr\xc3\xbc\xc3\x9f", 6, 4, true, "\"gr\xc3\xbc\xc3\x9f\"");
	assert_shown("gr\xc3\xbc\xc3\x9f", 6, 4, false, "\"gr??\"");
	/* a character beyond the BMP has two units */
	assert_shown("\xf0\x9f\x98\x80", 4, 2, true, "\"\xf0\x9f\x98\x80\"");
}

/* Nothing that could steer a terminal passes, and NUL does not end the text. */
static void test_put_hostile(void **state)
{
	(void)state;
	assert_shown("\x1b[2J", 4, 4, true, "\"\\u001b[2J\"");
	assert_shown("\x07\x7f", 2, 2, true, "\"\\u0007\\u007f\"");
	assert_shown("a\0b", 3, 3, true, "\"a\\u0000b\"");
	/* C1 controls, and a mark that changes the direction of writing */
	assert_shown("\xc2\x9b", 2, 1, true, "\"\xef\xbf\xbd\"");
	assert_shown("\xe2\x80\xae", 3, 1, true, "\"\xef\xbf\xbd\"");
	/* invalid UTF-8: a lone byte, a truncated character */
	assert_shown("\x9b"
		     "a\xff",
		     3, 3, true,
		     "\"\xef\xbf\xbd"
		     "a\xef\xbf\xbd\"");
	assert_shown("\xe2\x80", 2, 2, true, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

int unit_strings(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collectors),  cmocka_unit_test(test_copies),
		cmocka_unit_test(test_shared),	    cmocka_unit_test(test_distinct_strings),
		cmocka_unit_test(test_not_known),   cmocka_unit_test(test_rank),
		cmocka_unit_test(test_no_texts),    cmocka_unit_test(test_put),
		cmocka_unit_test(test_put_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
