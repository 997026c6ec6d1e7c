/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_findings.c - see render_findings.h: findings as text. For each finding it writes the lines
 * of its analysis, then its tables. A row is one line with its places. In a report with details it
 * has more lines, and stacks. Two stacks of
 * accesses stand side by side if there is room (in JXPerf's figure 7 one is below the other). The
 * places where objects were accessed are a tree from the outermost frame inwards.
 */
#include "render/render_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memtext.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "model/callstack.h"
#include "render/render_other_findings.h"

#define INDENT "     "
#define GAP    3  /* columns between the two stacks */
#define LEAST  40 /* columns for each of two stacks side by side */

/* ---- words ------------------------------------------------------------------------------- */

/* Writes "name value, name value" if the analysis has no words of its own. */
static void put_figures(FILE *out, const struct style *s, const struct figure *figures,
			const void *of)
{
	char room[FIGURE_TEXT_MAX];
	const char *comma = "";

	for (const struct figure *f = figures; f && f->name; f++) {
		const char *text = f->kind == FIGURE_TEXT ? f->text(of, room) : NULL;
		double value = f->kind == FIGURE_NUMBER ? figure_of(f, of) : NAN;
		if (!text && isnan(value))
			continue;
		fprintf(out, "%s%s ", comma, f->name);
		if (text)
			style_put(out, s, text);
		else
			figure_put(out, f, value);
		comma = ", ";
	}
}

void render_finding_lines(FILE *out, const struct style *s, const struct finding *f)
{
	if (f->kind->tell) {
		f->kind->tell(out, s, f);
		return;
	}
	fprintf(out, "%s%s%s: ", style_on(s, INK_BOLD), f->kind->title, style_off(s, INK_BOLD));
	if (finding_is_enough(f))
		put_figures(out, s, f->kind->figures, f);
	else
		fprintf(out, "too few %s were seen (%llu < %llu)", f->kind->counted,
			(unsigned long long)f->count, (unsigned long long)f->least);
	putc('\n', out);
}

void render_finding_head(FILE *out, const struct style *s, const struct finding *f,
			 const struct finding_table_kind *t, const struct finding_row *row)
{
	if (t->head)
		t->head(out, s, f, row);
	else
		put_figures(out, s, t->figures, row);
}

/* What one of these writes is put into lines of the report. */
typedef void put_fn(FILE *out, const struct style *s, const struct finding *f,
		    const struct finding_row *row);

/* Writes what `put` writes, with `before` in front of each line. */
static void put_lines(FILE *out, const char *before, put_fn *put, const struct style *s,
		      const struct finding *f, const struct finding_row *row)
{
	struct memtext gathered;

	put(memtext_begin(&gathered), s, f, row);
	char *text = memtext_end(&gathered);
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		fprintf(out, "%s%.*s\n", before, (int)len, line);
		line += len + (line[len] == '\n');
	}
	free(text);
}

/* ---- two stacks -------------------------------------------------------------------------- */

/*
 * Frame i of the first (0) or second (1) access as text, allocated. NULL beyond the last shown
 * frame. A frame that distinguishes the row is named even if it is not shown.
 */
static char *frame_text(const struct style *s, const struct finding_row *row, int which, size_t i,
			size_t max)
{
	const struct callstack *stack = &row->stack[which];
	size_t via = row->via[which];
	size_t n = stack->n < max ? stack->n : max;
	struct memtext text;

	if (i > n || (i == n && stack->n <= max))
		return NULL;
	FILE *out = memtext_begin(&text);
	if (i == n)
		fprintf(out, "%s %zu more frame%s", style_glyph(s, GLYPH_ELLIPSIS), stack->n - max,
			stack->n - max == 1 ? "" : "s");
	else
		frame_put(out, s, &stack->frames[i]);
	if (i == n && via >= max && via < stack->n) {
		fputs(", via ", out);
		frame_put(out, s, &stack->frames[via]);
	}
	return memtext_end(&text);
}

static size_t width_of(const struct style *s, const struct finding_row *row, int which, size_t max)
{
	size_t width = 0;
	char *text;

	for (size_t i = 0; (text = frame_text(s, row, which, i, max)); i++) {
		width = utf8_width(text) > width ? utf8_width(text) : width;
		free(text);
	}
	return width;
}

