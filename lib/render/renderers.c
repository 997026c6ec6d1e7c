/* SPDX-License-Identifier: Apache-2.0 */
/* renderers.c - see renderers.h. */
#include "render/renderers.h"

#include <string.h>
#include <strings.h>

enum {
	COUNTS = RENDERER_METRIC,
	GAINS = RENDERER_PEOPLE | RENDERER_GAIN,
	SHORT_ROWS = 10,  /* of a table that is read on a terminal */
	ROWS = 20,	  /* of one that has more room */
	PAGE_ROWS = 5000, /* more are slow to write and to open, and nobody reads them */
	ANNOTATIONS = 10, /* of one kind: GitHub shows no more for a step */
};

const struct renderer renderers[] = {
	{ "text", NULL, "for people, the default", GAINS, SHORT_ROWS, render_text, NULL },
	{ "json", ".json", "for programs; stable", RENDERER_LABELS, 0, NULL, render_json },
	{ "html", ".html", "a page for a browser; --source-path packs sources into it",
	  RENDERER_BINARY | RENDERER_PEOPLE, PAGE_ROWS, NULL, render_html },
	{ "csv", ".csv", "contexts as a table, for spreadsheets; findings with --metric=avoidable",
	  RENDERER_LABELS, 0, NULL, render_csv },
	{ "collapsed", ".collapsed", "stacks folded to lines, for flamegraph.pl and its kin",
	  COUNTS, 0, NULL, render_collapsed },
	{ "speedscope", ".speedscope.json", "for speedscope.app", COUNTS, 0, NULL,
	  render_speedscope },
	{ "pprof", ".pb.gz", "for 'go tool pprof', Grafana Pyroscope", COUNTS | RENDERER_BINARY, 0,
	  NULL, render_pprof },
	{ "jfr", ".jfr", "for JDK Mission Control and the JDK's 'jfr'",
	  RENDERER_BINARY | RENDERER_LABELS, 0, NULL, render_jfr },
	{ "dhat", ".dhat.json", "for DHAT's viewer, the Firefox Profiler", 0, 0, NULL,
	  render_dhat },
	{ "sarif", ".sarif", "findings at source lines, for GitHub's code scanning and editors",
	  GAINS, 0, NULL, render_sarif },
	{ "github", NULL, "annotations, printed by a step of GitHub Actions", GAINS, ANNOTATIONS,
	  NULL, render_github },
	{ "junit", ".xml", "the conditions of --fail-if as test cases, for Jenkins and GitLab",
	  GAINS, ROWS, NULL, render_junit },
	{ "markdown", ".md", "a summary, for the page of a build or a comment", GAINS, ROWS, NULL,
	  render_markdown },
	{ "ndjson", ".ndjson",
	  "findings and lines as lines of JSON, for engines that query many files", RENDERER_LABELS,
	  0, NULL, render_ndjson },
	{ "openmetrics", ".prom", "sums of findings as gauges, for Prometheus's textfile collector",
	  0, ROWS, NULL, render_openmetrics },
	{ "otlp", ".otlp", "OpenTelemetry's profiles", COUNTS | RENDERER_BINARY, 0, NULL,
	  render_otlp },
	{ NULL, NULL, NULL, 0, 0, NULL, NULL },
};

const struct renderer *renderer_find(const char *name)
{
	for (const struct renderer *r = renderers; r->name; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	return NULL;
}

/* Other suffixes by which a format is chosen. */
static const struct {
	const char *suffix, *format;
} others[] = {
	{ ".txt", "text" },	    { ".text", "text" },	 { ".log", "text" },
	{ ".out", "text" },	    { ".markdown", "markdown" }, { ".htm", "html" },
	{ ".folded", "collapsed" }, { ".stacks", "collapsed" },	 { ".pprof", "pprof" },
	{ ".prof", "pprof" },	    { ".sarif.json", "sarif" },
};
enum { OTHERS = sizeof others / sizeof others[0] };

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path), end = strlen(suffix);

	return len > end && strcasecmp(path + len - end, suffix) == 0;
}

/* The suffix of the file name; NULL if it has none, or only a number. */
static const char *end_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *point = strrchr(name, '.');

	if (!point || point == name || !point[1 + strspn(point + 1, "0123456789-_")])
		return NULL;
	return point;
}

const struct renderer *renderer_of_file(const char *path)
{
	const struct renderer *found = NULL;
	size_t longest = 0;

	for (const struct renderer *r = renderers; r->name; r++)
		if (r->suffix && strlen(r->suffix) > longest && ends_in(path, r->suffix)) {
			found = r;
			longest = strlen(r->suffix);
		}
	for (size_t i = 0; i < OTHERS; i++)
		if (strlen(others[i].suffix) > longest && ends_in(path, others[i].suffix)) {
			found = renderer_find(others[i].format);
			longest = strlen(others[i].suffix);
		}
	return found || end_of(path) ? found : renderers;
}

void renderers_put(FILE *out, bool with_help)
{
	for (const struct renderer *r = renderers; r->name; r++) {
		if (with_help)
			fprintf(out, "\n- %s: %s", r->name, r->help);
		else
			fprintf(out, "%s%s", r == renderers ? "" : ", ", r->name);
	}
}
