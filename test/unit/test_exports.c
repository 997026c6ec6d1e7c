/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_exports.c - what exports write for a report: frames and their names, characters with a
 * meaning in a format, metrics that were not measured. test/t_export.sh tests that other programs
 * can read the files.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/export.h"
#include "render/metrics.h"
#include "render/renderers.h"
#include "report_fixture.h"

static int setup(void **state)
{
	struct report_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(f);
	f->report.metric = metric_find(&f->metrics, "bytes");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

/* The output of a format, allocated. */
static char *written(const struct report_fixture *f, const char *format)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(renderer_find(format)->data(out, &f->report), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void assert_written(const struct report_fixture *f, const char *format, const char *want)
{
	char *text = written(f, format);

	assert_string_equal(text, want);
	free(text);
}

static void assert_has(const struct report_fixture *f, const char *format, const char *part)
{
	char *text = written(f, format);

	if (!strstr(text, part))
		fail_msg("%s: no '%s' in:\n%s", format, part, text);
	free(text);
}

/* The first row's stack as a cell of CSV. */
static void assert_stack_cell(const struct report_fixture *f, const char *part)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	csv_put_stack(out, &rows_at(&f->rows, 0)->row.stack[0], rows_at(&f->rows, 0)->common);
	fclose(out);
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
	free(text);
}

/* Replaces the first row's class by one with that name. */
static void rename_class(struct report_fixture *f, const char *name)
{
	static struct model_class class;

	class.name = name;
	rows_at(&f->rows, 0)->class = &class;
}

/* ---- stacks ------------------------------------------------------------------------------ */

static void test_collapsed(void **state)
{
	assert_written(*state, "collapsed",
		       "com/acme/Shop.main:40;[recursion of 2 frames];com/acme/Shop.step:30;"
		       "com/acme/Shop.load:20;java/util/ArrayList.grow:10;com.acme.Point_[i] "
		       "32000000\n"
		       "[stack cut];java/util/ArrayList.grow:10;java/lang/Object.clone;byte[]_[i] "
		       "12800000\n"
		       "com/acme/Shop.load:20;com.acme.Señor_[i] 64000\n");
}

static void test_collapsed_unread(void **state)
{
	struct report_fixture *f = *state;

	rows_at(&f->rows, 1)->row.stack[0].flags |= WIRE_STACK_COUNTED;
	char *text = written(f, "collapsed");
	assert_non_null(strstr(text, "\n[callers not read];java/util/ArrayList.grow:10;"));
	free(text);
}

/* Only the first row was used; its six places are those of the fixture. */
static void test_collapsed_accesses(void **state)
{
	struct report_fixture *f = *state;
	char *text;
	size_t lines = 0;

	f->report.metric = metric_find(&f->metrics, "accesses");
	text = written(f, "collapsed");
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, rows_at(&f->rows, 0)->replica.details->naccesses);
	assert_memory_equal(text, "com/acme/Shop.main:40;com/acme/Shop.use0:", 41);
	assert_non_null(strstr(text, ";com.acme.Point_[i] 100\n"));
	free(text);
}

/* 0 and "not measured" are no stacks. */
static void test_collapsed_saved(void **state)
{
	struct report_fixture *f = *state;
	char *text;

	f->report.metric = metric_find(&f->metrics, "saved");
	text = written(f, "collapsed");
	assert_ptr_equal(strchr(text, '\n') + 1, text + strlen(text));
	assert_non_null(strstr(text, "com.acme.Point_[i] 30400000\n"));
	free(text);
}

/* Frames that the grouping does not compare are not part of the stack. */
static void test_grouped(void **state)
{
	struct report_fixture *f = *state;

	for (size_t i = 0; i < f->rows.table.n; i++)
		rows_at(&f->rows, i)->common = i == 0;
	assert_written(f, "collapsed",
		       "java/util/ArrayList.grow:10;com.acme.Point_[i] 32000000\n"
		       "byte[]_[i] 12800000\ncom.acme.Señor_[i] 64000\n");
}

static void test_unknown_stack(void **state)
{
	struct report_fixture *f = *state;

	f->report.shown = 1;
	rows_at(&f->rows, 0)->row.stack[0].n = 0;
	rows_at(&f->rows, 0)->common = 0;
	assert_written(f, "collapsed", "[unknown];com.acme.Point_[i] 32000000\n");
}

