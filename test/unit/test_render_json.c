/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_render_json.c - the JSON report against its specification (docs/json.md): every member
 * exists, has its type, and is null if not measured.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "report_fixture.h"
#include "wire/wire.h"

struct json_fixture {
	struct report_fixture report;
	cJSON *root;
};

static cJSON *parse(const struct report_fixture *f)
{
	char *text = report_fixture_json(f);

	assert_null(strstr(text, "nan"));
	cJSON *root = cJSON_Parse(text);
	assert_non_null(root);
	free(text);
	return root;
}

static int setup(void **state)
{
	struct json_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(&f->report);
	f->root = parse(&f->report);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct json_fixture *f = *state;

	cJSON_Delete(f->root);
	report_fixture_release(&f->report);
	free(f);
	return 0;
}

/* The member at a path such as "contexts.0.replica.theta". A missing path fails the test. */
static const cJSON *at(const cJSON *item, const char *path)
{
	char buffer[128];
	char *rest = buffer;

	strcpy(buffer, path);
	for (char *name; (name = strsep(&rest, "."));) {
		if (cJSON_IsArray(item))
			item = cJSON_GetArrayItem(item, atoi(name));
		else
			item = cJSON_GetObjectItemCaseSensitive(item, name);
		if (!item)
			fail_msg("no '%s' in '%s'", name, path);
	}
	return item;
}

static void assert_number(const cJSON *root, const char *path, double value)
{
	const cJSON *item = at(root, path);

	if (!cJSON_IsNumber(item))
		fail_msg("'%s' is no number", path);
	assert_float_equal(item->valuedouble, value, 0);
}

static void assert_text(const cJSON *root, const char *path, const char *text)
{
	const cJSON *item = at(root, path);

	if (!cJSON_IsString(item))
		fail_msg("'%s' is no string", path);
	assert_string_equal(item->valuestring, text);
}

static void assert_null_at(const cJSON *root, const char *path)
{
	if (!cJSON_IsNull(at(root, path)))
		fail_msg("'%s' is not null", path);
}

static void assert_length(const cJSON *root, const char *path, int n)
{
	const cJSON *item = at(root, path);

	assert_true(cJSON_IsArray(item));
	assert_int_equal(cJSON_GetArraySize(item), n);
}

static void test_recording(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;

	assert_text(root, "ojx.version", "1.2.3");
	assert_number(root, "ojx.schema", 2);
	assert_length(root, "recording.command", 4);
	assert_text(root, "recording.command.2", "it's here");
	assert_number(root, "recording.duration_s", 12.345);
	assert_number(root, "recording.cost_percent", 1);
	assert_number(root, "recording.whole_cost_percent",
		      wire_cost_whole(10000000, 601) / 1000000000 * 100);
	assert_length(root, "recording.jvms", 1);
	assert_number(root, "recording.jvms.0.pid", 4711);
	assert_text(root, "recording.jvms.0.version", "17.0.15+6");
	assert_text(root, "recording.jvms.0.gc", "G1");
	assert_null_at(root, "recording.jvms.0.collections");
	assert_number(root, "recording.jvms.0.pauses", 4);
	assert_number(root, "recording.jvms.0.pause_s", 0.31);
	assert_number(root, "recording.jvms.0.recorded_s", 10);
	assert_number(root, "recording.objects_sampled", 601);
	assert_number(root, "recording.objects_skipped", 7);
	assert_number(root, "recording.pairs", 365);
	assert_number(root, "recording.lost_events", 2);
	assert_length(root, "recording.engines", 2);
	assert_text(root, "recording.engines.0", "watch");
	assert_text(root, "recording.engines.1", "scan");
	assert_length(root, "contexts", FIXTURE_ROWS);
	assert_length(root, "waste", 0);
	assert_length(root, "locality", 0);
}

