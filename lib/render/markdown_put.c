/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_put.c - see markdown_put.h. */
#include "render/markdown_put.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

FILE *markdown_begin(struct markdown_text *t)
{
	*t = (struct markdown_text){ .in = NULL };
	t->in = open_memstream(&t->text, &t->len);
	return t->in;
}

/* 0, or -1 if out of memory. */
static int end(struct markdown_text *t)
{
	if (!t->in || fclose(t->in) != 0) {
		free(t->text);
		return -1;
	}
	while (t->len > 0 && t->text[t->len - 1] == '\n')
		t->text[--t->len] = '\0';
	return 0;
}

/* Lines that were broken for a terminal are one. */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		bool blank = *from == ' ' || *from == '\n';
		if (!blank || (to > text && to[-1] != ' '))
			*to++ = blank ? ' ' : *from;
	}
	*to = '\0';
}

int markdown_paragraph(FILE *out, struct markdown_text *t, bool bold)
{
	if (end(t) < 0)
		return -1;
	join_lines(t->text);
	const char *text = t->text + strspn(t->text, "# ");
	if (*text) {
		fputs(bold ? "**" : "", out);
		escape_markdown(out, text);
		fputs(bold ? "**\n" : "\n", out);
	}
	free(t->text);
	return 0;
}

/* HTML's <pre> takes any line; a fence could be ended by one. */
int markdown_lines(FILE *out, struct markdown_text *t, const char *summary)
{
	if (end(t) < 0)
		return -1;
	if (summary)
		fprintf(out, "<details><summary>%s</summary>\n\n", summary);
	fputs("<pre>\n", out);
	for (char *line = t->text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line += *line == '#';
		escape_xml(out, line + (*line == ' '));
		putc('\n', out);
	}
	fputs(summary ? "</pre>\n\n</details>\n" : "</pre>\n", out);
	free(t->text);
	return 0;
}

int markdown_check(const struct check *check, void *stream)
{
	FILE *out = stream;

	fputs("- ", out);
	if (check->reason) {
		fputs("**failed:** ", out);
		escape_markdown(out, check->reason);
	} else {
		fputs("passed: ", out);
		escape_markdown_code(out, check->name);
		fputs(" does not hold", out);
	}
	putc('\n', out);
	return 0;
}
