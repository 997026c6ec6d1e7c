/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.c - see html_page.h. The assembler includes the files, from the top directory, where
 * the Makefile runs. So their names appear only here.
 */
#include "render/html/html_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/units.h"
#include "base/xmalloc.h"

void html_begin_data(struct json_text *t, const char *attribute)
{
	fprintf(t->out, "<script type=\"application/json\" %s>\n", attribute);
	t->html = true;
	t->last = '\0';
}

void html_end_data(struct json_text *t)
{
	FILE *out = t->out;

	json_text_end(t);
	t->out = out;
	fputs("</script>\n", out);
}

void html_put_id(struct json_text *t, bool known, uint64_t id)
{
	json_text_whole(t, NULL, known ? (int64_t)id : -1);
}

/* Adds the source file of each frame; -1 if the JVM did not tell the file or the line. */
static void put_frame_sources(struct json_text *t, const struct intern *in,
			      struct source_snippets *excerpts)
{
	const struct intern_table *frames = &in->frames;

	json_text_break(t);
	json_text_open(t, "source", '[');
	for (size_t i = 0; i < frames->n; i++) {
		uint32_t file = frames->column[FRAME_FILE][i], line = frames->column[FRAME_LINE][i];
		bool known = file != INTERN_NONE && line > 0;
		html_put_id(t, known,
			    known ? source_snippets_want(excerpts,
							 in->text[frames->column[FRAME_CLASS][i]],
							 in->text[file], line)
				  : 0);
	}
	json_text_close(t, ']');
}

/* ---- units: {"count": [step, ...], ...}, a step [below, one, digits, unit, parts, part]. */

/* All digits: at a threshold, the last ones decide. */
static void put_exact(struct json_text *t, double value)
{
	char text[JSON_NUMBER_MAX];

	if (isinf(value))
		json_text_null(t, NULL);
	else
		json_text_raw(t, NULL, text, (size_t)snprintf(text, sizeof text, "%.17g", value));
}

static void put_step(struct json_text *t, const struct units_step *step)
{
	json_text_open(t, NULL, '[');
	put_exact(t, step->below);
	put_exact(t, step->one);
	json_text_whole(t, NULL, step->digits);
	json_text_string(t, NULL, step->unit);
	put_exact(t, step->parts);
	json_text_string(t, NULL, step->part);
	json_text_close(t, ']');
}

static void put_units(struct json_text *t)
{
	json_text_break(t);
	json_text_open(t, "units", '{');
	for (const struct units_scale *scale = units_scales; scale->name; scale++) {
		const struct units_step *step = scale->steps;
		json_text_open(t, scale->name, '[');
		put_step(t, step);
		while (!isinf(step->below))
			put_step(t, ++step);
		json_text_close(t, ']');
	}
	json_text_close(t, '}');
}

/* ---- strings, frames and stacks -------------------------------------------------------------- */

static void put_columns(struct json_text *t, const char *const *names, size_t n,
			const struct intern_table *of)
{
	for (size_t k = 0; k < n; k++) {
		if (k > 0)
			json_text_break(t);
		json_text_ids(t, names[k], of->column[k], of->n, INTERN_NONE);
	}
}

/* Numbers of the texts that keep their package where others lose it, if they name classes. */
static void put_like_jdk(struct json_text *t, const struct intern *in)
{
	json_text_break(t);
	json_text_open(t, "like_jdk", '[');
	for (size_t i = 0; i < in->ntexts; i++)
		if (names_short(in->text[i]) != names_simple(in->text[i]))
			json_text_whole(t, NULL, (int64_t)i);
	json_text_close(t, ']');
}

