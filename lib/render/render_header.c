/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_header.c - what was recorded, how, and at what cost. As in reports of perf, lines that are
 * no results begin with '#'.
 */
#define _GNU_SOURCE 1 /* asprintf */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/memtext.h"
#include "base/units.h"
#include "model/cost.h"
#include "model/labels.h"
#include "model/limits.h"
#include "render/render.h"

/* Columns of an argument of the command, and of all of it; JSON has the whole. */
enum {
	ARGUMENT_WIDTH = 60,
	COMMAND_WIDTH = 200,
	WAITED = 2, /* a pause that took this many times its CPU time was waiting for a processor */
};

/* Begins a line of the header; NULL continues the line before. */
static void put_label(FILE *out, const struct style *s, const char *label)
{
	fprintf(out, "# %s%-10s%s", style_on(s, INK_DIM), label ? label : "",
		style_off(s, INK_DIM));
}

/* Writes an argument as a shell would read it. */
static void put_quoted(FILE *out, const struct style *s, const char *argument)
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

/*
 * An argument, only the beginning of a long one: a class path would hide what follows. Allocated;
 * NULL if out of memory.
 */
static char *shortened(const struct style *s, const char *argument)
{
	struct memtext gathered;
	FILE *in = memtext_begin(&gathered);

	if (in)
		put_quoted(in, s, argument);
	char *text = memtext_end(&gathered);
	if (!text || utf8_width(text) <= ARGUMENT_WIDTH)
		return text;
	char *head = NULL;
	if (asprintf(&head, "%.*s%s", (int)utf8_head(text, ARGUMENT_WIDTH - 1), text,
		     style_glyph(s, GLYPH_ELLIPSIS)) < 0)
		head = NULL;
	free(text);
	return head;
}

static void put_command(FILE *out, const struct recording *r, const struct style *s)
{
	const struct shown_command *c = &r->command;

	put_label(out, s, "command");
	if (c->n == 0)
		fputs("(not recorded)", out);
	for (size_t i = 0, used = 0; i < c->n; i++) {
		char *word = shortened(s, c->word[i]);
		used += word ? 1 + utf8_width(word) : 1;
		/* a compiler's may name a thousand files */
		if (used > COMMAND_WIDTH) {
			fprintf(out, " %s +%zu more", style_glyph(s, GLYPH_ELLIPSIS), c->n - i);
			free(word);
			break;
		}
		fprintf(out, "%s%s", i ? " " : "", word ? word : "?");
		free(word);
	}
	if (c->left_out)
		fprintf(out, " (%zu %s left out: --command-line=full)", c->left_out,
			shown_command_noun(c));
	putc('\n', out);
}

/* Of how many recordings, if it is merged. */
static void put_parts(FILE *out, const struct recording *r)
{
	fprintf(out, " in %zu recording%s of %zu process%s", r->recordings,
		r->recordings == 1 ? "" : "s", r->processes, r->processes == 1 ? "" : "es");
}

static void put_end(FILE *out, const struct recording *r)
{
	if (r->recordings)
		put_parts(out, r);
	else if (!r->ended)
		fputs(", has not ended: still being written, or cut short", out);
	else if (r->wait_status == -1)
		fputs(", the program went on", out);
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
	fprintf(out, "%s%s", date, units_seconds(text, r->is_part ? r->whole_s : r->duration_s));
	put_end(out, r);
	putc('\n', out);
	if (r->is_part) {
		put_label(out, s, "time");
		fprintf(out, "shows only %.1f s to %.1f s, from flush to flush\n", r->from_s,
			r->to_s);
	}
	if (r->thread_glob) {
		put_label(out, s, "thread");
		fprintf(out, "shows only what threads named '%s' allocated or accessed\n",
			r->thread_glob);
	}
}

/* Whether it is the start of a JVM that was recorded from its start, which stands above. */
static bool is_start_again(const struct model_label *l, const struct recording *r)
{
	struct tm utc = { .tm_isdst = 0 };

	if (l->given || strcmp(l->name, "start") != 0 || !strptime(l->value, "%FT%TZ", &utc))
		return false;
	return fabs((double)timegm(&utc) - (double)r->start_unix_ns / 1e9) < 2;
}

