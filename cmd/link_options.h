/* SPDX-License-Identifier: Apache-2.0 */
/* link_options.h - options that let source lines in a text lead to an editor. */
#ifndef OJX_LINK_OPTIONS_H
#define OJX_LINK_OPTIONS_H

#include <stdio.h>

#include "options.h"
#include "report/links.h"
#include "terminal.h"

struct link_options {
	const char *hyperlink, *editor; /* the words */
	enum terminal_color when;	/* what they stand for */
	const char *form;
};
#define LINK_OPTIONS_INIT                                                        \
	{                                                                        \
		.hyperlink = terminal_colors[COLOR_AUTO], .editor = LINKS_EDITOR \
	}

/* Option rows for a struct link_options; `editors`: the help that link_options_help returns. */
#define OPT_LINKS(l, editors)                                                                    \
	OPT_STRING(0, "hyperlink", "WHEN", &(l)->hyperlink,                                      \
		   "let source lines lead to an editor where a folder of --source-path has the " \
		   "file: auto (default: on a terminal), always or never"),                      \
		OPT_STRING(0, "editor", "NAME", &(l)->editor, editors)

/* Allocated; NULL if out of memory. */
char *link_options_help(void);

/* Finds what the words stand for. 0, or -1 after an error message. */
int link_options_check(struct link_options *l);

/*
 * The links of a text that goes to `out`, through a pager if `paged`; NULL: it has none, or
 * out of memory. Free with links_free.
 */
struct links *link_options_open(const struct link_options *l, FILE *out, bool paged,
				const struct sources *sources);

#endif
