/* SPDX-License-Identifier: Apache-2.0 */
/* test_render.c - the text report: its lines, on which terminals, and what none must see. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "report_fixture.h"

static int setup(void **state)
{
	*state = malloc(sizeof(struct report_fixture));
	assert_non_null(*state);
	report_fixture_init(*state);
	return 0;
}

static int teardown(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

/* clang-format off */
static const char *const golden_text[] = {
	"42.8 MB allocated in 12.3 s by com.acme.Shop (JDK 17, G1): 4 pauses, 3.1 % of the time",
	"",
	"# 3 allocation contexts, sorted by saved: lower bound of the bytes that merging equal objects saves, by content or deep content",
	"# saved: what merging saves at least · likely: as estimated · share: of all bytes · – not measured",
	"",
	"#    saved   likely  avoidable    bytes  share %  objects  verdict   class           site",
	"─  ───────  ───────  ─────────  ───────  ───────  ───────  ────────  ──────────────  ────────────────────────────────",
	"1  29.0 MB  29.0 MB    15.0 MB  30.5 MB        –    1.0 M  replica   com.acme.Point  ArrayList.grow:10 ← Shop.load:20",
	"2      0 B      0 B        0 B  12.2 MB        –    300 k  distinct  byte[]          Object.clone",
	"3        –        –          –  62.5 kB        –    4.0 k  unknown   com.acme.Señor  Shop.load:20",
	"",
	"# command   java -cp 'it'\\''s here' com.acme.Shop",
	"# recorded  2023-11-14 22:13:20, 12.3 s, exit status 3",
	"# JVM       4711: OpenJDK 64-Bit Server VM 17.0.15+6, G1",
	"# engines   watch (content when used), scan (content at the end of life)",
	"# cost      1.00 % of 1.0 s of CPU time measured, about 1.8 % with what it does to caches; a GC pause grew by 0.31 ms at most",
	"# samples   601 objects, 510 scanned, 7 skipped, 365 pairs; 2 events lost",
	"# note      watches began late",
	"",
	"1. com.acme.Point at ArrayList.grow:10 ← Shop.load:20",
	"    problem    ArrayList.grow at Shop.load:20 makes the same Point again and again.",
	"    fix        Call it less often, or keep the result where the arguments are the same.",
	"    verdict    replica: one content dominates",
	"    allocated  30.5 MB in 1.0 M objects (32 B each, 400 sampled)",
	"    saves      at least 29.0 MB (95.0 %), at most 30.2 MB; 2.3 MB and 77.0 k objects a second",
	"    pairs      312: 306 with equal content, 1 with an equal value only, 5 different",
	"               θ 98.4 % [96–100]  α 16.7 %  ω 81.7 %  γ 99.0 %  identical 98.1 % [95–100]",
	"    scan       400 objects looked at; largest identical group 97.9 % [96–99]; about 9 different contents",
	"    deep       398 with what they refer to; largest identical group 99.0 % [93–100]; about 3 different contents; 3.1 % are too large to be followed as a whole: equal as far as followed",
	"    identity   12.0 % had their identity hash asked for or were locked: cannot simply be shared",
	"    unchanged  100.0 % between two collections; 50.0 % had, when used, a content that is also found at the end of life",
	"    source     watch (content when used); holds references: compared between two GCs only",
	"    uses       600 of 800 watches saw one",
	"",
	"    allocated at",
	"        java.util.ArrayList.grow (ArrayList.java:10)",
	"        com.acme.Shop.load (Shop.java:20) ←",
	"        com.acme.Shop.step (Shop.java:30)",
	"        … the 2 frames above repeat",
	"        com.acme.Shop.main (Shop.java:40)",
	"",
	"    fields, compared in pairs when used",
	"        Base.id  long    equal in 300 of 312 pairs (96.2 %)",
	"        x        int     always equal in 312 pairs",
	"        name     String  always equal in 312 pairs",
	"",
	"    used at",
	"     51.0 % of the uses; value equal in 40 of 48 pairs",
	"            com.acme.Shop.use0 (Shop.java:60)",
	"            com.acme.Shop.main (Shop.java:40)",
	"     25.5 % of the uses; value equal in 20 of 24 pairs",
	"            com.acme.Shop.use1 (Shop.java:70)",
	"            com.acme.Shop.main (Shop.java:40)",
	"     12.8 % of the uses; value equal in 10 of 12 pairs",
	"            com.acme.Shop.use2 (Shop.java:80)",
	"            com.acme.Shop.main (Shop.java:40)",
	"      6.1 % of the uses; value equal in 5 of 6 pairs",
	"            com.acme.Shop.use3 (Shop.java:90)",
	"            com.acme.Shop.main (Shop.java:40)",
	"      3.1 % of the uses; value equal in 2 of 3 pairs",
	"            com.acme.Shop.use4 (Shop.java:100)",
	"            com.acme.Shop.main (Shop.java:40)",
	"      1.5 % of the uses at 1 more place",
	"",
	"2. byte[] at Object.clone",
	"    verdict    distinct: a cache of 16 values saves at most 25 %",
	"    allocated  12.2 MB in 300 k objects (of 24 B to 80 B, 200 sampled)",
	"    pairs      50 of one size: 0 with equal content, 20 with an equal value only, 30 different",
	"               θ 40.0 % [27–54]  α 40.0 %  ω 0.0 %  γ <0.1 %  identical at most 8 %; of all pairs: other sizes are other contents",
	"    scan       100 objects looked at; largest identical group 1.0 % [0–5]",
	"    source     scan (content at the end of life); large: a part of the content was compared",
	"    uses       none of 12 watches saw one: not used here, or by another thread only",
	"",
	"    allocated at",
	"        java.lang.Object.clone",
	"        java.util.ArrayList.grow (ArrayList.java:10)",
	"        … cut here: deeper than 'ojx record --max-stack'",
	"",
	"    elements, compared in pairs at the end of life",
	"        without [3], [5]..[7], 97.0 % of the pairs would be equal (now 20.0 %)",
	"        [0]..[2]  always equal (3 compared, each in 50 pairs)",
	"        [3]  byte  equal in 20 of 50 pairs (40.0 %)",
	"        [4]..[7]  never equal (4 compared, each in 50 pairs)",
	"",
	"3. com.acme.Señor at Shop.load:20",
	"    verdict    unknown: too little evidence",
	"    allocated  62.5 kB in 4.0 k objects (16 B each, 1 sampled)",
	"    pairs      too few pairs (3 < 30) for any share: 3 with equal content, 0 with an equal value only, 0 different",
	"    source     watch (content when used)",
	"    uses       6 of 6 watches saw one; 50.0 % of those seen came from another thread",
	"",
	"    allocated at",
	"        com.acme.Shop.load (Shop.java:20)",
	NULL,
};

