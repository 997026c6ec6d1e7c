/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_openmetrics.c - sums of the recording and of its findings as gauges in the text format of
 * OpenMetrics, which Prometheus reads as well: for node_exporter's textfile collector.
 *
 * A file replaces the one before, so a value is of one recording and no counter. Series must stay
 * few and last: their labels are what names a finding in all recordings, and the labels of the
 * service, but none that differs from one start of the program to the next. JVMs with the same
 * labels are added up.
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "fix/fix_figures.h"
#include "fix/fix_total.h"
#include "render/export.h"
#include "render/fleet/identity.h"
#include "render/render.h"
#include "report/total.h"

/* ---- text -------------------------------------------------------------------------------- */

static void put_help(FILE *out, const char *name, const char *unit, const char *help)
{
	fprintf(out, "# HELP %s %c%s.\n# TYPE %s gauge\n# UNIT %s %s\n", name,
		toupper((unsigned char)help[0]), help + 1, name, name, unit);
}

static void put_value(FILE *out, double value)
{
	char text[JSON_NUMBER_MAX];
	size_t len = json_number_text(text, value);

	fwrite(text, 1, len, out);
	putc('\n', out);
}

/* Writes `name="value"`. */
static void put_label(FILE *out, const char *name, const char *value)
{
	char *clean = memtext_clean(value, strlen(value), UTF8_TERMINAL);

	fprintf(out, "%s=\"", name);
	for (const char *c = clean; *c; c++) {
		if (*c == '"' || *c == '\\')
			putc('\\', out);
		putc(*c, out);
	}
	putc('"', out);
	free(clean);
}

/* ---- labels ------------------------------------------------------------------------------ */

/* Of names that were given, letters, digits and '_' remain. */
static char *written_name(const char *label)
{
	char *name = xstrdup(label);

	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? *c : '_';
	return name;
}

/* Those by which a series outlives a restart. */
static void leave_out_runs(struct label_list *labels)
{
	size_t n = 0;

	for (size_t i = 0; i < labels->n; i++)
		if (labels->item[i].given || !label_tells_run(labels->item[i].name))
			labels->item[n++] = labels->item[i];
	labels->n = n;
}

/* Writes the labels of a JVM, or of the recording. */
static void put_labels(FILE *out, const struct recording *r, uint32_t jvm)
{
	static const char *const ours[] = { "program", "rule", "class", "method", NULL };
	struct label_list labels;
	struct label_names names;

	labels_of(&labels, r->model, jvm, r->full);
	leave_out_runs(&labels);
	label_names_of(&names, &labels, written_name, ours, "label_");
	put_label(out, "program", r->command.program ? r->command.program : "");
	for (size_t i = 0; i < labels.n; i++) {
		putc(',', out);
		put_label(out, names.name[i], labels.item[i].value);
	}
	label_names_release(&names);
}

/* ---- the recording ----------------------------------------------------------------------- */

static double duration_of(const struct report *r)
{
	return r->recording->duration_s;
}

static double start_of(const struct report *r)
{
	uint64_t ns = r->recording->start_unix_ns;

	return ns ? floor((double)ns / 1e6) / 1e3 : NAN;
}

static double cost_of_recording(const struct report *r)
{
	return r->recording->cost.measured / 100;
}

static double allocated_of(const struct report *r)
{
	return r->fixes->bytes;
}

static double live_of(const struct report *r)
{
	struct total_alive alive;

	total_alive(&alive, r->lines);
	return alive.bytes;
}

static double avoidable_of(const struct report *r)
{
	return r->fixes->certain.value + r->fixes->likely.value;
}

static double expected_of(const struct report *r)
{
	return fixes_expected(r->fixes, r->fixes->gains).value;
}

static double least_of(const struct report *r)
{
	return fixes_total(r->fixes).range.low;
}

static double most_of(const struct report *r)
{
	return fixes_total(r->fixes).range.high;
}

static const struct {
	const char *name, *unit, *help;
	double (*of)(const struct report *r);
} sums[] = {
	{ "ojx_recording_start_timestamp_seconds", "seconds",
	  "when the recording began, in seconds since 1970", start_of },
	{ "ojx_recording_duration_seconds", "seconds", "length of the recording", duration_of },
	{ "ojx_recording_cost_ratio", "ratio",
	  "measured cost of the recording, of the CPU time of the program", cost_of_recording },
	{ "ojx_allocated_bytes", "bytes", "bytes allocated in the recording", allocated_of },
	{ "ojx_live_bytes", "bytes", "bytes alive at the last look", live_of },
	{ "ojx_avoidable_bytes", "bytes", "certain and likely bytes that the findings so far avoid",
	  avoidable_of },
	{ "ojx_expected_bytes", "bytes",
	  "the avoidable bytes, and the possible ones by their weight", expected_of },
	{ "ojx_total_least_bytes", "bytes", "bytes that all lines could do without, at least",
	  least_of },
	{ "ojx_total_most_bytes", "bytes", "the same at most, as far as a sample tells", most_of },
};

