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

#include "base/memtext.h"
#include "render/checks.h"
#include "render/export.h"
#include "render/junit_suite.h"
#include "render/render_findings.h"

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
	const struct style plain = { .utf8 = true };

	if (render_best(out, r, &plain) < 0)
		return -1;
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
