/* SPDX-License-Identifier: Apache-2.0 */
/* shown_command.c - see shown_command.h. */
#include "model/shown_command.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "base/javaname.h"

/* ---- options that matter ----------------------------------------------------------------- */

/* Options without a value. */
static const char *const plain_options[] = { "-Xint",	"-Xcomp",  "-Xmixed", "-Xbatch",
					     "-server", "-client", NULL };

/* Options that end in a number. */
static const char *const sizes[] = { "-Xmx", "-Xms", "-Xmn", "-Xss", NULL };

/* Names of -XX options, which are on, off, or a number. */
static const char *const flags[] = {
	/* the collector */
	"Use*GC",
	"G1*",
	"Z*",
	"Shenandoah*",
	"*GCThreads",
	"MaxGCPauseMillis",
	"GCTimeRatio",
	"UseAdaptiveSizePolicy",
	"*StringDeduplication*",
	/* sizes of the heap and of other memory */
	"*HeapSize",
	"*HeapFreeRatio",
	"*NewSize",
	"NewRatio",
	"SurvivorRatio",
	"*TenuringThreshold",
	"MaxRAM*",
	"MinRAM*",
	"InitialRAM*",
	"*MetaspaceSize",
	"MaxDirectMemorySize",
	"AlwaysPreTouch*",
	"UseLargePages*",
	"UseTransparentHugePages",
	"UseNUMA*",
	/* objects and their places */
	"UseCompressed*",
	"UseCompactObjectHeaders",
	"ObjectAlignmentInBytes",
	"*TLAB*",
	/* the compilers, which remove allocations */
	"Tiered*",
	"DoEscapeAnalysis",
	"EliminateAllocations",
	"UseJVMCICompiler",
	NULL,
};

/* Whether the text is a number with a unit such as "512m" or "75.0". */
static bool is_amount(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	if (digits == 0)
		return false;
	text += digits;
	if (*text == '.')
		text += 1 + strspn(text + 1, "0123456789");
	text += *text && strchr("kKmMgGtT", *text);
	return !*text;
}

/* "+NAME", "-NAME" or "NAME=NUMBER". */
static bool is_flag(const char *text)
{
	char name[64];
	bool sign = *text == '+' || *text == '-';
	size_t len = strcspn(text + sign, "=");
	const char *end = text + sign + len;

	if (len >= sizeof name || (sign ? *end != '\0' : !*end || !is_amount(end + 1)))
		return false;
	memcpy(name, text + sign, len);
	name[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]))
			return false;
	for (size_t i = 0; flags[i]; i++)
		if (fnmatch(flags[i], name, 0) == 0)
			return true;
	return false;
}

static bool matters(const char *option)
{
	static const char xx[] = "-XX:";

	for (size_t i = 0; plain_options[i]; i++)
		if (strcmp(option, plain_options[i]) == 0)
			return true;
	for (size_t i = 0; sizes[i]; i++)
		if (strncmp(option, sizes[i], strlen(sizes[i])) == 0)
			return is_amount(option + strlen(sizes[i]));
	return strncmp(option, xx, sizeof xx - 1) == 0 && is_flag(option + sizeof xx - 1);
}

/* ---- arguments --------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool is_java(const char *command)
{
	return strcmp(last_part(command), "java") == 0;
}

/* Source files lie in folders, whose names are nobody's business; a class may be named a/b/C. */
static const char *without_folder(const char *main)
{
	size_t len = strlen(main);

	return *main == '/' || (len > 5 && strcmp(main + len - 5, ".java") == 0) ? last_part(main)
										 : main;
}

struct choice {
	const char **word;
	size_t n;
	const char *program;
	bool unsure; /* an argument file may have had the main class */
};

static void add(struct choice *c, const char *word)
{
	c->word[c->n++] = word;
}

static void add_main(struct choice *c, const char *word)
{
	add(c, word);
	c->program = word;
}

/* Takes an argument of java, and what belongs to it. Returns how many these are. */
static size_t take(struct choice *c, const char *const *argument, size_t left)
{
	static const char module[] = "--module=";
	const char *a = argument[0];
	bool jar = strcmp(a, "-jar") == 0;

	if (*a == '@') {
		c->unsure = true;
	} else if (matters(a)) {
		add(c, a);
	} else if (jar || strcmp(a, "-m") == 0 || strcmp(a, "--module") == 0) {
		if (left > 1 && !c->unsure) {
			add(c, a);
			add_main(c, jar ? last_part(argument[1]) : argument[1]);
		}
		return 2;
	} else if (strncmp(a, module, sizeof module - 1) == 0 && !c->unsure) {
		add(c, a);
		c->program = a + sizeof module - 1;
	} else if (*a && *a != '-' && !c->unsure) {
		add_main(c, without_folder(a));
	}
	return javaoption_takes_next(a) ? 2 : 1;
}

struct shown_command shown_command(const char *const *argv, size_t argc, const char **word)
{
	struct choice c = { .word = word };
	size_t java = 0;

	while (java < argc && !is_java(argv[java]))
		java++;
	if (argc > 0 && java > 0)
		add(&c, last_part(argv[0]));
	if (java < argc)
		add(&c, last_part(argv[java]));
	else if (argc > 0)
		c.program = word[0];
	for (size_t i = java + 1; i < argc && !c.program;)
		i += take(&c, argv + i, argc - i);
	return (struct shown_command){ word, c.n, argc - c.n, c.program };
}

const char *shown_command_noun(const struct shown_command *c)
{
	return c->left_out == 1 ? "argument" : "arguments";
}
