/* SPDX-License-Identifier: Apache-2.0 */
/* test_annotate.c - the lines of files that a recording knows, and what it knows of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "render/annotate/render_annotate.h"
#include "source/annotate.h"

/* Methods; the line of each is ten times its id. */
enum { GROW = 1, LOAD, MAIN, FORMAT, NATIVE, PARSE };

/* Stacks. */
enum { BY_JDK = 1, DIRECT, ONLY_JDK, USED_IN_JDK, NO_LINE, PARSED };

struct fixture {
	struct builder b;
	struct model *m;
	struct findings findings;
	struct annotate a;
	struct filter filter;
};

static void add_method(struct builder *b, uint64_t id, const char *class_name, const char *name,
		       const char *file)
{
	struct wire_line line = { .bci = 0, .line = (uint16_t)(10 * id) };

	build_method(b, id, class_name, name, file, &line, file ? 1 : 0);
}

static void add_definitions(struct builder *b)
{
	const struct wire_frame by_jdk[] = { { .method = GROW },
					     { .method = FORMAT },
					     { .method = LOAD } };
	const struct wire_frame direct[] = { { .method = LOAD }, { .method = MAIN } };
	const struct wire_frame none[] = { { .method = NATIVE, .bci = -3 } };

	add_method(b, GROW, "Ljava/util/ArrayList;", "grow", "ArrayList.java");
	add_method(b, LOAD, "Lcom/acme/Shop$Item;", "load", "Shop.java");
	add_method(b, MAIN, "Lcom/acme/Shop;", "main", "Shop.java");
	add_method(b, FORMAT, "Ljava/lang/String;", "format", "String.java");
	add_method(b, NATIVE, "Lcom/acme/Native;", "make", NULL);
	build_stack(b, BY_JDK, 0, by_jdk, 3);
	build_stack(b, DIRECT, 0, direct, 2);
	build_stack(b, ONLY_JDK, 0, by_jdk, 1);
	build_stack(b, USED_IN_JDK, 0, by_jdk + 1, 2);
	build_stack(b, NO_LINE, 0, none, 1);
	build_class(b, 1, "[B", NULL, 0);
	build_class(b, 2, "Lcom/acme/Item;", &(struct build_field){ "x", NULL, 'I', 12 }, 1);
}

static void add_context(struct builder *b, uint32_t id, uint32_t class_id, uint32_t stack,
			double objects)
{
	build_context(b, id, class_id, stack);
	build_count(b, id, 0, 16, 10, objects);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	f->m = model_new(analyses);
	assert_non_null(f->m);
	build_jvm(&f->b, 4711, 0, "", "", "");
	add_definitions(&f->b);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	annotate_release(&f->a);
	findings_release(&f->findings);
	builder_release(&f->b);
	model_free(f->m);
	free(f);
	return 0;
}

static void make(struct fixture *f)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;

	assert_int_equal(builder_feed(&f->b, f->m, 1), 0);
	const struct findings_options how = { .confidence = options.confidence,
					      .min_pairs = options.min_pairs };
	findings_release(&f->findings);
	findings_compute(&f->findings, f->m, &how);
	annotate_release(&f->a);
	annotate_make(&f->a, f->m, &f->findings, &f->filter, &options, NULL);
}

static const struct annotate_line *line_of(const struct fixture *f, const char *file, int number)
{
	for (size_t i = 0; i < f->a.nfiles; i++)
		for (size_t k = 0;
		     strcmp(f->a.files[i].name, file) == 0 && k < f->a.files[i].nlines; k++)
			if (f->a.files[i].lines[k].number == number)
				return &f->a.files[i].lines[k];
	return NULL;
}

/* What the JDK allocates counts at its own line and at that of its caller. */
static void two_lines(void **state)
{
	struct fixture *f = *state;

	add_context(&f->b, 1, 1, BY_JDK, 100);
	add_context(&f->b, 2, 1, DIRECT, 10);
	add_context(&f->b, 3, 1, ONLY_JDK, 1);
	make(f);
	const struct annotate_line *own = line_of(f, "Shop.java", 20);
	const struct annotate_line *jdk = line_of(f, "ArrayList.java", 10);
	assert_int_equal(f->a.nfiles, 2);
	assert_null(line_of(f, "String.java", 40)); /* in between */
	assert_null(line_of(f, "Shop.java", 30));   /* further out */
	assert_non_null(own);
	assert_non_null(jdk);
	assert_float_equal(own->objects, 110, 1e-9);
	assert_float_equal(jdk->objects, 101, 1e-9);
	assert_float_equal(jdk->bytes, 1616, 1e-9);
	assert_string_equal(own->method, "load");
	/* made in both ways, which are kept apart; most bytes first */
	assert_int_equal(own->nclasses, 2);
	assert_true(own->classes[0].called);
	assert_float_equal(own->classes[0].objects, 100, 1e-9);
	assert_false(own->classes[1].called);
	/* two stacks, one line, one class */
	assert_int_equal(jdk->nclasses, 1);
	assert_false(jdk->classes[0].called);
	/* each object counts once */
	assert_float_equal(f->a.objects, 111, 1e-9);
	assert_float_equal(f->a.placed, f->a.bytes, 1e-9);
}

