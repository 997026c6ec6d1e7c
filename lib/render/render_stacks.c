/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_stacks.c - stacks with numbers, as viewers of other profilers read them: DHAT, flame
 * graphs, speedscope.
 */
#define _GNU_SOURCE 1 /* qsort_r */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/json_text.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "render/export.h"
#include "render/metrics.h"

/*
 * ---- allocations for the viewer of DHAT, Valgrind's heap profiler (dh_view.html), and other
 * readers of its files: JSON, version 2 of the format.
 *
 * A program point is a row, with bytes and blocks (objects). Lifetimes and accesses are not known
 * of every object; the format permits leaving them out. Frames look as in Valgrind, "0x1: where
 * (file:line)", with a number in place of the address, because readers parse that pattern.
 */

struct dhat {
	struct json_text json, frames; /* `frames` is in memory: the table that comes last */
	struct export_numbers known;
	const struct metric *bytes, *blocks;
};

static void put_place(FILE *out, const struct export_frame *f)
{
	if (f->kind == EXPORT_METHOD && f->file)
		fputs(f->file, out);
	else if (f->kind == EXPORT_METHOD)
		fprintf(out, "in %s", f->class_name ? f->class_name : "?");
	else
		fputs(f->kind == EXPORT_CLASS ? "in class" : "in ojx", out);
	if (f->kind == EXPORT_METHOD && f->file && f->number > 0)
		fprintf(out, ":%d", f->number);
}

/* Number 0 is the root's. */
static void put_frame(struct dhat *d, const struct export_frame *f, uint32_t number)
{
	FILE *out = json_text_begin_string(&d->frames);

	fprintf(out, "0x%" PRIx32 ": ", number + 1);
	export_put_name(out, f);
	fputs(" (", out);
	put_place(out, f);
	putc(')', out);
	json_text_break(&d->frames);
	json_text_end_string(&d->frames, NULL);
}

/* The innermost frame comes first. */
static void put_point(const struct export_sample *s, void *arg)
{
	struct dhat *d = arg;
	struct json_text *j = &d->json;

	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_whole(j, "tb", metric_value(d->bytes, s));
	json_text_whole(j, "tbk", metric_value(d->blocks, s));
	json_text_open(j, "fs", '[');
	for (size_t i = s->n; i-- > 0;) {
		bool is_new;
		uint32_t number = export_number(&d->known, &s->frames[i], &is_new);
		if (is_new)
			put_frame(d, &s->frames[i], number);
		json_text_whole(j, NULL, (int64_t)number + 1);
	}
	json_text_close(j, ']');
	json_text_close(j, '}');
}

static void put_head(struct json_text *j, const struct report *r)
{
	const struct model_jvm *jvm = model_jvm(r->recording->model, 1);

	json_text_open(j, NULL, '{');
	json_text_whole(j, "dhatFileVersion", 2);
	json_text_string(j, "mode", "ojx");
	json_text_string(j, "verb", "Allocated");
	json_text_bool(j, "bklt", false);
	json_text_bool(j, "bkacc", false);
	json_text_string(j, "bu", "byte");
	json_text_string(j, "bsu", "bytes");
	json_text_string(j, "bksu", "objects");
	json_text_string(j, "tu", "µs");
	json_text_string(j, "Mtu", "s");
	export_put_command(json_text_begin_string(j), r);
	json_text_end_string(j, "cmd");
	json_text_whole(j, "pid", jvm ? jvm->info.pid : 0);
	json_text_whole(j, "te", llrint(r->recording->duration_s * 1e6));
}

static void put_all(struct dhat *d, const struct report *r)
{
	struct json_text *j = &d->json;

	json_text_open(&d->frames, NULL, '[');
	json_text_string(&d->frames, NULL, "[root]");
	put_head(j, r);
	json_text_break(j);
	json_text_open(j, "pps", '[');
	export_samples(r, EXPORT_ALLOCATIONS, put_point, d);
	json_text_close(j, ']');
	json_text_close(&d->frames, ']');
	json_text_break(j);
	json_text_raw(j, "ftbl", d->frames.text, d->frames.len);
	json_text_close(j, '}');
}

