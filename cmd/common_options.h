/* SPDX-License-Identifier: Apache-2.0 */
/*
 * common_options.h - options that have the same meaning in several commands: what is shown, and
 * when a build fails; and commands with few options.
 */
#ifndef OJX_COMMON_OPTIONS_H
#define OJX_COMMON_OPTIONS_H

#include <stdbool.h>

#include "base/json_text.h"
#include "base/style.h"
#include "model/finding.h"
#include "options.h"
#include "report/condition.h"
#include "report/filter.h"

/* If there are findings on accesses, reports which of the options do not select them. */
void filter_say_ignored(const struct filter *filter, const struct findings *findings);

/* An option row for the time of a window, see load_parse_window. */
#define OPT_WINDOW(p)                                                                            \
	OPT_STRING(0, "time", "RANGE", p,                                                        \
		   "only what was seen between two times since the recording's start, such as "  \
		   "'10s,20s', '1m,' or ',500ms'; exact to a second at first, later to 1/32 of " \
		   "the time")

/* An option row for its threads. */
#define OPT_THREAD(p)                                                                       \
	OPT_STRING(0, "thread", "GLOB", p,                                                  \
		   "only what matching threads did, such as 'pool-1-*': objects that they " \
		   "allocated, whoever used them, and accesses that they made")

/* An option row for what is shown of the command line: a word, NULL if it was not given. */
#define OPT_COMMAND_LINE(p)                                                                      \
	OPT_STRING(0, "command-line", "HOW", p,                                                  \
		   "short (default): of the command line the program, the main class or jar, "   \
		   "and the JVM's options on memory, without values of -D and arguments, which " \
		   "may be secret; of names of threads no long numbers. full: all of it, in a "  \
		   "file that only the owner can read")

/* What the word stands for. 0, or OPTIONS_ERROR after a message. */
int filter_parse_command_line(const char *word, bool *full);

/* Option rows for a struct filter. */
#define OPT_FILTERS(f)                                                                             \
	OPT_STRING(0, "class", "GLOB", &(f)->class_glob,                                           \
		   "only objects of matching classes, such as 'com.acme.*'"),                      \
		OPT_STRING(0, "method", "GLOB", &(f)->method_glob,                                 \
			   "only objects allocated, and findings on accesses made, in or below "   \
			   "matching methods, such as '*.Parser.parse*'"),                         \
		OPT_STRING(0, "site", "GLOB", &(f)->site_glob,                                     \
			   "only objects allocated at matching places, such as 'Parser.parse' "    \
			   "or 'Parser.java:12'"),                                                 \
		OPT_STRING(0, "access", "GLOB", &(f)->access_glob,                                 \
			   "only objects seen in use, and findings on accesses made, in or below " \
			   "matching places")

/* ---- commands with few options besides the output format and colour: list, doctor. */

struct simple_command {
	const char *name, *synopsis, *about, *notes;
	struct option_row own; /* an option of its own; long_name NULL: none */
	const char *operand;   /* the only operand that it takes; NULL: none */
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

/* Parses the arguments of `option` on what these analyses find. 0, or -1 after a message. */
int fail_parse(struct conditions *conditions, const struct analysis *const *analyses,
	       const char *option, const struct option_list *texts, enum condition_use use);

/* Reports the conditions that hold, and for which lines; returns their number. */
size_t fail_report(const struct conditions *conditions, const struct rows *rows,
		   const struct findings *findings, const struct cell_context *ctx);
size_t fail_diff(const struct conditions *conditions, const struct diff *d,
		 const struct cell_context *ctx);

#endif