static const char *const golden_narrow[] = {
	"# saved: what merging saves at least · likely: as estimated",
	"# share: of all bytes · – not measured",
	"",
	"#    saved   likely  avoidable  share %  verdict   class   site",
	"─  ───────  ───────  ─────────  ───────  ────────  ──────  ─────────────────────",
	"1  29.0 MB  29.0 MB    15.0 MB        –  replica   Point   Ar…:10 ← Shop.load:20",
	"2      0 B      0 B        0 B        –  distinct  byte[]  Object.clone",
	"3        –        –          –        –  unknown   Señor   Shop.load:20",
	"",
	"# no room for 2 of the columns; the blocks below have all",
	NULL,
};

static const char *const golden_ascii[] = {
	"# saved: what merging saves at least | likely: as estimated | share: of all bytes",
	"# theta pairs equal in a random value | alpha the same of pairs unequal as a whole",
	"# omega <= largest identical group <= gamma | group: that group as scanned",
	"# deep: equal with what they refer to | [95 % interval] | - not measured",
	"",
	"#    saved   likely  avoidable    bytes  share %  objects  theta % [95 %]   alpha %  omega %  gamma %  group % [95 %]   deep % [95 %]    pairs  verdict   class           site",
	"-  -------  -------  ---------  -------  -------  -------  ---------------  -------  -------  -------  ---------------  ---------------  -----  --------  --------------  ---------------------------------",
	"1  29.0 MB  29.0 MB    15.0 MB  30.5 MB        -    1.0 M   98.4 [ 96-100]     16.7     81.7     99.0   97.9 [ 96- 99]   99.0 [ 93-100]    312  replica   com.acme.Point  ArrayList.grow:10 <- Shop.load:20",
	"2      0 B      0 B        0 B  12.2 MB        -    300 k   40.0 [ 27- 54]     40.0      0.0     <0.1    1.0 [  0-  5]      -               50  distinct  byte[]          Object.clone",
	"3        -        -          -  62.5 kB        -    4.0 k      -                  -        -        -      -                -                3  unknown   com.acme.Se?or  Shop.load:20",
	NULL,
};
/* clang-format on */

