/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - see options.h. The rows are converted to the tables of getopt_long. Its own messages
 * are switched off, since they would not show the value or mention the command's help.
 */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memtext.h"
#include "say.h"

enum {
	MAX_ROWS = 62,
	MAX_NAMES = 64,	 /* of a table that is searched for suggestions */
	LONG_BASE = 256, /* getopt_long's value of row i is LONG_BASE + i */
	HELP_ROW = LONG_BASE + MAX_ROWS,
	MAX_COLUMN = 24, /* start column of the help texts, if names leave room */
	WIDTH = 80,
};

struct suffix {
	const char *name;
	double factor;
};

static const struct suffix size_suffixes[] = {
	{ "k", 1024.0 }, { "m", 1048576.0 }, { "g", 1073741824.0 }, { NULL, 0 }
};
static const struct suffix time_suffixes[] = { { "ns", 1 },	 { "us", 1e3 }, { "ms", 1e6 },
					       { "s", 1e9 },	 { "m", 60e9 }, { "h", 3600e9 },
					       { "d", 86400e9 }, { NULL, 0 } };

/* ---- values ------------------------------------------------------------------------------ */

/*
 * Parses a decimal number with a suffix from the table; without one the factor is `plain`. Rejects
 * hex, "inf" and "nan", which strtod would accept.
 */
static int parse_number(const char *text, const struct suffix *suffixes, double plain,
			double *value)
{
	char *end;

	if (!strchr("+-.0123456789", text[0]) || strspn(text, "+-.0123456789eE") == 0)
		return -1;
	if (strchr(text, 'x') || strchr(text, 'X'))
		return -1;
	errno = 0;
	*value = strtod(text, &end);
	if (end == text || errno == ERANGE || !isfinite(*value))
		return -1;
	if (*end == '\0') {
		*value *= plain;
		return 0;
	}
	for (; suffixes && suffixes->name; suffixes++)
		if (strcasecmp(end, suffixes->name) == 0) {
			*value *= suffixes->factor;
			return 0;
		}
	return -1;
}

static const char *kind_noun(enum option_kind kind)
{
	switch (kind) {
	case OPTION_INT:
		return "a whole number";
	case OPTION_SIZE:
		return "a size (such as 4096, 64k, 1m)";
	case OPTION_TIME:
		return "a time (such as 500ms, 10s, 2m)";
	default:
		return "a number";
	}
}

/* Messages name an option by its long name, which every row has. */
static int say_range(const struct option_row *row, const char *text)
{
	double unit = row->kind == OPTION_TIME ? row->unit / 1e9 : 1;
	const char *seconds = row->kind == OPTION_TIME ? " seconds" : "";

	return say_error("--%s: '%s' is out of range: %.15g to %.15g%s are allowed", row->long_name,
			 text, row->min * unit, row->max * unit, seconds);
}

/* Stores a number of any kind: parses it as a double (exact up to 2^53) and checks its range. */
static int store_number(const struct option_row *row, const char *text)
{
	const struct suffix *suffixes = NULL;
	double unit = 1, value;

	if (row->kind == OPTION_SIZE) {
		suffixes = size_suffixes;
	} else if (row->kind == OPTION_TIME) {
		suffixes = time_suffixes;
		unit = row->unit;
	}
	if (parse_number(text, suffixes, unit, &value) < 0 ||
	    (row->kind == OPTION_INT && value != floor(value)))
		return say_error("--%s: '%s' is not %s", row->long_name, text,
				 kind_noun(row->kind));
	if (value < row->min * unit || value > row->max * unit)
		return say_range(row, text);

	switch (row->kind) {
	case OPTION_INT:
		*row->value.integer = (int)value;
		break;
	case OPTION_DOUBLE:
		*row->value.real = value;
		break;
	case OPTION_SIZE:
		*row->value.size = (uint64_t)value;
		break;
	default:
		*row->value.ns = (uint64_t)value;
		break;
	}
	return 0;
}

static int store_item(const struct option_row *row, const char *text)
{
	struct option_list *list = row->value.list;

	if (list->n >= OPTION_LIST_MAX)
		return say_error("--%s: given more than %d times", row->long_name, OPTION_LIST_MAX);
	list->item[list->n++] = text;
	return 0;
}

