/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_markdown.c - a report as a summary in Markdown, for the page of a build's job or a comment
 * to a change: the headline, the conditions, the findings and the sum, the table, what other
 * analyses found, and folded what was recorded. GitHub and GitLab show it.
 */
#include "render/render_builds.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memtext.h"
#include "fix/advice.h"
#include "render/marks.h"
#include "render/render_findings.h"
#include "render/render_fix.h"
#include "render/render_others.h"

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

static const struct style plain = { .utf8 = true };

/* ---- the best ------------------------------------------------------------------------------ */

static int put_headline(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (in)
		render_headline(in, r, &plain);
	int result = markdown_paragraph(out, &t, false);
	putc('\n', out);
	return result;
}

static int put_sum(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (in)
		render_sum(in, r, &plain);
	return markdown_paragraph(out, &t, true);
}

static int put_heap_hint(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (in && render_heap_hint(in, r, ""))
		putc('\n', out);
	return markdown_paragraph(out, &t, false);
}

/* "   - Problem: ...", below an item of a list. */
static int put_sentence(FILE *out, const struct fix *f, const char *label, const char *sentence)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	fix_put_sentence(in, &plain, f, sentence);
	fprintf(out, "   - %s: ", label);
	return markdown_paragraph(out, &t, false);
}

static int put_made(FILE *out, const struct fix *f)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (!f->rule) {
		fix_put_unfixed(in, &plain, f);
		putc(' ', in);
	}
	fix_put_made(in, &plain, f);
	fputs("   - Made: ", out);
	return markdown_paragraph(out, &t, false);
}

static int put_fix(FILE *out, const struct report *r, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];
	struct memtext t;
	FILE *in = memtext_begin(&t);

	fix_put_amounts(in, r, &plain, f);
	if (f->rule)
		fprintf(out, "%zu. ", i + 1);
	else
		fputs("- ", out);
	if (markdown_paragraph(out, &t, true) < 0)
		return -1;
	if (f->rule && (put_sentence(out, f, "Problem", f->rule->problem) < 0 ||
			put_sentence(out, f, "Fix", f->rule->fix) < 0))
		return -1;
	return put_made(out, f);
}

/* What they avoid, then those that are told in full. */
static int put_fixes(FILE *out, const struct report *r)
{
	const struct fixes *all = r->fixes;
	size_t first = r->limited ? r->limit : FIXES_FIRST;
	struct memtext t;
	FILE *in = memtext_begin(&t);

	fixes_put_sum(in, r, first);
	if (markdown_paragraph(out, &t, true) < 0)
		return -1;
	putc('\n', out);
	for (size_t i = 0; i < all->n; i++)
		if (fixes_is_told(all, i, first) && put_fix(out, r, i) < 0)
			return -1;
	putc('\n', out);
	return 0;
}

/* ---- the table ----------------------------------------------------------------------------- */

static int put_rest(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);
	int result = 0;

	if (in && r->only_worth)
		result = render_rest(in, r, &plain);
	putc('\n', out);
	return markdown_paragraph(out, &t, false) < 0 ? -1 : result;
}

static int put_table(FILE *out, const struct report *r)
{
	const struct style style = { .utf8 = true, .markdown = true };
	size_t more = (r->only_worth ? r->worth : r->rows->table.n) - r->below - r->shown;
	const char *noun = render_rows_noun(r, r->rows->table.n);

	if (r->only_worth && r->worth == 0)
		more = 0;
	fputs("\n### ", out);
	if (r->only_worth && r->worth)
		fprintf(out, "%zu of %zu %s with something to save or to fix\n\n", r->worth,
			r->rows->table.n, noun);
	else
		fprintf(out, "%zu of %zu %s\n\n", r->shown, r->rows->table.n, noun);
	if (render_table(out, r, &style) < 0)
		return -1;
	if (more > 0)
		fprintf(out, "\n%zu more: `--limit 0` shows all.\n", more);
	return put_rest(out, r);
}

/* ---- other analyses ------------------------------------------------------------------------ */

struct of_finding {
	FILE *out;
	const struct finding *finding;
};

