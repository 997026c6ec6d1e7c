/* SPDX-License-Identifier: Apache-2.0 */
/* render_github.h - a command to GitHub's runner, by which it shows an annotation. */
#ifndef OJX_RENDER_GITHUB_H
#define OJX_RENDER_GITHUB_H

#include <stdio.h>

#include "render/checks.h"

/*
 * Writes "::error file=PATH,line=LINE,title=ojx%3A TITLE::MESSAGE"; `path` NULL and `line` 0: not
 * known.
 */
void github_command(FILE *out, const char *command, const char *path, int line, const char *title,
		    const char *message);

/* Writes an error for a condition that holds, at the line of the first row: a check_fn, which takes
 * a struct checks_stream. */
int github_check(const struct check *check, void *stream);

#endif