static int store(const struct option_row *row, const char *text)
{
	switch (row->kind) {
	case OPTION_BOOL:
		*row->value.flag = true;
		return 0;
	case OPTION_STRING:
		*row->value.string = text;
		return 0;
	case OPTION_LIST:
		return store_item(row, text);
	default:
		return store_number(row, text);
	}
}

static void say_none_of(const char *option, const char *value, const char *all, const char *similar)
{
	if (similar)
		say("--%s: '%s' is not one of: %s; did you mean '%s'?", option, value, all,
		    similar);
	else
		say("--%s: '%s' is not one of: %s", option, value, all);
}

int options_choice(const char *option, const char *value, const char *const *names)
{
	char all[512] = "";

	for (int i = 0; names[i]; i++) {
		if (strcmp(value, names[i]) == 0)
			return i;
		size_t used = strlen(all);
		snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
	}
	say_none_of(option, value, all, say_similar(value, names));
	return OPTIONS_ERROR;
}

/* ---- parsing ----------------------------------------------------------------------------- */

/* The tables for getopt_long. */
struct tables {
	char shorts[2 * MAX_ROWS + 8];
	struct option longs[MAX_ROWS + 2];
	const char *names[MAX_ROWS + 2]; /* for suggestions */
	size_t n;
};

static void tables_init(struct tables *t, const struct option_command *cmd)
{
	const struct option_row *rows = cmd->rows;
	/*
	 * '+': stop at the first operand; ':': distinguish a missing argument from an unknown
	 * option
	 */
	char *s = stpcpy(t->shorts, cmd->options_anywhere ? ":h" : "+:h");

	for (t->n = 0; rows[t->n].long_name && t->n < MAX_ROWS; t->n++) {
		const struct option_row *row = &rows[t->n];
		bool has_argument = row->kind != OPTION_BOOL;

		t->longs[t->n] = (struct option){ row->long_name, has_argument, NULL,
						  LONG_BASE + (int)t->n };
		t->names[t->n] = row->long_name;
		if (row->short_name) {
			*s++ = row->short_name;
			if (has_argument)
				*s++ = ':';
		}
	}
	*s = '\0';
	t->longs[t->n] = (struct option){ "help", optional_argument, NULL, HELP_ROW };
	t->names[t->n] = "help";
	t->longs[t->n + 1] = (struct option){ 0 };
	t->names[t->n + 1] = NULL;
}

static const struct option_row *find_row(const struct option_row *rows, int value)
{
	if (value >= LONG_BASE)
		return &rows[value - LONG_BASE];
	while (rows->long_name && rows->short_name != value)
		rows++;
	return rows->long_name ? rows : NULL;
}

/*
 * Handles '?' of getopt_long: an unknown or ambiguous option, or an argument that is not allowed.
 */
static void say_unknown(const struct option_command *cmd, const struct tables *t,
			const char *argument)
{
	char word[64];

	if (optopt >= LONG_BASE) {
		const char *name = optopt == HELP_ROW ? "help" : t->names[optopt - LONG_BASE];
		say("--%s takes no argument: '%s'", name, argument);
		return;
	}
	if (optopt) {
		say("unknown option '-%c' (see 'ojx %s --help')", optopt, cmd->name);
		return;
	}
	const char *text = argument + strspn(argument, "-");
	size_t len = strcspn(text, "=");
	const char *candidates[MAX_ROWS + 2];
	size_t matches = 0;
	for (size_t i = 0; i <= t->n; i++)
		if (strncmp(t->names[i], text, len) == 0)
			candidates[matches++] = t->names[i];
	if (matches > 1) {
		say("option '%s' is ambiguous: --%s or --%s", argument, candidates[0],
		    candidates[1]);
		return;
	}
	snprintf(word, sizeof word, "%.*s", (int)len, text);
	const char *similar = say_similar(word, t->names);
	if (similar)
		say("unknown option '%s', did you mean '--%s'?", argument, similar);
	else
		say("unknown option '%s' (see 'ojx %s --help')", argument, cmd->name);
}

/* `which`: the argument of --help; NULL: none. */
static int show_help(const struct option_command *cmd, const char *which)
{
	if (which && strcmp(which, "all") != 0) {
		say("--help: '%s' is not 'all'", which);
		return OPTIONS_ERROR;
	}
	if (which)
		options_help_all(cmd, stdout);
	else
		options_help(cmd, stdout);
	return OPTIONS_HELP;
}