static void test_measured(void **state)
{
	const cJSON *c = at(((struct json_fixture *)*state)->root, "contexts.0");

	assert_text(c, "class", "com.acme.Point");
	assert_number(c, "pid", 4711);
	assert_number(c, "objects", 1e6);
	assert_number(c, "bytes", 3.2e7);
	assert_number(c, "sampled", 400);
	assert_number(c, "avoidable_bytes", 15 << 20);
	assert_text(c, "replica.source", "watch");
	assert_number(c, "replica.pairs", 312);
	assert_number(c, "replica.a", 306);
	assert_number(c, "replica.b", 1);
	assert_number(c, "replica.c", 5);
	assert_number(c, "replica.unused", 0.25);
	assert_number(c, "replica.theta", 307.0 / 312); /* to the last bit */
	assert_length(c, "replica.theta_ci", 2);
	assert_number(c, "replica.theta_ci.0", 0.963);
	assert_number(c, "replica.theta_ci.1", 0.9931);
	assert_number(c, "replica.alpha", 1.0 / 6);
	assert_number(c, "replica.omega", 307.0 / 312 - 1.0 / 6);
	assert_number(c, "replica.gamma", 0.9904);
	assert_number(c, "replica.identical", 306.0 / 312);
	assert_number(c, "replica.identical_ci.0", 0.9587);
	assert_number(c, "replica.scanned", 400);
	assert_number(c, "replica.largest_group", 0.979);
	assert_number(c, "replica.largest_group_ci.1", 0.9899);
	assert_number(c, "replica.distinct", 9.4);
	assert_number(c, "replica.saved_bytes", 3.04e7);
	assert_number(c, "replica.immutable", 1);
	assert_number(c, "replica.lasting", 0.5);
	assert_text(c, "replica.verdict", "replica");
}

static void test_deep(void **state)
{
	const cJSON *c = at(((struct json_fixture *)*state)->root, "contexts.0.replica");

	assert_number(c, "deep_scanned", 398);
	assert_number(c, "deep_cut", 0.031);
	assert_number(c, "largest_group_deep", 0.99);
	assert_number(c, "largest_group_deep_ci.0", 0.9312);
	assert_number(c, "largest_group_deep_ci.1", 0.9961);
	assert_number(c, "distinct_deep", 3);
	assert_number(c, "saved_bytes_ci.0", 3.04e7);
	assert_number(c, "saved_bytes_ci.1", 3.171e7);
	assert_number(c, "saved_objects", 9.5e5);
	assert_number(c, "saved_objects_ci.1", 9.91e5);
	assert_number(c, "saved_bytes_deep", 2.88e7);
	assert_number(c, "saved_bytes_deep_ci.1", 3.184e7);
	assert_number(c, "saved_objects_deep", 9.0e5);
	assert_number(c, "saved_objects_deep_ci.1", 9.95e5);
	assert_number(c, "saved_per_s", 3.04e7 / 12.345);
	assert_number(c, "saved_objects_per_s", 9.5e5 / 12.345);
	assert_null_at(c, "saved_live_bytes");
	assert_null_at(c, "live_sampled");
	assert_null_at(c, "live_objects_ci");
	assert_null_at(c, "dedup_bytes");
	assert_number(c, "identity", 0.12);
	assert_number(c, "identity_ci.1", 0.1556);
	assert_number(c, "immutable_ci.0", 0.97);
	assert_number(c, "constant", 0.5);
	assert_number(c, "constant_ci.0", 0.44);
	assert_null_at(c, "values");
	assert_text(c, "verdict_deep", "replica");
}

