/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_dhat.c - allocations for the viewer of DHAT, Valgrind's heap profiler (dh_view.html), and
 * other readers of its files: JSON, version 2 of the format.
 *
 * A program point is a row, with bytes and blocks (objects). Lifetimes and accesses are not known
 * of every object; the format permits leaving them out. Frames look as in Valgrind, "0x1: where
 * (file:line)", with a number in place of the address, because readers parse that pattern.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "render/export.h"
#include "render/metrics.h"

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
static int put_frame(struct dhat *d, const struct export_frame *f, uint32_t number)
{
	FILE *out = json_text_begin_string(&d->frames);

	if (!out)
		return -1;
	fprintf(out, "0x%" PRIx32 ": ", number + 1);
	export_put_name(out, f);
	fputs(" (", out);
	put_place(out, f);
	putc(')', out);
	json_text_break(&d->frames);
	json_text_end_string(&d->frames, NULL);
	return 0;
}

/* The innermost frame comes first. */
static int put_point(const struct export_sample *s, void *arg)
{
	struct dhat *d = arg;
	struct json_text *j = &d->json;

	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_whole(j, "tb", metric_value(d->bytes, s));
	json_text_whole(j, "tbk", metric_value(d->blocks, s));
	json_text_open(j, "fs", '[');
	for (size_t i = s->n; i-- > 0;) {
		uint32_t number;
		bool is_new;
		if (export_number(&d->known, &s->frames[i], &number, &is_new) < 0)
			return -1;
		if (is_new && put_frame(d, &s->frames[i], number) < 0)
			return -1;
		json_text_whole(j, NULL, (int64_t)number + 1);
	}
	json_text_close(j, ']');
	json_text_close(j, '}');
	return 0;
}

static int put_head(struct json_text *j, const struct report *r)
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
	FILE *command = json_text_begin_string(j);
	if (!command)
		return -1;
	export_put_command(command, r);
	json_text_end_string(j, "cmd");
	json_text_whole(j, "pid", jvm ? jvm->info.pid : 0);
	json_text_whole(j, "te", llrint(r->recording->duration_s * 1e6));
	return 0;
}

static int put_all(struct dhat *d, const struct report *r)
{
	struct json_text *j = &d->json;

	json_text_open(&d->frames, NULL, '[');
	json_text_string(&d->frames, NULL, "[root]");
	if (put_head(j, r) < 0)
		return -1;
	json_text_break(j);
	json_text_open(j, "pps", '[');
	if (export_samples(r, EXPORT_ALLOCATIONS, put_point, d) < 0)
		return -1;
	json_text_close(j, ']');
	json_text_close(&d->frames, ']');
	json_text_break(j);
	json_text_raw(j, "ftbl", d->frames.text, d->frames.len);
	json_text_close(j, '}');
	return d->frames.failed ? -1 : 0;
}

int render_dhat(FILE *out, const struct report *r)
{
	struct dhat d = { .json = { .out = out, .html = true },
			  .frames = { .html = true },
			  .bytes = metric_find(r->metrics, "bytes"),
			  .blocks = metric_find(r->metrics, "objects") };
	int result = put_all(&d, r);

	if (json_text_end(&d.json) < 0)
		result = -1;
	json_text_release(&d.frames);
	export_numbers_release(&d.known);
	return result;
}
