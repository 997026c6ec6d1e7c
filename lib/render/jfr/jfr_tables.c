/* SPDX-License-Identifier: Apache-2.0 */
/* jfr_tables.c - see jfr_tables.h. */
#include "render/jfr/jfr_tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PARTS_TEXT = FIGURE_PARTS_MAX * 64 };

/* By the promise of docs/json.md, a name that ends in _s is of seconds. */
static bool is_seconds(const struct figure *f)
{
	size_t len = strlen(f->name);

	return f->kind == FIGURE_NUMBER && len > 2 && strcmp(f->name + len - 2, "_s") == 0;
}

static bool is_pid(const struct figure *f)
{
	return f->kind == FIGURE_NUMBER && strcmp(f->name, "pid") == 0;
}

static bool is_class(const struct figure *f)
{
	return f->kind == FIGURE_TEXT && strcmp(f->name, "class") == 0;
}

static enum jfr_kind kind_of(const struct figure *f)
{
	if (f->kind == FIGURE_STACK)
		return JFR_STACK;
	if (f->kind == FIGURE_BOOL)
		return JFR_BOOLEAN;
	if (f->kind != FIGURE_NUMBER)
		return is_class(f) ? JFR_CLASS : JFR_STRING;
	if (is_pid(f))
		return JFR_INT;
	return is_seconds(f) ? JFR_LONG : figure_is_share(f) ? JFR_FLOAT : JFR_DOUBLE;
}

static enum jfr_unit unit_of(const struct figure *f)
{
	if (f->kind != FIGURE_NUMBER)
		return JFR_PLAIN;
	if (is_seconds(f))
		return JFR_NANOSECONDS;
	return figure_is_bytes(f) ? JFR_BYTES : figure_is_share(f) ? JFR_SHARE : JFR_PLAIN;
}

static void figure_fields(struct jfr_type *type, const struct figure *f)
{
	struct jfr_field field = { f->name, "", kind_of(f), unit_of(f), f->help };

	if (f->kind == FIGURE_PATHS || f->kind == FIGURE_CURVE)
		return;
	jfr_type_field(type, &field);
	if (f->kind != FIGURE_NUMBER || !f->range_name)
		return;
	field.help = NULL;
	field.suffix = "low";
	jfr_type_field(type, &field);
	field.suffix = "high";
	jfr_type_field(type, &field);
}

static void add_seconds(struct jfr_chunk *c, double seconds)
{
	double ns = round(seconds * 1e9);

	jfr_add_number(c, fabs(ns) < (double)INT64_MAX ? (int64_t)ns : INT64_MIN);
}

static void add_number(struct jfr_chunk *c, const struct figure *f, double value)
{
	switch (kind_of(f)) {
	case JFR_INT:
		jfr_add_number(c, (int64_t)value);
		break;
	case JFR_LONG:
		add_seconds(c, value);
		break;
	case JFR_FLOAT:
		jfr_add_float(c, value);
		break;
	default:
		jfr_add_double(c, value);
	}
}

/* "L1 12, L2 3"; no text if they are not known. */
static void add_parts(struct jfr_chunk *c, const struct figure *f, const void *of)
{
	struct figure_part parts[FIGURE_PARTS_MAX];
	char text[PARTS_TEXT];
	size_t n = f->parts(of, parts), len = 0;

	for (size_t i = 0; i < n && len < sizeof text; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %" PRIu64,
					i > 0 ? ", " : "", parts[i].name, parts[i].count);
	jfr_add_text(c, n > 0 ? text : NULL);
}

static void add_numbers(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
			double least)
{
	add_number(c, f, figure_value(f, of, least));
	if (!f->range_name)
		return;
	const struct bounds_range none = { NAN, NAN };
	struct bounds_range range = figure_is_enough(f, of, least) ? figure_range(f, of, z) : none;
	add_number(c, f, range.low);
	add_number(c, f, range.high);
}