void html_put_tables(struct json_text *t, const struct intern *in, struct source_snippets *excerpts)
{
	static const char *const frame[] = { "class", "method", "file", "line", "platform" };
	static const char *const node[] = { "parent", "frame", "line" };

	json_text_break(t);
	json_text_open(t, "strings", '[');
	for (size_t i = 0; i < in->ntexts; i++) {
		json_text_break(t);
		json_text_string(t, NULL, in->text[i]);
	}
	json_text_close(t, ']');
	put_like_jdk(t, in);
	json_text_break(t);
	json_text_open(t, "frames", '{');
	put_columns(t, frame, FRAME_OWN, &in->frames);
	if (excerpts)
		put_frame_sources(t, in, excerpts);
	json_text_close(t, '}');
	json_text_break(t);
	json_text_open(t, "nodes", '{');
	put_columns(t, node, NODE_COLUMNS, &in->nodes);
	json_text_close(t, '}');
	put_units(t);
}

/* ---- places of rows -------------------------------------------------------------------------- */

void html_places_begin(struct html_places *p, size_t n)
{
	*p = (struct html_places){ .node = xcalloc(n, sizeof *p->node),
				   .site = xcalloc(n, sizeof *p->site),
				   .line = xcalloc(n, sizeof *p->line),
				   .text = xcalloc(2 * n, sizeof *p->text),
				   .n = n };
}

void html_places_add(struct html_places *p, size_t i, struct intern *in, const struct row *row,
		     uint32_t node)
{
	p->node[i] = node;
	p->text[2 * i] = row_place_text(row, row_put_site);
	p->site[i] = intern_text(in, p->text[2 * i]);
	p->text[2 * i + 1] = row_place_text(row, row_put_line);
	p->line[i] = intern_text(in, p->text[2 * i + 1]);
}

void html_places_put(struct json_text *t, const struct html_places *p)
{
	json_text_break(t);
	json_text_ids(t, "site", p->site, p->n, INTERN_NONE);
	json_text_break(t);
	json_text_ids(t, "line", p->line, p->n, INTERN_NONE);
	json_text_break(t);
	json_text_ids(t, "node", p->node, p->n, INTERN_NONE);
	json_text_break(t);
}

void html_places_end(struct html_places *p)
{
	for (size_t i = 0; i < 2 * p->n; i++)
		free(p->text[i]);
	free(p->text);
	free(p->line);
	free(p->site);
	free(p->node);
}

#define EMBED_PART(symbol, file)                                          \
	extern const char symbol[] __attribute__((visibility("hidden"))); \
	__asm__(".global " #symbol "\n"                                   \
		".pushsection .rodata\n"                                  \
		".type " #symbol ", @object\n" #symbol ":\n"              \
		".incbin \"lib/render/html/" file "\"\n"                  \
		".byte 0\n"                                               \
		".size " #symbol ", . - " #symbol "\n"                    \
		".popsection\n")

EMBED_PART(html_page_head, "head.html");
EMBED_PART(html_page_search, "search.html");
EMBED_PART(html_page_table, "table.html");
EMBED_PART(html_page_graph, "graph.html");
EMBED_PART(html_page_report, "page.html");
EMBED_PART(html_page_diff, "diff.html");
EMBED_PART(html_page_heap, "heap.html");
EMBED_PART(html_style_base, "base.css");
EMBED_PART(html_style_report, "report.css");
EMBED_PART(html_style_diff, "diff.css");
EMBED_PART(html_style_heap, "heap.css");
EMBED_PART(html_script_theme, "theme.js");
EMBED_PART(html_script_data, "data.js");
EMBED_PART(html_script_text, "text.js");
EMBED_PART(html_script_state, "state.js");
EMBED_PART(html_script_search, "search.js");
EMBED_PART(html_script_table, "table.js");
EMBED_PART(html_script_graph, "graph.js");
EMBED_PART(html_script_flame, "flame.js");
EMBED_PART(html_script_stacks, "stacks.js");
EMBED_PART(html_script_layout, "layout.js");
EMBED_PART(html_script_rows, "rows.js");
EMBED_PART(html_script_columns, "columns.js");
EMBED_PART(html_script_graphs, "graphs.js");
EMBED_PART(html_script_cards, "cards.js");
EMBED_PART(html_script_detail, "detail.js");
EMBED_PART(html_script_source, "source.js");
EMBED_PART(html_script_curves, "curves.js");
EMBED_PART(html_script_findings, "findings.js");
EMBED_PART(html_script_page, "page.js");
EMBED_PART(html_script_diff_columns, "diff_columns.js");
EMBED_PART(html_script_diff_graph, "diff_graph.js");
EMBED_PART(html_script_diff_page, "diff_page.js");
EMBED_PART(html_script_heap_page, "heap_page.js");
static const char *const report_styles[] = { html_style_base, html_style_report, NULL };
static const char *const diff_styles[] = { html_style_base, html_style_report, html_style_diff,
					   NULL };