/* ---- names ------------------------------------------------------------------------------- */

static void test_hostile_names(void **state)
{
	struct report_fixture *f = *state;

	f->report.shown = 1;
	rename_class(f, "a;b \n9\x1b\xff<\"\\");
	rows_at(&f->rows, 0)->row.stack[0].n = rows_at(&f->rows, 0)->common = 1;
	rows_at(&f->rows, 0)->row.stack[0].frames[0].method = "x;\ny";
	rows_at(&f->rows, 0)->row.stack[0].frames[0].class_name = NULL;
	rows_at(&f->rows, 0)->row.stack[0].frames[0].file = "A\".java\r\n;b";
	assert_written(f, "collapsed",
		       "?.x|\xef\xbf\xbdy:10;a|b \xef\xbf\xbd"
		       "9\xef\xbf\xbd\xef\xbf\xbd<\"\\_[i] 32000000\n");
	assert_has(f, "csv",
		   "\n\"a;b \xef\xbf\xbd"
		   "9\xef\xbf\xbd\xef\xbf\xbd<\"\"\\\",4711,");
	assert_stack_cell(f, "\"?.x|\xef\xbf\xbdy(A\"\".java\xef\xbf\xbd\xef\xbf\xbd|b:10)\"");
	assert_has(f, "speedscope",
		   "{\"name\":\"a;b \xef\xbf\xbd"
		   "9\xef\xbf\xbd\xef\xbf\xbd\\u003c\\\"\\\\\"}");
	assert_has(f, "dhat", "0x1: a;b ");
}

static void test_formulas(void **state)
{
	struct report_fixture *f = *state;
	static const char *const names[] = { "=1+1", "+A", "-A", "@A" };
	char want[64];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		rename_class(f, names[i]);
		rows_at(&f->rows, 0)->row.stack[0].frames[0].class_name = names[i];
		snprintf(want, sizeof want, "\n\"'%s\",4711,", names[i]);
		assert_has(f, "csv", want);
		snprintf(want, sizeof want, "\"'%s.grow(ArrayList.java:10);", names[i]);
		assert_stack_cell(f, want);
	}
	rename_class(f, "A=1");
	assert_has(f, "csv", "\n\"A=1\",4711,");
}

static void test_csv(void **state)
{
	struct report_fixture *f = *state;

	f->report.shown = 2;
	assert_has(f, "csv", "class,pid,verdict,verdict_deep,source,bytes,objects,theta,");
	assert_has(
		f, "csv",
		"\r\n\"com.acme.Point\",4711,\"replica\",\"replica\",\"watch\",32000000,1000000,");
	assert_has(f, "csv", ",0.963,0.9931,");
	assert_has(f, "csv",
		   ",false,,\"java.util.ArrayList.grow(ArrayList.java:10);"
		   "com.acme.Shop.load(Shop.java:20);com.acme.Shop.step(Shop.java:30);"
		   "[recursion of 2 frames];com.acme.Shop.main(Shop.java:40)\"\r\n");
	assert_has(f, "csv",
		   ",true,\"depth\",\"java.lang.Object.clone(Unknown Source);"
		   "java.util.ArrayList.grow(ArrayList.java:10)\"\r\n");
	/* not measured: immutable_ci, lasting, constant, constant_ci */
	assert_has(f, "csv", ",,,,,true,");
	char *text = written(f, "csv");
	assert_null(strstr(text, "nan"));
	free(text);
}

/* ---- other formats ----------------------------------------------------------------------- */

static void test_dhat(void **state)
{
	struct report_fixture *f = *state;

	f->report.shown = 2;
	assert_has(f, "dhat", "{\"tb\":12800000,\"tbk\":300000,\"fs\":[7,8,2,9]}],\n\"ftbl\":");
	assert_has(f, "dhat",
		   "\"ftbl\":[\"[root]\",\n\"0x1: com.acme.Point (in class)\",\n"
		   "\"0x2: java.util.ArrayList.grow (ArrayList.java:10)\",\n");
	assert_has(f, "dhat", "\"0x8: java.lang.Object.clone (in java.lang.Object)\"");
	assert_has(f, "dhat", "\"0x5: [recursion of 2 frames] (in ojx)\"");
}

