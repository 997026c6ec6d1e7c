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
#include <stdlib.h>
#include <time.h>

#include "base/escape.h"
#include "base/memtext.h"
#include "render/builds/checks.h"
#include "render/export.h"
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

static void put_outcome(FILE *out, const char *element, const char *type, const char *reason)
{
	fprintf(out, ">\n      <%s type=\"%s\" message=\"", element, type);
	escape_xml_attribute(out, reason);
	fputs("\">", out);
	escape_xml(out, reason);
	fprintf(out, "</%s>\n    </testcase>\n", element);
}

/* Adds a case; it has failed, or could not be tested, if there is a reason. */
static void put_case(struct junit_suite *s, const char *name, const char *failure,
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

/* A check_fn. */
static void put_check(const struct check *check, void *suite)
{
	put_case(suite, check->name, check->reason, NULL);
}

/* Writes the suite and what there is to read beside it, and releases it. */
static int end_suite(struct junit_suite *s, FILE *out, const char *output)
{
	char *cases = memtext_end(&s->cases);

	put_suite(out, s, cases, output);
	free(cases);
	return ferror(out) ? -1 : 0;
}

/* ---- the documents ------------------------------------------------------------------------- */

/* What the report begins with, and what the analyses tell. */
static void put_output(FILE *out, const struct report *r)
{
	const struct style plain = { .utf8 = true };

	render_start(out, r, &plain);
	for (size_t i = 0; r->findings && i < r->findings->n; i++)
		if (r->findings->item[i].seen)
			render_finding_lines(out, &plain, &r->findings->item[i]);
}

int render_junit(FILE *out, const struct report *r)
{
	struct junit_suite suite = { .name = "ojx report",
				     .class_name = "ojx.report",
				     .start_unix_ns = r->recording->start_unix_ns,
				     .seconds = r->recording->duration_s };
	struct memtext command, output;

	export_put_command(memtext_begin(&command), r);
	suite.command = memtext_end(&command);
	put_output(memtext_begin(&output), r);
	memtext_end(&output);
	memtext_begin(&suite.cases);
	put_case(&suite, "something was recorded", NULL, r->nothing);
	checks_of_report(r, put_check, &suite);
	int result = end_suite(&suite, out, output.text);
	free(command.text);
	free(output.text);
	return result;
}

int render_diff_junit(FILE *out, const struct diff_report *r)
{
	struct junit_suite suite = { .name = "ojx diff",
				     .class_name = "ojx.diff",
				     .start_unix_ns = r->diff->to.recording->start_unix_ns,
				     .seconds = r->diff->to.recording->duration_s };
	char *header = render_diff_plain(r);

	memtext_begin(&suite.cases);
	put_case(&suite, "two recordings were compared", NULL, NULL);
	checks_of_diff(r->conditions, r->lines, put_check, &suite);
	int result = end_suite(&suite, out, header);
	free(header);
	return result;
}
