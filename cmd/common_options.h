/* SPDX-License-Identifier: Apache-2.0 */
/*
 * common_options.h - options that have the same meaning in several commands: what is shown, where
 * to, and when a build fails; and commands with few options.
 */
#ifndef OJX_COMMON_OPTIONS_H
#define OJX_COMMON_OPTIONS_H

#include <stdbool.h>

#include "base/json_text.h"
#include "base/style.h"
#include "compare/condition.h"
#include "model/finding.h"
#include "options.h"
#include "output.h"
#include "report/filter.h"
#include "report/selection.h"

/* If there are findings on accesses, reports which of the options do not select them. */
void filter_say_ignored(const struct filter *filter, const struct findings *findings);

/* What the commands that show something were asked for in the same words; each has some of them. */
struct common_options {
	const char *output; /* NULL: standard output */
	const char *color;
	const char *time, *thread; /* NULL: all of it */
	const char *command_line;  /* NULL: short */
	struct filter filter;
	struct option_list fail_if, source_path, transparent, own, label;
	bool quiet, no_pager;

	/* what the words above stand for */
	enum terminal_color ink;
	struct selection selection; /* if has_selection */
	bool has_selection;
	bool full; /* the command line */
	struct conditions conditions;
};
#define COMMON_OPTIONS_INIT                          \
	{                                            \
		.color = terminal_colors[COLOR_AUTO] \
	}

/* The following are option rows for a struct common_options. */

/* Which part of a recording. */
#define OPT_SELECTION(c)                                                                           \
	OPT_STRING(0, "class", "GLOB", &(c)->filter.class_glob,                                    \
		   "only objects of matching classes, such as 'com.acme.*'"),                      \
		OPT_STRING(0, "method", "GLOB", &(c)->filter.method_glob,                          \
			   "only objects allocated, and findings on accesses made, in or below "   \
			   "matching methods, such as '*.Parser.parse*'"),                         \
		OPT_STRING(0, "site", "GLOB", &(c)->filter.site_glob,                              \
			   "only objects allocated at matching places, such as 'Parser.parse' "    \
			   "or 'Parser.java:12'"),                                                 \
		OPT_STRING(0, "access", "GLOB", &(c)->filter.access_glob,                          \
			   "only objects seen in use, and findings on accesses made, in or below " \
			   "matching places"),                                                     \
		OPT_LIST(0, "label", "LABEL", &(c)->label,                                         \
			 "only JVMs with a label that matches NAME=GLOB, such as 'version=1.*' "   \
			 "(see 'ojx record --label'); if repeated, with all of them"),             \
		OPT_STRING(0, "time", "RANGE", &(c)->time,                                         \
			   "only what was seen between two times since the recording's start, "    \
			   "such as '10s,20s', '1m,' or ',500ms'; exact to a second at first, "    \
			   "later to 1/32 of the time"),                                           \
		OPT_STRING(0, "thread", "GLOB", &(c)->thread,                                      \
			   "only what matching threads did, such as 'pool-1-*': objects that "     \
			   "they allocated, whoever used them, and accesses that they made")

#define OPT_OWN(list, more)                                                                \
	OPT_LIST(0, "own", "GLOB", list,                                                   \
		 "the line of code is that of the innermost class whose name matches, if " \
		 "the stack has one, such as 'com.acme.*'; may be repeated; " more)

/* Which frame of a stack is its line. */
#define OPT_LINE(c)                                                                                \
	OPT_LIST(0, "transparent", "GLOB", &(c)->transparent,                                      \
		 "treat classes whose names match as the platform's: the line of code is that of " \
		 "their caller; may be repeated"),                                                 \
		OPT_OWN(&(c)->own, "by default the globs of 'ojx record --own', '' is none")

/* What is shown of the command line. */
#define OPT_COMMAND_LINE(c)                                                                      \
	OPT_STRING(0, "command-line", "HOW", &(c)->command_line,                                 \
		   "short (default): of the command line the program, the main class or jar, "   \
		   "and the JVM's options on memory, without values of -D and arguments, which " \
		   "may be secret; of names of threads no long numbers. full: all of it, in a "  \
		   "file that only the owner can read")

/* How it is shown on a terminal. */
#define OPT_TERMINAL(c)                                                                           \
	OPT_BOOL('q', "quiet", &(c)->quiet,                                                       \
		 "show no progress; by default it is shown on a terminal after one second"),      \
		OPT_BOOL(0, "no-pager", &(c)->no_pager, "print to the terminal without a pager"), \
		OPT_STRING(0, "color", "WHEN", &(c)->color, "auto (default), always or never")

/*
 * Finds what the words stand for; conditions are on what `found` find. 0, or -1 after an error
 * message.
 */
int common_options_check(struct common_options *c, const struct analysis *const *found,
			 enum condition_use use);

/* Tells the model which frames are lines; before anything else is made of it. */
void common_options_set_lines(const struct common_options *c, struct model *m);

/* The output that was asked for; `text`: of a format that a pager can show. */
struct output common_options_output(const struct common_options *c, bool text);

/* ---- commands with few options besides the output format and colour: list, doctor. */

struct simple_command {
	const char *name, *synopsis, *about, *notes;
	struct option_row own[3]; /* options of its own; OPT_END ends them */
	const char *operand;	  /* the only operand that it takes; NULL: none */
};

struct simple_output {
	bool json; /* else text */
	struct style style;
	bool operand; /* it was given */
};

/* Parses the options and the operand. Returns -1 to go on, or the exit status. */
int simple_parse(const struct simple_command *as, int argc, char **argv, struct simple_output *to);

/* Begins an object with an array on standard output; each element begins on its own line. */
void simple_begin_json(struct json_text *j, const char *name);
/* Ends the array; the object is still open. */
void simple_end_array(struct json_text *j);
/* Ends the object. 0, or -1 after a message. */
int simple_end_json(struct json_text *j);

/* ---- conditions by which a build fails: --fail-if. */

/* Reports the conditions that hold, and for which lines; returns their number. */
size_t fail_report(const struct conditions *conditions, const struct condition_facts *facts);
size_t fail_diff(const struct conditions *conditions, const struct diff *d, uint64_t min_pairs);

#endif