int options_parse(const struct option_command *cmd, int argc, char **argv)
{
	struct tables t;
	int value;

	tables_init(&t, cmd);
	opterr = 0;
	optind = 0; /* glibc: start again, even after another command's options */
	while ((value = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1) {
		if (value == 'h' || value == HELP_ROW)
			return show_help(cmd, value == 'h' ? NULL : optarg);
		if (value == '?') {
			say_unknown(cmd, &t, argv[optind - 1]);
			return OPTIONS_ERROR;
		}
		const struct option_row *row = find_row(cmd->rows, value == ':' ? optopt : value);
		if (value == ':') {
			say("--%s needs an argument: %s", row->long_name, row->argument);
			return OPTIONS_ERROR;
		}
		if (store(row, optarg) < 0)
			return OPTIONS_ERROR;
	}
	return optind;
}

/* ---- help -------------------------------------------------------------------------------- */

/*
 * Prints `text`, broken at spaces so that lines end before WIDTH. The first line begins at
 * `column`.
 */
static void print_wrapped(FILE *out, const char *text, int column, int indent)
{
	while (*text) {
		size_t len = strcspn(text, " \n");
		if (column > indent && column + 1 + (int)len >= WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, len, out);
		column += (int)len;
		text += len;
		if (*text == '\n') {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		}
		text += *text != '\0';
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const struct option_row *row, const char *help)
{
	char names[128];
	char short_part[8] = "    ";

	if (row->short_name)
		snprintf(short_part, sizeof short_part, "-%c, ", row->short_name);
	int n = snprintf(names, sizeof names, "  %s--%s%s%s", short_part, row->long_name,
			 row->argument ? " " : "", row->argument ? row->argument : "");
	fputs(names, out);
	if (n >= MAX_COLUMN)
		fprintf(out, "\n%*s", MAX_COLUMN, "");
	else
		fprintf(out, "%*s", MAX_COLUMN - n, "");
	print_wrapped(out, help, MAX_COLUMN, MAX_COLUMN);
}

static void print_usage(FILE *out, const struct option_command *cmd)
{
	fprintf(out, "Usage: ojx %s %s\n\n", cmd->name, cmd->synopsis);
	print_wrapped(out, cmd->about, 0, 0);
	fputc('\n', out);
}

static void print_help_row(FILE *out, const char *text)
{
	static const struct option_row help = { .short_name = 'h', .long_name = "help" };

	print_row(out, &help, text);
}

void options_help_all(const struct option_command *cmd, FILE *out)
{
	print_usage(out, cmd);
	for (const struct option_row *row = cmd->rows; row->long_name; row++)
		if (row->help)
			print_row(out, row, row->help);
	print_help_row(out, "show this help");
	if (cmd->notes)
		fprintf(out, "\n%s", cmd->notes);
}

void options_help(const struct option_command *cmd, FILE *out)
{
	if (!cmd->briefs) {
		options_help_all(cmd, out);
		return;
	}
	print_usage(out, cmd);
	for (const struct option_brief *b = cmd->briefs; b->long_name; b++)
		for (const struct option_row *row = cmd->rows; row->long_name; row++)
			if (strcmp(row->long_name, b->long_name) == 0)
				print_row(out, row, b->help);
	print_help_row(out, "show this help; --help=all shows all options");
}

char *options_list(const char *intro, options_put *put, bool with_help)
{
	struct memtext list;
	FILE *out = memtext_begin(&list);

	if (!out)
		return NULL;
	fputs(intro, out);
	put(out, with_help);
	return memtext_end(&list);
}

int options_say_unknown(const char *option, const char *value, options_put *put)
{
	char *all = options_list("", put, false);
	char *parts = all ? strdup(all) : NULL;
	const char *names[MAX_NAMES + 1];
	size_t n = 0;

	for (char *rest = parts, *name; n < MAX_NAMES && (name = strsep(&rest, ", "));)
		if (*name)
			names[n++] = name;
	names[n] = NULL;
	say_none_of(option, value, all ? all : "?", say_similar(value, names));
	free(parts);
	free(all);
	return -1;
}
