/* SPDX-License-Identifier: Apache-2.0 */
/* markdown.c - see markdown.h. */
#include "render/builds/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "render/render_other_findings.h"

/* Without the ends of lines at its end. */
static char *end(struct memtext *t)
{
	char *text = memtext_end(t);

	for (size_t len = t->len; len > 0 && text[len - 1] == '\n';)
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

void markdown_paragraph(FILE *out, struct memtext *t, bool bold)
{
	char *text = end(t);

	join_lines(text);
	const char *said = text + strspn(text, "# ");
	if (*said) {
		fputs(bold ? "**" : "", out);
		escape_markdown(out, said);
		fputs(bold ? "**\n" : "\n", out);
	}
	free(text);
}

/* HTML's <pre> takes any line; a fence could be ended by one. */
void markdown_lines(FILE *out, struct memtext *t, const char *summary)
{
	char *text = end(t);

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
}

/* ---- what is to be done -------------------------------------------------------------------- */

static const struct style plain = { .utf8 = true };

/* "   - Problem: ...", below an item of a list. */
static void put_below(FILE *out, const char *label, struct memtext *t)
{
	fprintf(out, "   - %s: ", label);
	markdown_paragraph(out, t, false);
}

/* An item of a numbered list, as a finding that is ranked. */
static void put_other(FILE *out, const struct other_finding *o)
{
	struct memtext t;

	other_put_amount(memtext_begin(&t), &plain, o);
	fprintf(out, "%llu. ", (unsigned long long)o->rank);
	markdown_paragraph(out, &t, true);
	fputs(o->rule->problem, memtext_begin(&t));
	put_below(out, "Problem", &t);
	fputs(o->rule->fix, memtext_begin(&t));
	put_below(out, "Fix", &t);
	other_put_made(memtext_begin(&t), &plain, o);
	put_below(out, o->table->of_objects ? "Made" : "Seen", &t);
}

void markdown_others(FILE *out, const struct others *all, const struct finding *f, size_t most)
{
	struct memtext t;

	for (size_t first = 0, end; first < all->n; first = end) {
		end = others_section_end(all, first);
		if (all->item[first].finding != f)
			continue;
		others_put_sum(memtext_begin(&t), all, first);
		markdown_paragraph(out, &t, true);
		putc('\n', out);
		for (size_t i = first; i < end && i - first < most; i++)
			put_other(out, &all->item[i]);
		putc('\n', out);
	}
}
