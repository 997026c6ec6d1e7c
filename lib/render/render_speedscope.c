/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_speedscope.c - a file for https://www.speedscope.app and other readers of its format: one
 * profile for each metric that is not empty, in one file. Frames are numbered while the profiles
 * are made, so they come last.
 *
 * The reader first shows samples in the order of the file, as if it were time. They are sorted by
 * their stacks, so that this view is a flame graph, too. Weights are rounded to whole numbers as in
 * all exports, so that these agree.
 */
#define _GNU_SOURCE 1 /* qsort_r */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/json_text.h"
#include "base/sort.h"
#include "render/export.h"
#include "render/metrics.h"

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

static int put_frame(struct json_text *j, const struct export_frame *f)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	FILE *name = json_text_begin_string(j);
	if (!name)
		return -1;
	export_put_name(name, f);
	json_text_end_string(j, "name");
	if (f->file)
		json_text_string(j, "file", f->file);
	if (f->kind == EXPORT_METHOD && f->number > 0)
		json_text_whole(j, "line", f->number);
	json_text_close(j, '}');
	return 0;
}

/* Makes room for one more sample and `n` frames. */
static int grow(struct speedscope *x, size_t n)
{
	if (!GROW(x->samples, x->n, x->cap, 256))
		return -1;
	if (n > x->stacks_cap - x->nstacks) {
		size_t cap = 2 * x->stacks_cap + n;
		uint32_t *stacks = realloc(x->stacks, cap * sizeof *stacks);
		if (!stacks)
			return -1;
		x->stacks = stacks;
		x->stacks_cap = cap;
	}
	return 0;
}

static int add_sample(const struct export_sample *s, void *arg)
{
	struct speedscope *x = arg;
	int64_t weight = metric_value(x->metric, s);

	if (weight == 0)
		return 0;
	if (grow(x, s->n) < 0)
		return -1;
	x->samples[x->n++] = (struct sample){ x->nstacks, s->n, weight };
	for (size_t i = 0; i < s->n; i++) {
		uint32_t number;
		bool is_new;
		if (export_number(&x->known, &s->frames[i], &number, &is_new) < 0)
			return -1;
		if (is_new && put_frame(&x->frames, &s->frames[i]) < 0)
			return -1;
		x->stacks[x->nstacks++] = number;
	}
	return 0;
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

static int put_profile(struct speedscope *x, const struct report *r, const struct metric *m)
{
	x->metric = m;
	x->n = x->nstacks = 0;
	if (export_samples(r, m->source, add_sample, x) < 0)
		return -1;
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
	return 0;
}

/* The chosen metric is always there: a file must have a profile. */
static int put_profiles(struct speedscope *x, const struct report *r)
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
		if (put_profile(x, r, m) < 0)
			return -1;
	}
	json_text_close(&x->json, ']');
	json_text_break(&x->json);
	json_text_whole(&x->json, "activeProfileIndex", (int64_t)active);
	return 0;
}

static int put_head(struct json_text *j, const struct report *r)
{
	char exporter[64];

	snprintf(exporter, sizeof exporter, "ojx@%s", r->version);
	json_text_open(j, NULL, '{');
	json_text_string(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text_string(j, "exporter", exporter);
	json_text_break(j);
	FILE *command = json_text_begin_string(j);
	if (!command)
		return -1;
	export_put_command(command, r);
	json_text_end_string(j, "name");
	return 0;
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
	int result = put_head(&x.json, r);
	if (result == 0)
		result = put_profiles(&x, r);
	if (result == 0)
		put_frames(&x);
	if (x.frames.failed || json_text_end(&x.json) < 0)
		result = -1;
	json_text_release(&x.json);
	json_text_release(&x.frames);
	export_numbers_release(&x.known);
	free(x.samples);
	free(x.stacks);
	return result;
}