int render_dhat(FILE *out, const struct report *r)
{
	struct dhat d = { .json = { .out = out, .html = true },
			  .frames = { .html = true },
			  .bytes = metric_find(r->metrics, "bytes"),
			  .blocks = metric_find(r->metrics, "objects") };

	put_all(&d, r);
	int result = json_text_end(&d.json);
	json_text_release(&d.frames);
	export_numbers_release(&d.known);
	return result;
}

/*
 * ---- stacks folded to a line each, with one number: what flamegraph.pl and its kin read.
 *
 * 	java/lang/Thread.run:833;com/acme/Shop.load:12;com.acme.Point_[i] 4096
 *
 * Frames have the form of async-profiler, with slashes and with _[i] behind an allocated class,
 * which palettes and filters of those tools expect. A line number follows the method. A ';' in a
 * name would end the frame, so it becomes '|'.
 */

struct folded {
	FILE *out;
	const struct metric *metric;
};

/* With `slashes`, dots of a package become '/'. */
static void put_name(FILE *out, const char *name, bool slashes)
{
	name = name ? name : "?";
	const char *end = name + strlen(name);

	while (name < end) {
		const char *at = name;
		uint32_t c = utf8_next(&name, end);
		if (c == ';')
			putc('|', out);
		else if (c == '.' && slashes)
			putc('/', out);
		else if (c >= 0x20 && c < 0x7f)
			putc((int)c, out);
		else
			utf8_put(out, at, (size_t)(name - at), UTF8_TERMINAL);
	}
}

static void put_folded_frame(FILE *out, const struct export_frame *f)
{
	switch (f->kind) {
	case EXPORT_METHOD:
		put_name(out, f->class_name, true);
		putc('.', out);
		put_name(out, f->method, false);
		if (f->number > 0)
			fprintf(out, ":%d", f->number);
		break;
	case EXPORT_CLASS:
		put_name(out, f->class_name, false);
		fputs("_[i]", out);
		break;
	default:
		export_put_name(out, f);
	}
}

static void put_line(const struct export_sample *s, void *arg)
{
	struct folded *l = arg;
	int64_t value = metric_value(l->metric, s);

	if (value == 0)
		return;
	for (size_t i = 0; i < s->n; i++) {
		if (i > 0)
			putc(';', l->out);
		put_folded_frame(l->out, &s->frames[i]);
	}
	fprintf(l->out, " %" PRId64 "\n", value);
}

int render_collapsed(FILE *out, const struct report *r)
{
	struct folded folded = { out, r->metric };

	export_samples(r, r->metric->source, put_line, &folded);
	return ferror(out) ? -1 : 0;
}

/*
 * ---- a file for https://www.speedscope.app and other readers of its format: one profile for
 * each metric that is not empty, in one file. Frames are numbered while the profiles are made,
 * so they come last. The reader first shows samples in the order of the file, as if it were
 * time. They are sorted by their stacks, so that this view is a flame graph, too. Weights are
 * rounded to whole numbers as in all exports, so that these agree.
 */

struct sample {
	size_t first, n; /* index of its frames among those of all */
	int64_t weight;
};

struct speedscope {
	struct json_text json, frames; /* the last is in memory */
	struct export_numbers known;
	const struct metric *metric;
	/* of one profile */
	struct sample *samples;
	size_t n, cap;
	uint32_t *stacks; /* outermost frame first */
	size_t nstacks, stacks_cap;
};

static void put_frame_object(struct json_text *j, const struct export_frame *f)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	export_put_name(json_text_begin_string(j), f);
	json_text_end_string(j, "name");
	if (f->file)
		json_text_string(j, "file", f->file);
	if (f->kind == EXPORT_METHOD && f->number > 0)
		json_text_whole(j, "line", f->number);
	json_text_close(j, '}');
}

/* Makes room for one more sample and `n` frames. */
static void grow(struct speedscope *x, size_t n)
{
	XGROW(x->samples, x->n, x->cap, 256);
	if (n > x->stacks_cap - x->nstacks) {
		x->stacks_cap = 2 * x->stacks_cap + n;
		x->stacks = xreallocarray(x->stacks, x->stacks_cap, sizeof *x->stacks);
	}
}

