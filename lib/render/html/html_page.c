/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.c - see html_page.h. The assembler includes the files, from the top directory, where
 * the Makefile runs. So their names appear only here.
 */
#include "render/html/html_page.h"

#include <errno.h>
#include <string.h>

#include "base/json_text.h"
#include "base/units.h"

static void put_column(FILE *out, const char *name, const struct intern_table *t, size_t k)
{
	fprintf(out, "%s\"%s\":", k ? ",\n" : "", name);
	json_put_ids(out, t->column[k], t->n, INTERN_NONE);
}

/* Writes the source file of each frame; -1 if the JVM did not tell the file or the line. */
static int put_frame_sources(FILE *out, const struct intern *in, struct source_snippets *excerpts)
{
	const struct intern_table *t = &in->frames;

	fputs(",\n\"source\":[", out);
	for (size_t i = 0; i < t->n; i++) {
		uint32_t file = t->column[FRAME_FILE][i], line = t->column[FRAME_LINE][i], id;
		fputs(i ? "," : "", out);
		if (file == INTERN_NONE || line == 0) {
			fputs("-1", out);
			continue;
		}
		if (source_snippets_want(excerpts, in->text[t->column[FRAME_CLASS][i]],
					 in->text[file], line, &id) < 0)
			return -1;
		fprintf(out, "%u", id);
	}
	putc(']', out);
	return 0;
}

int html_put_tables(FILE *out, const struct intern *in, struct source_snippets *excerpts)
{
	static const char *const frame[] = { "class", "method", "file", "line", "platform" };
	static const char *const node[] = { "parent", "frame", "line" };

	fputs(",\n\"strings\":[", out);
	for (size_t i = 0; i < in->ntexts; i++) {
		fputs(i ? ",\n" : "\n", out);
		json_put_text(out, in->text[i]);
	}
	fputs("],\n\"frames\":{", out);
	for (size_t k = 0; k < FRAME_COLUMNS; k++)
		put_column(out, frame[k], &in->frames, k);
	if (excerpts && put_frame_sources(out, in, excerpts) < 0)
		return -1;
	fputs("},\n\"nodes\":{", out);
	for (size_t k = 0; k < NODE_COLUMNS; k++)
		put_column(out, node[k], &in->nodes, k);
	fputs("},\n\"units\":", out);
	units_put_json(out);
	return 0;
}

int html_number_place(struct intern *in, const struct row *row, row_put_fn *put, char **owned,
		      uint32_t *id)
{
	*owned = row_place_text(row, put);
	return *owned ? intern_text(in, *owned, id) : -1;
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
EMBED_PART(html_script_help, "help.js");
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
	html_script_data,   html_script_rows,	html_script_text,    html_script_state,
	html_script_search, html_script_table,	html_script_columns, html_script_graph,
	html_script_graphs, html_script_flame,	html_script_stacks,  html_script_cards,
	html_script_detail, html_script_source, html_script_curves,  html_script_findings,
	html_script_help,   html_script_layout, html_script_page,    NULL,
};

static const char *const diff_scripts[] = {
	html_script_data,      html_script_text,
	html_script_state,     html_script_search,
	html_script_table,     html_script_diff_columns,
	html_script_graph,     html_script_diff_graph,
	html_script_flame,     html_script_stacks,
	html_script_help,      html_script_layout,
	html_script_diff_page, NULL,
};

static const char *const heap_scripts[] = {
	html_script_data,      html_script_text,
	html_script_state,     html_script_search,
	html_script_stacks,    html_script_curves,
	html_script_layout,    html_script_findings,
	html_script_heap_page, NULL,
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

int html_put_page(FILE *out, const struct html_page *p, int (*put_data)(FILE *out, const void *of),
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
	if (put_data(out, of) < 0) {
		errno = ENOMEM;
		return -1;
	}
	page = put_until(out, page, SCRIPT);
	fputs("<script>\n'use strict';\n", out);
	put_all(out, p->scripts);
	fputs("</script>", out);
	fputs(page, out);
	return ferror(out) ? -1 : 0;
}