/* The deep bound is larger than the other; strings, with a text that JSON cannot hold unescaped. */
static void test_strings(void **state)
{
	struct json_fixture *f = *state;
	struct replica *x = &rows_at(&f->report.rows, 0)->replica;
	static const char bytes[] = "a\0\x1b\"\xff";
	struct model_value *v = malloc(sizeof *v + sizeof bytes);
	struct replica_value value = { v, 0.25 };

	assert_non_null(v);
	*v = (struct model_value){ .chars = 700, .len = sizeof bytes - 1 };
	memcpy(v->text, bytes, sizeof bytes);
	x->details->values = &value;
	x->details->nvalues = 1;
	x->deep.saved_bytes = 2 * x->own.saved_bytes;
	x->dedup_ci = (struct replica_interval){ 1000, 2000 };
	x->live_sampled = 9;
	x->live_objects = 90;
	x->live_bytes = 900;
	x->live_bytes_ci = (struct replica_interval){ 700, 1100 };
	x->own.saved_live_ci = (struct replica_interval){ 300, 1000 };
	x->deep.saved_live_ci = (struct replica_interval){ 400, 1000 };
	cJSON *root = parse(&f->report);
	const cJSON *c = at(root, "contexts.0.replica");
	assert_number(c, "saved_per_s", 6.08e7 / 12.345);
	assert_number(c, "saved_objects_per_s", 9.0e5 / 12.345);
	assert_number(c, "dedup_bytes", 1000);
	assert_number(c, "dedup_bytes_ci.1", 2000);
	assert_number(c, "live_sampled", 9);
	assert_number(c, "live_bytes", 900);
	assert_number(c, "live_bytes_ci.1", 1100);
	assert_number(c, "saved_live_bytes", 300);
	assert_number(c, "saved_live_bytes_ci.1", 1000);
	assert_number(c, "saved_live_bytes_deep", 400);
	assert_length(c, "values", 1);
	assert_text(c, "values.0.text", "a\xef\xbf\xbd\x1b\"\xef\xbf\xbd");
	assert_true(cJSON_IsTrue(at(c, "values.0.cut")));
	assert_number(c, "values.0.chars", 700);
	assert_number(c, "values.0.share", 0.25);
	cJSON_Delete(root);
	x->details->values = NULL;
	x->details->nvalues = 0;
	free(v);
}

static void test_not_measured(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;
	static const char *const senor[] = {
		"alpha",
		"largest_group",
		"largest_group_ci",
		"largest_group_deep",
		"distinct",
		"saved_bytes",
		"immutable",
		"largest_group_deep_ci",
		"distinct_deep",
		"saved_bytes_deep",
		"saved_bytes_ci",
		"saved_per_s",
		"deep_cut",
		"identity",
		"constant",
		"values",
		"verdict_deep",
		"saved_objects_per_s",
	};

	for (size_t i = 0; i < sizeof senor / sizeof senor[0]; i++)
		assert_null_at(at(root, "contexts.2.replica"), senor[i]);
	assert_number(root, "contexts.2.replica.scanned", 0);
	assert_text(root, "contexts.2.replica.verdict", "unknown");
	assert_null_at(root, "contexts.1.replica.unused");
	assert_text(root, "contexts.1.replica.source", "scan");
}