static void put_sums(FILE *out, const struct report *r)
{
	for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
		double value = sums[i].of(r);
		if (!isfinite(value))
			continue;
		put_help(out, sums[i].name, sums[i].unit, sums[i].help);
		fprintf(out, "%s{", sums[i].name);
		put_labels(out, r->recording, 0);
		fputs("} ", out);
		put_value(out, value);
	}
}

/* ---- findings ---------------------------------------------------------------------------- */

enum { FAMILIES = 4, FIRST_ROOM = 32 };

static const struct {
	const char *name, *figure, *help;
} families[FAMILIES] = {
	{ "ojx_finding_allocated_bytes", "bytes", "bytes that the lines of a finding allocate" },
	{ "ojx_finding_avoidable_bytes", "avoidable_bytes",
	  "certain and likely bytes that a fix avoids" },
	{ "ojx_finding_expected_bytes", "expected_bytes",
	  "the avoidable bytes, and the possible ones by their weight" },
	{ "ojx_finding_live_bytes", "live_bytes", "bytes of a finding alive at the last look" },
};

/* Findings with the same labels. */
struct series {
	char *labels;
	double value[FAMILIES]; /* NAN: not measured */
};

struct all_series {
	struct hash_numbers by_labels;
	struct series *item;
	uint32_t n, room;
};

static double figure_named(const char *name, const struct fix *f)
{
	for (const struct figure *x = fix_figures; x->name; x++)
		if (strcmp(x->name, name) == 0)
			return figure_of(x, f);
	return NAN;
}

static char *labels_of_fix(const struct recording *r, const struct fix *f)
{
	const struct model_frame *line = &fix_first(f)->line;
	struct memtext text;
	FILE *out = memtext_begin(&text);

	put_labels(out, r, fix_jvm(f));
	putc(',', out);
	put_label(out, "rule", f->rule ? fix_name(f) : "none");
	putc(',', out);
	put_label(out, "class", line->class_name ? line->class_name : "");
	putc(',', out);
	put_label(out, "method", line->method ? line->method : "");
	return memtext_end(&text);
}

static void add(struct all_series *to, const struct recording *r, const struct fix *f)
{
	char *labels = labels_of_fix(r, f);
	bool is_new;
	uint32_t i =
		xhash_numbers_of(&to->by_labels, XXH3_128bits(labels, strlen(labels)), &is_new);

	if (is_new) {
		XGROW(to->item, i, to->room, FIRST_ROOM);
		to->item[i] = (struct series){ .labels = labels };
		for (size_t k = 0; k < FAMILIES; k++)
			to->item[i].value[k] = NAN;
		to->n = i + 1;
	} else {
		free(labels);
	}
	for (size_t k = 0; k < FAMILIES; k++) {
		double *sum = &to->item[i].value[k], value = figure_named(families[k].figure, f);
		if (isfinite(value))
			*sum = isfinite(*sum) ? *sum + value : value;
	}
}

static void put_family(FILE *out, const struct all_series *all, size_t k)
{
	bool any = false;

	for (uint32_t i = 0; i < all->n; i++) {
		if (!isfinite(all->item[i].value[k]))
			continue;
		if (!any)
			put_help(out, families[k].name, "bytes", families[k].help);
		any = true;
		fprintf(out, "%s{%s} ", families[k].name, all->item[i].labels);
		put_value(out, all->item[i].value[k]);
	}
}

int render_openmetrics(FILE *out, const struct report *r)
{
	struct all_series all = { .n = 0 };

	put_sums(out, r);
	for (size_t i = 0; i < r->fixes->n; i++)
		if (export_has_fix(r, i))
			add(&all, r->recording, &r->fixes->fix[i]);
	for (size_t k = 0; k < FAMILIES; k++)
		put_family(out, &all, k);
	fputs("# EOF\n", out);
	for (uint32_t i = 0; i < all.n; i++)
		free(all.item[i].labels);
	free(all.item);
	hash_numbers_release(&all.by_labels);
	return ferror(out) ? -1 : 0;
}