/* Checks that the text from line `first` on (from 0) begins with the golden one. */
static void assert_lines(char *text, const char *const *golden, size_t first)
{
	char *rest = text;

	for (size_t i = 0; i < first; i++) {
		rest = strchr(rest, '\n');
		assert_non_null(rest);
		rest++;
	}
	for (; *golden; golden++) {
		char *end = strchr(rest, '\n');
		assert_non_null(end);
		*end = '\0';
		assert_string_equal(rest, *golden);
		rest = end + 1;
	}
	if (first == 0)
		assert_string_equal(rest, "");
	free(text);
}

static void test_golden(void **state)
{
	const struct style style = { .utf8 = true };

	assert_lines(report_fixture_text(*state, &style), golden_text, 0);
}

static void test_narrow(void **state)
{
	const struct style style = { .utf8 = true, .width = 80 };

	assert_lines(report_fixture_text(*state, &style), golden_narrow, 4);
}

static void test_ascii(void **state)
{
	const struct style style = { .utf8 = false };
	struct report_fixture *f = *state;

	f->report.stats = true;
	char *text = report_fixture_text(f, &style);
	for (const char *p = text; *p; p++)
		assert_in_range((unsigned char)*p, '\n', '~');
	assert_lines(text, golden_ascii, 3);
}

/* No line of the table is wider than the terminal, from 80 columns on. */
static void test_every_width(void **state)
{
	for (unsigned width = 80; width < 200; width++) {
		const struct style style = { .utf8 = true, .width = width };
		char *text = report_fixture_text(*state, &style);
		char *line = strstr(text, "\n#  ");
		assert_non_null(line);
		line++;
		for (int i = 0; i < 5; i++) {
			char *end = strchr(line, '\n');
			*end = '\0';
			assert_in_range(utf8_width(line), 10, width);
			line = end + 1;
		}
		free(text);
	}
}

/* Colour adds escape sequences and changes nothing else. */
static void test_color(void **state)
{
	const struct style style = { .utf8 = true, .color = true };
	char *text = report_fixture_text(*state, &style);
	size_t to = 0, sequences = 0;

	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '\x1b') {
			i += strcspn(text + i, "m");
			sequences++;
		} else {
			text[to++] = text[i];
		}
	}
	text[to] = '\0';
	assert_in_range(sequences, 20, 1000);
	assert_lines(text, golden_text, 0);
}