static void test_no_evidence(void **state)
{
	struct json_fixture *f = *state;
	struct replica *x = &rows_at(&f->report.rows, 2)->replica;

	x->source = REPLICA_NONE;
	x->theta = x->omega = x->gamma = x->identical = NAN;
	x->theta_ci.low = x->identical_ci.high = NAN;
	f->report.recording.cost = (struct cost){ NAN, NAN };
	cJSON *root = parse(&f->report);
	static const char *const names[] = { "source", "theta",	    "theta_ci",	   "omega",
					     "gamma",  "identical", "identical_ci" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_null_at(at(root, "contexts.2.replica"), names[i]);
	assert_null_at(root, "recording.cost_percent");
	assert_null_at(root, "recording.whole_cost_percent");
	cJSON_Delete(root);
}

static void test_stacks(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;
	const cJSON *stack = at(root, "contexts.0.alloc_stack");

	assert_int_equal(cJSON_GetArraySize(stack), 5);
	assert_text(stack, "0.class", "java.util.ArrayList");
	assert_text(stack, "0.method", "grow");
	assert_text(stack, "0.file", "ArrayList.java");
	assert_number(stack, "0.line", 10);
	assert_number(stack, "3.folded", 2);
	assert_int_equal(cJSON_GetArraySize(at(stack, "3")), 1);
	assert_text(stack, "4.method", "main");
	assert_null_at(root, "contexts.1.alloc_stack.0.file");
	assert_null_at(root, "contexts.1.alloc_stack.0.line");
	assert_true(cJSON_IsTrue(at(root, "contexts.1.alloc_stack_cut")));
	assert_true(cJSON_IsFalse(at(root, "contexts.0.alloc_stack_cut")));
	assert_string_equal(at(root, "contexts.1.alloc_stack_missing")->valuestring, "depth");
	assert_true(cJSON_IsNull(at(root, "contexts.0.alloc_stack_missing")));
}

static void test_fields(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;

	assert_length(root, "contexts.0.fields", 3);
	assert_text(root, "contexts.0.fields.0.name", "id");
	assert_text(root, "contexts.0.fields.0.type", "long");
	assert_text(root, "contexts.0.fields.0.class", "com.acme.Base");
	assert_number(root, "contexts.0.fields.0.offset", 16);
	assert_number(root, "contexts.0.fields.0.pairs", 312);
	assert_number(root, "contexts.0.fields.0.equal", 300);
	assert_text(root, "contexts.0.fields.2.type", "reference");
	assert_text(root, "contexts.1.fields.7.name", "[7]");
	assert_text(root, "contexts.1.fields.7.type", "byte");
	assert_number(root, "contexts.1.fields.7.offset", 7);
	assert_null_at(root, "contexts.1.fields.7.class");
	assert_length(root, "contexts.2.fields", 0);
	assert_text(root, "contexts.0.fields_source", "watch");
	assert_number(root, "contexts.0.fields.0.share", 300.0 / 312);
	assert_null_at(root, "contexts.0.fields.0.type_class");
	assert_text(root, "contexts.0.fields.2.type_class", "java.lang.String");
}

static void test_advice(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;

	assert_text(root, "contexts.0.advice.rule", "same-result");
	assert_text(root, "contexts.0.advice.problem",
		    "ArrayList.grow at Shop.load:20 makes the same Point again and again.");
	assert_text(root, "contexts.0.advice.fix",
		    "Call it less often, or keep the result where the arguments are the same.");
	assert_null_at(root, "contexts.1.advice");
}

static void test_apart(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;

	assert_null_at(root, "contexts.0.apart");
	assert_number(root, "contexts.1.apart.pairs", 50);
	assert_number(root, "contexts.1.apart.unequal", 40);
	assert_number(root, "contexts.1.apart.equal_share", 0.2);
	assert_number(root, "contexts.1.apart.without_share", 0.97);
	assert_number(root, "contexts.1.apart.differing", 0.25);
	assert_number(root, "contexts.1.apart.compared", 8);
	assert_length(root, "contexts.1.apart.fields", 2);
	assert_text(root, "contexts.1.apart.fields.0.name", "[3]");
	assert_text(root, "contexts.1.apart.fields.0.last", "[3]");
	assert_text(root, "contexts.1.apart.fields.1.name", "[5]");
	assert_text(root, "contexts.1.apart.fields.1.last", "[7]");
	assert_text(root, "contexts.1.apart.fields.1.type", "byte");
}

static void test_accesses(void **state)
{
	const cJSON *root = ((struct json_fixture *)*state)->root;

	assert_length(root, "contexts.0.accesses", 6);
	assert_text(root, "contexts.0.accesses.1.stack.0.method", "use1");
	assert_text(root, "contexts.0.accesses.1.kind", "load");
	assert_number(root, "contexts.0.accesses.1.pairs", 24);
	assert_number(root, "contexts.0.accesses.1.equal", 20);
	assert_number(root, "contexts.0.accesses.1.samples", 50);
	assert_length(root, "contexts.1.accesses", 0);
}

/*
 * A command line may contain any bytes; the document is valid UTF-8, and as much as possible is
 * kept.
 */
static void test_any_bytes(void **state)
{
	struct json_fixture *f = *state;
	struct model_class class = { .name = "a\xff\x01\"\\\xf0\x9f\x98\x80\xed\xa0\x80" };

	rows_at(&f->report.rows, 0)->class = &class;
	rows_at(&f->report.rows, 0)->replica.details->nfields = 0;
	cJSON *root = parse(&f->report);
	/* U+FFFD for an invalid byte, and for each of the three bytes of a lone surrogate */
	assert_text(root, "contexts.0.class",
		    "a\xef\xbf\xbd\x01\"\\\xf0\x9f\x98\x80\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	cJSON_Delete(root);
}

static void test_limit(void **state)
{
	struct json_fixture *f = *state;

	f->report.report.shown = 1;
	cJSON *root = parse(&f->report);
	assert_length(root, "contexts", 1);
	cJSON_Delete(root);
}

int unit_render_json(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_recording, setup, teardown),
		cmocka_unit_test_setup_teardown(test_measured, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_measured, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_evidence, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stacks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_advice, setup, teardown),
		cmocka_unit_test_setup_teardown(test_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(test_accesses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_any_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
