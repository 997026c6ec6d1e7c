/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_diff.c - a comparison as text: what was compared, the totals, then a line for each context
 * that changed. What is within noise or threshold is in parentheses.
 */
#include "render/render_diff.h"

#include <math.h>
#include <string.h>

#include "base/memtext.h"
#include "base/table.h"
#include "base/units.h"

bool render_diff_shows(const struct diff_report *r, const struct diff_row *row)
{
	return r->all || (row->state != DIFF_SAME && row->state != DIFF_FEW);
}

/* ---- numbers ----------------------------------------------------------------------------- */

static const char *value_text(char text[UNITS_TEXT], const struct figure *f, double value)
{
	if (figure_is_share(f))
		snprintf(text, UNITS_TEXT, isnan(value) ? "-" : "%.1f", value * 100);
	else if (figure_is_bytes(f))
		units_bytes(text, value);
	else
		units_count(text, value);
	return text;
}

static void put_value(FILE *out, const struct style *s, const struct figure *f, double value)
{
	char text[UNITS_TEXT];

	value_text(text, f, value);
	fputs(strcmp(text, "-") == 0 ? style_glyph(s, GLYPH_DASH) : text, out);
}

static bool is_change(const struct diff_change *c)
{
	return c->verdict == ESTIMATE_UP || c->verdict == ESTIMATE_DOWN;
}

void render_diff_change(FILE *out, const struct style *s, const struct figure *f,
			const struct diff_change *c)
{
	double change = c->to - c->from;
	char text[UNITS_TEXT];

	if (isnan(change)) {
		fputs(style_glyph(s, GLYPH_DASH), out);
		return;
	}
	const char *sign = change > 0 ? "+" : "";
	value_text(text, f, change);
	fprintf(out, is_change(c) ? "%s%s" : "(%s%s)", sign, text);
}

/* ---- header ------------------------------------------------------------------------------ */

static void put_side(FILE *out, const struct style *s, const char *label, const char *name,
		     const struct diff_side *side)
{
	const struct shown_command *c = &side->recording->command;
	char text[UNITS_TEXT];

	fprintf(out, "# %s%-10s%s", style_on(s, INK_DIM), label, style_off(s, INK_DIM));
	style_put(out, s, name);
	fprintf(out, ": %s, ", units_seconds(text, side->recording->duration_s));
	fprintf(out, "%s samples;", units_count(text, (double)side->recording->sampled));
	for (size_t i = 0; i < c->n; i++) {
		putc(' ', out);
		style_put(out, s, c->word[i]);
	}
	if (c->left_out)
		fprintf(out, " (%zu %s left out)", c->left_out, shown_command_noun(c));
	putc('\n', out);
}

static void put_total(FILE *out, const struct style *s, const struct diff *d, enum diff_measure m)
{
	const struct diff_change *c = &d->total[m];
	const struct figure *f = diff_column(m)->figure;

	fprintf(out, "# %s%-10s%s", style_on(s, INK_DIM), figure_key(f), style_off(s, INK_DIM));
	put_value(out, s, f, c->from);
	fputs(" -> ", out);
	put_value(out, s, f, c->to);
	fputs(d->per_second ? " per second, " : ", ", out);
	render_diff_change(out, s, f, c);
	if (c->from > 0)
		fprintf(out, ", %+.1f %%", (c->to / c->from - 1) * 100);
	putc('\n', out);
}

/*
 * Writes the headlines of findings that one of the recordings has; changes of shares are in
 * percentage points.
 */
static void put_found(FILE *out, const struct style *s, const struct diff *d)
{
	for (size_t i = 0; i < d->nfound; i++) {
		const struct diff_change *c = &d->found[i].change;
		const struct figure *f = finding_headline(d->found[i].kind);
		const char *unit = figure_is_share(f) ? " %" : "";
		if (isnan(c->from) && isnan(c->to))
			continue;
		fprintf(out, "# %s%s%s ", style_on(s, INK_DIM), d->found[i].kind->name,
			style_off(s, INK_DIM));
		put_value(out, s, f, c->from);
		fprintf(out, "%s -> ", isnan(c->from) ? "" : unit);
		put_value(out, s, f, c->to);
		fprintf(out, "%s, ", isnan(c->to) ? "" : unit);
		render_diff_change(out, s, f, c);
		putc('\n', out);
	}
}

