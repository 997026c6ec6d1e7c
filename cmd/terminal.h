/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.h - what standard output is, and a pager in front of it.
 */
#ifndef OJX_TERMINAL_H
#define OJX_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/style.h"

enum terminal_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The words of --color in the order of the enum, ended by NULL. */
extern const char *const terminal_colors[];

/*
 * The style for text that goes to `out`. Colour in auto: on a terminal that is not "dumb", unless
 * NO_COLOR is set and not empty. Width: COLUMNS if set; else that of the terminal, 80 where it
 * does not say; unlimited where `out` is none. UTF-8 is up to the locale, which is set here.
 */
struct style terminal_style(FILE *out, enum terminal_color color);

struct pager {
	FILE *out; /* where to write */
	int pid;   /* 0: none, `out` is standard output itself */
};

/*
 * If standard output is a terminal, starts the user's pager: OJX_PAGER, else PAGER, else `pager`,
 * else `less`; none where that is empty or "cat". Where none can be had, `out` is standard output.
 */
void pager_start(struct pager *p, bool wanted);

/*
 * Ends the output and waits until the user is done. Returns 0, or -1 with errno if not all could be
 * written; that the user has left the pager early is no error.
 */
int pager_finish(struct pager *p);

/* The same after something was written, with that `result`. 0, or -1 after saying why. */
int pager_close(struct pager *p, int result);

#endif