/* The limit applies to rows; the rest is counted. */
static void test_limit(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	f->report.shown = 1;
	char *text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\n# 2 more contexts; --limit 0 shows all\n"));
	assert_non_null(strstr(text, "1. com.acme.Point"));
	assert_null(strstr(text, "byte[]"));
	free(text);
	f->report.grouping = ROWS_BY_SITE;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\n# 2 more sites; --limit 0 shows all\n"));
	free(text);
	f->report.grouping = ROWS_BY_CLASS;
	f->report.shown = 2;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "# 3 classes, sorted by"));
	assert_non_null(strstr(text, "\n# 1 more class; --limit 0 shows all\n"));
	free(text);
}

/* With fewer pairs than the minimum, no share is shown anywhere. */
/* A pause in which the agent lost its processor: its work, and what the pause grew by. */
static void test_busy_pause(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .width = 200 };

	f->recording.max_pause_work_s = 0.0007;
	f->recording.max_pause_s = 0.0138;
	char *text = report_fixture_text(f, &style);
	assert_non_null(strstr(text,
			       "; a GC pause grew by 0.70 ms of work at most, and by 13.80 ms "
			       "where others had the processor\n"));
	free(text);
}

static void test_too_few(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	f->report.min_pairs = 1000;
	rows_at(&f->rows, 0)->replica.own.verdict = rows_at(&f->rows, 0)->replica.deep.verdict =
		VERDICT_UNKNOWN;
	f->report.shown = 1;
	char *text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "too few pairs (312 < 1000)"));
	assert_null(strstr(text, "98.4"));
	assert_null(strstr(text, "97.9"));
	assert_null(strstr(text, "(96.2 %)"));
	free(text);
}

/* Two pairs are not enough for a line about a field, or for a claim. */
static void test_too_few_for_fields(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	f->report.min_pairs = 51;
	char *text = report_fixture_text(f, &style);
	assert_null(strstr(text, "elements, compared"));
	assert_null(strstr(text, "would be equal"));
	assert_non_null(strstr(text, "fields, compared in pairs when used"));
	free(text);
	f->report.min_pairs = 30;
	rows_at(&f->rows, 1)->replica.details->differing.pairs = 29;
	rows_at(&f->rows, 0)->replica.details->fields[1].pairs =
		rows_at(&f->rows, 0)->replica.details->fields[1].equal = 3;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "elements, compared"));
	assert_null(strstr(text, "would be equal"));
	assert_non_null(strstr(text, "x        int     equal in 3 of 3 pairs\n"));
	free(text);
}

/* Elements that are equal in the same number of pairs share a line. */
static void test_equal_elements(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };
	struct replica *x = &rows_at(&f->rows, 1)->replica;

	for (size_t i = 4; i < x->details->nfields; i++)
		x->details->fields[i] = (struct replica_field){ i, 50, 20, 0.4 };
	char *text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "        [3]..[7]  equal in 20 of 50 pairs (40.0 %; 5 "
				     "compared)\n"));
	assert_null(strstr(text, "[3]  byte"));
	free(text);
}

/* A table sorted by an unknown figure says so. */
static void test_no_sort_key(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	char *text = report_fixture_text(f, &style);
	assert_null(strstr(text, "sorted by bytes"));
	free(text);
	for (size_t i = 0; i < f->rows.table.n; i++)
		rows_at(&f->rows, i)->replica.own.saved_bytes =
			rows_at(&f->rows, i)->replica.deep.saved_bytes = NAN;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\n# no line has enough evidence for it, sorted by bytes: "));
	free(text);
	rows_at(&f->rows, 0)->replica.own.saved_bytes = 0;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\n# nothing to save is known, sorted by bytes: "));
	free(text);
}

/* So does a table with hardly any verdict. */
static void test_little_evidence(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	char *text = report_fixture_text(f, &style);
	assert_null(strstr(text, "too little evidence for a verdict"));
	free(text);
	for (size_t i = 0; i < f->rows.table.n; i++)
		rows_at(&f->rows, i)->replica.own.verdict =
			rows_at(&f->rows, i)->replica.deep.verdict = VERDICT_UNKNOWN;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\n# too little evidence for a verdict on "));
	free(text);
}

