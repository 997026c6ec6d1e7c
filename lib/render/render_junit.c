/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_junit.c - the conditions of --fail-if as test cases, in the form of JUnit's reports, which
 * Jenkins, GitLab and others show.
 *
 * A test fails only if a user has asked for its condition. Findings fail nothing; they are the
 * output of the suite. One test is always there: that something was recorded. Without it, a suite
 * without conditions would have no test, which Jenkins takes for an error, and an empty recording
 * would pass all conditions.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/javaname.h"
#include "base/memtext.h"
#include "render/export.h"
#include "render/render_builds.h"
#include "render/render_diff.h"
#include "render/render_findings.h"

/* ---- a suite of test cases in the form of JUnit's reports --------------------------------- */

struct junit_suite {
	const char *name;	/* "ojx report" */
	const char *class_name; /* of its cases: "ojx.report" */
	const char *command;	/* of the recording; NULL: not told */
	uint64_t start_unix_ns; /* of it; 0: not known */
	double seconds;
	struct memtext cases; /* in memory, since their numbers stand before them */
	size_t tests, failures, errors;
};

/* Begins; the caller has set the members up to `seconds`. 0, or -1 if out of memory. */
static int junit_begin(struct junit_suite *s)
{
	return memtext_begin(&s->cases) ? 0 : -1;
}

static void put_outcome(FILE *out, const char *element, const char *type, const char *reason)
{
	fprintf(out, ">\n      <%s type=\"%s\" message=\"", element, type);
	escape_xml_attribute(out, reason);
	fputs("\">", out);
	escape_xml(out, reason);
	fprintf(out, "</%s>\n    </testcase>\n", element);
}

/* Adds a case; it has failed, or could not be tested, if there is a reason. */
static void junit_case(struct junit_suite *s, const char *name, const char *failure,
		       const char *error)
{
	FILE *out = s->cases.in;

	s->tests++;
	s->failures += failure != NULL;
	s->errors += error != NULL;
	fputs("    <testcase classname=\"", out);
	escape_xml_attribute(out, s->class_name);
	fputs("\" name=\"", out);
	escape_xml_attribute(out, name);
	fputs("\" time=\"0\"", out);
	if (failure)
		put_outcome(out, "failure", "condition", failure);
	else if (error)
		put_outcome(out, "error", "recording", error);
	else
		fputs("/>\n", out);
}

static void put_counts(FILE *out, const struct junit_suite *s)
{
	fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"%.3f\"", s->tests,
		s->failures, s->errors, s->seconds);
}

/* In UTC, as the form has no zone. */
static void put_started(FILE *out, const struct junit_suite *s)
{
	time_t seconds = (time_t)(s->start_unix_ns / 1000000000);
	char text[32];
	struct tm tm;

	if (s->start_unix_ns && gmtime_r(&seconds, &tm) &&
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm))
		fprintf(out, " timestamp=\"%s\"", text);
}

static void put_suite(FILE *out, const struct junit_suite *s, const char *cases, const char *output)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
	put_counts(out, s);
	fputs(">\n  <testsuite name=\"", out);
	escape_xml_attribute(out, s->name);
	putc('"', out);
	put_counts(out, s);
	fputs(" skipped=\"0\"", out);
	put_started(out, s);
	fputs(">\n", out);
	if (s->command) {
		fputs("    <properties>\n      <property name=\"command\" value=\"", out);
		escape_xml_attribute(out, s->command);
		fputs("\"/>\n    </properties>\n", out);
	}
	fputs(cases, out);
	fputs("    <system-out>", out);
	escape_xml(out, output);
	fputs("</system-out>\n  </testsuite>\n</testsuites>\n", out);
}

/* Writes the suite and what there is to read beside it, and releases it. With `out` NULL it
 * releases only. 0, or -1. */
static int junit_end(struct junit_suite *s, FILE *out, const char *output)
{
	char *cases = memtext_end(&s->cases);
	int result = cases && out ? 0 : -1;

	if (result == 0)
		put_suite(out, s, cases, output);
	free(cases);
	return result < 0 || ferror(out) ? -1 : 0;
}

/*
 * ---- a comparison for builds: a summary in Markdown, annotations by GitHub of the lines that
 * got worse, and conditions as test cases.
 */

static const struct style plain = { .utf8 = true };

/* ---- Markdown ------------------------------------------------------------------------------ */

int render_diff_markdown(FILE *out, const struct diff_report *r)
{
	const struct style style = { .utf8 = true, .markdown = true };
	struct memtext t;
	size_t more;

	fputs("## ojx diff\n\n", out);
	if (checks_of_diff(r->conditions, r->lines, markdown_check, out) < 0)
		return -1;
	if (r->conditions && r->conditions->n)
		putc('\n', out);
	if (render_diff_fixes_markdown(out, r) < 0)
		return -1;
	FILE *in = memtext_begin(&t);
	render_diff_header(in, r, &plain);
	render_diff_totals(in, r, &plain);
	if (markdown_lines(out, &t, NULL) < 0 || render_diff_table(out, r, &style, &more) < 0)
		return -1;
	if (more)
		fprintf(out, "\n%zu more: `--limit 0` shows all.\n", more);
	return ferror(out) ? -1 : 0;
}

