/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render.h - the renderers of a report.
 *
 * A renderer writes to a stream and does nothing else. It returns 0, or -1 with errno if the stream
 * failed; memory is as xmalloc.h says. To add one, write lib/render/render_NAME.c, declare it here
 * and add its row to the table in renderers.c.
 */
#ifndef OJX_RENDER_H
#define OJX_RENDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memtext.h"
#include "base/style.h"
#include "render/report.h"

/* The formats. Only render_text is for people and uses a style. */
int render_text(FILE *out, const struct report *r, const struct style *s);
int render_json(FILE *out, const struct report *r);
int render_html(FILE *out, const struct report *r); /* a page for a browser */
int render_collapsed(FILE *out, const struct report *r);
int render_speedscope(FILE *out, const struct report *r);
int render_pprof(FILE *out, const struct report *r);
int render_jfr(FILE *out, const struct report *r);
int render_dhat(FILE *out, const struct report *r);
int render_csv(FILE *out, const struct report *r);
int render_sarif(FILE *out, const struct report *r);
int render_github(FILE *out, const struct report *r);
int render_junit(FILE *out, const struct report *r);
int render_markdown(FILE *out, const struct report *r);
int render_ndjson(FILE *out, const struct report *r);
int render_openmetrics(FILE *out, const struct report *r);
int render_otlp(FILE *out, const struct report *r);

/*
 * The evidence of a row, from the advice to the uses, line by line. Each line has a label, which is
 * "" if the line continues the one before, and a text.
 */
enum { EVIDENCE_LINES = 32 }; /* more than the writers have */
struct evidence_line {
	const char *label;
	size_t at, len; /* of its text, in `bytes` */
};
struct evidence {
	FILE *out; /* where writers put the texts, each with a line feed */
	const struct style *style;
	struct evidence_line line[EVIDENCE_LINES];
	size_t n;
	char *bytes;
	struct memtext text;
};

/* Release with evidence_release. */
void evidence_collect(struct evidence *e, const struct report *r, const struct style *s,
		      const struct row *row);
void evidence_release(struct evidence *e);

/* The writers of its lines begin each line with this. */
void evidence_label(struct evidence *e, const char *label);
/* What merging saves; what was alive at the last view; what snapshots say. */
void render_saved(struct evidence *e, const struct report *r, const struct row *row);
void render_live(struct evidence *e, const struct row *row);
void render_scan(struct evidence *e, const struct report *r, const struct row *row);
/* Problem and possible fix; nothing if there is no advice. */
void render_advice(struct evidence *e, const struct row *row);

/* A share with its name, and its interval; NULL: it has none. */
void render_share(FILE *out, const struct style *s, const char *name, double share,
		  const struct replica_interval *ci);

/*
 * The first sentence of a report: what the program allocated, which it was, and its pauses. Without
 * a line feed.
 */
void render_headline(FILE *out, const struct report *r, const struct style *s);

/* Writes "Shop.load:12 (92 %) and 3 others"; false: no caller is known, and nothing was written. */
struct callers;
bool callers_put(FILE *out, const struct style *s, const struct callers *callers);
/* Writes them as a tree, with at most `most` frames of a branch; each line begins with `before`. */
void callers_put_tree(FILE *out, const struct style *s, const struct callers *callers, size_t most,
		      const char *before);

/* Writes who calls the line of a row, if rows are lines; false: that is not known. */
bool render_callers(FILE *out, const struct report *r, const struct style *s,
		    const struct row *row);

/* Part of render_text: the headline, the findings and the sum. */
void render_start(FILE *out, const struct report *r, const struct style *s);
/* Ends a text of sentences, and writes it with lines of the width of a terminal. */
void render_wrapped(FILE *out, const struct style *s, struct memtext *text);
/* Part of render_start: the sentence about what a row's objects take, and what merging saves. */
void render_amounts(FILE *out, const struct report *r, const struct style *s,
		    const struct row *row);
/* Part of render_text: the rows that the table leaves out. */
void render_rest(FILE *out, const struct report *r, const struct style *s);
/* Part of render_start and of the page: the sum in two lines, which are not wrapped. */
void render_sum(FILE *out, const struct report *r, const struct style *s);
/*
 * Part of render_text, of Markdown and of the page: if much of what is alive has no verdict, a line
 * behind `before` that names the command which knows each object alive. True if there is one.
 */
bool render_heap_hint(FILE *out, const struct report *r, const char *before);
/* Part of render_sum: what is proven and what is likely, without the end of the sentence. */
void render_least(FILE *out, const struct report *r, const struct style *s);
/*
 * Part of render_rest and of the page: a sentence about rows[first..], without its end. False if
 * there is nothing to say.
 */
bool render_others(FILE *out, const struct report *r, const struct style *s, size_t first);
void render_header(FILE *out, const struct report *r, const struct style *s);
void render_table(FILE *out, const struct report *r, const struct style *s);
/* Adds a row to a table of these n columns; NULL: the headings. */
struct table;
void render_table_line(struct table *t, const struct row *row, const struct column *const *chosen,
		       size_t n, const struct cell_context *ctx);
/* The block of row `i`: its verdict and the evidence. */
void render_detail(FILE *out, const struct report *r, const struct style *s, size_t i);
/* The same for a row that is shown with another number, from 1, than its place gives. */
void render_detail_of(FILE *out, const struct report *r, const struct style *s,
		      const struct row *row, size_t number);
void render_fields(FILE *out, const struct report *r, const struct style *s, const struct row *row);
/* What `n` rows are called: "line", "contexts". */
const char *render_rows_noun(const struct report *r, size_t n);
/*
 * Writes what keeps the objects of a partial replica apart. False if that is not known; then it
 * writes nothing.
 */
bool render_partial(FILE *out, const struct report *r, const struct style *s,
		    const struct row *row);
/* Writes "without id (int), 97 % of the pairs would be equal"; nothing if there is no such set. */
void render_without(FILE *out, const struct report *r, const struct style *s,
		    const struct row *row);
void render_accesses(FILE *out, const struct report *r, const struct style *s,
		     const struct row *row);
void render_stack(FILE *out, const struct style *s, const struct callstack *stack, size_t max,
		  const char *indent);

#endif