static void no_line(void **state)
{
	struct fixture *f = *state;

	add_context(&f->b, 1, 1, NO_LINE, 3);
	add_context(&f->b, 2, 1, DIRECT, 1);
	make(f);
	assert_int_equal(f->a.nfiles, 1);
	assert_float_equal(f->a.placed / f->a.bytes, 0.25, 1e-9);
}

static void uses(void **state)
{
	struct fixture *f = *state;

	add_context(&f->b, 1, 2, BY_JDK, 100);
	add_context(&f->b, 2, 1, DIRECT, 100);
	for (uint32_t i = 0; i < 5; i++)
		build_use(&f->b, &(struct wire_use){ .context = 1 + i % 2,
						     .size = 1,
						     .access = USED_IN_JDK,
						     .weight = 1,
						     .ticket = i });
	make(f);
	assert_int_equal(line_of(f, "String.java", 40)->uses, 5);
	assert_int_equal(line_of(f, "Shop.java", 20)->uses, 5);
	assert_int_equal(line_of(f, "ArrayList.java", 10)->uses, 0);
	assert_int_equal(f->a.uses, 5);
	f->filter.class_glob = "com.acme.Item";
	make(f);
	assert_int_equal(line_of(f, "Shop.java", 20)->uses, 3);
	assert_float_equal(f->a.objects, 100, 1e-9);
}

static void similarity(void **state)
{
	struct fixture *f = *state;

	add_context(&f->b, 1, 2, DIRECT, 1000);
	add_context(&f->b, 2, 1, DIRECT, 10);
	for (uint32_t i = 0; i < 40; i++)
		build_snapshot(&f->b,
			       &(struct wire_snapshot){ .context = 1,
							.content = 7,
							.weight = 25,
							.ticket = (uint32_t)build_random(i) },
			       (uint32_t[]){ 7 }, 1);
	make(f);
	const struct annotate_line *line = line_of(f, "Shop.java", 20);
	const struct annotate_class *c = annotate_theta(line, REPLICA_MIN_PAIRS);
	assert_non_null(c);
	assert_string_equal(c->name, "com.acme.Item");
	assert_float_equal(c->theta, 1, 1e-9);
	assert_true(line->saved > 0);
	assert_null(annotate_theta(line, 1000));
	/* the class with most bytes represents the line, even if nothing is known of it */
	add_context(&f->b, 3, 1, DIRECT, 5000);
	make(f);
	assert_null(annotate_theta(line_of(f, "Shop.java", 20), REPLICA_MIN_PAIRS));
}

static void waste_at_both_lines(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 10; i++) {
		struct wire_waste *w = build_record(&f->b, WIRE_WASTE, sizeof *w);
		w->kind = WIRE_SILENT_LOAD;
		w->watched = DIRECT;
		w->trapped = USED_IN_JDK;
		w->bytes = 8;
		w->wasted = i < 4;
	}
	make(f);
	const struct annotate_line *line = line_of(f, "Shop.java", 20);
	assert_true(f->a.has[0]);
	assert_int_equal(line->nfound, 2);
	assert_int_equal(line->found[0].access + line->found[1].access, 1);
	for (int i = 0; i < 2; i++)
		assert_int_equal(line->found[i].called, line->found[i].access == 1);
	assert_float_equal(annotate_share(line, NULL), 0.4, 1e-9);
	assert_int_equal(line_of(f, "String.java", 40)->nfound, 1);
}

/* What render_annotate_files writes for Shop; allocated. */
static char *render(const struct fixture *f, bool assembly)
{
	static const char *const words[] = { "Shop" };
	const struct style style = { .utf8 = false };
	const struct recording recording = { .model = f->m };
	const struct annotate_report r = {
		.version = "0",
		.recording = &recording,
		.annotate = &f->a,
		.sources = sources_new(),
		.words = words,
		.nwords = 1,
		.limit = SIZE_MAX,
		.min_pairs = REPLICA_MIN_PAIRS,
		.assembly = assembly,
	};
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(render_annotate_files(out, &r, &style), 0);
	fclose(out);
	sources_free((struct sources *)r.sources);
	return text;
}

