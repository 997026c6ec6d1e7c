/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_github.c - a report or a comparison as commands that GitHub's runner reads from the output
 * of a step, and shows beside lines of source:
 *
 *	::warning file=com/acme/Shop.java,line=12,title=ojx%3A ...::MESSAGE
 *
 * A condition that holds is an error. Of a report, a finding that avoids something, certain or
 * likely, is a warning, and the others are notices; of a comparison, a line that is worse is a
 * warning.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "base/xmalloc.h"
#include "render/builds/checks.h"
#include "render/builds/remarks.h"
#include "render/export.h"
#include "render/render_diff.h"
#include "render/render_fix.h"

static const struct style plain = { .utf8 = true };

/* `path` NULL and `line` 0: not known. */
static void put_command(FILE *out, const char *command, const char *path, int line,
			const char *title, const char *message)
{
	fprintf(out, "::%s ", command);
	if (path) {
		fputs("file=", out);
		escape_github_property(out, path);
		if (line > 0)
			fprintf(out, ",line=%d", line);
		putc(',', out);
	}
	fputs("title=", out);
	escape_github_property(out, "ojx: ");
	escape_github_property(out, title);
	fputs("::", out);
	escape_github_message(out, message);
	putc('\n', out);
}

/* Where checks go. */
struct commands {
	FILE *out;
	const struct sources *sources; /* NULL: none */
};

/* An error, at the line of the first row, for a condition that holds. */
static void put_check(const struct check *check, void *arg)
{
	const struct commands *to = arg;
	const struct model_frame *frame = check->frame;

	if (!check->reason)
		return;
	char *path = source_path_of(to->sources, frame);
	put_command(to->out, "error", path, frame ? frame->line : 0, check->name, check->reason);
	free(path);
}

/* ---- a report ------------------------------------------------------------------------------ */

/* Ends of lines at the end say nothing. */
static char *trimmed(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && text[len - 1] == '\n')
		text[--len] = '\0';
	return text;
}

static void put_remark(const struct remark *m, void *arg)
{
	FILE *out = arg;
	char *text = xstrdup(m->text);

	put_command(out, m->level == REMARK_WARNING ? "warning" : "notice", m->path,
		    m->frame ? m->frame->line : 0, m->title, trimmed(text));
	free(text);
}

/* What the first fixes avoid, and all of them. */
static void put_sum(FILE *out, const struct report *r)
{
	struct memtext text;

	fixes_put_sum(memtext_begin(&text), r, FIXES_FIRST);
	put_command(out, "notice", NULL, 0, "the sum", memtext_end(&text));
	free(text.text);
}

int render_github(FILE *out, const struct report *r)
{
	struct commands to = { out, r->sources };

	if (r->nothing)
		put_command(out, "error", NULL, 0, "nothing to show", r->nothing);
	checks_of_report(r, put_check, &to);
	/* before the others, of which GitHub shows the first ten */
	if (r->fixes && r->fixes->bytes > 0)
		put_sum(out, r);
	remarks_each(r, put_remark, out);
	return ferror(out) ? -1 : 0;
}

/* ---- a comparison -------------------------------------------------------------------------- */

static const struct model_frame *line_of(const struct row *row)
{
	return row && row->line < row_stack(row)->n ? &row_stack(row)->frames[row->line] : NULL;
}

/* Whether the row is reported: it got worse or, if it is new, something could be saved. */
static bool is_worse(const struct diff_row *row)
{
	if (row->state == DIFF_NEW)
		return row->new_replica || row->change[DIFF_SAVED].to > 0;
	return row->state == DIFF_WORSE;
}

/* "saved +1.2 MB, bytes (+3 kB)": what changed, and the rest in parentheses. */
static char *changes_text(const struct diff_row *row)
{
	const char *comma = "";
	struct memtext text;
	FILE *out = memtext_begin(&text);

	for (int m = 0; m < DIFF_MEASURES; m++) {
		const struct column *c = diff_column((enum diff_measure)m);
		const struct diff_change *change = &row->change[m];
		if (isnan(change->to - change->from))
			continue;
		fprintf(out, "%s%s ", comma, column_name(c));
		render_diff_change(out, &plain, c->figure, change);
		fputs(diff_is_share((enum diff_measure)m) ? " points" : "", out);
		comma = ", ";
	}
	fprintf(out, ", of %s", row_class(diff_shown(row)));
	return memtext_end(&text);
}

static void put_row(FILE *out, const struct diff_report *r, const struct diff_row *row)
{
	const struct row *shown = diff_shown(row);
	const struct model_frame *frame = line_of(shown);
	char *text = changes_text(row), *path = source_path_of(r->sources, frame), title[128];

	snprintf(title, sizeof title, "%s: %s", names_short(row_class(shown)),
		 diff_state_name(row->state));
	put_command(out, "warning", path, frame ? frame->line : 0, title, text);
	free(text);
	free(path);
}

int render_diff_github(FILE *out, const struct diff_report *r)
{
	struct commands to = { out, r->sources };
	char *header = render_diff_plain(r);
	size_t shown = 0;

	checks_of_diff(r->conditions, r->lines, put_check, &to);
	put_command(out, "notice", NULL, 0, "the comparison", header);
	free(header);
	for (size_t i = 0; i < r->diff->n && shown < r->limit; i++)
		if (is_worse(&r->diff->row[i])) {
			put_row(out, r, &r->diff->row[i]);
			shown++;
		}
	return ferror(out) ? -1 : 0;
}
