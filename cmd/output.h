/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - where a command shows its result: a file, or standard output and a pager; its colours,
 * and its links to source lines.
 */
#ifndef OJX_OUTPUT_H
#define OJX_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"
#include "options.h"
#include "source/links.h"
#include "source/sources.h"

enum terminal_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The words of --color and --hyperlink in the order of the enum; ends with NULL. */
extern const char *const terminal_colors[];

/*
 * The style for text that goes to `out`. Colour `auto`: on a terminal that is not "dumb", unless
 * NO_COLOR is set and not empty. Width: COLUMNS if set; else the terminal's, or 80 if unknown;
 * unlimited if `out` is not a terminal. UTF-8 depends on the locale, which is set here.
 */
struct style terminal_style(FILE *out, enum terminal_color color);

/* ---- options that let source lines in a text lead to an editor */

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

/* ---- the output */

struct output {
	const char *path; /* of -o; NULL or "-": standard output */
	bool secret;	  /* only its owner can read the file */
	bool paged;	  /* standard output goes through a pager */
	enum terminal_color ink;
	const struct link_options *links; /* source lines are linked; NULL: nothing is */
	const struct sources *sources;	  /* what links lead to */
};

/* Whether the path of -o names a file. */
bool output_is_file(const char *path);

/*
 * Reports that a format is not for a terminal, if the output would go to one. 0, or -1 after the
 * message, which proposes a file.
 */
int output_spares_terminal(const char *path, const char *format, const char *file);

/* Writes `what` to `out`. 0, or -1 with errno. */
typedef int output_draw(FILE *out, const struct style *style, const void *what);

/* Has `what` drawn to the output. 0, or -1 after an error message. */
int output_write(const struct output *o, output_draw *draw, const void *what);

/*
 * The one of `formats`, which end with NULL, that the name of the file asks for. NULL after an
 * error message if there is none; `command` is the name for it.
 */
const char *output_format(const char *path, const char *const *formats, const char *command);

#endif
