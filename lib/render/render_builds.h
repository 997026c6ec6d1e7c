/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_builds.h - what formats for builds share: the conditions by which a build fails, each with
 * what came out, and how GitHub and Markdown show them.
 */
#ifndef OJX_RENDER_BUILDS_H
#define OJX_RENDER_BUILDS_H

#include <stdio.h>

#include "base/memtext.h"
#include "compare/condition.h"
#include "fix/others.h"
#include "render/render.h"

/* ---- the conditions by which a build fails, each with what came out. */

struct check {
	const char *name;		 /* the condition as it was given */
	const char *reason;		 /* NULL: it does not hold */
	const struct model_frame *frame; /* where it holds first; NULL: not known */
};

/* Takes a check, which is valid during the call. 0, or -1 to stop. */
typedef int check_fn(const struct check *check, void *arg);

/* What a renderer of checks may need. */
struct checks_stream {
	FILE *out;
	const struct sources *sources; /* NULL: none */
};

/*
 * Hands out the conditions of a report, or of a comparison by line of code. 0, or -1 if out of
 * memory or `fn` stopped.
 */
int checks_of_report(const struct report *r, check_fn *fn, void *arg);
int checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		   void *arg);

/*
 * Writes "::error file=PATH,line=LINE,title=ojx%3A TITLE::MESSAGE"; `path` NULL and `line` 0: not
 * known.
 */
void github_command(FILE *out, const char *command, const char *path, int line, const char *title,
		    const char *message);

/* Writes an error for a condition that holds, at the line of the first row: a check_fn, which takes
 * a struct checks_stream. */
int github_check(const struct check *check, void *stream);

/* ---- Markdown: parts of documents that are made of what others write as text */

/*
 * End a text and write it: the first function as one paragraph, in bold or not. The second writes
 * its lines as they are, but without the '#' of comments; with `summary`, they are folded below it.
 * 0, or -1 if out of memory, also if memtext_begin returned NULL.
 */
int markdown_paragraph(FILE *out, struct memtext *t, bool bold);
int markdown_lines(FILE *out, struct memtext *t, const char *summary);

/* What is to be done about a finding: lists, with the first `most` of each section. */
int markdown_others(FILE *out, const struct others *all, const struct finding *f, size_t most);

/* Writes a line for each check, between a heading and the next part. */
int markdown_check(const struct check *check, void *stream);

#endif
