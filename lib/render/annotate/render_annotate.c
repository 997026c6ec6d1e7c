/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate.c - writes source files for a terminal, each line with what the recording knows
 * of it. It shows the lines of which something is known, with some lines around them. Without
 * sources it shows only the former, with the names of their methods.
 */

#include "render/annotate/render_annotate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/units.h"
#include "base/xmalloc.h"

/* ---- the figures to the left of a source line. */

#define HOT  0.05  /* share of the recording's bytes from which on a line is red, as in perf */
#define WARM 0.005 /* the same for green */

static void put_cell(FILE *out, const char *text, size_t width)
{
	size_t used = utf8_width(text);

	fprintf(out, "%*s%s", (int)(used < width ? width - used : 1), "", text);
}

static void put_bytes(FILE *out, const struct style *s, double bytes)
{
	char text[UNITS_TEXT];

	put_cell(out, isnan(bytes) ? style_glyph(s, GLYPH_DASH) : units_bytes(text, bytes),
		 ANNOTATE_AMOUNT);
}

static void put_theta(FILE *out, const struct style *s, const struct annotate_class *c)
{
	char text[UNITS_TEXT];

	put_cell(out, c ? units_percent(text, c->theta) : style_glyph(s, GLYPH_DASH),
		 ANNOTATE_SHARE);
}

static enum ink heat(const struct annotate *a, const struct annotate_line *line)
{
	double share = a->bytes > 0 ? line->bytes / a->bytes : 0;

	return share >= HOT ? INK_RED : share >= WARM ? INK_GREEN : INK_PLAIN;
}

/* Writes the figures of a line; NULL: blanks. */
static void put_figures(FILE *out, const struct annotate_report *r, const struct style *s,
			const struct annotate_line *line)
{
	const struct annotate *a = r->annotate;
	bool brief = render_annotate_is_brief(a, s);
	char text[UNITS_TEXT];

	if (!line) {
		fprintf(out, "%*s", (int)render_annotate_gutter(a, s), "");
		return;
	}
	fputs(style_on(s, heat(a, line)), out);
	if (a->objects > 0 && line->nclasses > 0) {
		put_bytes(out, s, line->saved);
		put_bytes(out, s, line->bytes);
		if (!brief) {
			put_cell(out, units_count(text, line->objects), ANNOTATE_COUNT);
			put_theta(out, s, annotate_theta(line, r->min_pairs));
		}
	} else if (a->objects > 0) {
		fprintf(out, "%*s",
			2 * ANNOTATE_AMOUNT + (brief ? 0 : ANNOTATE_COUNT + ANNOTATE_SHARE), "");
	}
	if (a->uses > 0 && !brief)
		put_cell(out, line->uses ? units_count(text, (double)line->uses) : "",
			 ANNOTATE_COUNT);
	if (a->accesses > 0)
		put_cell(out, line->accesses ? units_count(text, (double)line->accesses) : "",
			 ANNOTATE_COUNT + 2);
	fputs(style_off(s, heat(a, line)), out);
}

static void put_headings(FILE *out, const struct annotate_report *r, const struct style *s)
{
	bool brief = render_annotate_is_brief(r->annotate, s);
	char theta[32];

	fprintf(out, "\n%s", style_on(s, INK_BOLD));
	if (r->annotate->objects > 0) {
		put_cell(out, "saved", ANNOTATE_AMOUNT);
		put_cell(out, "bytes", ANNOTATE_AMOUNT);
	}
	if (r->annotate->objects > 0 && !brief) {
		put_cell(out, "objects", ANNOTATE_COUNT);
		snprintf(theta, sizeof theta, "%s %%", style_glyph(s, GLYPH_THETA));
		put_cell(out, theta, ANNOTATE_SHARE);
	}
	if (r->annotate->uses > 0 && !brief)
		put_cell(out, "uses", ANNOTATE_COUNT);
	if (r->annotate->accesses > 0)
		put_cell(out, "accesses", ANNOTATE_COUNT + 2);
	fprintf(out, "    line%s\n", style_off(s, INK_BOLD));
}