static void put_states(FILE *out, const struct style *s, const struct diff *d)
{
	static const char *const words[] = {
		[DIFF_SAME] = "without change",
		[DIFF_FEW] = "with too few samples to tell",
		[DIFF_WORSE] = "worse",
		[DIFF_BETTER] = "better",
		[DIFF_NEW] = "new",
		[DIFF_GONE] = "gone",
	};
	static const enum diff_state order[] = { DIFF_WORSE, DIFF_BETTER, DIFF_NEW,
						 DIFF_GONE,  DIFF_SAME,	  DIFF_FEW };
	const char *separator = ": ";

	fprintf(out, "#\n# %s%zu compared%s", style_on(s, INK_BOLD), d->n, style_off(s, INK_BOLD));
	for (size_t i = 0; i < DIFF_STATES; i++) {
		if (!d->states[order[i]])
			continue;
		fprintf(out, "%s%zu %s", separator, d->states[order[i]], words[order[i]]);
		separator = ", ";
	}
	fprintf(out,
		"\n"
		"# %sin parentheses: no more than noise (%.4g %% over all) and %.4g %%, which is "
		"no change%s\n",
		style_on(s, INK_DIM), d->options.replica.confidence * 100,
		d->options.threshold * 100, style_off(s, INK_DIM));
}

/* Warns if the recordings are of two programs: comparing these tells nothing. */
static void put_commands(FILE *out, const struct style *s, const struct diff *d)
{
	enum diff_commands how = diff_commands(d);

	if (how == DIFF_COMMANDS_SAME)
		return;
	fprintf(out, "# %s", style_on(s, INK_YELLOW));
	if (how == DIFF_COMMANDS_PROGRAM) {
		fputs("the programs are different: ", out);
		style_put(out, s, d->from.recording->command.program);
		fputs(" before, ", out);
		style_put(out, s, d->to.recording->command.program);
		fputs(" now", out);
	} else {
		fputs("the command lines are different", out);
	}
	fprintf(out, "%s\n", style_off(s, INK_YELLOW));
}

void render_diff_header(FILE *out, const struct diff_report *r, const struct style *s)
{
	put_side(out, s, "old", r->from, &r->diff->from);
	put_side(out, s, "new", r->to, &r->diff->to);
	put_commands(out, s, r->diff);
	if (render_diff_tells_lengths(r->diff)) {
		fprintf(out, "# %s", style_on(s, INK_YELLOW));
		diff_put_lengths(out, r->diff);
		fprintf(out, "%s\n", style_off(s, INK_YELLOW));
	}
}

void render_diff_totals(FILE *out, const struct diff_report *r, const struct style *s)
{
	put_total(out, s, r->diff, DIFF_SAVED);
	put_total(out, s, r->diff, DIFF_BYTES);
	put_total(out, s, r->diff, DIFF_OBJECTS);
	put_found(out, s, r->diff);
	put_states(out, s, r->diff);
}

char *render_diff_plain(const struct diff_report *r)
{
	const struct style plain = { .utf8 = true };
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	render_diff_header(out, r, &plain);
	render_diff_fixes(out, r, &plain);
	render_diff_totals(out, r, &plain);
	char *text = memtext_end(&gathered), *to = text;
	for (const char *line = text; *line;) {
		const char *from = line + strspn(line, "# ");
		size_t n = strcspn(from, "\n");
		memmove(to, from, n);
		line = from + n + (from[n] == '\n');
		to += n;
		*to++ = '\n';
	}
	while (to > text && to[-1] == '\n')
		to--;
	*to = '\0';
	return text;
}

/* ---- table ------------------------------------------------------------------------------- */

struct cell {
	const struct style *style;
	const struct diff_row *row; /* NULL: the heading */
	size_t rank;
};

static void put_state(FILE *out, const struct cell *cell)
{
	const struct diff_row *row = cell->row;

	fputs(diff_state_name(row->state), out);
	if (row->how == MATCH_METHODS || row->how == MATCH_SITE)
		fprintf(out, " (by %s)", match_name(row->how));
}

/* The columns; a measure has two, its new value and its change. */
enum kind { RANK, STATE, VALUE, CHANGE, CLASS, SITE };

