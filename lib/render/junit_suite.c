/* SPDX-License-Identifier: Apache-2.0 */
/* junit_suite.c - see junit_suite.h. */
#include "render/junit_suite.h"

#include <stdlib.h>
#include <time.h>

#include "base/escape.h"
#include "base/memtext.h"

int junit_begin(struct junit_suite *s)
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

void junit_case(struct junit_suite *s, const char *name, const char *failure, const char *error)
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

int junit_end(struct junit_suite *s, FILE *out, const char *output)
{
	char *cases = memtext_end(&s->cases);
	int result = cases && out ? 0 : -1;

	if (result == 0)
		put_suite(out, s, cases, output);
	free(cases);
	return result < 0 || ferror(out) ? -1 : 0;
}
