/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_markdown.c - a report or a comparison as a summary in Markdown, for the page of a build's
 * job or a comment to a change: the conditions, the findings and the sum, the table; of a report
 * also what other analyses found, and folded what was recorded. GitHub and GitLab show it.
 */
#include <string.h>

#include "base/escape.h"
#include "base/memtext.h"
#include "render/builds/checks.h"
#include "render/builds/markdown.h"
#include "render/builds/remarks.h"
#include "render/render_diff.h"
#include "render/render_findings.h"
#include "render/render_fix.h"
#include "render/render_other_findings.h"

static const struct style plain = { .utf8 = true };
static const struct style table_style = { .utf8 = true, .markdown = true };

/* ---- conditions ---------------------------------------------------------------------------- */

static void put_check(const struct check *check, void *stream)
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
}

/* Ends their list, if there is one. */
static void end_checks(FILE *out, const struct conditions *conditions)
{
	if (conditions && conditions->n)
		putc('\n', out);
}

/* ---- the start ----------------------------------------------------------------------------- */

static void put_headline(FILE *out, const struct report *r)
{
	struct memtext t;

	render_headline(memtext_begin(&t), r, &plain);
	markdown_paragraph(out, &t, false);
	putc('\n', out);
}

static void put_sum(FILE *out, const struct report *r)
{
	struct memtext t;

	render_sum(memtext_begin(&t), r, &plain);
	markdown_paragraph(out, &t, true);
}

static void put_heap_hint(FILE *out, const struct report *r)
{
	struct memtext t;

	if (render_heap_hint(memtext_begin(&t), r, ""))
		putc('\n', out);
	markdown_paragraph(out, &t, false);
}

/* "   - Problem: ...", below an item of a list. */
static void put_sentence(FILE *out, const struct fix *f, const char *label, const char *sentence)
{
	struct memtext t;

	fix_put_sentence(memtext_begin(&t), &plain, f, sentence);
	fprintf(out, "   - %s: ", label);
	markdown_paragraph(out, &t, false);
}

static void put_made(FILE *out, const struct fix *f)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (!f->rule) {
		fix_put_unfixed(in, &plain, f);
		putc(' ', in);
	}
	fix_put_made(in, &plain, f);
	fputs("   - Made: ", out);
	markdown_paragraph(out, &t, false);
}

static void put_callers(FILE *out, const struct report *r, const struct fix *f)
{
	struct memtext t;

	fix_put_callers(memtext_begin(&t), r, &plain, f);
	memtext_end(&t);
	if (t.len > 0) {
		fputs("   - Callers: ", out);
		escape_markdown(out, t.text);
		putc('\n', out);
	}
	free(t.text);
}

static void put_fix(FILE *out, const struct report *r, size_t i)
{
	const struct fix *f = &r->fixes->fix[i];
	struct memtext t;

	fix_put_amounts(memtext_begin(&t), r, &plain, f);
	if (f->rule)
		fprintf(out, "%zu. ", i + 1);
	else
		fputs("- ", out);
	markdown_paragraph(out, &t, true);
	if (f->rule) {
		put_sentence(out, f, "Problem", f->rule->problem);
		put_sentence(out, f, "Fix", f->rule->fix);
	}
	put_made(out, f);
	put_callers(out, r, f);
}

/* What they avoid, then those that are told in full. */
static void put_fixes(FILE *out, const struct report *r)
{
	const struct fixes *all = r->fixes;
	size_t first = r->limited ? r->limit : FIXES_FIRST;
	struct memtext t;

	fixes_put_sum(memtext_begin(&t), r, first);
	markdown_paragraph(out, &t, true);
	putc('\n', out);
	for (size_t i = 0; i < all->n; i++)
		if (fixes_is_told(all, i, first))
			put_fix(out, r, i);
	putc('\n', out);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void put_rest(FILE *out, const struct report *r)
{
	struct memtext t;
	FILE *in = memtext_begin(&t);

	if (r->only_gains)
		render_rest(in, r, &plain);
	putc('\n', out);
	markdown_paragraph(out, &t, false);
}

static void put_more(FILE *out, size_t more)
{
	if (more > 0)
		fprintf(out, "\n%zu more: `--limit 0` shows all.\n", more);
}

static void put_table(FILE *out, const struct report *r)
{
	size_t more = (r->only_gains ? r->gains : r->rows->table.n) - r->below - r->shown;
	const char *noun = render_rows_noun(r, r->rows->table.n);

	fputs("\n### ", out);
	if (r->only_gains && r->gains)
		fprintf(out, "%zu of %zu %s with something to save or to fix\n\n", r->gains,
			r->rows->table.n, noun);
	else
		fprintf(out, "%zu of %zu %s\n\n", r->shown, r->rows->table.n, noun);
	render_table(out, r, &table_style);
	put_more(out, r->only_gains && r->gains == 0 ? 0 : more);
	put_rest(out, r);
}

/* ---- other analyses ------------------------------------------------------------------------ */

struct of_finding {
	FILE *out;
	const struct finding *finding;
};

/* An item of a list: where it is, and the first line of what is told of it. */
static void put_remark(const struct remark *m, void *arg)
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

static void put_finding(FILE *out, const struct report *r, const struct finding *f)
{
	struct of_finding of = { out, f };
	struct memtext t;

	render_finding_lines(memtext_begin(&t), &plain, f);
	putc('\n', out);
	markdown_paragraph(out, &t, false);
	putc('\n', out);
	if (r->others)
		markdown_others(out, r->others, f, r->limited ? r->limit : OTHERS_FIRST);
	remarks_of_rows(r, put_remark, &of);
}

/* ---- the document -------------------------------------------------------------------------- */

static void put_recording(FILE *out, const struct report *r)
{
	struct memtext t;

	render_header(memtext_begin(&t), r, &plain);
	putc('\n', out);
	markdown_lines(out, &t, "The recording");
}

static void put_rows(FILE *out, const struct report *r)
{
	if (r->rows->table.n == 0 || !(r->total->bytes > 0))
		return;
	if (r->fixes)
		put_fixes(out, r);
	put_sum(out, r);
	put_heap_hint(out, r);
	put_table(out, r);
}

int render_markdown(FILE *out, const struct report *r)
{
	fputs("## ojx report\n\n", out);
	put_headline(out, r);
	if (r->nothing)
		fprintf(out, "**Nothing to show:** %s\n", r->nothing);
	checks_of_report(r, put_check, out);
	end_checks(out, r->conditions);
	put_rows(out, r);
	if (findings_seen(r->findings, true) || findings_seen(r->findings, false))
		fputs("\n### Other findings\n", out);
	for (size_t i = 0; r->findings && i < r->findings->n; i++)
		if (r->findings->item[i].seen)
			put_finding(out, r, &r->findings->item[i]);
	put_recording(out, r);
	return ferror(out) ? -1 : 0;
}

/* ---- a comparison -------------------------------------------------------------------------- */

int render_diff_markdown(FILE *out, const struct diff_report *r)
{
	struct memtext t;
	size_t more;

	fputs("## ojx diff\n\n", out);
	checks_of_diff(r->conditions, r->lines, put_check, out);
	end_checks(out, r->conditions);
	render_diff_fixes_markdown(out, r);
	FILE *in = memtext_begin(&t);
	render_diff_header(in, r, &plain);
	render_diff_totals(in, r, &plain);
	markdown_lines(out, &t, NULL);
	render_diff_table(out, r, &table_style, &more);
	put_more(out, more);
	return ferror(out) ? -1 : 0;
}
