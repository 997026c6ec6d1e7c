/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_speedscope.c - a file for https://www.speedscope.app and what else reads its format: one profile
 * for each metric of which there is something, in one file.
 *
 * Frames come last: they are numbered while the profiles are written. Weights are rounded to whole
 * numbers as in all exports, so that these agree.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "json_put.h"
#include "metrics.h"

struct speedscope {
	FILE *out, *frames, *weights; /* of which the last two are gathered */
	struct numbering known;
	const struct metric *metric;
	size_t samples; /* of this profile */
};

static int put_frame(FILE *out, const struct export_frame *f)
{
	char *name = NULL;
	size_t len;
	FILE *text = open_memstream(&name, &len);

	if (!text)
		return -1;
	export_put_name(text, f);
	int result = fclose(text);
	if (result == 0) {
		fputs("{\"name\":", out);
		json_put_bytes(out, name, len);
		if (f->file) {
			fputs(",\"file\":", out);
			json_put_text(out, f->file);
		}
		if (f->kind == EXPORT_METHOD && f->number > 0)
			fprintf(out, ",\"line\":%d", f->number);
		putc('}', out);
	}
	free(name);
	return result == 0 ? 0 : -1;
}

static int put_sample(const struct export_sample *s, void *arg)
{
	struct speedscope *x = arg;
	int64_t value = metric_value(x->metric, s);

	if (value == 0)
		return 0;
	fputs(x->samples ? ",\n[" : "\n[", x->out);
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
		fprintf(x->out, "%s%" PRIu32, i ? "," : "", number);
	}
	putc(']', x->out);
	fprintf(x->weights, "%s%" PRId64, x->samples++ ? "," : "", value);
	return 0;
}

static int put_profile(struct speedscope *x, const struct report *r, const struct metric *m)
{
	char *weights = NULL;
	size_t len;

	x->metric = m;
	x->samples = 0;
	x->weights = open_memstream(&weights, &len);
	if (!x->weights)
		return -1;
	fprintf(x->out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",", m->name,
		strcmp(m->unit, "bytes") == 0 ? "bytes" : "none");
	fprintf(x->out, "\"startValue\":0,\"endValue\":%" PRId64 ",\n\"samples\":[",
		metric_total(m, r));
	int result = m->accesses ? export_accesses(r, put_sample, x)
				 : export_allocations(r, put_sample, x);
	if (fclose(x->weights) != 0)
		result = -1;
	if (result == 0)
		fprintf(x->out, "],\n\"weights\":[%s]}", weights);
	free(weights);
	return result;
}

/* The chosen metric is there in any case: a file without a profile is none. */
static int put_profiles(struct speedscope *x, const struct report *r)
{
	size_t n = 0, active = 0;

	fputs(",\n\"profiles\":[", x->out);
	for (const struct metric *m = metrics; m->name; m++) {
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
	char *command = NULL;
	size_t len;
	FILE *text = open_memstream(&command, &len);

	if (!text)
		return -1;
	export_put_command(text, r);
	int result = fclose(text);
	fprintf(out,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		"\"exporter\":\"ojx@%s\",\n\"name\":",
		r->version);
	if (result == 0)
		json_put_bytes(out, command, len);
	free(command);
	return result == 0 ? 0 : -1;
}

int render_speedscope(FILE *out, const struct report *r)
{
	struct speedscope x = { .out = out };
	char *frames = NULL;
	size_t len;

	x.frames = open_memstream(&frames, &len);
	if (!x.frames)
		return -1;
	int result = put_head(out, r);
	if (result == 0)
		result = put_profiles(&x, r);
	if (fclose(x.frames) != 0)
		result = -1;
	if (result == 0)
		fprintf(out, ",\n\"shared\":{\"frames\":[%s]}}\n", frames);
	numbering_release(&x.known);
	free(frames);
	return result < 0 || ferror(out) ? -1 : 0;
}