static void test_speedscope(void **state)
{
	struct report_fixture *f = *state;

	f->report.metric = metric_find(&f->metrics, "saved");
	assert_has(f, "speedscope", "\"activeProfileIndex\":2,");
	assert_has(f, "speedscope",
		   "{\"type\":\"sampled\",\"name\":\"saved\",\"unit\":\"bytes\",\"startValue\":0,"
		   "\"endValue\":30400000,\n\"samples\":[\n[0,1,2,3,4,5]],\n"
		   "\"weights\":[30400000]}");
	assert_has(f, "speedscope",
		   "{\"name\":\"com.acme.Shop.main\",\"file\":\"Shop.java\",\"line\":40}");
	f->report.shown = 0; /* a file without a profile is invalid */
	assert_has(f, "speedscope",
		   "\"name\":\"saved\",\"unit\":\"bytes\",\"startValue\":0,"
		   "\"endValue\":0,\n\"samples\":[],\n\"weights\":[]}],\n"
		   "\"activeProfileIndex\":0");
}

/* ---- metrics ----------------------------------------------------------------------------- */

static void test_metrics(void **state)
{
	struct report_fixture *f = *state;
	struct row *row = rows_at(&f->rows, 0);
	const struct export_sample made = { .source = EXPORT_ALLOCATIONS, .row = row };
	const struct export_sample used = { .source = EXPORT_ACCESSES,
					    .row = row,
					    .access = row->replica.details->accesses };
	const struct metric *saved = metric_find(&f->metrics, "saved");
	const struct metric *accesses = metric_find(&f->metrics, "accesses");

	row->replica.deep.saved_bytes = NAN;
	row->replica.own.saved_bytes = 1.5;
	assert_int_equal(metric_value(saved, &made), 2);
	assert_int_equal(metric_value(saved, &used), 0);
	assert_int_equal(metric_value(accesses, &used), 100);
	assert_int_equal(metric_value(accesses, &made), 0);
	row->replica.own.saved_bytes = NAN;
	assert_int_equal(metric_value(saved, &made), 0);
	row->replica.own.saved_bytes = 1e30;
	assert_int_equal(metric_value(saved, &made), INT64_C(1) << 53);
	assert_int_equal(metric_total(accesses, &f->report), 100 + 50 + 25 + 12 + 6 + 3);
	assert_null(metric_find(&f->metrics, "size"));
}

static void test_file_names(void **state)
{
	(void)state;
	assert_string_equal(renderer_of_file("a/x.json")->name, "json");
	assert_string_equal(renderer_of_file("x.speedscope.json")->name, "speedscope");
	assert_string_equal(renderer_of_file("x.dhat.json")->name, "dhat");
	assert_string_equal(renderer_of_file("x.pb.gz")->name, "pprof");
	assert_string_equal(renderer_of_file("x.HTM")->name, "html");
	assert_string_equal(renderer_of_file("x.folded")->name, "collapsed");
	assert_string_equal(renderer_of_file("app.jfr")->name, "jfr");
	assert_string_equal(renderer_of_file("json")->name, "text");
	assert_string_equal(renderer_of_file(".json")->name, "text");
	assert_string_equal(renderer_of_file("x.json.txt")->name, "text");
	assert_string_equal(renderer_of_file("out.d/report")->name, "text");
	assert_string_equal(renderer_of_file("report.2026-11-21")->name, "text");
	assert_string_equal(renderer_of_file("..")->name, "text");
	assert_null(renderer_of_file("x.foo"));
	assert_null(renderer_of_file("x.json.bz2"));
}

int unit_exports(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_collapsed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_collapsed_unread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_collapsed_accesses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_collapsed_saved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_grouped, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown_stack, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hostile_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_formulas, setup, teardown),
		cmocka_unit_test_setup_teardown(test_csv, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dhat, setup, teardown),
		cmocka_unit_test_setup_teardown(test_speedscope, setup, teardown),
		cmocka_unit_test_setup_teardown(test_metrics, setup, teardown),
		cmocka_unit_test(test_file_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
