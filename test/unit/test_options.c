/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options: the values that are stored, where parsing stops, error messages, and the output of
 * --help.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* of the tool, not of its library */
#include "cmd/options.c"
#include "cmd/say.c"

struct values {
	bool verbose;
	const char *output;
	int depth;
	double budget;
	uint64_t interval, delay;
	struct option_list places;
};

struct outcome {
	struct values values;
	int result; /* of options_parse */
	char *said; /* by it */
};

enum { MAX_ARGS = 80 };

/* Parses `line`, split at spaces, like the command line of a command. */
static struct outcome parse_where(const char *line, bool anywhere)
{
	struct outcome o = { .values = { .output = "default", .depth = 128, .budget = 2 } };
	struct values *v = &o.values;
	const struct option_row rows[] = {
		OPT_STRING('o', "output", "FILE", &v->output, "write to FILE"),
		OPT_BOOL('v', "verbose", &v->verbose, "tell more"),
		OPT_INT('n', "max-stack", "N", &v->depth, 1, 512, "frames"),
		OPT_DOUBLE(0, "budget", "PERCENT", &v->budget, 0.5, 100, "cost"),
		OPT_SIZE(0, "interval", "BYTES", &v->interval, 0, 1 << 30, "bytes"),
		OPT_TIME('D', "delay", "MS", &v->delay, OPT_MS, 0, 86400e3, "wait"),
		OPT_LIST('p', "place", "DIR", &v->places, "look there, too"),
		OPT_END,
	};
	const struct option_command command = { "test", "[OPTION]...", "Tests.", rows,
						NULL,	anywhere,      NULL };
	static char text[512]; /* strings point into it */
	char *argv[MAX_ARGS] = { (char[]){ "test" } };
	int argc = 1;
	size_t size;

	snprintf(text, sizeof text, "%s", line);
	for (char *word = strtok(text, " "); word && argc < MAX_ARGS - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	FILE *log = open_memstream(&o.said, &size);
	assert_non_null(log);
	say_to(log);
	o.result = options_parse(&command, argc, argv);
	say_to(NULL);
	fclose(log);
	return o;
}

static struct outcome parse(const char *line)
{
	return parse_where(line, false);
}

/* Checks that the line is an error and that the message contains `part`. */
static void assert_error(const char *line, const char *part)
{
	struct outcome o = parse(line);

	assert_int_equal(o.result, OPTIONS_ERROR);
	if (!strstr(o.said, part))
		fail_msg("'%s': said '%s', not '%s'", line, o.said, part);
	assert_ptr_equal(strchr(o.said, '\n'), o.said + strlen(o.said) - 1); /* one line */
	free(o.said);
}

static struct values values_of(const char *line, int result)
{
	struct outcome o = parse(line);