static void put_beside(FILE *out, const struct style *s, const struct finding_row *row, size_t max,
		       size_t column)
{
	for (size_t i = 0;; i++) {
		char *left = frame_text(s, row, 0, i, max);
		char *right = frame_text(s, row, 1, i, max);
		bool some = left || right;
		if (some)
			fprintf(out, INDENT "  %s", left ? left : "");
		if (right)
			fprintf(out, "%*s%s", (int)(column - (left ? utf8_width(left) : 0)), "",
				right);
		if (some)
			putc('\n', out);
		free(left);
		free(right);
		if (!some)
			return;
	}
}

static void put_below(FILE *out, const struct style *s, const struct finding_row *row, int which,
		      size_t max)
{
	char *text;

	for (size_t i = 0; (text = frame_text(s, row, which, i, max)); i++) {
		fprintf(out, INDENT "  %s\n", text);
		free(text);
	}
}

static void put_accesses(FILE *out, const struct report *r, const struct style *s,
			 const struct finding_table_kind *t, const struct finding_row *row)
{
	size_t max = r->access_frames;
	size_t left = width_of(s, row, 0, max), right = width_of(s, row, 1, max);

	left = left < LEAST ? LEAST : left;
	if (t->stack_title[1] &&
	    (!s->width || sizeof INDENT + 2 + left + GAP + right <= s->width)) {
		fprintf(out, INDENT "%-*s%s\n", (int)(left + GAP + 2), t->stack_title[0],
			t->stack_title[1]);
		put_beside(out, s, row, max, left + GAP);
		return;
	}
	for (int which = 0; which < 2 && t->stack_title[which]; which++) {
		fprintf(out, INDENT "%s\n", t->stack_title[which]);
		put_below(out, s, row, which, max);
	}
}

/* ---- rows -------------------------------------------------------------------------------- */

static void put_tree(FILE *out, const struct report *r, const struct style *s,
		     const struct finding_row *row)
{
	struct tree_path *paths = xcalloc(row->npaths, sizeof *paths);

	for (size_t i = 0; i < row->npaths; i++)
		paths[i] = (struct tree_path){ &row->paths[i].stack, row->paths[i].share,
					       row->paths[i].count };
	render_tree(out, s, paths, row->npaths, r->access_frames, INDENT "  ");
	free(paths);
}

static void put_stacks(FILE *out, const struct report *r, const struct style *s,
		       const struct finding_table_kind *t, const struct finding_row *row)
{
	if (!t->of_objects) {
		put_accesses(out, r, s, t, row);
		return;
	}
	if (t->stack_title[0]) {
		fprintf(out, INDENT "%s\n", t->stack_title[0]);
		render_stack(out, s, &row->stack[0], r->access_frames, INDENT "  ");
	}
	if (!t->paths_title)
		return;
	if (!t->brief)
		fprintf(out, INDENT "%s\n", t->paths_title);
	put_tree(out, r, s, row);
}

/* Writes ": Shop.load:12, then Shop.store:30", or ", made at Shop.load:12" of objects. */
static void put_lines_of_code(FILE *out, const struct style *s, const struct finding_table_kind *t,
			      const struct finding_row *row)
{
	const char *before = t->of_objects ? ", made at " : ": ";

	for (int which = 0; which < 2 && t->stack_title[which]; which++) {
		const struct callstack *stack = &row->stack[which];
		size_t line = callstack_line(stack);
		if (stack->n == 0)
			continue;
		fputs(before, out);
		frame_put_site(out, s, &stack->frames[line < stack->n ? line : 0]);
		before = ", then ";
	}
}

/* `number`: of the row, from 1. */
static void put_row(FILE *out, const struct report *r, const struct style *s,
		    const struct finding *f, const struct finding_table_kind *t,
		    const struct finding_row *row, size_t number)
{
	if (r->details)
		putc('\n', out);
	if (t->brief)
		fputs(INDENT, out);
	else
		fprintf(out, "%3zu. ", number);
	render_finding_head(out, s, f, t, row);
	if (!r->details)
		put_lines_of_code(out, s, t, row);
	if (!t->brief && model_njvms(r->recording->model) > 1)
		fprintf(out, ", JVM %d", row->pid);
	putc('\n', out);
	if (!r->details)
		return;
	if (t->lines)
		put_lines(out, INDENT, t->lines, s, f, row);
	put_stacks(out, r, s, t, row);
}

