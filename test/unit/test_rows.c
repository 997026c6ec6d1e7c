/* SPDX-License-Identifier: Apache-2.0 */
/* test_rows.c - which allocation contexts become one line of a report, and which are selected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "report/row_figures.h"
#include "report/rows.h"

enum { A = 1, B, C, MAIN };

/* A stack of frames by method; each method is on line ten times its id, and on later lines. */
static void add_stack(struct builder *b, uint32_t id, unsigned flags, uint64_t inner, int32_t bci,
		      uint64_t outer)
{
	const struct wire_frame frames[] = { { .method = inner, .bci = bci }, { .method = outer } };

	build_stack(b, id, flags, frames, 2);
}

static void add_method(struct builder *b, uint64_t id, const char *name)
{
	const struct wire_line lines[] = {
		{ .bci = 0, .line = (uint16_t)(10 * id) },
		{ .bci = 50, .line = (uint16_t)(10 * id + 1) },
	};

	build_method(b, id, id == A ? "Ljava/util/ArrayList;" : "Lcom/acme/Shop;", name,
		     "Shop.java", lines, 2);
}

static void add_definitions(struct builder *b)
{
	const struct build_field x[] = { { "x", NULL, 'I', 12 } };
	const struct build_field y[] = { { "y", NULL, 'I', 12 } };

	add_method(b, A, "grow");
	add_method(b, B, "load");
	add_method(b, C, "store");
	add_method(b, MAIN, "main");
	build_class(b, 1, "Lcom/acme/Point;", x, 1);
	build_class(b, 2, "Lcom/acme/Point;", x, 1); /* from another class loader */
	build_class(b, 3, "Lcom/acme/Point;", y, 1); /* another class of the same name */
	build_class(b, 4, "[B", NULL, 0);
	add_stack(b, 1, 0, B, 0, MAIN);
	add_stack(b, 2, 0, B, 7, MAIN);	 /* the same line */
	add_stack(b, 3, 0, B, 50, MAIN); /* the next line */
	add_stack(b, 4, 0, B, 0, C);	 /* another caller */
	add_stack(b, 5, WIRE_STACK_CUT, B, 0, MAIN);
	add_stack(b, 6, 0, A, 0, B);
	build_stack(b, 7, WIRE_STACK_CUT | WIRE_STACK_COUNTED, &(struct wire_frame){ .method = B },
		    1);
}

static void add_context(struct builder *b, uint32_t id, uint32_t class_id, uint32_t stack_id)
{
	build_context(b, id, class_id, stack_id);
	build_count(b, id, 0, 16, 1, 100.0 * id);
}

struct fixture {
	struct model *model;
	struct builder b;
	struct rows rows;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	f->model = model_new(analyses);
	assert_non_null(f->model);
	build_jvm(&f->b, 4711, 0, "", "", "");
	add_definitions(&f->b);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rows_release(&f->rows);
	builder_release(&f->b);
	model_free(f->model);
	free(f);
	return 0;
}

static struct rows_options options(enum rows_grouping grouping)
{
	return (struct rows_options){ .grouping = grouping, .replica = REPLICA_OPTIONS_INIT };
}

/* Checks the rows' contexts by id, "1+2 3 4+5". */
static void assert_rows(struct fixture *f, const struct rows_options *o, const char *want)
{
	char text[256] = "";

	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
	rows_release(&f->rows);
	rows_make(&f->rows, f->model, o);
	for (size_t i = 0; i < f->rows.table.n; i++)
		for (size_t k = 0; k < rows_at(&f->rows, i)->ncontexts; k++) {
			size_t used = strlen(text);
			snprintf(text + used, sizeof text - used, "%s%u",
				 k   ? "+"
				 : i ? " "
				     : "",
				 rows_at(&f->rows, i)->contexts[k]->id);
		}
	assert_string_equal(text, want);
}

