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
#include "base/memtext.h"
#include "base/sort.h"
#include "render/export.h"
#include "render/metrics.h"

struct sample {
	size_t first, n; /* index of its frames among those of all */
	int64_t weight;
};

struct speedscope {
	FILE *out, *frames; /* of which the last is gathered */
	struct export_numbers known;
	const struct metric *metric;
	/* of one profile */
	struct sample *samples;
	size_t n, cap;
	uint32_t *stacks; /* outermost frame first */
	size_t nstacks, stacks_cap;
};

static int put_frame(FILE *out, const struct export_frame *f)
{
	struct memtext name;

	if (!memtext_begin(&name))
		return -1;
	export_put_name(name.in, f);
	fputs("{\"name\":", out);
	int result = json_put_memtext(out, &name);
	if (f->file) {
		fputs(",\"file\":", out);
		json_put_text(out, f->file);
	}
	if (f->kind == EXPORT_METHOD && f->number > 0)
		fprintf(out, ",\"line\":%d", f->number);
	putc('}', out);
	return result;
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
		if (is_new) {
			fputs(number ? ",\n" : "\n", x->frames);
			if (put_frame(x->frames, &s->frames[i]) < 0)
				return -1;
		}
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
	fputs("\"samples\":[", x->out);
	for (size_t i = 0; i < x->n; i++) {
		fputs(i ? ",\n[" : "\n[", x->out);
		for (size_t k = 0; k < x->samples[i].n; k++)
			fprintf(x->out, "%s%" PRIu32, k ? "," : "",
				x->stacks[x->samples[i].first + k]);
		putc(']', x->out);
	}
	fputs("],\n\"weights\":[", x->out);
	for (size_t i = 0; i < x->n; i++)
		fprintf(x->out, "%s%" PRId64, i ? "," : "", x->samples[i].weight);
	fputs("]}", x->out);
}

static int put_profile(struct speedscope *x, const struct report *r, const struct metric *m)
{
	x->metric = m;
	x->n = x->nstacks = 0;
	if (export_samples(r, m->source, add_sample, x) < 0)
		return -1;
	if (x->n > 0)
		qsort_r(x->samples, x->n, sizeof *x->samples, compare_samples, x->stacks);
	fprintf(x->out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",", m->name,
		strcmp(m->unit, "bytes") == 0 ? "bytes" : "none");
	fprintf(x->out, "\"startValue\":0,\"endValue\":%" PRId64 ",\n", metric_total(m, r));
	put_samples(x);
	return 0;
}

/* The chosen metric is always there: a file must have a profile. */
static int put_profiles(struct speedscope *x, const struct report *r)
{
	size_t n = 0, active = 0;

	fputs(",\n\"profiles\":[", x->out);
	for (size_t i = 0; i < r->metrics->n; i++) {
		const struct metric *m = &r->metrics->item[i];
		if (m != r->metric && metric_total(m, r) == 0)
			continue;
		if (m == r->metric)
			active = n;
		fputs(n++ ? ",\n" : "\n", x->out);
		if (put_profile(x, r, m) < 0)
			return -1;
	}
	fprintf(x->out, "],\n\"activeProfileIndex\":%zu", active);
	return 0;
}

static int put_head(FILE *out, const struct report *r)
{
	struct memtext command;

	if (!memtext_begin(&command))
		return -1;
	export_put_command(command.in, r);
	fprintf(out,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		"\"exporter\":\"ojx@%s\",\n\"name\":",
		r->version);
	return json_put_memtext(out, &command);
}

int render_speedscope(FILE *out, const struct report *r)
{
	struct speedscope x = { .out = out };
	struct memtext gathered;

	x.frames = memtext_begin(&gathered);
	if (!x.frames)
		return -1;
	int result = put_head(out, r);
	if (result == 0)
		result = put_profiles(&x, r);
	char *frames = memtext_end(&gathered);
	if (!frames)
		result = -1;
	if (result == 0)
		fprintf(out, ",\n\"shared\":{\"frames\":[%s]}}\n", frames);
	export_numbers_release(&x.known);
	free(x.samples);
	free(x.stacks);
	free(frames);
	return result < 0 || ferror(out) ? -1 : 0;
}
