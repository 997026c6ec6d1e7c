/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_heap.c - see render_heap.h: writes each finding and its tables, with a column for each
 * figure. It loops over figures.
 */
#include "render/render_heap.h"

#include <string.h>

#include "base/memtext.h"
#include "base/table.h"
#include "base/units.h"
#include "render/builds/markdown.h"
#include "render/json_build.h"
#include "render/render.h"
#include "render/render_findings.h"
#include "render/render_other_findings.h"

/* ---- text ---------------------------------------------------------------------------------- */

static void put_cell(FILE *out, const struct figure *f, const struct style *s, const void *row)
{
	char room[FIGURE_TEXT_MAX];

	if (f->kind == FIGURE_NUMBER)
		figure_put(out, f, figure_of(f, row));
	else if (f->text(row, room))
		style_put(out, s, f->text(row, room));
}

/* The heading of "freed_bytes" is "freed", since the cells have the unit. */
static void put_heading(FILE *out, const struct figure *f)
{
	const char *bytes = strstr(f->name, "_bytes");
	int before = bytes ? (int)(bytes - f->name) : 0;

	fprintf(out, "%.*s%s", before, f->name, bytes ? bytes + strlen("_bytes") : f->name);
}

static bool has_text(const struct figure *f, const struct finding_table *t, size_t n)
{
	char room[FIGURE_TEXT_MAX];

	for (size_t i = 0; i < n; i++)
		if (f->text(finding_row(t, i), room))
			return true;
	return false;
}

static void put_rows(FILE *out, const struct style *s, const struct finding_table *t, size_t n)
{
	const struct figure *chosen[TABLE_COLUMNS];
	struct table table = TABLE_INIT;
	size_t n_chosen = 0;

	for (const struct figure *f = t->kind->figures; f->name; f++) {
		if (!(f->flags & FIGURE_PAGE) || n_chosen == TABLE_COLUMNS ||
		    (f->kind == FIGURE_TEXT && !has_text(f, t, n)))
			continue;
		table_add_column(&table,
				 f->kind == FIGURE_NUMBER   ? TABLE_RIGHT
				 : f->text == finding_class ? TABLE_TAIL | TABLE_CLASS
							    : TABLE_TAIL,
				 0);
		chosen[n_chosen++] = f;
	}
	for (size_t k = 0; k < n_chosen; k++)
		put_heading(table_cell(&table, INK_BOLD), chosen[k]);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_chosen; k++)
			put_cell(table_cell(&table, k == 0 ? INK_BOLD : INK_PLAIN), chosen[k], s,
				 finding_row(t, i));
	table_put(&table, out, s);
	table_release(&table);
}

static void put_left(FILE *out, const struct style *s, size_t n, const char *why,
		     const struct finding_table_kind *t)
{
	if (n)
		fprintf(out, "%s%s %zu %s%s\n", s->markdown ? "\n" : "",
			style_glyph(s, GLYPH_ELLIPSIS), n, n == 1 ? t->one : t->many, why);
}

static void put_table(FILE *out, const struct render_heap *r, const struct style *s,
		      const struct finding_table *t)
{
	size_t shown = r->limited || t->n < t->kind->shown ? t->n : t->kind->shown;

	if (t->all == 0)
		return;
	if (t->kind->title)
		fprintf(out, "\n%s %s\n", s->markdown ? "###" : "#", t->kind->title);
	putc('\n', out);
	if (shown > 0)
		put_rows(out, s, t, shown);
	put_left(out, s, t->n - shown + t->left.beyond, " more; --limit 0 shows all", t->kind);
	put_left(out, s, t->left.unselected, " not selected", t->kind);
	put_left(out, s, t->left.minor, t->kind->minor ? t->kind->minor : "", t->kind);
}

static void put_header(FILE *out, const char *path, const struct heap_report *r,
		       const struct style *s)
{
	char count[UNITS_TEXT], bytes[UNITS_TEXT], note[HEAP_NOTE];
	const struct heap_layout *layout = &r->heap.layout;

	fputs("# heap dump ", out);
	style_put(out, s, path);
	fprintf(out, ": %s objects, %s\n", units_count(count, r->heap.n),
		units_bytes(bytes, (double)r->merge.total.bytes));
	fprintf(out,
		"# sizes %s: object headers of %u bytes, references of %u, objects at multiples of "
		"%u\n",
		layout->guessed ? "are a guess, since identifiers are no addresses"
				: "as the addresses tell them",
		layout->header, layout->reference, layout->alignment);
	for (unsigned i = 0; heap_report_note(r, i, note); i++)
		fprintf(out, "# %s\n", note);
}

