/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_options.h - options that select what is shown, with the same meaning in every command that
 * reads recordings.
 */
#ifndef OJX_FILTER_OPTIONS_H
#define OJX_FILTER_OPTIONS_H

#include "model/finding.h"
#include "options.h"
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

#endif