void jfr_figure_values(struct jfr_chunk *c, const struct figure *f, const void *of, double z,
		       double least)
{
	char room[FIGURE_TEXT_MAX];

	switch (f->kind) {
	case FIGURE_NUMBER:
		add_numbers(c, f, of, z, least);
		break;
	case FIGURE_TEXT:
		if (is_class(f))
			jfr_add_class(c, f->text(of, room));
		else
			jfr_add_text(c, f->text(of, room));
		break;
	case FIGURE_BOOL:
		jfr_add_bool(c, figure_of(f, of) != 0);
		break;
	case FIGURE_PARTS:
		add_parts(c, f, of);
		break;
	case FIGURE_STACK:
	case FIGURE_PATHS:
	case FIGURE_CURVE:
		break;
	}
}

static uint32_t whole_stack(struct jfr_chunk *c, const struct callstack *stack)
{
	return jfr_pools_stack(&c->pools, stack, 0, stack->n, stack->flags & WIRE_STACK_CUT);
}

/* ---- events ---------------------------------------------------------------------------------- */

bool jfr_has_page(const struct figure *f)
{
	return f->flags & FIGURE_PAGE;
}

bool jfr_has_lines(const struct figure *f)
{
	return f->flags & FIGURE_LINES;
}

/* Stack 0 of a row is that of the event. */
static bool is_own_stack(const struct figure *f)
{
	return f->kind == FIGURE_STACK && f->at == 0;
}

static bool is_field(const struct jfr_events *e, const struct figure *f)
{
	return !e->has || e->has(f);
}

static void add_fields(struct jfr_type *type, const struct jfr_field *fields)
{
	for (const struct jfr_field *f = fields; f && f->words; f++)
		jfr_type_field(type, f);
}

static const struct jfr_type *make_type(struct jfr_chunk *c, const struct jfr_events *e)
{
	struct jfr_type *type = jfr_types_add(&c->types, &e->like);

	for (int i = 0; i < JFR_LISTS; i++)
		add_fields(type, e->first[i]);
	for (const struct figure *f = e->figures; f && f->name; f++)
		if (is_field(e, f))
			figure_fields(type, f);
	add_fields(type, e->last);
	return type;
}

void jfr_events_begin(struct jfr_chunk *c, struct jfr_events *e, uint32_t stack)
{
	if (!e->type)
		e->type = make_type(c, e);
	jfr_begin(c, e->type, stack);
}

void jfr_events_figures(struct jfr_chunk *c, const struct jfr_events *e, const void *of,
			const struct finding_row *row, double z, double least)
{
	for (const struct figure *f = e->figures; f && f->name; f++) {
		if (!is_field(e, f))
			continue;
		if (f->kind == FIGURE_STACK)
			jfr_add_constant(c, row ? whole_stack(c, &row->stack[f->at]) : 0);
		else
			jfr_figure_values(c, f, of, z, least);
	}
}

/*
 * ---- findings, whatever the analysis. A type of event has the name of an array of the JSON
 * report: of `equality_totals` it is ojx.EqualityTotals, of the array `lines` in it
 * ojx.EqualityLines; the paths of rows are a type of their own.
 *
 * All kinds of findings of an analysis have the same figures.
 */

static bool is_exported(const struct figure *f)
{
	return f->flags & (FIGURE_JSON | FIGURE_CSV);
}

static bool is_exported_field(const struct figure *f)
{
	return is_exported(f) && !is_own_stack(f);
}

/* What tells whose paths they are: the kind of the row, its class, its process. */
static bool is_identity(const struct figure *f)
{
	bool text =
		f->kind == FIGURE_TEXT && (f->text == finding_class || f->text == finding_row_kind);

	return is_exported(f) && (text || is_pid(f));
}

static bool has_own_stack(const struct figure *figures)
{
	for (const struct figure *f = figures; f && f->name; f++)
		if (is_exported(f) && is_own_stack(f))
			return true;
	return false;
}

static bool has_paths(const struct figure *figures)
{
	for (const struct figure *f = figures; f->name; f++)
		if (is_exported(f) && f->kind == FIGURE_PATHS)
			return true;
	return false;
}