/* Of what is alive, a heap dump tells more where there is no verdict on much of it. */
static void test_heap_hint(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	for (int undecided = 0; undecided < 2; undecided++)
		for (int large = 0; large < 2; large++) {
			for (size_t i = 0; i < f->rows.table.n; i++) {
				struct replica *x = &rows_at(&f->rows, i)->replica;
				x->live_bytes = large ? 64 << 20 : 1000;
				x->own.verdict = x->deep.verdict =
					undecided ? VERDICT_UNKNOWN : VERDICT_DISTINCT;
			}
			char *text = report_fixture_text(f, &style);
			assert_int_equal(strstr(text, "ojx heap -p PID") != NULL,
					 undecided && large);
			free(text);
		}
}

static void test_stack_cut_short(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	f->report.stack_frames = 1;
	f->report.shown = 1;
	char *text = report_fixture_text(f, &style);
	/* the reader's own frame is shown nevertheless */
	assert_non_null(strstr(text, "        java.util.ArrayList.grow (ArrayList.java:10)\n"
				     "        com.acme.Shop.load (Shop.java:20) ←\n"
				     "        … 3 more frames\n"));
	free(text);
}

/* Uses with equal visible frames are one place. */
static void test_places_add_up(void **state)
{
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	rows_at(&f->rows, 0)->replica.details->accesses[1].stack =
		rows_at(&f->rows, 0)->replica.details->accesses[0].stack;
	f->report.shown = 1;
	char *text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "     76.5 % of the uses; value equal in 60 of 72 pairs\n"));
	free(text);
}

static void test_sort_key_is_shown(void **state)
{
	struct report_fixture *f = *state;
	const struct style wide = { .utf8 = true }, narrow = { .utf8 = true, .width = 80 };

	f->report.key = column_find("identical");
	char *text = report_fixture_text(f, &wide);
	assert_non_null(strstr(text, "identical % [95 %]"));
	free(text);
	f->report.key = column_find("pairs");
	text = report_fixture_text(f, &narrow);
	assert_non_null(strstr(text, "  pairs  verdict"));
	free(text);
}

/* A compiler's command may name a thousand files: it is one line, and says what it leaves out. */
static void test_long_command(void **state)
{
	static const struct style style = { .utf8 = true };
	struct report_fixture *f = *state;
	struct builder b = BUILDER_INIT;
	const char *argv[101] = { NULL };
	char *text = NULL;
	size_t len;

	for (size_t i = 0; i < 100; i++)
		argv[i] = "a/File.java";
	build_command(&b, argv);
	struct model *m = model_new(analyses);
	const struct wire_rec *rec = builder_next(&b, NULL);
	assert_int_equal(model_feed(m, 0, rec, rec->len), MODEL_KEEP);
	f->recording.model = m;
	recording_show_all(&f->recording);
	FILE *out = open_memstream(&text, &len);
	render_header(out, &f->report, &style);
	fclose(out);
	/* 12 columns each */
	assert_non_null(strstr(text, " a/File.java … +84 more\n"));
	f->recording.model = f->model;
	recording_show_all(&f->recording);
	free(text);
	builder_release(&b);
	model_free(m);
}

int unit_render(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_golden, setup, teardown),
		cmocka_unit_test_setup_teardown(test_narrow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ascii, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_width, setup, teardown),
		cmocka_unit_test_setup_teardown(test_color, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_few, setup, teardown),
		cmocka_unit_test_setup_teardown(test_busy_pause, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_few_for_fields, setup, teardown),
		cmocka_unit_test_setup_teardown(test_equal_elements, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_sort_key, setup, teardown),
		cmocka_unit_test_setup_teardown(test_little_evidence, setup, teardown),
		cmocka_unit_test_setup_teardown(test_heap_hint, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stack_cut_short, setup, teardown),
		cmocka_unit_test_setup_teardown(test_places_add_up, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_command, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sort_key_is_shown, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