/* ---- GitHub -------------------------------------------------------------------------------- */

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

	if (!out)
		return NULL;
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

static int put_row(FILE *out, const struct diff_report *r, const struct diff_row *row)
{
	const struct row *shown = diff_shown(row);
	const struct model_frame *frame = line_of(shown);
	char *text = changes_text(row), *path = source_path_of(r->sources, frame), title[128];

	snprintf(title, sizeof title, "%s: %s", names_short(row_class(shown)),
		 diff_state_name(row->state));
	github_command(out, "warning", path, frame ? frame->line : 0, title, text);
	free(text);
	free(path);
	return 0;
}

/* The header, without the '#' of comments; NULL if out of memory. */
static char *header_text(const struct diff_report *r)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	render_diff_header(out, r, &plain);
	render_diff_fixes(out, r, &plain);
	render_diff_totals(out, r, &plain);
	char *text = memtext_end(&gathered), *to = text;
	if (!text)
		return NULL;
	for (const char *line = text; *line;) {
		const char *from = line + strspn(line, "# ");
		size_t n = strcspn(from, "\n");
		memmove(to, from, n);
		line = from + n + (from[n] == '\n');
		to += n;
		*to++ = '\n';
	}
	while (to > text && to[-1] == '\n')
		to--;
	*to = '\0';
	return text;
}

int render_diff_github(FILE *out, const struct diff_report *r)
{
	struct checks_stream to = { out, r->sources };
	char *header = header_text(r);
	size_t shown = 0;

	if (!header || checks_of_diff(r->conditions, r->lines, github_check, &to) < 0) {
		free(header);
		return -1;
	}
	github_command(out, "notice", NULL, 0, "the comparison", header);
	free(header);
	for (size_t i = 0; i < r->diff->n && shown < r->limit; i++) {
		if (!is_worse(&r->diff->row[i]))
			continue;
		if (put_row(out, r, &r->diff->row[i]) < 0)
			return -1;
		shown++;
	}
	return ferror(out) ? -1 : 0;
}

/* ---- JUnit --------------------------------------------------------------------------------- */

static int put_case(const struct check *check, void *arg)
{
	junit_case(arg, check->name, check->reason, NULL);
	return 0;
}

int render_diff_junit(FILE *out, const struct diff_report *r)
{
	struct junit_suite suite = { .name = "ojx diff",
				     .class_name = "ojx.diff",
				     .start_unix_ns = r->diff->to.recording->start_unix_ns,
				     .seconds = r->diff->to.recording->duration_s };
	char *header = header_text(r);
	int result = -1;

	if (header && junit_begin(&suite) == 0) {
		junit_case(&suite, "two recordings were compared", NULL, NULL);
		result = checks_of_diff(r->conditions, r->lines, put_case, &suite);
		result = junit_end(&suite, result == 0 ? out : NULL, header);
	}
	free(header);
	return result;
}

/* ---- a report ---------------------------------------------------------------------------- */

static int put_check(const struct check *check, void *arg)
{
	junit_case(arg, check->name, check->reason, NULL);
	return 0;
}

/* What `put` writes, allocated; NULL if out of memory. */
static char *gather(int (*put)(FILE *out, const struct report *r), const struct report *r)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	if (!out)
		return NULL;
	int result = put(out, r);
	char *text = memtext_end(&gathered);
	if (result == 0)
		return text;
	free(text);
	return NULL;
}

static int put_command(FILE *out, const struct report *r)
{
	export_put_command(out, r);
	return 0;
}

/* What the report begins with, and what the analyses tell. */
static int put_output(FILE *out, const struct report *r)
{
	render_best(out, r, &plain);
	for (size_t i = 0; r->findings && i < r->findings->n; i++)
		if (r->findings->item[i].seen)
			render_finding_lines(out, &plain, &r->findings->item[i]);
	return 0;
}

int render_junit(FILE *out, const struct report *r)
{
	char *command = gather(put_command, r), *output = gather(put_output, r);
	struct junit_suite suite = { .name = "ojx report",
				     .class_name = "ojx.report",
				     .command = command,
				     .start_unix_ns = r->recording->start_unix_ns,
				     .seconds = r->recording->duration_s };
	int result = -1;

	if (command && output && junit_begin(&suite) == 0) {
		junit_case(&suite, "something was recorded", NULL, r->nothing);
		result = checks_of_report(r, put_check, &suite);
		result = junit_end(&suite, result == 0 ? out : NULL, output);
	}
	free(command);
	free(output);
	return result;
}
