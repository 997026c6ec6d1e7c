/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_annotate_list.c - the lines of all files, hottest first: what `ojx annotate` shows without
 * an argument.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/json_text.h"
#include "base/memtext.h"
#include "base/table.h"
#include "base/units.h"
#include "render/annotate/render_annotate.h"
#include "render/json_build.h"
#include "render/render_json_rows.h"
#include "report/columns.h"

/*
 * ---- an annotation as JSON; docs/annotate.md describes it. A value that was not measured is
 * null.
 */

enum { INSN_MAX = 96 };

static void put_class(struct json_text *t, const struct annotate_report *r,
		      const struct annotate_class *c)
{
	bool enough = c->pairs >= r->min_pairs;

	json_text_open(t, NULL, '{');
	json_text_string(t, "class", c->name);
	json_text_whole(t, "pid", c->pid);
	json_text_bool(t, "in_call", c->called);
	json_text_short(t, "objects", c->objects);
	json_text_short(t, "bytes", c->bytes);
	json_text_short(t, "saved_bytes", c->saved);
	json_text_whole(t, "pairs", (int64_t)c->pairs);
	json_text_short(t, "theta", enough ? c->theta : NAN);
	if (enough && !isnan(c->theta_ci.low) && !isnan(c->theta_ci.high)) {
		json_text_open(t, "theta_ci", '[');
		json_text_short(t, NULL, c->theta_ci.low);
		json_text_short(t, NULL, c->theta_ci.high);
		json_text_close(t, ']');
	} else {
		json_text_null(t, "theta_ci");
	}
	json_text_string(t, "verdict", replica_verdict_name(c->verdict));
	json_text_close(t, '}');
}

static void put_found(struct json_text *t, const struct annotate_found *x)
{
	const struct finding_table_kind *kind = x->finding->kind->tables[0];
	char room[FIGURE_TEXT_MAX];

	json_text_open(t, NULL, '{');
	json_text_string(t, "kind", x->finding->kind->name);
	json_text_string(t, "access", x->access ? "second" : "first");
	json_text_bool(t, "in_call", x->called);
	json_text_short(t, "share", x->row->share);
	for (const struct figure *f = kind->figures; f->name; f++)
		if (f->kind == FIGURE_NUMBER && (f->flags & FIGURE_LINES))
			json_text_number(t, f->name, figure_of(f, x->row));
	if (kind->at_line_key)
		json_text_string(t, kind->at_line_key,
				 kind->at_line_text ? kind->at_line_text(x->row, x->access, room)
						    : NULL);
	json_text_close(t, '}');
}

/* Adds an array for each analysis that has rows of accesses. */
static void put_findings(struct json_text *t, const struct annotate *a,
			 const struct annotate_line *line)
{
	for (size_t k = 0; k < a->nanalyses; k++) {
		json_text_open(t, a->analysis[k]->key, '[');
		for (size_t i = 0; i < line->nfound; i++)
			if (line->found[i].finding->analysis == a->analysis[k])
				put_found(t, &line->found[i]);
		json_text_close(t, ']');
	}
}

/* Of what the line makes, also in calls; of the platform's lines nothing is told. */
static void put_callers(struct json_text *t, const struct annotate_report *r,
			const struct annotate_line *line)
{
	struct callers callers;

	callers_estimate(&callers, r->recording->model, line->contexts, line->ncontexts, 1,
			 bounds_z(r->confidence));
	render_json_callers(t, &callers);
	callers_release(&callers);
}

static void put_line(struct json_text *t, const struct annotate_report *r,
		     const struct annotate_line *line, const struct source_lines *source)
{
	json_text_open(t, NULL, '{');
	json_text_whole(t, "line", line->number);
	json_text_string(t, "class", line->class_name);
	json_text_string(t, "method", line->method);
	json_text_string(t, "source", source_lines_at(source, line->number));
	json_text_short(t, "objects", line->objects);
	json_text_short(t, "bytes", line->bytes);
	json_text_short(t, "saved_bytes", line->saved);
	json_text_whole(t, "uses", (int64_t)line->uses);
	json_text_whole(t, "accesses", (int64_t)line->accesses);
	json_text_open(t, "makes", '[');
	for (size_t i = 0; i < line->nclasses; i++)
		put_class(t, r, &line->classes[i]);
	json_text_close(t, ']');
	put_callers(t, r, line);
	put_findings(t, r->annotate, line);
	json_text_close(t, '}');
}