/* An item of a list: where it is, and the first line of what is told of it. */
static void put_mark(const struct mark *m, void *arg)
{
	const struct of_finding *of = arg;
	struct memtext t;

	if (m->finding != of->finding)
		return;
	FILE *in = memtext_begin(&t);
	if (m->frame->file)
		fprintf(in, "%s:%d: ", m->frame->file, m->frame->line);
	fwrite(m->text, 1, strcspn(m->text, "\n"), in);
	fputs("- ", of->out);
	markdown_paragraph(of->out, &t, false);
}

/* An item of a numbered list, as a finding that is ranked. */
static int put_other(FILE *out, const struct other *o)
{
	struct memtext t;

	other_put_amount(memtext_begin(&t), &plain, o);
	fprintf(out, "%llu. ", (unsigned long long)o->rank);
	if (markdown_paragraph(out, &t, true) < 0)
		return -1;
	fprintf(memtext_begin(&t), "%s", o->rule->problem);
	fputs("   - Problem: ", out);
	if (markdown_paragraph(out, &t, false) < 0)
		return -1;
	fprintf(memtext_begin(&t), "%s", o->rule->fix);
	fputs("   - Fix: ", out);
	if (markdown_paragraph(out, &t, false) < 0)
		return -1;
	other_put_made(memtext_begin(&t), &plain, o);
	fprintf(out, "   - %s: ", o->table->of_objects ? "Made" : "Seen");
	return markdown_paragraph(out, &t, false);
}

int markdown_others(FILE *out, const struct others *all, const struct finding *f, size_t most)
{
	struct memtext t;

	for (size_t first = 0, end; first < all->n; first = end) {
		end = others_section_end(all, first);
		if (all->item[first].finding != f)
			continue;
		others_put_sum(memtext_begin(&t), all, first);
		if (markdown_paragraph(out, &t, true) < 0)
			return -1;
		putc('\n', out);
		for (size_t i = first; i < end && i - first < most; i++)
			if (put_other(out, &all->item[i]) < 0)
				return -1;
		putc('\n', out);
	}
	return 0;
}

static int put_finding(FILE *out, const struct report *r, const struct finding *f)
{
	struct of_finding of = { out, f };
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (in)
		render_finding_lines(in, &plain, f);
	putc('\n', out);
	if (markdown_paragraph(out, &t, false) < 0)
		return -1;
	putc('\n', out);
	if (r->others &&
	    markdown_others(out, r->others, f, r->limited ? r->limit : OTHERS_FIRST) < 0)
		return -1;
	marks_of_rows(r, put_mark, &of);
	return 0;
}

/* ---- the document -------------------------------------------------------------------------- */

static int put_recording(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (in)
		render_header(in, r, &plain);
	putc('\n', out);
	return markdown_lines(out, &t, "The recording");
}

static int put_rows(FILE *out, const struct report *r)
{
	if (r->rows->table.n == 0 || !(r->total->bytes > 0))
		return 0;
	if (r->fixes && put_fixes(out, r) < 0)
		return -1;
	if (put_sum(out, r) < 0 || put_heap_hint(out, r) < 0)
		return -1;
	return put_table(out, r);
}

int render_markdown(FILE *out, const struct report *r)
{
	fputs("## ojx report\n\n", out);
	if (put_headline(out, r) < 0)
		return -1;
	if (r->nothing)
		fprintf(out, "**Nothing to show:** %s\n", r->nothing);
	if (checks_of_report(r, markdown_check, out) < 0)
		return -1;
	if (r->conditions && r->conditions->n)
		putc('\n', out);
	if (put_rows(out, r) < 0)
		return -1;
	if (findings_seen(r->findings, true) || findings_seen(r->findings, false))
		fputs("\n### Other findings\n", out);
	for (size_t i = 0; r->findings && i < r->findings->n; i++)
		if (r->findings->item[i].seen && put_finding(out, r, &r->findings->item[i]) < 0)
			return -1;
	return put_recording(out, r) < 0 || ferror(out) ? -1 : 0;
}