static const char *const heap_styles[] = { html_style_base, html_style_report, html_style_heap,
					   NULL };

static const char *const report_scripts[] = {
	html_script_data,
	html_script_rows,
	html_script_text,
	html_script_state,
	html_script_search,
	html_script_table,
	html_script_columns,
	html_script_graph,
	html_script_graphs,
	html_script_flame,
	html_script_stacks,
	html_script_cards,
	html_script_detail,
	html_script_source,
	html_script_curves,
	html_script_findings,
	html_script_layout,
	html_script_page,
	NULL,
};

static const char *const diff_scripts[] = {
	html_script_data,
	html_script_text,
	html_script_state,
	html_script_search,
	html_script_table,
	html_script_diff_columns,
	html_script_graph,
	html_script_diff_graph,
	html_script_flame,
	html_script_stacks,
	html_script_layout,
	html_script_diff_page,
	NULL,
};

static const char *const heap_scripts[] = {
	html_script_data,
	html_script_text,
	html_script_state,
	html_script_search,
	html_script_stacks,
	html_script_curves,
	html_script_layout,
	html_script_cards,
	html_script_findings,
	html_script_heap_page,
	NULL,
};

const struct html_page html_report = { html_page_report, report_styles, html_script_theme,
				       report_scripts };
const struct html_page html_diff = { html_page_diff, diff_styles, html_script_theme, diff_scripts };
const struct html_page html_heap = { html_page_heap, heap_styles, html_script_theme, heap_scripts };

/* In a page, each of these stands for another part. */
#define HEAD   "<!--HEAD-->"
#define SEARCH "<!--SEARCH-->\n"
#define TABLE  "<!--TABLE-->\n"
#define GRAPH  "<!--GRAPH-->\n"
#define DATA   "<!--DATA-->"
#define SCRIPT "<!--SCRIPT-->"

/* Writes the page up to a mark; returns the rest behind the mark. */
static const char *put_until(FILE *out, const char *page, const char *mark)
{
	const char *at = strstr(page, mark);

	if (!at)
		return page;
	fwrite(page, 1, (size_t)(at - page), out);
	return at + strlen(mark);
}

/* Puts a part in the place of its mark, if it is there; returns the rest of the page. */
static const char *put_part(FILE *out, const char *page, const char *mark, const char *part)
{
	if (strstr(page, mark)) {
		page = put_until(out, page, mark);
		fputs(part, out);
	}
	return page;
}

static void put_all(FILE *out, const char *const *parts)
{
	while (*parts)
		fputs(*parts++, out);
}

int html_put_page(FILE *out, const struct html_page *p, void (*put_data)(FILE *out, const void *of),
		  const void *of)
{
	fputs(html_page_head, out);
	const char *page = put_until(out, p->html, HEAD);
	fputs("<style>\n", out);
	put_all(out, p->styles);
	fprintf(out, "</style>\n<script>\n'use strict';\n%s</script>", p->first);
	page = put_part(out, page, SEARCH, html_page_search);
	page = put_part(out, page, TABLE, html_page_table);
	page = put_part(out, page, GRAPH, html_page_graph);
	page = put_until(out, page, DATA);
	put_data(out, of);
	page = put_until(out, page, SCRIPT);
	fputs("<script>\n'use strict';\n", out);
	put_all(out, p->scripts);
	fputs("</script>", out);
	fputs(page, out);
	return ferror(out) ? -1 : 0;
}
