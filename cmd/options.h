/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the command-line options of all commands, based on getopt_long.
 *
 * One row describes an option completely: its names, its argument, where the value goes, its range
 * and its help. Parsing, error messages and `--help` use the same row, so they cannot disagree.
 * Options end at the first operand and at `--`. Long names may be abbreviated as long as they are
 * unambiguous. If an option is repeated, the last one counts, except for lists. Every command
 * accepts -h, --help and --help=all.
 *
 *	struct option_row rows[] = {
 *		OPT_STRING('i', "input", "FILE", &input, "read FILE (default ojx.data)"),
 *		OPT_DOUBLE(0, "percent-limit", "PERCENT", &limit, 0, 100, "hide rows below"),
 *		OPT_END,
 *	};
 */
#ifndef OJX_OPTIONS_H
#define OJX_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum option_kind {
	OPTION_BOOL,   /* no argument; given: true */
	OPTION_STRING, /* a pointer into argv */
	OPTION_LIST,   /* the same; each one is added */
	OPTION_INT,    /* decimal */
	OPTION_DOUBLE, /* decimal, finite */
	OPTION_SIZE,   /* bytes; suffixes k m g, powers of 1024 */
	OPTION_TIME,   /* nanoseconds; suffixes ns us ms s m h d; without one, the row's unit */
};

enum { OPTION_LIST_MAX = 64 };

struct option_list {
	const char *item[OPTION_LIST_MAX];
	size_t n;
};

struct option_row {
	char short_name; /* 0: none */
	enum option_kind kind;
	const char *long_name; /* NULL ends the table */
	const char *argument;  /* "FILE"; NULL for OPTION_BOOL */
	const char *help;      /* one sentence, wrapped by --help; NULL: not shown */
	union {
		bool *flag;
		const char **string;
		struct option_list *list;
		int *integer;
		double *real;
		uint64_t *size;
		uint64_t *ns;
	} value;
	double min, max; /* inclusive; sizes: in bytes, times: in units */
	double unit;	 /* times only: nanoseconds */
};

#define OPT_BOOL(s, l, p, h)                                                                 \
	{                                                                                    \
		.short_name = (s), .kind = OPTION_BOOL, .long_name = (l), .value.flag = (p), \
		.help = (h)                                                                  \
	}
#define OPT_STRING(s, l, a, p, h)                                                            \
	{                                                                                    \
		.short_name = (s), .kind = OPTION_STRING, .long_name = (l), .argument = (a), \
		.value.string = (p), .help = (h)                                             \
	}
#define OPT_LIST(s, l, a, p, h)                                                            \
	{                                                                                  \
		.short_name = (s), .kind = OPTION_LIST, .long_name = (l), .argument = (a), \
		.value.list = (p), .help = (h)                                             \
	}
#define OPT_INT(s, l, a, p, lo, hi, h)                                                    \
	{                                                                                 \
		.short_name = (s), .kind = OPTION_INT, .long_name = (l), .argument = (a), \
		.value.integer = (p), .min = (lo), .max = (hi), .help = (h)               \
	}
#define OPT_DOUBLE(s, l, a, p, lo, hi, h)                                                    \
	{                                                                                    \
		.short_name = (s), .kind = OPTION_DOUBLE, .long_name = (l), .argument = (a), \
		.value.real = (p), .min = (lo), .max = (hi), .help = (h)                     \
	}
#define OPT_SIZE(s, l, a, p, lo, hi, h)                                                    \
	{                                                                                  \
		.short_name = (s), .kind = OPTION_SIZE, .long_name = (l), .argument = (a), \
		.value.size = (p), .min = (lo), .max = (hi), .help = (h)                   \
	}
#define OPT_TIME(s, l, a, p, u, lo, hi, h)                                                 \
	{                                                                                  \
		.short_name = (s), .kind = OPTION_TIME, .long_name = (l), .argument = (a), \
		.value.ns = (p), .unit = (u), .min = (lo), .max = (hi), .help = (h)        \
	}
#define OPT_END                   \
	{                         \
		.long_name = NULL \
	}

#define OPT_MS 1e6 /* units of OPT_TIME */
#define OPT_S  1e9

/* An option as `--help` shows it where `--help=all` shows more; the table ends with NULL. */
struct option_brief {
	const char *long_name, *help;
};

/* A command as `--help` shows it. */
struct option_command {
	const char *name;	       /* "record" */
	const char *synopsis;	       /* "[OPTION]... [--] COMMAND [ARG]..." */
	const char *about;	       /* what it does: a sentence or a few */
	const struct option_row *rows; /* ends with OPT_END */
	const char *notes;	       /* printed unchanged after the options; may be NULL */
	/*
	 * Options may follow operands. Otherwise they end at the first operand, such as the command
	 * to run.
	 */
	bool options_anywhere;
	/* What most people need: `--help` has only these, `--help=all` all. NULL: both have all. */
	const struct option_brief *briefs;
};

enum {
	OPTIONS_ERROR = -1, /* reported on standard error */
	OPTIONS_HELP = -2,  /* --help was given and printed on standard output */
};

/*
 * Parses argv[1..]; argv[0] is the command's name. Returns the index of the first operand (argc if
 * there is none), OPTIONS_ERROR or OPTIONS_HELP. Values of options that were not given stay
 * unchanged. Not re-entrant (getopt).
 */
int options_parse(const struct option_command *cmd, int argc, char **argv);

/* Write the texts of --help and of --help=all. */
void options_help(const struct option_command *cmd, FILE *out);
void options_help_all(const struct option_command *cmd, FILE *out);

/*
 * Parses an argument that must be one of a few words. Returns the index of `value` in `names` (ends
 * with NULL); or OPTIONS_ERROR, after a message with the option, the value and the allowed words.
 */
int options_choice(const char *option, const char *value, const char *const *names);

/*
 * Writes the entries of a table. With help: one line each, for --help. Otherwise the names,
 * separated by commas.
 */
typedef void options_put(FILE *out, bool with_help);
/* Returns `intro` followed by the output of `put`; allocated, NULL if out of memory. */
char *options_list(const char *intro, options_put *put, bool with_help);
/* Reports that `value` is not in a table; returns -1. */
int options_say_unknown(const char *option, const char *value, options_put *put);

#endif