static const struct diff_cell_column {
	enum kind kind;
	enum diff_measure measure;
	unsigned flags, droppable;
	const char *heading; /* NULL: that of the measure */
} layout[] = {
	{ RANK, 0, COLUMN_RIGHT, 0, "#" },
	{ STATE, 0, 0, 0, "change" },
	{ VALUE, DIFF_SAVED, COLUMN_RIGHT, 1, NULL },
	{ CHANGE, DIFF_SAVED, COLUMN_RIGHT, 0, "+/-" },
	{ VALUE, DIFF_BYTES, COLUMN_RIGHT, 3, NULL },
	{ CHANGE, DIFF_BYTES, COLUMN_RIGHT, 2, "+/-" },
	{ VALUE, DIFF_OBJECTS, COLUMN_RIGHT, 6, NULL },
	{ CHANGE, DIFF_OBJECTS, COLUMN_RIGHT, 5, "+/-" },
	{ VALUE, DIFF_IDENTICAL, COLUMN_RIGHT, 7, NULL },
	{ CHANGE, DIFF_IDENTICAL, COLUMN_RIGHT, 7, "+/-" },
	{ VALUE, DIFF_THETA, COLUMN_RIGHT, 4, NULL },
	{ CHANGE, DIFF_THETA, COLUMN_RIGHT, 4, "+/-" },
	{ CLASS, 0, COLUMN_TAIL | COLUMN_CLASS, 0, "class" },
	{ SITE, 0, COLUMN_HEAD, 0, "site" },
};
enum { NLAYOUT = sizeof layout / sizeof layout[0] };

static void put_cell(FILE *out, const struct cell *cell, const struct diff_cell_column *c)
{
	const struct figure *f = diff_column(c->measure)->figure;
	const struct diff_row *row = cell->row;

	if (!row) {
		fputs(c->heading ? c->heading : figure_key(f), out);
		fputs(!c->heading && figure_is_share(f) ? " %" : "", out);
		return;
	}
	switch (c->kind) {
	case RANK:
		fprintf(out, "%zu", cell->rank);
		break;
	case STATE:
		put_state(out, cell);
		break;
	case VALUE:
		if (c->measure == DIFF_SAVED && row->deep && row->change[DIFF_SAVED].to > 0)
			fputs("deep ", out);
		put_value(out, cell->style, f, row->change[c->measure].to);
		break;
	case CHANGE:
		render_diff_change(out, cell->style, f, &row->change[c->measure]);
		break;
	case CLASS:
		style_put(out, cell->style, row_class(diff_shown(row)));
		break;
	case SITE:
		row_put_site(out, cell->style, diff_shown(row));
		break;
	}
}

static enum ink cell_ink(const struct cell *cell, const struct diff_cell_column *c)
{
	if (!cell->row)
		return INK_BOLD;
	if (c->kind == RANK)
		return INK_DIM;
	if (c->kind == CHANGE) {
		enum estimate_verdict v = cell->row->change[c->measure].verdict;
		return v == ESTIMATE_UP ? INK_RED : v == ESTIMATE_DOWN ? INK_GREEN : INK_DIM;
	}
	if (c->kind != STATE)
		return INK_PLAIN;
	switch (cell->row->state) {
	case DIFF_WORSE:
	case DIFF_NEW:
		return INK_RED;
	case DIFF_BETTER:
	case DIFF_GONE:
		return INK_GREEN;
	default:
		return INK_DIM;
	}
}

static void add_line(struct table *t, const struct cell *cell)
{
	for (size_t i = 0; i < NLAYOUT; i++)
		put_cell(table_cell(t, cell_ink(cell, &layout[i])), cell, &layout[i]);
}

void render_diff_table(FILE *out, const struct diff_report *r, const struct style *s, size_t *more)
{
	struct table t = TABLE_INIT;
	struct cell cell = { s, NULL, 0 };

	for (size_t i = 0; i < NLAYOUT; i++)
		table_add_column(&t, layout[i].flags, layout[i].droppable);
	add_line(&t, &cell);
	*more = 0;
	for (size_t i = 0; i < r->diff->n; i++) {
		cell.row = &r->diff->row[i];
		if (!render_diff_shows(r, cell.row))
			continue;
		if (cell.rank == r->limit) {
			++*more;
			continue;
		}
		cell.rank++;
		add_line(&t, &cell);
	}
	putc('\n', out);
	if (cell.rank > 0)
		table_put(&t, out, s);
	else
		fputs("no change\n", out);
	table_release(&t);
}

int render_diff_text(FILE *out, const struct diff_report *r, const struct style *s)
{
	size_t more;

	render_diff_header(out, r, s);
	render_diff_fixes(out, r, s);
	render_diff_totals(out, r, s);
	render_diff_table(out, r, s, &more);
	if (more > 0)
		fprintf(out, "\n# %zu more; --limit 0 shows all\n", more);
	return ferror(out) ? -1 : 0;
}