/* One source line and one class are one context, whatever else the JVM distinguishes. */
static void test_by_context(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CONTEXT);

	add_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 1, 2); /* another bytecode index */
	add_context(&f->b, 3, 2, 1); /* another class loader */
	add_context(&f->b, 4, 1, 3);
	add_context(&f->b, 5, 1, 4);
	add_context(&f->b, 6, 1, 5); /* the part cut off is unknown */
	add_context(&f->b, 7, 3, 1); /* its contents would be compared field by field */
	add_context(&f->b, 8, 4, 1);
	assert_rows(f, &o, "1+2+3 4 5 6 7 8");
	assert_int_equal(rows_at(&f->rows, 0)->common, 2);
	assert_int_equal(rows_at(&f->rows, 0)->row.pid, 4711);
	assert_int_equal(rows_at(&f->rows, 0)->replica.sampled, 3);
	assert_float_equal(rows_at(&f->rows, 0)->replica.objects, 600, 1e-9);
	assert_float_equal(rows_at(&f->rows, 0)->stack_share, 0.5, 1e-9);
}

static void test_by_site(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_SITE);

	add_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 1, 3); /* another line */
	add_context(&f->b, 3, 1, 4); /* another caller */
	add_context(&f->b, 4, 4, 1); /* another class */
	add_context(&f->b, 5, 1, 5); /* cut, but outside the site */
	assert_rows(f, &o, "1+3+5 2 4");
	assert_int_equal(rows_at(&f->rows, 0)->common, 1);
	assert_string_equal(row_stack(rows_at(&f->rows, 0))->frames[0].method, "load");
	assert_int_equal(row_stack(rows_at(&f->rows, 0))->flags,
			 WIRE_STACK_CUT); /* of context 5, the largest */
}

/* What was only counted shows no callers, so another stack of the line is shown. */
static void test_unread(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_LINE);

	add_context(&f->b, 1, 1, 4);
	add_context(&f->b, 2, 1, 1);
	add_context(&f->b, 9, 1, 7);
	assert_rows(f, &o, "1+2+9");
	assert_int_equal(rows_at(&f->rows, 0)->stack_id, 1);
	assert_null(row_stack_missing(rows_at(&f->rows, 0)));
	o.grouping = ROWS_BY_CONTEXT;
	assert_rows(f, &o, "1 2 9");
	assert_string_equal(row_stack_missing(rows_at(&f->rows, 2)), "counted");
	assert_null(row_stack_missing(rows_at(&f->rows, 0)));
}

static void test_by_class(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CLASS);

	add_context(&f->b, 1, 4, 1);
	add_context(&f->b, 2, 1, 3);
	add_context(&f->b, 3, 4, 6);
	add_context(&f->b, 4, 2, 4);
	assert_rows(f, &o, "1+3 2+4");
	assert_int_equal(rows_at(&f->rows, 0)->common, 0);
	assert_string_equal(row_class(rows_at(&f->rows, 0)), "byte[]");
}

static void test_jvms_are_not_mixed(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CLASS);

	add_context(&f->b, 1, 1, 1);
	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
	build_jvm(&f->b, 4712, 0, "", "", "");
	add_definitions(&f->b);
	add_context(&f->b, 1, 1, 1);
	assert_int_equal(builder_feed(&f->b, f->model, 2), 0);
	assert_rows(f, &o, "1 1");
	assert_int_equal(rows_at(&f->rows, 0)->row.pid, 4711);
	assert_int_equal(rows_at(&f->rows, 1)->row.pid, 4712);
}

/* A context of which only the definition is known is not a result. */
static void test_unseen(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CONTEXT);

	build_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 4, 1);
	build_context(&f->b, 3, 4, 6);
	build_snapshot(&f->b, &(struct wire_snapshot){ .context = 3, .weight = 1 }, NULL, 0);
	assert_rows(f, &o, "2 3");
}