enum {
	SOURCE_CELLS = 400, /* of a source line; the rest is left out */
	TAB = 8,
	NUMBER = 6, /* columns of a line's number */
};

bool render_annotate_wants(const struct annotate_report *r, const struct annotate_file *f,
			   int *line)
{
	*line = 0;
	for (size_t i = 0; i < r->nwords; i++)
		if (annotate_names(f, r->words[i], line))
			return true;
	return r->nwords == 0;
}

char *render_annotate_path(const struct annotate_file *f)
{
	int package = (int)(names_simple(f->class_name) - f->class_name);
	char *path = xasprintf("%.*s%s", package, f->class_name, f->name);

	for (int i = 0; i < package; i++)
		if (path[i] == '.')
			path[i] = '/';
	return path;
}

/* ---- one line ---------------------------------------------------------------------------- */

/* Writes source unchanged, except for tabs and control characters. */
static void put_source(FILE *out, const struct style *s, const char *text)
{
	size_t column = 0;

	for (size_t n = 0, len; *text && n < SOURCE_CELLS; text += len, n += len) {
		if (*text == '\t') {
			size_t blanks = TAB - column % TAB;
			fprintf(out, "%*s", (int)blanks, "");
			column += blanks;
			len = 1;
			continue;
		}
		len = strcspn(text, "\t");
		if (len > SOURCE_CELLS - n)
			len = SOURCE_CELLS - n;
		utf8_put(out, text, len, s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
		column += len;
	}
}

static void put_line(FILE *out, const struct annotate_report *r, const struct style *s,
		     const struct annotate_file *f, const struct annotate_line *line, int number,
		     const char *source)
{
	enum ink ink = line && (line->nclasses || line->nfound || line->uses || line->accesses)
			       ? INK_BOLD
			       : INK_PLAIN;
	char digits[16];
	int blanks = NUMBER - snprintf(digits, sizeof digits, "%d", number);

	put_figures(out, r, s, line);
	fprintf(out, "  %s%*s", style_on(s, INK_DIM), blanks > 0 ? blanks : 0, "");
	bool link = style_link_on(out, s, f->class_name, f->name, number);
	fputs(digits, out);
	style_link_off(out, link);
	fprintf(out, "%s %s ", style_off(s, INK_DIM), style_glyph(s, GLYPH_BAR));
	if (source) {
		fputs(style_on(s, ink), out);
		put_source(out, s, source);
		fputs(style_off(s, ink), out);
	} else if (line) {
		fputs(style_on(s, INK_DIM), out);
		style_put(out, s, names_short(line->class_name));
		putc('.', out);
		style_put(out, s, line->method);
		fputs(style_off(s, INK_DIM), out);
	}
	putc('\n', out);
}

/* ---- a file ------------------------------------------------------------------------------ */

static void put_heading(FILE *out, const struct annotate_report *r, const struct style *s,
			const struct annotate_file *f, const struct source_lines *source)
{
	char bytes[UNITS_TEXT], objects[UNITS_TEXT], saved[UNITS_TEXT];

	fprintf(out, "# %s", style_on(s, INK_BOLD));
	char *path = render_annotate_path(f);
	style_put(out, s, path);
	free(path);
	fprintf(out, "%s", style_off(s, INK_BOLD));
	if (f->objects > 0) {
		fprintf(out, ": %s in %s objects", units_bytes(bytes, f->bytes),
			units_count(objects, f->objects));
		if (f->saved > 0)
			fprintf(out, ", at least %s to save", units_bytes(saved, f->saved));
	}
	if (f->uses > 0)
		fprintf(out, "%s %llu use%s seen", f->objects > 0 ? ";" : ":",
			(unsigned long long)f->uses, f->uses == 1 ? "" : "s");
	putc('\n', out);
	if (source->n > 0) {
		fputs("# source ", out);
		style_put(out, s, source->where.origin);
		fputs(": ", out);
		style_put(out, s, source->where.name);
		putc('\n', out);
	} else if (sources_count(r->sources) == 0) {
		fputs("# no source: --source-path names folders, -sources.jar files, src.zip\n",
		      out);
	} else {
		fputs("# no source of that name and package below --source-path\n", out);
	}
}

/* Writes the lines that the source lacks because it is of another version. */
static size_t beyond(const struct annotate_file *f, const struct source_lines *source)
{
	size_t n = 0;

	for (size_t i = 0; source->n > 0 && i < f->nlines; i++)
		n += (size_t)f->lines[i].number > source->n;
	return n;
}

/* Writes the numbers `from`..`to`; *next is the first known line that is not above them. */
static void put_part(FILE *out, const struct annotate_report *r, const struct style *s,
		     const struct annotate_file *f, const struct source_lines *source, size_t from,
		     size_t to, size_t *next, bool only)
{
	for (size_t number = from; number <= to; number++) {
		while (*next < f->nlines && (size_t)f->lines[*next].number < number)
			++*next;
		const struct annotate_line *line =
			*next < f->nlines && (size_t)f->lines[*next].number == number
				? &f->lines[*next]
				: NULL;
		put_line(out, r, s, f, line, (int)number, source_lines_at(source, (int)number));
		if (line)
			render_annotate_notes(out, r, s, line, only);
	}
}

/* Writes a file without its source: the lines that are known. */
static void put_known(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_file *f, int only)
{
	for (size_t i = 0; i < f->nlines; i++) {
		if (only && f->lines[i].number != only)
			continue;
		put_line(out, r, s, f, &f->lines[i], f->lines[i].number, NULL);
		render_annotate_notes(out, r, s, &f->lines[i], only != 0);
	}
}

static size_t low_end(size_t number, size_t context)
{
	return number > context ? number - context : 1;
}

static size_t high_end(size_t number, size_t context, size_t last)
{
	return last - number > context ? number + context : last;
}

/* Writes a file with its source: parts of it, with "..." in between. */
static void put_parts(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_file *f, const struct source_lines *source, int only)
{
	size_t next = 0, shown = 0; /* lines up to `shown` have been written */

	for (size_t i = 0; i < f->nlines; i++) {
		size_t number = (size_t)f->lines[i].number;
		if ((only && (int)number != only) || number > source->n || number <= shown)
			continue;
		size_t from = low_end(number, r->context);
		if (from > shown + 1 && shown > 0)
			fprintf(out, "%*s%s\n", (int)render_annotate_gutter(r->annotate, s) + 5, "",
				style_glyph(s, GLYPH_ELLIPSIS));
		from = from > shown ? from : shown + 1;
		shown = high_end(number, r->context, source->n);
		/* nearby known lines extend it; a gap of one line is shown */
		for (size_t k = i + 1; !only && k < f->nlines; k++) {
			size_t other = (size_t)f->lines[k].number;
			if (other > source->n || low_end(other, r->context) > shown + 2)
				break;
			shown = high_end(other, r->context, source->n);
		}
		put_part(out, r, s, f, source, from, shown, &next, only != 0);
	}
}

static void put_file(FILE *out, const struct annotate_report *r, const struct style *s,
		     const struct annotate_file *f, int only)
{
	struct source_lines source;

	source_lines_read(&source, r->sources, f);
	put_heading(out, r, s, f, &source);
	size_t lost = beyond(f, &source);
	if (lost > 0)
		fprintf(out,
			"# %s%zu line%s of the recording lie%s beyond its end: is it of another "
			"version?%s\n",
			style_on(s, INK_YELLOW), lost, lost == 1 ? "" : "s", lost == 1 ? "s" : "",
			style_off(s, INK_YELLOW));
	put_headings(out, r, s);
	if (source.n > 0)
		put_parts(out, r, s, f, &source, only);
	else
		put_known(out, r, s, f, only);
	source_lines_release(&source);
}

int render_annotate_files(FILE *out, const struct annotate_report *r, const struct style *s)
{
	bool any = false;
	int only;

	for (size_t i = 0; i < r->annotate->nfiles; i++) {
		const struct annotate_file *f = &r->annotate->files[i];
		if (!render_annotate_wants(r, f, &only))
			continue;
		if (any)
			putc('\n', out);
		any = true;
		put_file(out, r, s, f, only);
	}
	return ferror(out) ? -1 : 0;
}
