/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h - properties of standard output, and a pager for it. */
#ifndef OJX_TERMINAL_H
#define OJX_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"

enum terminal_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The words of --color and --hyperlink in the order of the enum; ends with NULL. */
extern const char *const terminal_colors[];

/*
 * The style for text that goes to `out`. Colour `auto`: on a terminal that is not "dumb", unless
 * NO_COLOR is set and not empty. Width: COLUMNS if set; else the terminal's, or 80 if unknown;
 * unlimited if `out` is not a terminal. UTF-8 depends on the locale, which is set here.
 */
struct style terminal_style(FILE *out, enum terminal_color color);

/*
 * Whether links of OSC 8 can be written to `out`: a terminal that is neither "dumb" nor Linux's
 * console, and, if `paged`, a pager that passes them on as less does.
 */
bool terminal_shows_links(FILE *out, bool paged);

struct pager {
	FILE *out; /* where to write */
	int pid;   /* 0: none, `out` is standard output */
};

/*
 * If standard output is a terminal, starts the user's pager: OJX_PAGER, else PAGER, else `pager`,
 * else `less`; none if the setting is empty or "cat". If no pager can be started, `out` is standard
 * output.
 */
void pager_start(struct pager *p, bool wanted);

/*
 * Ends the output and waits for the pager. 0, or -1 with errno if not everything could be written;
 * it is not an error if the user has left the pager early.
 */
int pager_finish(struct pager *p);

/* The same after output with the given `result`. 0, or -1 after an error message. */
int pager_close(struct pager *p, int result);

#endif
