/* SPDX-License-Identifier: Apache-2.0 */
/* csv_put.c - see csv_put.h. */
#include "render/csv_put.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/utf8.h"

static void put_real(FILE *out, double value)
{
	char text[JSON_NUMBER_MAX];

	if (!isfinite(value))
		return;
	size_t len = json_number_text(text, value);
	fwrite(text, 1, len, out);
}

void csv_put_heading(FILE *out, const struct figure *f)
{
	fputs(f->name, out);
	if (figure_has_range(f))
		fprintf(out, ",%s_low,%s_high", f->range_name, f->range_name);
}

void csv_put_figure(FILE *out, const struct figure *f, const void *of, double z)
{
	put_real(out, figure_of(f, of));
	if (!figure_has_range(f))
		return;
	struct bounds_range range = figure_range(f, of, z);
	putc(',', out);
	put_real(out, range.low);
	putc(',', out);
	put_real(out, range.high);
}

/* Writes a piece of a quoted text. In a stack, ';' would end a frame, so it becomes '|'. */
static void put_inside(FILE *out, const char *text, bool stack)
{
	const char *special = stack ? "\";" : "\"";

	text = text ? text : "?";
	for (;;) {
		size_t n = strcspn(text, special);
		utf8_put(out, text, n, UTF8_TERMINAL);
		text += n;
		if (*text == '\0')
			return;
		fputs(*text++ == '"' ? "\"\"" : "|", out);
	}
}

/* Begins a quoted text that starts with `first`. */
static void open_text(FILE *out, const char *first)
{
	putc('"', out);
	if (first && *first && strchr("=+-@", *first))
		putc('\'', out);
}

void csv_put_text(FILE *out, const char *text)
{
	if (!text)
		return;
	open_text(out, text);
	put_inside(out, text, false);
	putc('"', out);
}

int csv_put_frame(FILE *out, const struct model_frame *f)
{
	if (f->folded > 0) {
		fprintf(out, "[recursion of %d frame%s]", f->folded, f->folded == 1 ? "" : "s");
		return 0;
	}
	put_inside(out, f->class_name, true);
	putc('.', out);
	put_inside(out, f->method, true);
	putc('(', out);
	put_inside(out, f->file ? f->file : "Unknown Source", true);
	if (f->file && f->line > 0)
		fprintf(out, ":%d", f->line);
	putc(')', out);
	return 0;
}

void csv_put_numbered_stack(FILE *out, const struct frame_texts *texts, uint32_t jvm,
			    const uint32_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len;
		const char *text = frame_texts_at(texts, jvm, numbers[i], &len);
		if (i > 0)
			putc(';', out);
		else
			open_text(out, text);
		fwrite(text, 1, len, out);
	}
	if (n > 0)
		putc('"', out);
}

void csv_put_stack(FILE *out, const struct callstack *stack, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct model_frame *f = &stack->frames[i];
		if (i > 0)
			putc(';', out);
		else
			open_text(out, f->folded > 0 ? NULL : f->class_name);
		csv_put_frame(out, f);
	}
	if (n > 0)
		putc('"', out);
}