/* Writes a line about rows that were left out for one reason, if there are any. */
static void put_left(FILE *out, const struct style *s, size_t n, const char *why,
		     const struct finding_table_kind *t, bool apart)
{
	if (n)
		fprintf(out, "%s" INDENT "%s %zu %s%s\n", apart ? "\n" : "",
			style_glyph(s, GLYPH_ELLIPSIS), n, n == 1 ? t->one : t->many, why);
}

enum { SHORT_ROWS = 3 /* of each table, in a report without details */ };

static size_t most_rows(const struct report *r, const struct finding_table_kind *t)
{
	if (r->limited)
		return SIZE_MAX;
	return r->details || t->shown < SHORT_ROWS ? t->shown : SHORT_ROWS;
}

static void put_table(FILE *out, const struct report *r, const struct style *s,
		      const struct finding *f, const struct finding_table *t)
{
	size_t shown = 0, weak = 0, most = most_rows(r, t->kind);
	/* they stand above as findings, but for those that nobody can change */
	bool told = !r->details && !r->found_sorted && others_tell(r->others, f, t->kind);

	if (t->kind->title && !t->n && !t->left.unselected && !t->left.below)
		return;
	if (t->kind->title)
		fprintf(out, "%s# %s\n", r->details ? "\n" : "", t->kind->title);
	for (size_t i = 0; i < t->n; i++)
		weak += finding_row(t, i)->weak && !t->kind->brief;
	for (size_t i = 0; i < t->n && shown < most; i++) {
		const struct finding_row *row = finding_row(t, i);
		if ((row->weak && !t->kind->brief) || (told && !row->minor))
			continue;
		put_row(out, r, s, f, t->kind, row, ++shown);
	}
	if (!told)
		put_left(out, s, t->n - weak - shown + t->left.beyond, " more; --limit 0 shows all",
			 t->kind, r->details);
	put_left(out, s, t->left.minor, t->kind->minor ? t->kind->minor : "", t->kind, r->details);
	put_left(out, s, t->left.below, " below --percent-limit", t->kind, r->details);
	put_left(out, s, t->left.unselected, " not selected", t->kind, r->details);
	put_left(out, s, weak, " with too few samples to give a share", t->kind, r->details);
}

/* ---- findings ---------------------------------------------------------------------------- */

static void put_told(FILE *out, const struct style *s, const struct finding *f,
		     const struct finding_row *row)
{
	(void)row;
	render_finding_lines(out, s, f);
}

/* What is to be done about it. */
static void put_others(FILE *out, const struct report *r, const struct style *s,
		       const struct finding *f)
{
	struct memtext text;

	others_put(memtext_begin(&text), s, r->others, f, r->recording->model,
		   bounds_z(r->confidence), r->limited ? r->limit : OTHERS_FIRST);
	render_wrapped(out, s, &text);
}

void render_findings(FILE *out, const struct report *r, const struct style *s)
{
	for (size_t i = 0; r->findings && i < r->findings->n; i++) {
		const struct finding *f = &r->findings->item[i];
		if (!f->seen)
			continue;
		putc('\n', out);
		put_lines(out, "# ", put_told, s, f, NULL);
		if (r->others)
			put_others(out, r, s, f);
		for (size_t k = 0; finding_is_enough(f) && k < f->ntables; k++)
			put_table(out, r, s, f, &f->table[k]);
	}
}

/* Writes the rows of one way to count; a context with several stacks has several. */
static void put_of(FILE *out, const struct report *r, const struct style *s,
		   const struct finding *f, size_t table)
{
	const struct finding_table_kind *kind = f->kind->tables[table];

	for (size_t i = 0; kind->of_context && i < f->table[table].n; i++) {
		const struct finding_row *row = finding_row(&f->table[table], i);
		putc('\n', out);
		put_lines(out, INDENT, kind->of_context, s, f, row);
		if (!kind->paths_title)
			continue;
		fprintf(out, INDENT "%s\n", kind->paths_title);
		put_tree(out, r, s, row);
	}
}

void render_findings_of(FILE *out, const struct report *r, const struct style *s,
			const struct row *row)
{
	const struct findings_options options = { .confidence = r->confidence,
						  .min_pairs = r->min_pairs,
						  .contexts = row->contexts,
						  .ncontexts = row->ncontexts };
	struct findings f;

	findings_compute(&f, r->recording->model, &options);
	for (size_t i = 0; i < f.n; i++)
		for (size_t k = 0; f.item[i].seen && k < f.item[i].ntables; k++)
			put_of(out, r, s, &f.item[i], k);
	findings_release(&f);
}
