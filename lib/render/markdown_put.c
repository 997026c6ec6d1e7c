/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_put.c - see markdown_put.h. */
#include "render/markdown_put.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memtext.h"

/* Without the ends of lines at its end; NULL if out of memory. */
static char *end(struct memtext *t)
{
	char *text = memtext_end(t);

	for (size_t len = t->len; text && len > 0 && text[len - 1] == '\n';)
		text[--len] = '\0';
	return text;
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

int markdown_paragraph(FILE *out, struct memtext *t, bool bold)
{
	char *text = end(t);

	if (!text)
		return -1;
	join_lines(text);
	const char *said = text + strspn(text, "# ");
	if (*said) {
		fputs(bold ? "**" : "", out);
		escape_markdown(out, said);
		fputs(bold ? "**\n" : "\n", out);
	}
	free(text);
	return 0;
}

/* HTML's <pre> takes any line; a fence could be ended by one. */
int markdown_lines(FILE *out, struct memtext *t, const char *summary)
{
	char *text = end(t);

	if (!text)
		return -1;
	if (summary)
		fprintf(out, "<details><summary>%s</summary>\n\n", summary);
	fputs("<pre>\n", out);
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line += *line == '#';
		escape_xml(out, line + (*line == ' '));
		putc('\n', out);
	}
	fputs(summary ? "</pre>\n\n</details>\n" : "</pre>\n", out);
	free(text);
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