static void put_file(struct json_text *t, const struct annotate_report *r,
		     const struct annotate_file *f, int only)
{
	struct source_lines source;
	char *path = render_annotate_path(f);

	source_lines_read(&source, r->sources, f);
	bool has_source = source.n > 0;
	json_text_open(t, NULL, '{');
	json_text_string(t, "path", path);
	json_text_string(t, "source_origin", has_source ? source.where.origin : NULL);
	json_text_string(t, "source_name", has_source ? source.where.name : NULL);
	json_text_short(t, "objects", f->objects);
	json_text_short(t, "bytes", f->bytes);
	json_text_short(t, "saved_bytes", f->saved);
	json_text_whole(t, "uses", (int64_t)f->uses);
	json_text_whole(t, "accesses", (int64_t)f->accesses);
	json_text_open(t, "lines", '[');
	json_text_break(t);
	for (size_t i = 0; i < f->nlines; i++) {
		if (only && f->lines[i].number != only)
			continue;
		json_text_break(t);
		put_line(t, r, &f->lines[i], &source);
	}
	json_text_close(t, ']');
	json_text_close(t, '}');
	source_lines_release(&source);
	free(path);
}

int render_annotate_json(FILE *out, const struct annotate_report *r)
{
	struct json_text t = { .out = out, .html = true };
	int only;

	json_text_open(&t, NULL, '{');
	json_put_ojx(&t, r->version);
	json_text_open(&t, "files", '[');
	json_text_break(&t);
	for (size_t i = 0; i < r->annotate->nfiles; i++) {
		const struct annotate_file *f = &r->annotate->files[i];
		if (!render_annotate_wants(r, f, &only))
			continue;
		json_text_break(&t);
		put_file(&t, r, f, only);
	}
	json_text_close(&t, ']');
	json_text_close(&t, '}');
	return json_text_end(&t);
}

enum { SOURCE_MAX = 200 /* bytes of a line of source */ };

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+"

/* Source of the last file: neighbours in the list are often of one file. */
struct reader {
	const struct annotate_report *report;
	const struct annotate_file *file;
	struct source_lines lines;
};

static const char *read_line(struct reader *reader, const struct annotate_spot *spot)
{
	if (reader->file != spot->file) {
		source_lines_release(&reader->lines);
		reader->file = spot->file;
		source_lines_read(&reader->lines, reader->report->sources, spot->file);
	}
	return source_lines_at(&reader->lines, spot->line->number);
}

/* ---- cells ------------------------------------------------------------------------------- */

static void add_amount(struct table *t, const struct style *s, double value,
		       const char *(*format)(char *, double), enum ink ink)
{
	char text[UNITS_TEXT];

	table_add(t, value > 0 ? format(text, value) : style_glyph(s, GLYPH_DASH), ink);
}

static void add_theta(struct table *t, const struct annotate_report *r, const struct style *s,
		      const struct annotate_line *line)
{
	const struct annotate_class *c = annotate_theta(line, r->min_pairs);
	char text[UNITS_TEXT];

	table_add(t, c ? units_percent(text, c->theta) : style_glyph(s, GLYPH_DASH), INK_PLAIN);
}

/* Text of a program, cleaned, from its first word on. */
static void put_code(FILE *out, const struct style *s, const char *text, size_t max)
{
	text += strspn(text, " \t");
	utf8_put(out, text, strnlen(text, max), style_mode(s));
}

static void put_spot_line(FILE *out, const struct style *s, const struct annotate_spot *spot)
{
	style_put(out, s, spot->file->name);
	fprintf(out, ":%d", spot->line->number);
}