	assert_string_equal(o.said, "");
	assert_int_equal(o.result, result);
	free(o.said);
	return o.values;
}

/* ---- values ------------------------------------------------------------------------------ */

static void test_defaults(void **state)
{
	(void)state;
	struct values v = values_of("", 1);
	assert_false(v.verbose);
	assert_string_equal(v.output, "default");
	assert_int_equal(v.depth, 128);
}

/* If no command is run, options may follow operands; "--" ends the options in any case. */
static void test_anywhere(void **state)
{
	(void)state;
	struct outcome o = parse("one -v");
	assert_int_equal(o.result, 1);
	assert_false(o.values.verbose);
	free(o.said);
	o = parse_where("one -v two --max-stack 7", true);
	assert_int_equal(o.result, 4);
	assert_true(o.values.verbose);
	assert_int_equal(o.values.depth, 7);
	free(o.said);
	o = parse_where("one -- -v", true);
	assert_int_equal(o.result, 2);
	assert_false(o.values.verbose);
	free(o.said);
	o = parse_where("one --vorbose", true);
	assert_int_equal(o.result, OPTIONS_ERROR);
	assert_non_null(strstr(o.said, "'--vorbose', did you mean '--verbose'?"));
	free(o.said);
}

static void test_spellings(void **state)
{
	(void)state;
	assert_string_equal(values_of("-o x", 3).output, "x");
	assert_string_equal(values_of("-ox", 2).output, "x");
	assert_string_equal(values_of("--output x", 3).output, "x");
	assert_string_equal(values_of("--output=x", 2).output, "x");
	assert_string_equal(values_of("--outp=x", 2).output, "x");
	assert_string_equal(values_of("--output=", 2).output, "");
	assert_string_equal(values_of("-o -", 3).output, "-");
	assert_string_equal(values_of("-o a -o b", 5).output, "b");
	struct values v = values_of("-vo x", 3);
	assert_true(v.verbose);
	assert_string_equal(v.output, "x");
}

static void test_lists(void **state)
{
	(void)state;
	struct values v = values_of("-p a -v --place=b -p c:d", 7);
	assert_int_equal(v.places.n, 3);
	assert_string_equal(v.places.item[0], "a");
	assert_string_equal(v.places.item[1], "b");
	assert_string_equal(v.places.item[2], "c:d");
	assert_int_equal(values_of("", 1).places.n, 0);

	char line[512] = "";
	for (int i = 0; i < OPTION_LIST_MAX; i++)
		strcat(line, "-pa ");
	assert_int_equal(values_of(line, 1 + OPTION_LIST_MAX).places.n, OPTION_LIST_MAX);
	strcat(line, "-pa");
	assert_error(line, "--place: given more than 64 times");
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(values_of("-n 1", 3).depth, 1);
	assert_int_equal(values_of("-n 512", 3).depth, 512);
	assert_true(values_of("--budget 0.5", 3).budget == 0.5);
	assert_true(values_of("--budget 1e1", 3).budget == 10);
	assert_int_equal(values_of("--interval 0", 3).interval, 0);
	assert_int_equal(values_of("--interval 4096", 3).interval, 4096);
	assert_int_equal(values_of("--interval 64k", 3).interval, 65536);
	assert_int_equal(values_of("--interval 1.5M", 3).interval, 3 << 19);
	assert_int_equal(values_of("--interval 1g", 3).interval, 1 << 30);
	assert_int_equal(values_of("-D 5", 3).delay, 5000000);
	assert_int_equal(values_of("-D 5s", 3).delay, 5000000000);
	assert_int_equal(values_of("-D 5us", 3).delay, 5000);
	assert_int_equal(values_of("-D 5ns", 3).delay, 5);
	assert_int_equal(values_of("-D 2m", 3).delay, 120000000000);
	assert_int_equal(values_of("-D 1h", 3).delay, 3600000000000);
}

static void test_bad_numbers(void **state)
{
	(void)state;
	static const char *const bad[] = { "x",	  "1x", "0x10", "inf", "nan", "1e999", "1..2",
					   "--1", "k",	"1kk",	"e5",  ".",   NULL };
	char line[64];

	for (int i = 0; bad[i]; i++) {
		snprintf(line, sizeof line, "--interval=%s", bad[i]);
		assert_error(line, "is not a size");
	}
	assert_error("--interval=", "--interval: '' is not a size");
	assert_error("--max-stack=1.5", "--max-stack: '1.5' is not a whole number");
	assert_error("--max-stack=1k", "--max-stack: '1k' is not a whole number");
	assert_error("--budget=2%", "--budget: '2%' is not a number");
	assert_error("--delay=5w", "--delay: '5w' is not a time");
}

static void test_ranges(void **state)
{
	(void)state;
	assert_error("-n 0", "--max-stack: '0' is out of range: 1 to 512 are allowed");
	assert_error("-n 513", "out of range");
	assert_error("-n -1", "out of range");
	assert_error("-n 99999999999999999999", "out of range");
	assert_error("--budget 0.4", "--budget: '0.4' is out of range: 0.5 to 100");
	assert_error("--interval 2g", "out of range");
	assert_error("--interval -1", "out of range");
	assert_error("-D 25h", "--delay: '25h' is out of range: 0 to 86400 seconds");
}

/* ---- where options end ------------------------------------------------------------------- */

static void test_operands(void **state)
{
	(void)state;
	assert_false(values_of("java -v", 1).verbose);
	assert_true(values_of("-v java -o x", 2).verbose);
	assert_string_equal(values_of("-v java -o x", 2).output, "default");
	assert_false(values_of("-- -v", 2).verbose);
	assert_false(values_of("- -v", 1).verbose);
	assert_string_equal(values_of("-o -- java -v", 3).output, "--");
	values_of("--", 2);
}

/* ---- mistakes ---------------------------------------------------------------------------- */

static void test_unknown(void **state)
{
	(void)state;
	assert_error("--frobnicate", "unknown option '--frobnicate' (see 'ojx test --help')");
	assert_error("--verbsoe", "unknown option '--verbsoe', did you mean '--verbose'?");
	assert_error("--outputs=3", "did you mean '--output'?");
	assert_error("-x", "unknown option '-x'");
	assert_error("-vx", "unknown option '-x'");
}

static void test_arguments(void **state)
{
	(void)state;
	assert_error("-o", "--output needs an argument: FILE");
	assert_error("--output", "--output needs an argument: FILE");
	assert_error("--budget", "--budget needs an argument: PERCENT");
	assert_error("--verbose=yes", "--verbose takes no argument: '--verbose=yes'");
	assert_error("--help=yes", "--help: 'yes' is not 'all'");
}

static void test_choice(void **state)
{
	(void)state;
	static const char *const names[] = { "text", "json", NULL };
	char *said;
	size_t size;

	assert_int_equal(options_choice("format", "json", names), 1);
	FILE *log = open_memstream(&said, &size);
	say_to(log);
	assert_int_equal(options_choice("format", "jsno", names), OPTIONS_ERROR);
	assert_int_equal(options_choice("format", "", names), OPTIONS_ERROR);
	say_to(NULL);
	fclose(log);
	assert_non_null(
		strstr(said, "--format: 'jsno' is not one of: text, json; did you mean 'json'?\n"));
	assert_non_null(strstr(said, "--format: '' is not one of: text, json\n"));
	free(said);
}

static void test_similar(void **state)
{
	(void)state;
	static const char *const names[] = { "record", "report", "help", NULL };

	assert_string_equal(say_similar("recrod", names), "record");
	assert_string_equal(say_similar("reprot", names), "report");
	assert_string_equal(say_similar("rekord", names), "record");
	assert_string_equal(say_similar("hlep", names), "help");
	assert_null(say_similar("xyz", names));
	static const char *const others[] = { "top", "jvm", NULL };
	assert_null(say_similar("foo", others));
	assert_string_equal(say_similar("tpo", others), "top");
	assert_null(say_similar("", names));
	assert_null(say_similar("annotate", names));
}

/* ---- words ------------------------------------------------------------------------------- */

/* Text from a hostile peer does not steer the terminal. */
static void test_control_characters(void **state)
{
	(void)state;
	char *said, longer[3 * LINE];
	size_t size;

	memset(longer, 'x', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	FILE *log = open_memstream(&said, &size);
	say_to(log);
	say("%s", "a\033[2Jb\nc\177");
	say("%s", "\xc3\xa9\xc2\x9b\xff");
	say("%s", longer);
	say_to(NULL);
	fclose(log);
	static const char want[] = "ojx: a?[2Jb?c?\nojx: \xc3\xa9??\n";
	assert_memory_equal(said, want, strlen(want));
	assert_int_equal(said[size - 1], '\n');
	assert_int_equal(size - strlen(want), LINE - 1);
	free(said);
}

/* ---- help -------------------------------------------------------------------------------- */

static void test_help(void **state)
{
	(void)state;
	bool flag;
	const char *text;
	const struct option_row rows[] = {
		OPT_BOOL('q', "quiet", &flag, "say nothing"),
		OPT_STRING(0, "a-rather-long-name", "GLOB", &text,
			   "a help text that is so long that it does not go into one line of a "
			   "terminal and so must be broken"),
		OPT_BOOL(0, "hidden", &flag, NULL),
		OPT_END,
	};
	const struct option_command command = { "test", "[OPTION]... FILE", "It tests.",
						rows,	"Notes.\n",	    false,
						NULL };
	char *help;
	size_t size;

	FILE *out = open_memstream(&help, &size);
	options_help(&command, out);
	fclose(out);
	assert_string_equal(
		help,
		"Usage: ojx test [OPTION]... FILE\n"
		"\n"
		"It tests.\n"
		"\n"
		"  -q, --quiet           say nothing\n"
		"      --a-rather-long-name GLOB\n"
		"                        a help text that is so long that it does not go into\n"
		"                        one line of a terminal and so must be broken\n"
		"  -h, --help            show this help\n"
		"\n"
		"Notes.\n");
	free(help);
}

/* What most people need, in its own order and words, and nothing else. */
static void test_brief_help(void **state)
{
	(void)state;
	bool flag;
	const struct option_row rows[] = {
		OPT_BOOL('q', "quiet", &flag, "say nothing, and so on"),
		OPT_BOOL(0, "rare", &flag, "what few people need"),
		OPT_BOOL('v', "verbose", &flag, "say more, and so on"),
		OPT_END,
	};
	const struct option_brief briefs[] = { { "verbose", "say more" },
					       { "quiet", "say nothing" },
					       { NULL, NULL } };
	const struct option_command command = { .name = "test",
						.synopsis = "FILE",
						.about = "It tests.",
						.rows = rows,
						.notes = "Notes.\n",
						.briefs = briefs };
	char *brief, *all;
	size_t size;

	FILE *out = open_memstream(&brief, &size);
	options_help(&command, out);
	fclose(out);
	assert_string_equal(
		brief, "Usage: ojx test FILE\n\nIt tests.\n\n"
		       "  -v, --verbose         say more\n"
		       "  -q, --quiet           say nothing\n"
		       "  -h, --help            show this help; --help=all shows all options\n");
	out = open_memstream(&all, &size);
	options_help_all(&command, out);
	fclose(out);
	assert_non_null(strstr(all, "--rare"));
	assert_non_null(strstr(all, "say more, and so on\n"));
	assert_non_null(strstr(all, "\nNotes.\n"));
	free(brief);
	free(all);
}

int unit_options(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),    cmocka_unit_test(test_anywhere),
		cmocka_unit_test(test_defaults),    cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_lists),	    cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bad_numbers), cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_operands),    cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_arguments),   cmocka_unit_test(test_choice),
		cmocka_unit_test(test_similar),	    cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_help),	    cmocka_unit_test(test_brief_help),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
