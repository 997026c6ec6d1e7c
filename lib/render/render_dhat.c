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
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memtext.h"
#include "render/export.h"
#include "render/metrics.h"

struct dhat {
	FILE *out, *frames; /* `frames` collects the table that comes last */
	struct export_numbers known;
	const struct metric *bytes, *blocks;
	size_t points;
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
	struct memtext text;
	FILE *out = memtext_begin(&text);

	if (!out)
		return -1;
	fprintf(out, "0x%" PRIx32 ": ", number + 1);
	export_put_name(out, f);
	fputs(" (", out);
	put_place(out, f);
	putc(')', out);
	fputs(",\n", d->frames);
	return json_put_memtext(d->frames, &text);
}

/* The innermost frame comes first. */
static int put_point(const struct export_sample *s, void *arg)
{
	struct dhat *d = arg;

	fprintf(d->out, "%s{\"tb\":%" PRId64 ",\"tbk\":%" PRId64 ",\"fs\":[",
		d->points++ ? ",\n" : "\n", metric_value(d->bytes, s), metric_value(d->blocks, s));
	for (size_t i = s->n; i-- > 0;) {
		uint32_t number;
		bool is_new;
		if (export_number(&d->known, &s->frames[i], &number, &is_new) < 0)
			return -1;
		if (is_new && put_frame(d, &s->frames[i], number) < 0)
			return -1;
		fprintf(d->out, "%" PRIu32 "%s", number + 1, i ? "," : "");
	}
	fputs("]}", d->out);
	return 0;
}

static int put_head(FILE *out, const struct report *r)
{
	const struct model_jvm *jvm = model_jvm(r->recording->model, 1);
	struct memtext command;

	if (!memtext_begin(&command))
		return -1;
	export_put_command(command.in, r);
	fputs("{\"dhatFileVersion\":2,\"mode\":\"ojx\",\"verb\":\"Allocated\","
	      "\"bklt\":false,\"bkacc\":false,\"bu\":\"byte\",\"bsu\":\"bytes\",\"bksu\":"
	      "\"objects\","
	      "\"tu\":\"µs\",\"Mtu\":\"s\",\"cmd\":",
	      out);
	int result = json_put_memtext(out, &command);
	fprintf(out, ",\"pid\":%d,\"te\":%.0f,\n\"pps\":[", jvm ? jvm->info.pid : 0,
		r->recording->duration_s * 1e6);
	return result;
}

int render_dhat(FILE *out, const struct report *r)
{
	struct dhat d = { .out = out,
			  .bytes = metric_find(r->metrics, "bytes"),
			  .blocks = metric_find(r->metrics, "objects") };
	struct memtext gathered;

	d.frames = memtext_begin(&gathered);
	if (!d.frames)
		return -1;
	int result = put_head(out, r);
	if (result == 0)
		result = export_samples(r, EXPORT_ALLOCATIONS, put_point, &d);
	char *frames = memtext_end(&gathered);
	if (!frames)
		result = -1;
	if (result == 0)
		fprintf(out, "],\n\"ftbl\":[\"[root]\"%s]}\n", frames);
	export_numbers_release(&d.known);
	free(frames);
	return result < 0 || ferror(out) ? -1 : 0;
}