/* The classes that the line makes: "char[], byte[]". */
static void put_classes(FILE *out, const struct style *s, const struct annotate_line *line)
{
	for (size_t i = 0; i < line->nclasses && i < 2; i++) {
		fputs(i ? ", " : "", out);
		style_put(out, s, names_short(line->classes[i].name));
	}
	if (line->nclasses > 2)
		fprintf(out, ", +%zu", line->nclasses - 2);
}

/* ---- the table --------------------------------------------------------------------------- */

/* Finds the columns that have anything to show. */
struct shape {
	bool objects, uses, accesses, source;
	const struct annotate *of; /* analyses with anything to show get a column */
};

static void add_headings(struct table *t, const struct style *s, const struct shape *shape)
{
	static const char *const amounts[] = { "saved", "bytes", "objects" };
	char theta[32];

	table_add_column(t, COLUMN_RIGHT, 0);
	for (int i = 0; shape->objects && i < 3; i++)
		table_add_column(t, COLUMN_RIGHT, i == 2 ? 3 : 0);
	if (shape->objects)
		table_add_column(t, COLUMN_RIGHT, 0);
	if (shape->uses)
		table_add_column(t, COLUMN_RIGHT, 2);
	if (shape->accesses)
		table_add_column(t, COLUMN_RIGHT, 0);
	for (size_t i = 0; i < shape->of->nanalyses; i++)
		if (shape->of->has[i])
			table_add_column(t, COLUMN_RIGHT, 0);
	table_add_column(t, 0, 0);
	if (shape->objects)
		table_add_column(t, COLUMN_HEAD, 4);
	table_add_column(t, COLUMN_HEAD, 0);

	table_add(t, "#", INK_BOLD);
	for (int i = 0; shape->objects && i < 3; i++)
		table_add(t, amounts[i], INK_BOLD);
	snprintf(theta, sizeof theta, "%s %%", style_glyph(s, GLYPH_THETA));
	if (shape->objects)
		table_add(t, theta, INK_BOLD);
	if (shape->uses)
		table_add(t, "uses", INK_BOLD);
	if (shape->accesses)
		table_add(t, "accesses", INK_BOLD);
	for (size_t i = 0; i < shape->of->nanalyses; i++)
		if (shape->of->has[i]) {
			char name[64];
			snprintf(name, sizeof name, "%s %%", shape->of->analysis[i]->key);
			table_add(t, name, INK_BOLD);
		}
	table_add(t, "line", INK_BOLD);
	if (shape->objects)
		table_add(t, "makes", INK_BOLD);
	table_add(t, shape->source ? "source" : "method", INK_BOLD);
}

static void add_spot(struct table *t, struct reader *reader, const struct style *s,
		     const struct shape *shape, const struct annotate_spot *spot, size_t rank)
{
	const struct annotate_line *line = spot->line;
	char text[UNITS_TEXT];

	snprintf(text, sizeof text, "%zu", rank);
	table_add(t, text, INK_DIM);
	if (shape->objects) {
		table_add(t,
			  isnan(line->saved) ? style_glyph(s, GLYPH_DASH)
					     : units_bytes(text, line->saved),
			  line->saved > 0 ? INK_BOLD : INK_PLAIN);
		add_amount(t, s, line->bytes, units_bytes, INK_PLAIN);
		add_amount(t, s, line->objects, units_count, INK_PLAIN);
		add_theta(t, reader->report, s, line);
	}
	if (shape->uses)
		add_amount(t, s, (double)line->uses, units_count, INK_PLAIN);
	if (shape->accesses)
		add_amount(t, s, (double)line->accesses, units_count, INK_PLAIN);
	for (size_t i = 0; i < shape->of->nanalyses; i++) {
		double share = annotate_share(line, shape->of->analysis[i]);
		if (shape->of->has[i])
			table_add(t,
				  share > 0 ? units_percent(text, share)
					    : style_glyph(s, GLYPH_DASH),
				  INK_PLAIN);
	}
	put_spot_line(table_cell(t, INK_CYAN), s, spot);
	if (s->links)
		table_link(t, s->links->address(s->links, spot->file->class_name, spot->file->name,
						line->number));
	if (shape->objects)
		put_classes(table_cell(t, INK_PLAIN), s, line);
	const char *source = shape->source ? read_line(reader, spot) : NULL;
	if (source)
		put_code(table_cell(t, INK_PLAIN), s, source, SOURCE_MAX);
	else
		put_code(table_cell(t, shape->source ? INK_DIM : INK_PLAIN), s,
			 line->method ? line->method : "?", PTRDIFF_MAX);
}