static void test_selection(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CONTEXT);

	add_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 4, 4);
	add_context(&f->b, 3, 1, 6);
	o.filter.class_glob = "com.acme.*";
	assert_rows(f, &o, "1 3");
	o.filter.class_glob = "byte[]"; /* matched literally, although it is a glob with brackets */
	assert_rows(f, &o, "2");
	o.filter.class_glob = "Point";
	assert_rows(f, &o, "");
	o.filter.class_glob = NULL;
	o.filter.method_glob = "com.acme.Shop.main"; /* not the innermost frame */
	assert_rows(f, &o, "1");
	o.filter.method_glob = "*.grow";
	assert_rows(f, &o, "3");
	o.filter.method_glob = "*Shop.*";
	assert_rows(f, &o, "1 2 3");
	o.filter.class_glob = "byte*";
	assert_rows(f, &o, "2");
}

/* What was seen of watches and contents. */
static void test_evidence(void **state)
{
	struct fixture *f = *state;
	struct rows_options o = options(ROWS_BY_CONTEXT);
	struct wire_use use = { .context = 1, .access = 1, .size = 4, .weight = 1 };

	add_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 1, 2);
	build_use(&f->b, &use);
	use.flags = WIRE_ELSEWHERE;
	use.context = 2;
	build_use(&f->b, &use);
	build_unused(&f->b, 1, WIRE_UNUSED_TIME);
	build_unused(&f->b, 2, WIRE_UNUSED_EPOCH);
	build_unused(&f->b, 2, WIRE_UNUSED_TIME);
	assert_rows(f, &o, "1+2");
	assert_int_equal(rows_at(&f->rows, 0)->watches, 5);
	assert_int_equal(rows_at(&f->rows, 0)->unused, 3);
	assert_int_equal(rows_at(&f->rows, 0)->uses, 2);
	assert_int_equal(rows_at(&f->rows, 0)->uses_remote, 1);
	assert_false(rows_at(&f->rows, 0)->references);

	build_snapshot(&f->b,
		       &(struct wire_snapshot){
			       .context = 2, .flags = WIRE_REFS | WIRE_PARTIAL, .weight = 1 },
		       NULL, 0);
	assert_rows(f, &o, "1+2");
	assert_true(rows_at(&f->rows, 0)->references);
	assert_true(rows_at(&f->rows, 0)->partial);
}

/* A row of the same contexts shares the results of a row made before; others have their own. */
static void test_shared(void **state)
{
	struct fixture *f = *state;
	static const double bytes[] = { 4800, 4800, 14400 };
	struct rows_options o = options(ROWS_BY_LINE);
	struct rows contexts;

	add_context(&f->b, 1, 1, 1);
	add_context(&f->b, 2, 1, 2); /* of the same context */
	add_context(&f->b, 3, 1, 3);
	add_context(&f->b, 4, 4, 1);
	add_context(&f->b, 5, 4, 4); /* another context, the same line */
	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
	o.grouping = ROWS_BY_CONTEXT;
	rows_make(&contexts, f->model, &o);
	assert_int_equal(contexts.table.n, 4);
	o.grouping = ROWS_BY_LINE;
	o.made = &contexts;
	assert_rows(f, &o, "1+2 3 4+5");
	for (size_t i = 0; i < f->rows.table.n; i++) {
		const struct row *row = rows_at(&f->rows, i);
		assert_int_equal(row->replica.details->owners, i < 2 ? 2 : 1);
		assert_int_equal(row->replica.sampled, row->ncontexts);
		assert_true(row->replica.bytes == bytes[i]);
	}
	rows_release(&f->rows);
	rows_release(&contexts);
}

int unit_rows(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_by_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_by_site, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_by_class, setup, teardown),
		cmocka_unit_test_setup_teardown(test_jvms_are_not_mixed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unseen, setup, teardown),
		cmocka_unit_test_setup_teardown(test_selection, setup, teardown),
		cmocka_unit_test_setup_teardown(test_evidence, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shared, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
