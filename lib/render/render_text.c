/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_text.c - the report for people: what was recorded, the table, then a block for each of its
 * lines. As in perf's reports, '#' begins every line that is no result.
 */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/units.h"
#include "render/render.h"

enum { LEGEND_WIDTH = 110 /* of the legend, where the terminal does not say less */ };

/* ---- header ------------------------------------------------------------------------------ */

/* Begins a line of the header; NULL continues what the line before it began. */
static void put_label(FILE *out, const struct style *s, const char *label)
{
	fprintf(out, "# %s%-10s%s", style_on(s, INK_DIM), label ? label : "",
		style_off(s, INK_DIM));
}

/* As a shell would read it. */
static void put_argument(FILE *out, const struct style *s, const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	if (*argument && strspn(argument, plain) == strlen(argument)) {
		style_put(out, s, argument);
		return;
	}
	putc('\'', out);
	for (const char *quote; (quote = strchr(argument, '\'')); argument = quote + 1) {
		utf8_put(out, argument, (size_t)(quote - argument),
			 s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
		fputs("'\\''", out);
	}
	style_put(out, s, argument);
	putc('\'', out);
}

static void put_command(FILE *out, const struct recording *r, const struct style *s)
{
	size_t argc = model_argc(r->model);

	put_label(out, s, "command");
	if (argc == 0)
		fputs("(not recorded)", out);
	for (size_t i = 0; i < argc; i++) {
		if (i > 0)
			putc(' ', out);
		put_argument(out, s, model_argv(r->model, i));
	}
	putc('\n', out);
}

static void put_end(FILE *out, const struct recording *r)
{
	if (!r->ended)
		fputs(", has not ended: still being written, or cut short", out);
	else if (WIFSIGNALED(r->wait_status))
		fprintf(out, ", killed by signal %d", WTERMSIG(r->wait_status));
	else
		fprintf(out, ", exit status %d", WEXITSTATUS(r->wait_status));
}

static void put_time(FILE *out, const struct recording *r, const struct style *s)
{
	time_t start = (time_t)(r->start_unix_ns / 1000000000);
	char text[UNITS_TEXT], date[64] = "";
	struct tm tm;

	put_label(out, s, "recorded");
	if (r->start_unix_ns && localtime_r(&start, &tm))
		strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S, ", &tm);
	fprintf(out, "%s%s", date, units_seconds(text, r->windowed ? r->whole_s : r->duration_s));
	put_end(out, r);
	putc('\n', out);
	if (r->windowed) {
		put_label(out, s, "time");
		fprintf(out, "shown is what came from %.1f s to %.1f s, from flush to flush\n",
			r->from_s, r->to_s);
	}
	if (r->thread_glob) {
		put_label(out, s, "thread");
		fprintf(out, "shown is what threads named '%s' allocated, or accessed\n",
			r->thread_glob);
	}
}

static void put_engines(FILE *out, unsigned engines)
{
	if (!(engines & (WIRE_ENGINE_WATCH | WIRE_ENGINE_SCAN)))
		fputs("none", out);
	if (engines & WIRE_ENGINE_WATCH)
		fputs("watch (content when used)", out);
	if ((engines & WIRE_ENGINE_WATCH) && (engines & WIRE_ENGINE_SCAN))
		fputs(", ", out);
	if (engines & WIRE_ENGINE_SCAN)
		fputs("scan (content at the end of life)", out);
}

/* One line for each JVM; each names its engines where they are not all the same. */
static void put_jvms(FILE *out, const struct recording *r, const struct style *s)
{
	size_t n = model_njvms(r->model);

	for (uint32_t i = 1; i <= n; i++) {
		const struct model_jvm *jvm = model_jvm(r->model, i);
		if (!jvm)
			continue;
		put_label(out, s, n == 1 ? "JVM" : i == 1 ? "JVMs" : NULL);
		fprintf(out, "%d: ", jvm->info.pid);
		style_put(out, s, jvm->info.vm_name);
		putc(' ', out);
		style_put(out, s, jvm->info.vm_version);
		if (jvm->info.gc[0]) {
			fputs(", ", out);
			style_put(out, s, jvm->info.gc);
		}
		if (jvm->info.engines != r->engines) {
			fputs("; ", out);
			put_engines(out, jvm->info.engines);
		}
		putc('\n', out);
	}
	put_label(out, s, "engines");
	if (!(r->engines & (WIRE_ENGINE_WATCH | WIRE_ENGINE_SCAN)) && model_naccesses(r->model))
		fputs("sampled accesses", out);
	else
		put_engines(out, r->engines);
	putc('\n', out);
}

static void put_cost(FILE *out, const struct recording *r, const struct style *s)
{
	char text[UNITS_TEXT];

	put_label(out, s, "cost");
	if (isnan(r->cost))
		fputs("not measured", out);
	else
		fprintf(out, "%.*f %%", r->cost < 10 ? 2 : 1, r->cost);
	if (!isnan(r->max_pause_s) && r->max_pause_s > 0)
		fprintf(out, "; a GC pause grew by %.2f ms at most", r->max_pause_s * 1e3);
	putc('\n', out);

	if (r->exact) {
		put_label(out, s, "counts");
		if (r->uncounted)
			fprintf(out, "%sexact but %llu allocations lost%s\n",
				style_on(s, INK_YELLOW), (unsigned long long)r->uncounted,
				style_off(s, INK_YELLOW));
		else
			fputs("exact\n", out);
	}
	put_label(out, s, "samples");
	fprintf(out, "%llu objects, ", (unsigned long long)r->sampled);
	if (r->counted)
		fprintf(out, "%llu only counted, ", (unsigned long long)r->counted);
	fprintf(out, "%llu scanned, %llu skipped, ", (unsigned long long)r->scanned,
		(unsigned long long)r->skipped);
	fprintf(out, "%s pairs; ", units_count(text, (double)r->pairs));
	if (r->lost)
		fprintf(out, "%s%llu events lost%s\n", style_on(s, INK_YELLOW),
			(unsigned long long)r->lost, style_off(s, INK_YELLOW));
	else
		fputs("no event lost\n", out);
}

static void put_notes(FILE *out, const struct recording *r, const struct style *s)
{
	size_t n = model_njvms(r->model);

	for (uint32_t i = 1; i <= n; i++) {
		const struct model_jvm *jvm = model_jvm(r->model, i);
		if (!jvm || !jvm->has_status)
			continue;
		for (uint32_t k = 0; k < jvm->status.nnotes && k < WIRE_NOTES; k++) {
			put_label(out, s, "note");
			if (n > 1)
				fprintf(out, "%d: ", jvm->info.pid);
			style_put(out, s, jvm->status.note[k]);
			putc('\n', out);
		}
	}
}

void render_header(FILE *out, const struct report *r, const struct style *s)
{
	put_command(out, r->recording, s);
	put_time(out, r->recording, s);
	put_jvms(out, r->recording, s);
	put_cost(out, r->recording, s);
	put_notes(out, r->recording, s);
}

/* ---- around the table ---------------------------------------------------------------------- */

/* Writes an item of the legend, on a new line if there is no room; *column is where we are. */
static void put_item(FILE *out, const struct style *s, const char *item, size_t *column)
{
	size_t limit = s->width && s->width < LEGEND_WIDTH ? s->width : LEGEND_WIDTH;
	size_t width = utf8_width(item);

	if (*column && *column + 3 + width > limit) {
		putc('\n', out);
		*column = 0;
	}
	if (*column == 0)
		*column = (size_t)fprintf(out, "# ") + width;
	else
		*column += (size_t)(fprintf(out, " %s ", style_glyph(s, GLYPH_DOT)), 3) + width;
	fputs(item, out);
}

static void put_legend(FILE *out, const struct report *r, const struct style *s)
{
	const char *theta = style_glyph(s, GLYPH_THETA), *alpha = style_glyph(s, GLYPH_ALPHA);
	const char *omega = style_glyph(s, GLYPH_OMEGA), *gamma = style_glyph(s, GLYPH_GAMMA);
	const char *le = style_glyph(s, GLYPH_LE);
	char item[128];
	size_t column = 0;

	fputs(style_on(s, INK_DIM), out);
	snprintf(item, sizeof item, "%s pairs equal in a random value", theta);
	put_item(out, s, item, &column);
	snprintf(item, sizeof item, "%s the same of pairs unequal as a whole", alpha);
	put_item(out, s, item, &column);
	snprintf(item, sizeof item, "%s %s largest identical group %s %s", omega, le, le, gamma);
	put_item(out, s, item, &column);
	put_item(out, s, "group: that group as scanned", &column);
	put_item(out, s, "deep: equal with what they refer to", &column);
	snprintf(item, sizeof item, "[%.4g %% interval]", r->confidence * 100);
	put_item(out, s, item, &column);
	snprintf(item, sizeof item, "%s not measured", style_glyph(s, GLYPH_DASH));
	put_item(out, s, item, &column);
	fprintf(out, "%s\n", style_off(s, INK_DIM));
}

static const char *grouping_noun(const struct report *r, size_t n)
{
	static const char *const nouns[][2] = {
		[ROWS_BY_CONTEXT] = { "context", "contexts" },
		[ROWS_BY_SITE] = { "site", "sites" },
		[ROWS_BY_CLASS] = { "class", "classes" },
		[ROWS_BY_LINE] = { "line", "lines" },
	};

	return nouns[r->grouping][n != 1];
}

static bool by_saved(const struct report *r)
{
	return strcmp(r->key->name, "saved") == 0 || strcmp(r->key->name, "likely") == 0;
}

/* Whether the lines are sorted by a key of which something is known. The first line has the largest
 * value. */
static bool has_key(const struct report *r, const char **why)
{
	const struct cell_context ctx = { .min_pairs = r->min_pairs, .confidence = r->confidence };
	double largest = r->key->value(&r->rows->row[0], &ctx);

	*why = isnan(largest) ? "no line has enough evidence for it" : "nothing to save is known";
	return !isnan(largest) && (largest > 0 || !by_saved(r));
}

/* Of the lines shown, those with too little evidence for a verdict. */
static size_t count_unknown(const struct report *r)
{
	size_t n = 0;
	bool deep;

	for (size_t i = 0; i < r->shown; i++)
		n += replica_shown(&r->rows->row[i].replica, &deep) == VERDICT_UNKNOWN;
	return n;
}

/* What to do where there is little evidence. */
static void put_advice(FILE *out, const struct report *r)
{
	size_t unknown = count_unknown(r);
	const char *why;

	if (!has_key(r, &why))
		fprintf(out, "# %s, so that bytes decide", why);
	else if (unknown > r->shown / 2)
		fprintf(out, "# too little evidence for a verdict on %zu of these %zu", unknown,
			r->shown);
	else
		return;
	fprintf(out, ": record longer, with a higher --budget%s\n",
		r->grouping == ROWS_BY_CONTEXT ? ", or see --group-by=site" : "");
}

/* What merging saves in all, of which lines something is proven. */
static void put_total(FILE *out, const struct report *r, const struct style *s)
{
	char low[UNITS_TEXT], all[UNITS_TEXT], text[UNITS_TEXT];
	const struct total *t = r->total;

	if (!t || !(t->bytes > 0))
		return;
	fprintf(out, "#\n# %sat least %s of %s (%s %%) is duplicate%s", style_on(s, INK_BOLD),
		units_bytes(low, t->range.low), units_bytes(all, t->bytes),
		units_percent(text, t->range.low / t->bytes), style_off(s, INK_BOLD));
	fprintf(out, ": likely %s", units_bytes(text, t->saved));
	fprintf(out, ", at most %s of what was looked at\n", units_bytes(text, t->range.high));
	if (t->end > 0)
		fprintf(out,
			"# another %s is alike at the end of life, and not proven to be before\n",
			units_bytes(text, t->end));
	fprintf(out, "# decided are %s %% of the bytes",
		units_percent(text, t->decided / t->bytes));
	if (t->unknown)
		fprintf(out, "; of %zu line%s too little is known", t->unknown,
			t->unknown == 1 ? "" : "s");
	fputs("\n", out);
}

static void put_title(FILE *out, const struct report *r, const struct style *s)
{
	put_total(out, r, s);
	fprintf(out, "#\n# %s%zu %s%s%s, sorted by %s: %s\n", style_on(s, INK_BOLD), r->rows->n,
		r->grouping == ROWS_BY_CLASS ? "" : "allocation ", grouping_noun(r, r->rows->n),
		style_off(s, INK_BOLD), r->key->name, r->key->help);
	put_advice(out, r);
	put_legend(out, r, s);
	putc('\n', out);
}

static void put_rest(FILE *out, const struct report *r)
{
	size_t more = r->rows->n - r->below - r->shown;

	if (more > 0)
		fprintf(out, "\n# %zu more %s; --limit 0 shows all\n", more,
			grouping_noun(r, more));
	if (r->below > 0)
		fprintf(out, "\n# %zu %s below --percent-limit\n", r->below,
			grouping_noun(r, r->below));
}

static bool has_waste(const struct report *r)
{
	for (int k = 0; k < WASTE_KINDS; k++)
		if (r->waste[k].count)
			return true;
	return false;
}

static bool has_locality(const struct report *r)
{
	for (int k = 0; r->locality && k < LOCALITY_METRICS; k++)
		if (r->locality[k].samples)
			return true;
	return false;
}

/* Whether contents were not asked for, so that no line could tell of replicas. */
static bool only_locality(const struct report *r)
{
	if (!has_locality(r) || r->ncolumns > 0 || !by_saved(r))
		return false;
	return !r->rows->seen;
}

int render_text(FILE *out, const struct report *r, const struct style *s)
{
	render_header(out, r, s);
	if (r->rows->n == 0 || only_locality(r)) {
		if (!has_waste(r) && !has_locality(r))
			fputs("#\n# no allocation context was selected: see --class, --method, "
			      "--site, "
			      "--access\n",
			      out);
		render_waste(out, r, s);
		return render_locality(out, r, s) < 0 || ferror(out) ? -1 : 0;
	}
	put_title(out, r, s);
	if (render_table(out, r, s) < 0)
		return -1;
	put_rest(out, r);
	if (r->ncolumns > 0)
		return ferror(out) ? -1 : 0;
	for (size_t i = 0; i < r->shown; i++)
		if (render_detail(out, r, s, i) < 0)
			return -1;
	render_waste(out, r, s);
	return render_locality(out, r, s) < 0 || ferror(out) ? -1 : 0;
}