static size_t count_files(const struct annotate *a, bool jdk)
{
	size_t n = 0;

	for (size_t i = 0; i < a->nfiles; i++)
		n += jdk || !a->files[i].platform;
	return n;
}

static const char *key_name(const struct annotate_report *r)
{
	const char *keys[ANNOTATE_KEYS];

	annotate_list_keys(keys, model_analyses(r->recording->model));
	return keys[r->key];
}

static void put_title(FILE *out, const struct annotate_report *r, const struct style *s, size_t n)
{
	const struct annotate *a = r->annotate;
	size_t nfiles = count_files(a, r->jdk);
	char bytes[UNITS_TEXT], objects[UNITS_TEXT], placed[UNITS_TEXT];

	fprintf(out, "# %s%zu line%s of %zu source file%s%s, sorted by %s\n", style_on(s, INK_BOLD),
		n, n == 1 ? "" : "s", nfiles, nfiles == 1 ? "" : "s", style_off(s, INK_BOLD),
		key_name(r));
	if (a->objects > 0)
		fprintf(out, "# %s in %s objects; for %s %% of the bytes a line is known\n",
			units_bytes(bytes, a->bytes), units_count(objects, a->objects),
			units_percent(placed, a->bytes > 0 ? a->placed / a->bytes : 0));
	if (r->jdk)
		fputs("# what the platform does in a call of a line counts for both\n", out);
	else
		fputs("# with what the platform does for them; --jdk lists its own lines, too\n",
		      out);
	if (sources_count(r->sources) == 0)
		fputs("# no source: --source-path names folders, -sources.jar files, src.zip\n",
		      out);
	putc('\n', out);
}

static void put_spots(FILE *out, const struct annotate_report *r, const struct style *s,
		      const struct annotate_spot *spots, size_t n)
{
	const struct shape shape = { r->annotate->objects > 0, r->annotate->uses > 0,
				     r->annotate->accesses > 0, sources_count(r->sources) > 0,
				     r->annotate };
	struct reader reader = { .report = r };
	struct table t = TABLE_INIT;
	size_t shown = n < r->limit ? n : r->limit;

	add_headings(&t, s, &shape);
	for (size_t i = 0; i < shown; i++)
		add_spot(&t, &reader, s, &shape, &spots[i], i + 1);
	source_lines_release(&reader.lines);
	table_put(&t, out, s);
	if (shown < n)
		fprintf(out, "\n# %zu more line%s; --limit 0 shows all\n", n - shown,
			n - shown == 1 ? "" : "s");
	table_release(&t);
}

/* Whether a shell takes it as it is. The program chose the name. */
static bool is_one_word(const char *name)
{
	return *name && *name != '-' && !name[strspn(name, WORD)];
}

int render_annotate_list(FILE *out, const struct annotate_report *r, const struct style *s)
{
	size_t n;
	struct annotate_spot *spots = annotate_spots(r->annotate, r->key, r->jdk, &n);

	put_title(out, r, s, n);
	if (n > 0)
		put_spots(out, r, s, spots, n);
	if (n > 0 && is_one_word(spots[0].file->name))
		fprintf(out, "\n# 'ojx annotate %s' shows that file with its source\n",
			spots[0].file->name);
	free(spots);
	return ferror(out) ? -1 : 0;
}
