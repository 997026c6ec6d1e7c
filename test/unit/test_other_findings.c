/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_other_findings.c - findings of other analyses (other_findings.h): what is one, its amount,
 * its key.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "base/xmalloc.h"
#include "fix/other_findings.h"
#include "render/render_other_findings.h"

/* ---- an analysis of pairs of accesses, of which each row has a share ---------------------- */

static const struct figure figures[] = {
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON, .value = finding_share,
	  .range = finding_share_range, .range_name = "share_ci" },
	{ .name = NULL },
};

static const struct finding_rule vain = { .name = "vain",
					  .problem = "It is in vain.",
					  .fix = "Leave it out.",
					  .figure = "share",
					  .before = "does ",
					  .after = " of all in vain",
					  .at = 1 };

/* Rows of minor parts are nobody's business. */
static const struct finding_rule *rule_of(const struct finding *f, const struct finding_row *row)
{
	(void)f;
	return row->minor ? NULL : &vain;
}

static const struct finding_table_kind pairs = { .one = "pair",
						 .many = "pairs",
						 .figures = figures,
						 .shown = 5,
						 .stack_title = { "done at", "and again at" },
						 .rule = rule_of };
static const struct finding_kind kind = {
	.name = "vain", .title = "vain accesses", .counted = "pairs", .tables = { &pairs }
};
static const struct analysis analysis = { .key = "test", .kinds = { &kind } };

/* ---- rows -------------------------------------------------------------------------------- */

static struct model_frame jdk = { .class_name = "java.util.HashMap",
				  .method = "get",
				  .file = "HashMap.java",
				  .line = 7,
				  .platform = true };
static struct model_frame load_12 = {
	.class_name = "com.acme.Shop", .method = "load", .file = "Shop.java", .line = 12
};
static struct model_frame load_14 = {
	.class_name = "com.acme.Shop", .method = "load", .file = "Shop.java", .line = 14
};
static struct model_frame store = {
	.class_name = "com.acme.Shop", .method = "store", .file = "Shop.java", .line = 30
};
static struct model_frame main_5 = {
	.class_name = "com.acme.Main", .method = "main", .file = "Main.java", .line = 5
};

struct made {
	struct model_frame *inner[3]; /* of the second access */
	double share;
	uint64_t count;
	bool minor, weak;
};

struct fixture {
	struct findings all;
	struct finding finding;
	struct model_frame frames[8][3];
	struct others others;
};

static void begin(struct fixture *f, const struct made *made, size_t n)
{
	struct finding_row *rows = xcalloc(n, sizeof *rows);

	memset(f, 0, sizeof *f);
	for (size_t i = 0; i < n; i++) {
		struct finding_row *row = &rows[i];
		row->pid = 7;
		row->share = made[i].share;
		row->range = (struct bounds_range){ made[i].share - 0.03, made[i].share + 0.04 };
		row->count = made[i].count;
		row->minor = made[i].minor;
		row->weak = made[i].weak;
		row->hash.low = i;
		row->stack[1].frames = f->frames[i];
		for (size_t k = 0; k < 3 && made[i].inner[k]; k++)
			f->frames[i][row->stack[1].n++] = *made[i].inner[k];
		row->stack[0] = (struct callstack){ .frames = &store, .n = 1 };
	}
	f->finding = (struct finding){
		.analysis = &analysis, .kind = &kind, .seen = true, .count = 100, .z = 1.96
	};
	finding_add_table(&f->finding, rows, n, sizeof *rows);
	f->all = (struct findings){ &f->finding, 1 };
	others_find(&f->others, &f->all);
}

static void end(struct fixture *f)
{
	others_release(&f->others);
	free(f->finding.table[0].rows);
}

static char *key_of(const struct other_finding *o)
{
	struct memtext text;

	other_put_key(memtext_begin(&text), o);
	return memtext_end(&text);
}

static const struct made usual[] = {
	{ { &jdk, &load_12, &main_5 }, 0.10, 10, false, false },
	{ { &load_14, &main_5 }, 0.20, 20, false, false },
	{ { &store, &main_5 }, 0.25, 25, false, false },
	{ { &store, &main_5 }, 0.05, 5, true, false },		     /* minor */
	{ { &jdk }, 0.15, 15, false, false },			     /* no place */
	{ { &main_5 }, 0.12, 12, false, true },			     /* weak */
	{ { &main_5 }, 0.04, ANALYSIS_MIN_PAIRS - 1, false, false }, /* few */
};
enum { USUAL = sizeof usual / sizeof usual[0] };