static void add_sample(const struct export_sample *s, void *arg)
{
	struct speedscope *x = arg;
	int64_t weight = metric_value(x->metric, s);

	if (weight == 0)
		return;
	grow(x, s->n);
	x->samples[x->n++] = (struct sample){ x->nstacks, s->n, weight };
	for (size_t i = 0; i < s->n; i++) {
		bool is_new;
		uint32_t number = export_number(&x->known, &s->frames[i], &is_new);
		if (is_new)
			put_frame_object(&x->frames, &s->frames[i]);
		x->stacks[x->nstacks++] = number;
	}
}

/* Compares frames from the outermost on; equal stacks keep their order. */
static int compare_samples(const void *a, const void *b, void *arg)
{
	const struct sample *x = a, *y = b;
	const uint32_t *stacks = arg;

	for (size_t i = 0; i < x->n && i < y->n; i++) {
		uint32_t of_x = stacks[x->first + i], of_y = stacks[y->first + i];
		if (of_x != of_y)
			return of_x < of_y ? -1 : 1;
	}
	return ORDER(x->n, y->n) ?: ORDER(x->first, y->first);
}

static void put_samples(struct speedscope *x)
{
	struct json_text *j = &x->json;

	json_text_break(j);
	json_text_open(j, "samples", '[');
	for (size_t i = 0; i < x->n; i++) {
		json_text_break(j);
		json_text_open(j, NULL, '[');
		for (size_t k = 0; k < x->samples[i].n; k++)
			json_text_whole(j, NULL, x->stacks[x->samples[i].first + k]);
		json_text_close(j, ']');
	}
	json_text_close(j, ']');
	json_text_break(j);
	json_text_open(j, "weights", '[');
	for (size_t i = 0; i < x->n; i++)
		json_text_whole(j, NULL, x->samples[i].weight);
	json_text_close(j, ']');
}

static void put_profile(struct speedscope *x, const struct report *r, const struct metric *m)
{
	x->metric = m;
	x->n = x->nstacks = 0;
	export_samples(r, m->source, add_sample, x);
	if (x->n > 0)
		qsort_r(x->samples, x->n, sizeof *x->samples, compare_samples, x->stacks);
	json_text_break(&x->json);
	json_text_open(&x->json, NULL, '{');
	json_text_string(&x->json, "type", "sampled");
	json_text_string(&x->json, "name", m->name);
	json_text_string(&x->json, "unit", strcmp(m->unit, "bytes") == 0 ? "bytes" : "none");
	json_text_whole(&x->json, "startValue", 0);
	json_text_whole(&x->json, "endValue", metric_total(m, r));
	put_samples(x);
	json_text_close(&x->json, '}');
}

/* The chosen metric is always there: a file must have a profile. */
static void put_profiles(struct speedscope *x, const struct report *r)
{
	size_t n = 0, active = 0;

	json_text_break(&x->json);
	json_text_open(&x->json, "profiles", '[');
	for (size_t i = 0; i < r->metrics->n; i++) {
		const struct metric *m = &r->metrics->item[i];
		if (m != r->metric && metric_total(m, r) == 0)
			continue;
		if (m == r->metric)
			active = n;
		n++;
		put_profile(x, r, m);
	}
	json_text_close(&x->json, ']');
	json_text_break(&x->json);
	json_text_whole(&x->json, "activeProfileIndex", (int64_t)active);
}

static void put_beginning(struct json_text *j, const struct report *r)
{
	char exporter[64];

	snprintf(exporter, sizeof exporter, "ojx@%s", r->version);
	json_text_open(j, NULL, '{');
	json_text_string(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text_string(j, "exporter", exporter);
	json_text_break(j);
	export_put_command(json_text_begin_string(j), r);
	json_text_end_string(j, "name");
}

static void put_frames(struct speedscope *x)
{
	json_text_close(&x->frames, ']');
	json_text_break(&x->json);
	json_text_open(&x->json, "shared", '{');
	json_text_raw(&x->json, "frames", x->frames.text, x->frames.len);
	json_text_close(&x->json, '}');
	json_text_close(&x->json, '}');
}

int render_speedscope(FILE *out, const struct report *r)
{
	struct speedscope x = { .json = { .out = out, .html = true }, .frames = { .html = true } };

	json_text_open(&x.frames, NULL, '[');
	put_beginning(&x.json, r);
	put_profiles(&x, r);
	put_frames(&x);
	int result = json_text_end(&x.json);
	json_text_release(&x.frames);
	export_numbers_release(&x.known);
	free(x.samples);
	free(x.stacks);
	return result;
}