static const struct findings *findings_of(const struct render_heap *r)
{
	return r->compare ? &r->compare->findings : &r->report->findings;
}

/* What is to be done about it. */
static void put_others(FILE *out, const struct render_heap *r, const struct style *s,
		       const struct finding *f)
{
	struct memtext text;

	others_put(memtext_begin(&text), s, r->others, f, NULL, 0, r->told);
	render_wrapped(out, s, &text);
}

int render_heap_text(FILE *out, const struct render_heap *r, const struct style *s)
{
	const struct findings *all = findings_of(r);

	if (r->compare)
		put_header(out, r->old_path, r->compare->old, s);
	put_header(out, r->path, r->report, s);
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		fputs("\n# ", out);
		render_finding_lines(out, s, f);
		if (r->others)
			put_others(out, r, s, f);
		for (size_t k = 0; k < f->ntables; k++)
			put_table(out, r, s, &f->table[k]);
	}
	return ferror(out) ? -1 : 0;
}

/* ---- Markdown ------------------------------------------------------------------------------ */

static void put_markdown_finding(FILE *out, const struct render_heap *r, const struct finding *f)
{
	const struct style plain = { .utf8 = true }, style = { .utf8 = true, .markdown = true };
	struct memtext t;

	render_finding_lines(memtext_begin(&t), &plain, f);
	putc('\n', out);
	markdown_paragraph(out, &t, true);
	putc('\n', out);
	if (r->others)
		markdown_others(out, r->others, f, r->told);
	for (size_t k = 0; k < f->ntables; k++)
		put_table(out, r, &style, &f->table[k]);
}

int render_heap_markdown(FILE *out, const struct render_heap *r)
{
	const struct style plain = { .utf8 = true };
	const struct findings *all = findings_of(r);
	struct memtext t;
	FILE *in = memtext_begin(&t);

	fputs("## ojx heap\n\n", out);
	if (r->compare)
		put_header(in, r->old_path, r->compare->old, &plain);
	put_header(in, r->path, r->report, &plain);
	markdown_lines(out, &t, NULL);
	for (size_t i = 0; i < all->n; i++)
		put_markdown_finding(out, r, &all->item[i]);
	return ferror(out) ? -1 : 0;
}

/* ---- JSON and CSV ------------------------------------------------------------------------ */

static void put_dump(struct json_text *j, const char *key, const char *path,
		     const struct heap_report *r)
{
	const struct heap *h = &r->heap;
	char note[HEAP_NOTE];

	json_text_break(j);
	json_text_open(j, key, '{');
	json_text_string(j, "file", path);
	json_text_whole(j, "file_bytes", (int64_t)h->dump->size);
	json_text_whole(j, "identifier_bytes", h->dump->id_size);
	json_text_whole(j, "header_bytes", h->layout.header);
	json_text_whole(j, "reference_bytes", h->layout.reference);
	json_text_whole(j, "alignment_bytes", h->layout.alignment);
	json_text_bool(j, "layout_is_guess", h->layout.guessed);
	json_text_whole(j, "dump", h->dump->dump);
	json_text_whole(j, "dumps", h->dump->dumps);
	json_text_bool(j, "is_cut", h->dump->cut[0]);
	json_text_bool(j, "is_erased", h->erased);
	json_text_whole(j, "objects_twice", (int64_t)h->twice);
	json_text_whole(j, "objects_without_class", (int64_t)h->unknown);
	json_text_whole(j, "missing_references",
			(int64_t)atomic_load_explicit(&h->dangling, memory_order_relaxed));
	json_text_open(j, "notes", '[');
	for (unsigned i = 0; heap_report_note(r, i, note); i++)
		json_text_string(j, NULL, note);
	json_text_close(j, ']');
	json_text_close(j, '}');
}

int render_heap_json(FILE *out, const struct render_heap *r)
{
	const struct findings *all = findings_of(r);
	struct json_text j = { .out = out };

	json_text_open(&j, NULL, '{');
	json_put_ojx(&j, r->version);
	if (r->compare)
		put_dump(&j, "old", r->old_path, r->compare->old);
	put_dump(&j, r->compare ? "new" : "dump", r->path, r->report);
	for (size_t i = 0; i < all->n; i++) {
		json_text_break(&j);
		json_finding(&j, all->item[i].kind->name, &all->item[i]);
	}
	if (r->others)
		others_json(&j, r->others, NULL, 0, SIZE_MAX);
	json_text_close(&j, '}');
	return json_text_end(&j);
}

int render_heap_csv(FILE *out, const struct render_heap *r)
{
	render_csv_finding(out, &findings_of(r)->item[0]);
	return ferror(out) ? -1 : 0;
}