static void add_silent_loads(struct fixture *f, uint32_t trapped, int n)
{
	static const uint8_t code[] = { 0x8b, 0x40, 0x0c }; /* mov eax, [rax + 12] */

	for (int i = 0; i < n; i++) {
		struct wire_waste *w = build_record(&f->b, WIRE_WASTE, sizeof *w);
		w->kind = WIRE_SILENT_LOAD;
		w->watched = DIRECT;
		w->trapped = trapped;
		w->bytes = 8;
		w->wasted = 1;
		w->insn_len[0] = sizeof code;
		memcpy(w->insn[0], code, sizeof code);
	}
}

/* Two pairs of places with the same place at this end are one line. */
static void instructions(void **state)
{
	struct fixture *f = *state;

	add_silent_loads(f, ONLY_JDK, 6);
	add_silent_loads(f, NO_LINE, 4);
	make(f);
	char *text = render(f, true);
	assert_non_null(strstr(text, "    20 | Shop$Item.load\n"));
	assert_non_null(strstr(text,
			       "silent load, of a value that is loaded again: 100.0 %, 10 of 10 "
			       "pairs  mov eax, dword ptr [rax + 0xc]\n"));
	free(text);
	text = render(f, false);
	assert_non_null(strstr(text, "10 of 10 pairs\n"));
	assert_null(strstr(text, "mov"));
	free(text);
}

static void too_few_pairs(void **state)
{
	struct fixture *f = *state;

	add_silent_loads(f, ONLY_JDK, REPLICA_MIN_PAIRS - 1);
	make(f);
	assert_false(f->a.has[0]);
	assert_int_equal(f->a.nfiles, 0);
}

static void the_hottest(void **state)
{
	struct fixture *f = *state;
	size_t n;

	add_context(&f->b, 1, 1, BY_JDK, 100);
	add_context(&f->b, 2, 1, ONLY_JDK, 50);
	make(f);
	struct annotate_spot *spots = annotate_spots(&f->a, ANNOTATE_BYTES, true, &n);
	assert_int_equal(n, 2);
	assert_string_equal(spots[0].file->name, "ArrayList.java");
	assert_true(spots[0].file->platform);
	free(spots);
	spots = annotate_spots(&f->a, ANNOTATE_BYTES, false, &n);
	assert_int_equal(n, 1);
	assert_string_equal(spots[0].file->name, "Shop.java");
	free(spots);
}

/* A program that comes with the JDK, such as javac: its own loader loads it, so it has lines. */
static void a_program_of_the_jdk(void **state)
{
	struct fixture *f = *state;
	const struct wire_frame frames[] = { { .method = GROW }, { .method = PARSE } };
	const struct wire_line line = { .line = 70 };
	size_t n;

	build_method(&f->b, PARSE, "Lcom/sun/tools/javac/Parser;", "parse", "Parser.java", &line, 1)
		->flags = WIRE_METHOD_LOADER;
	build_stack(&f->b, PARSED, 0, frames, 2);
	add_context(&f->b, 1, 1, PARSED, 100);
	make(f);
	struct annotate_spot *spots = annotate_spots(&f->a, ANNOTATE_BYTES, false, &n);
	assert_int_equal(n, 1);
	assert_string_equal(spots[0].file->name, "Parser.java");
	free(spots);
}

static void names(void **state)
{
	static const char *const good[] = { "Shop.java",     "com/acme/Shop.java", "Shop",
					    "com.acme.Shop", "Shop$Item",	   "com.acme.*",
					    "S*.java" };
	static const char *const bad[] = { "Item", "shop.java", "acme/Shop.java", "Shop.kt", "" };
	struct fixture *f = *state;
	int line;

	add_context(&f->b, 1, 1, DIRECT, 1);
	make(f);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(annotate_names(&f->a.files[0], good[i], &line));
		assert_int_equal(line, 0);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(annotate_names(&f->a.files[0], bad[i], &line));
	assert_true(annotate_names(&f->a.files[0], "Shop:12", &line));
	assert_int_equal(line, 12);
	assert_false(annotate_names(&f->a.files[0], "Shop:x", &line));
	assert_false(annotate_names(&f->a.files[0], "Shop:0", &line));
}

int unit_annotate(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(two_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(no_line, setup, teardown),
		cmocka_unit_test_setup_teardown(uses, setup, teardown),
		cmocka_unit_test_setup_teardown(similarity, setup, teardown),
		cmocka_unit_test_setup_teardown(waste_at_both_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(instructions, setup, teardown),
		cmocka_unit_test_setup_teardown(too_few_pairs, setup, teardown),
		cmocka_unit_test_setup_teardown(the_hottest, setup, teardown),
		cmocka_unit_test_setup_teardown(a_program_of_the_jdk, setup, teardown),
		cmocka_unit_test_setup_teardown(names, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
