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
#define EMBED_SCRIPT(symbol, file)                                        \
	extern const char symbol[] __attribute__((visibility("hidden"))); \
	EMBED_PUBLIC(symbol, file)

EMBED_PUBLIC(html_page, "page.html");
EMBED_PUBLIC(html_style, "page.css");
EMBED_SCRIPT(html_script_data, "data.js");
EMBED_SCRIPT(html_script_text, "text.js");
EMBED_SCRIPT(html_script_table, "table.js");
EMBED_SCRIPT(html_script_graph, "graph.js");
EMBED_SCRIPT(html_script_flame, "flame.js");
EMBED_SCRIPT(html_script_detail, "detail.js");
EMBED_SCRIPT(html_script_source, "source.js");
EMBED_SCRIPT(html_script_findings, "findings.js");
EMBED_SCRIPT(html_script_page, "page.js");

const char *const html_scripts[] = {
	html_script_data,   html_script_text,
	html_script_table,  html_script_graph,
	html_script_flame,  html_script_detail,
	html_script_source, html_script_findings,
	html_script_page,   NULL,
};