static void leave_out_start(struct label_list *labels, const struct recording *r)
{
	size_t n = 0;

	for (size_t i = 0; i < labels->n; i++)
		if (!is_start_again(&labels->item[i], r))
			labels->item[n++] = labels->item[i];
	labels->n = n;
}

/* Of each JVM, if there are several. */
static void put_labels(FILE *out, const struct recording *r, const struct style *s)
{
	size_t n = model_njvms(r->model);
	struct label_list labels;

	for (uint32_t jvm = 1; jvm <= n; jvm++) {
		labels_of(&labels, r->model, jvm, r->full);
		leave_out_start(&labels, r);
		if (labels.n == 0)
			continue;
		put_label(out, s, "labels");
		if (n > 1)
			fprintf(out, "%d: ", model_jvm(r->model, jvm)->info.pid);
		for (size_t i = 0; i < labels.n; i++) {
			fprintf(out, "%s%s=", i ? ", " : "", labels.item[i].name);
			style_put(out, s, labels.item[i].value);
		}
		putc('\n', out);
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

static int any_access(const struct analysis_access *a, void *arg)
{
	(void)a;
	(void)arg;
	return 1;
}

/* Writes a line for each JVM, with its engines if JVMs differ in these. */
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
	if (!(r->engines & (WIRE_ENGINE_WATCH | WIRE_ENGINE_SCAN)) &&
	    model_each_access(r->model, any_access, NULL))
		fputs("sampled accesses", out);
	else
		put_engines(out, r->engines);
	putc('\n', out);
}

/* A pause is also longer by the clock if the agent waits in it for a processor: then says both. */
static void put_pauses(FILE *out, const struct recording *r)
{
	if (isnan(r->max_pause_s) || r->max_pause_s <= 0)
		return;
	if (r->max_pause_s > WAITED * r->max_pause_work_s)
		fprintf(out,
			"; a GC pause grew by %.2f ms of work at most, and by %.2f ms where "
			"others had the processor",
			r->max_pause_work_s * 1e3, r->max_pause_s * 1e3);
	else
		fprintf(out, "; a GC pause grew by %.2f ms at most", r->max_pause_s * 1e3);
}

static void put_cost(FILE *out, const struct recording *r, const struct style *s)
{
	char text[UNITS_TEXT];

	put_label(out, s, "cost");
	if (isnan(r->cost.measured))
		fputs("not measured", out);
	else
		fprintf(out,
			"%.*f %% of %s of CPU time measured, about %.1f %% with what it does to "
			"caches",
			r->cost.measured < 10 ? 2 : 1, r->cost.measured,
			units_seconds(text, cost_cpu_seconds(r->model)), r->cost.whole);
	put_pauses(out, r);
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
	fprintf(out, "%s pairs%s; ", units_count(text, (double)r->pairs),
		r->narrowed ? " of what is selected" : "");
	if (r->lost)
		fprintf(out, "%s%llu events lost%s\n", style_on(s, INK_YELLOW),
			(unsigned long long)r->lost, style_off(s, INK_YELLOW));
	else
		fputs("no event lost\n", out);
}

/* What the recording has less of than it could. */
static void put_limits(FILE *out, const struct recording *r, const struct style *s)
{
	char text[LIMITS_TEXT];

	for (int i = 0; i < WIRE_LIMITS; i++) {
		if (!r->refused[i])
			continue;
		put_label(out, s, "limit");
		fprintf(out, "%s%s%s\n", style_on(s, INK_YELLOW),
			limits_say(text, (enum wire_limit)i, r->refused[i]),
			style_off(s, INK_YELLOW));
	}
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
	put_labels(out, r->recording, s);
	put_cost(out, r->recording, s);
	put_limits(out, r->recording, s);
	put_notes(out, r->recording, s);
}
