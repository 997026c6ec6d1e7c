/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_options.h - the options by which every command that reads recordings narrows what it
 * shows. They mean the same in each of them.
 */
#ifndef OJX_FILTER_OPTIONS_H
#define OJX_FILTER_OPTIONS_H

#include "model/finding.h"
#include "options.h"
#include "report/filter.h"

/* Says which of the options does not select rows of accesses, if there are any. */
void filter_say_ignored(const struct filter *filter, const struct findings *findings);

/* A row that fills in what load_parse_window takes. */
#define OPT_WINDOW(p)                                                                        \
	OPT_STRING(0, "time", "RANGE", p,                                                    \
		   "what was seen between two times since the recording's start, such as "   \
		   "'10s,20s', '1m,' or ',500ms'; to the second at first, later to 1/32 of " \
		   "the time")

/* The other one. */
#define OPT_THREAD(p)                                                                       \
	OPT_STRING(0, "thread", "GLOB", p,                                                  \
		   "what matching threads did only, such as 'pool-1-*': objects that they " \
		   "allocated, whoever used them, and accesses that they made")

/* Rows of a table of options that fill in a struct filter. */
#define OPT_FILTERS(f)                                                                          \
	OPT_STRING(0, "class", "GLOB", &(f)->class_glob,                                        \
		   "objects of matching classes only, such as 'com.acme.*'"),                   \
		OPT_STRING(0, "method", "GLOB", &(f)->method_glob,                              \
			   "objects allocated, and accesses made, in or below "                 \
			   "matching methods only, such as '*.Parser.parse*'"),                 \
		OPT_STRING(0, "site", "GLOB", &(f)->site_glob,                                  \
			   "objects allocated at matching places only, such as 'Parser.parse' " \
			   "or 'Parser.java:12'"),                                              \
		OPT_STRING(0, "access", "GLOB", &(f)->access_glob,                              \
			   "objects used, and accesses made, in or below matching "             \
			   "places only, by what was seen of uses and accesses")

#endif