/* ---- tests ------------------------------------------------------------------------------- */

/* Rows of one method are one finding, whose amount and error are those of all. */
static void one_method(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, usual, USUAL);
	assert_int_equal(f.others.n, 3);
	const struct other_finding *load = &f.others.item[0], *few = &f.others.item[2];
	assert_int_equal(load->rank, 1);
	assert_int_equal(load->nrows, 2);
	assert_float_equal(load->amount.value, 0.30, 1e-9);
	assert_float_equal(load->amount.range.low, 0.30 - 0.03 * M_SQRT2, 1e-9);
	assert_float_equal(load->amount.range.high, 0.30 + 0.04 * M_SQRT2, 1e-9);
	assert_int_equal(load->count, 30);
	assert_false(load->possible);
	char *key = key_of(load);
	assert_string_equal(key, "vain com.acme.Shop.load");
	free(key);
	size_t n;
	int *lines = other_lines_of(load, &n);
	assert_int_equal(n, 2);
	assert_int_equal(lines[0], 12);
	assert_int_equal(lines[1], 14);
	free(lines);
	assert_float_equal(f.others.item[1].amount.value, 0.25, 1e-9);
	/* a guess is only possible, and comes last */
	assert_true(few->possible && few->few);
	end(&f);
}

static void sums(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, usual, USUAL);
	assert_int_equal(others_section_end(&f.others, 0), 3);
	struct others_sum sum = others_sum_of(&f.others, 0);
	assert_int_equal(sum.n, 3);
	assert_float_equal(sum.likely.value, 0.55, 1e-9);
	assert_float_equal(sum.likely.range.low, 0.55 - 0.03 * sqrt(3), 1e-9);
	assert_float_equal(sum.possible.value, 0.04, 1e-9);
	assert_true(others_tell(&f.others, &f.finding, &pairs));
	end(&f);
}

static void callers(void **state)
{
	struct fixture f;
	struct callers callers;
	size_t n;

	(void)state;
	begin(&f, usual, USUAL);
	other_callers(&callers, &f.others.item[0], NULL, 1, 1.96);
	const struct caller *c = callers_direct(&callers, &n);
	assert_int_equal(n, 1);
	assert_string_equal(c->frame.class_name, "com.acme.Main");
	assert_float_equal(c->share, 1, 1e-9);
	assert_int_equal(c->samples, 30);
	callers_release(&callers);
	end(&f);
}

static void words(void **state)
{
	const struct style plain = { .utf8 = true };
	struct fixture f;
	struct memtext text;

	(void)state;
	begin(&f, usual, USUAL);
	others_put(memtext_begin(&text), &plain, &f.others, &f.finding, NULL, 1.96, 1);
	memtext_end(&text);
	assert_string_equal(
		text.text,
		"3 findings: 55.0 % of all in vain (49.8 % to 61.9 %), likely; 4.0 % more is "
		"possible.\n"
		"1.  Shop.load:12, 14 does 30.0 % of all in vain (25.8 % to 35.7 %), likely.\n"
		"    Problem:  It is in vain.\n"
		"    Fix:      Leave it out.\n"
		"    Seen:     30 of 100 pairs, first done at Shop.store:30\n"
		"2 more findings; --limit 0 shows all\n");
	free(text.text);
	end(&f);
}

static bool is_load(const struct other_finding *o, void *arg)
{
	(void)arg;
	return o->line && strcmp(o->line->method, "load") == 0;
}

/* Those that are accepted are in no sum, and the others have new ranks. */
static void accepted(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, usual, USUAL);
	others_take_out(&f.others, is_load, NULL);
	assert_int_equal(f.others.n, 2);
	assert_int_equal(f.others.naccepted, 1);
	assert_int_equal(f.others.item[0].rank, 1);
	assert_float_equal(others_sum_of(&f.others, 0).likely.value, 0.25, 1e-9);
	assert_int_equal(others_accepted_of(&f.others, &f.finding), 1);
	end(&f);
}

int unit_other_findings(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(one_method), cmocka_unit_test(sums),
					    cmocka_unit_test(callers), cmocka_unit_test(words),
					    cmocka_unit_test(accepted) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
