/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html_page.c - see html_page.h. The assembler includes the files, from the top directory, where
 * the Makefile runs. So their names appear only here.
 */
#include "render/html/html_page.h"

#include <stddef.h>

#define EMBED(symbol, file)                                  \
	__asm__(".pushsection .rodata\n"                     \
		".type " #symbol ", @object\n" #symbol ":\n" \
		".incbin \"lib/render/html/" file "\"\n"     \
		".byte 0\n"                                  \
		".size " #symbol ", . - " #symbol "\n"       \
		".popsection\n")
#define EMBED_PUBLIC(symbol, file)        \
	__asm__(".global " #symbol "\n"); \
	EMBED(symbol, file)
#define EMBED_PART(symbol, file)                                          \
	extern const char symbol[] __attribute__((visibility("hidden"))); \
	EMBED_PUBLIC(symbol, file)

EMBED_PUBLIC(html_page, "page.html");
EMBED_PART(html_style_base, "base.css");
EMBED_PART(html_style_report, "report.css");
EMBED_PUBLIC(html_theme, "theme.js");
EMBED_PART(html_script_data, "data.js");
EMBED_PART(html_script_text, "text.js");
EMBED_PART(html_script_search, "search.js");
EMBED_PART(html_script_cards, "cards.js");
EMBED_PART(html_script_table, "table.js");
EMBED_PART(html_script_graph, "graph.js");
EMBED_PART(html_script_graphs, "graphs.js");
EMBED_PART(html_script_flame, "flame.js");
EMBED_PART(html_script_detail, "detail.js");
EMBED_PART(html_script_source, "source.js");
EMBED_PART(html_script_findings, "findings.js");
EMBED_PART(html_script_help, "help.js");
EMBED_PART(html_script_page, "page.js");

const char *const html_styles[] = { html_style_base, html_style_report, NULL };

const char *const html_scripts[] = {
	html_script_data,     html_script_text,
	html_script_search,   html_script_cards,
	html_script_table,    html_script_graph,
	html_script_graphs,   html_script_flame,
	html_script_detail,   html_script_source,
	html_script_findings, html_script_help,
	html_script_page,     NULL,
};
