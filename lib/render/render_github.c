/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_github.c - a report as commands that GitHub's runner reads from the output of a step, and
 * shows beside lines of source:
 *
 *	::warning file=com/acme/Shop.java,line=12,title=ojx%3A ...::MESSAGE
 *
 * A condition that holds is an error, a finding that avoids something, certain or likely, a
 * warning; the others are notices.
 */
#define _GNU_SOURCE 1 /* asprintf */

#include "render/render_builds.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memtext.h"
#include "base/xmalloc.h"
#include "compare/condition.h"
#include "render/export.h"
#include "render/marks.h"
#include "render/render_fix.h"

/* ---- the conditions, for all formats that builds read ------------------------------------- */

static int deliver_check(const struct condition *c, const struct condition_hit *hit,
			 const struct style *s, check_fn *fn, void *arg)
{
	char *name = NULL, *reason = NULL;
	size_t len;
	FILE *out = hit->n ? open_memstream(&reason, &len) : NULL;
	int result = hit->n && !out ? -1 : 0;

	if (out) {
		condition_put_hit(out, c, hit, s);
		result = fclose(out);
	}
	if (asprintf(&name, "%.*s", (int)c->len, c->text) < 0) {
		name = NULL;
		result = -1;
	}
	const struct check check = { name, reason, condition_frame(c, hit) };
	if (result == 0)
		result = fn(&check, arg);
	free(name);
	free(reason);
	return result;
}

int checks_of_report(const struct report *r, check_fn *fn, void *arg)
{
	const struct style plain = { .utf8 = true };
	const struct condition_facts facts = { .rows = r->lines,
					       .fixes = r->fixes,
					       .findings = r->findings,
					       .min_pairs = r->min_pairs };

	for (size_t i = 0; r->conditions && i < r->conditions->n; i++) {
		const struct condition *c = &r->conditions->item[i];
		struct condition_hit hit = condition_of_report(c, &facts);
		if (deliver_check(c, &hit, &plain, fn, arg) < 0)
			return -1;
	}
	return 0;
}

int checks_of_diff(const struct conditions *conditions, const struct diff *lines, check_fn *fn,
		   void *arg)
{
	const struct style plain = { .utf8 = true };

	for (size_t i = 0; conditions && i < conditions->n; i++) {
		const struct condition *c = &conditions->item[i];
		struct condition_hit hit =
			condition_of_diff(c, lines, lines->options.replica.min_pairs);
		if (deliver_check(c, &hit, &plain, fn, arg) < 0)
			return -1;
	}
	return 0;
}

/* ---- commands to GitHub's runner --------------------------------------------------------- */

void github_command(FILE *out, const char *command, const char *path, int line, const char *title,
		    const char *message)
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

int github_check(const struct check *check, void *stream)
{
	const struct checks_stream *to = stream;
	const struct model_frame *frame = check->frame;

	if (!check->reason)
		return 0;
	char *path = source_path_of(to->sources, frame);
	github_command(to->out, "error", path, frame ? frame->line : 0, check->name, check->reason);
	free(path);
	return 0;
}

/* Ends of lines at the end say nothing. */
static char *trimmed(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && text[len - 1] == '\n')
		text[--len] = '\0';
	return text;
}

static void put_mark(const struct mark *m, void *arg)
{
	FILE *out = arg;
	char *text = xstrdup(m->text);

	github_command(out, m->level == MARK_WARNING ? "warning" : "notice", m->path,
		       m->frame ? m->frame->line : 0, m->title, trimmed(text));
	free(text);
}

/* What the first fixes avoid, and all of them. */
static void put_sum(FILE *out, const struct report *r)
{
	struct memtext text;

	fixes_put_sum(memtext_begin(&text), r, FIXES_FIRST);
	github_command(out, "notice", NULL, 0, "the sum", memtext_end(&text));
	free(text.text);
}

int render_github(FILE *out, const struct report *r)
{
	struct checks_stream to = { out, r->sources };

	if (r->nothing)
		github_command(out, "error", NULL, 0, "nothing to show", r->nothing);
	if (checks_of_report(r, github_check, &to) < 0)
		return -1;
	/* before the others, of which GitHub shows the first ten */
	if (r->fixes && r->fixes->bytes > 0)
		put_sum(out, r);
	marks_each(r, put_mark, out);
	return ferror(out) ? -1 : 0;
}