/* Events with all figures; the caller adds their words and help. */
static struct jfr_events events_of(const struct analysis *a, const struct figure *figures)
{
	return (struct jfr_events){ .like = { .prefix = JFR_OWN,
					      .category = { JFR_OWN, a->title },
					      .has_stack = has_own_stack(figures) },
				    .figures = figures,
				    .has = is_exported_field };
}

/* Events of the paths of the rows that `rows` are of. */
static struct jfr_events paths_of(const struct jfr_events *rows)
{
	static const struct jfr_field fields[] = {
		{ "alloc_stack", "", JFR_STACK, JFR_PLAIN, "where the objects were allocated" },
		{ "share", "", JFR_FLOAT, JFR_SHARE, "share of the accesses to these objects" },
		{ "samples", "", JFR_LONG, JFR_PLAIN, "samples of accesses" },
		{ .words = NULL },
	};
	struct jfr_events e = { .like = rows->like,
				.figures = rows->figures,
				.has = is_identity,
				.last = &fields[rows->like.has_stack ? 0 : 1] };
	int at = 0;

	while (at < JFR_WORDS - 1 && e.like.words[at])
		at++;
	e.like.words[at] = "accesses";
	e.like.help = "where objects were accessed";
	e.like.has_stack = true;
	return e;
}

static void put_row(struct jfr_chunk *c, struct jfr_events *e, const struct finding *f,
		    const struct finding_row *row)
{
	jfr_events_begin(c, e, whole_stack(c, &row->stack[0]));
	jfr_events_figures(c, e, row, row, f->z, 0);
	jfr_end(c);
}

static void put_paths(struct jfr_chunk *c, struct jfr_events *e, const struct finding *f,
		      const struct finding_row *row)
{
	for (size_t i = 0; i < row->npaths; i++) {
		const struct finding_path *p = &row->paths[i];
		jfr_events_begin(c, e, whole_stack(c, &p->stack));
		jfr_events_figures(c, e, row, row, f->z, 0);
		if (has_own_stack(e->figures))
			jfr_add_constant(c, whole_stack(c, &row->stack[0]));
		jfr_add_float(c, p->share);
		jfr_add_number(c, (int64_t)p->count);
		jfr_end(c);
	}
}

/* Calls `put` for all rows of the k-th tables of an analysis's findings. */
static void each_row(struct jfr_chunk *c, const struct findings *all, const struct analysis *a,
		     size_t k, struct jfr_events *e,
		     void (*put)(struct jfr_chunk *c, struct jfr_events *e, const struct finding *f,
				 const struct finding_row *row))
{
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen || k >= f->ntables)
			continue;
		for (size_t n = 0; n < f->table[k].n; n++)
			put(c, e, f, finding_row(&f->table[k], n));
	}
}

/* The rows of the k-th tables, and their paths. */
static void add_table(struct jfr_chunk *c, const struct findings *all, const struct analysis *a,
		      size_t k)
{
	const struct finding_table_kind *t = a->kinds[0]->tables[k];
	struct jfr_events rows = events_of(a, t->figures);

	rows.like.words[0] = a->key;
	rows.like.words[1] = t->key;
	rows.like.help = t->title;
	each_row(c, all, a, k, &rows, put_row);
	if (has_paths(t->figures)) {
		struct jfr_events paths = paths_of(&rows);
		each_row(c, all, a, k, &paths, put_paths);
	}
}

static void add_totals(struct jfr_chunk *c, const struct findings *all, const struct analysis *a)
{
	struct jfr_events e = events_of(a, a->kinds[0]->figures);

	e.like.words[0] = a->totals_key ? a->totals_key : a->key;
	e.like.help = a->about;
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		jfr_events_begin(c, &e, 0);
		jfr_events_figures(c, &e, f, NULL, f->z, 0);
		jfr_end(c);
	}
}

void jfr_add_findings(struct jfr_chunk *c, const struct report *r)
{
	const struct analysis *const *analyses = model_analyses(r->recording->model);

	for (int i = 0; r->findings && analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		if (!a->kinds[0])
			continue;
		add_totals(c, r->findings, a);
		for (size_t k = 0; a->kinds[0]->tables[k]; k++)
			add_table(c, r->findings, a, k);
	}
}
