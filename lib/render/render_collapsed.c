/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_collapsed.c - stacks folded to a line each, with one number: what flamegraph.pl and its
 * kin read.
 *
 *	java/lang/Thread.run:833;com/acme/Shop.load:12;com.acme.Point_[i] 4096
 *
 * Frames have the form of async-profiler, with slashes and with _[i] behind an allocated class,
 * which palettes and filters of those tools expect. A line number follows the method. A ';' in a
 * name would end the frame, so it becomes '|'.
 */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "render/export.h"
#include "render/metrics.h"

struct lines {
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

static void put_frame(FILE *out, const struct export_frame *f)
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

static int put_line(const struct export_sample *s, void *arg)
{
	struct lines *l = arg;
	int64_t value = metric_value(l->metric, s);

	if (value == 0)
		return 0;
	for (size_t i = 0; i < s->n; i++) {
		if (i > 0)
			putc(';', l->out);
		put_frame(l->out, &s->frames[i]);
	}
	return fprintf(l->out, " %" PRId64 "\n", value) < 0 ? -1 : 0;
}

int render_collapsed(FILE *out, const struct report *r)
{
	struct lines lines = { out, r->metric };

	int result = export_samples(r, r->metric->source, put_line, &lines);
	return result < 0 || ferror(out) ? -1 : 0;
}
