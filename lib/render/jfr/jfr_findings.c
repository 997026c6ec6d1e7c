/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_findings.c - see render_jfr.h: findings, whatever the analysis. A type of event has the name
 * of an array of the JSON report: of `equality_totals` it is ojx.EqualityTotals, of the array
 * `lines` in it ojx.EqualityLines; the paths of rows are a type of their own.
 *
 * All kinds of findings of an analysis have the same figures.
 */
#include "render/jfr/jfr_findings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/finding.h"
#include "render/jfr/render_jfr.h"

enum { PARTS_TEXT = FIGURE_PARTS_MAX * 64 };

/* By the promise of docs/json.md, a name that ends in _s is of seconds. */
static bool is_seconds(const struct figure *f)
{
	size_t len = strlen(f->name);

	return f->kind == FIGURE_NUMBER && len > 2 && strcmp(f->name + len - 2, "_s") == 0;
}

static bool is_pid(const struct figure *f)
{
	return f->kind == FIGURE_NUMBER && f->value == finding_pid;
}

static bool is_class(const struct figure *f)
{
	return f->kind == FIGURE_TEXT && f->text == finding_class;
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

void jfr_figure_fields(struct jfr_types *types, struct jfr_type *type, const struct figure *f)
{
	struct jfr_field field = { f->name, "", kind_of(f), unit_of(f), f->help };

	if (f->kind == FIGURE_PATHS || f->kind == FIGURE_CURVE)
		return;
	jfr_type_field(types, type, &field);
	if (f->kind != FIGURE_NUMBER || !f->range_name)
		return;
	field.help = NULL;
	field.suffix = "low";
	jfr_type_field(types, type, &field);
	field.suffix = "high";
	jfr_type_field(types, type, &field);
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

static bool is_field(const struct figure *f)
{
	return f->flags & (FIGURE_JSON | FIGURE_CSV);
}

/* Stack 0 of a row is that of the event. */
static bool is_own_stack(const struct figure *f)
{
	return f->kind == FIGURE_STACK && f->at == 0;
}

static bool has_own_stack(const struct figure *figures)
{
	for (const struct figure *f = figures; f && f->name; f++)
		if (is_field(f) && is_own_stack(f))
			return true;
	return false;
}

static uint32_t whole_stack(struct jfr_chunk *c, const struct callstack *stack)
{
	return jfr_pools_stack(&c->pools, stack, 0, stack->n, stack->flags & WIRE_STACK_CUT);
}

/* ---- types ----------------------------------------------------------------------------------- */

/* A type for these figures; NULL if out of memory. */
static const struct jfr_type *add_type(struct jfr_chunk *c, struct jfr_type *like,
				       const struct analysis *a, const struct figure *figures)
{
	like->prefix = JFR_OWN;
	like->category[0] = JFR_OWN;
	like->category[1] = a->title;
	like->has_stack = has_own_stack(figures);
	struct jfr_type *type = jfr_types_add(&c->types, like);
	for (const struct figure *f = figures; f && f->name; f++)
		if (is_field(f) && !is_own_stack(f))
			jfr_figure_fields(&c->types, type, f);
	return type;
}

/* Adds an event; `row` has the stacks, and is NULL for findings as a whole. */
static void add_event(struct jfr_chunk *c, const struct jfr_type *type,
		      const struct figure *figures, const void *of, double z,
		      const struct finding_row *row)
{
	jfr_begin(c, type, row ? whole_stack(c, &row->stack[0]) : 0);
	for (const struct figure *f = figures; f && f->name; f++) {
		if (!is_field(f) || is_own_stack(f))
			continue;
		if (f->kind == FIGURE_STACK)
			jfr_add_constant(c, row ? whole_stack(c, &row->stack[f->at]) : 0);
		else
			jfr_figure_values(c, f, of, z, 0);
	}
	jfr_end(c);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* The figure that is the paths of rows; NULL: they have none. */
static const struct figure *paths_of(const struct figure *figures)
{
	for (const struct figure *f = figures; f->name; f++)
		if (is_field(f) && f->kind == FIGURE_PATHS)
			return f;
	return NULL;
}

/* What tells whose paths they are: the kind of the row, its class, its process. */
static bool is_identity(const struct figure *f)
{
	bool text =
		f->kind == FIGURE_TEXT && (f->text == finding_class || f->text == finding_row_kind);

	return is_field(f) && (text || (f->kind == FIGURE_NUMBER && f->value == finding_pid));
}

static const struct jfr_type *add_path_type(struct jfr_chunk *c, const struct jfr_type *of_rows,
					    const struct figure *figures)
{
	static const struct jfr_field made = { "alloc_stack", "", JFR_STACK, JFR_PLAIN,
					       "where the objects were allocated" };
	static const struct jfr_field fields[] = {
		{ "share", "", JFR_FLOAT, JFR_SHARE, "share of the accesses to these objects" },
		{ "samples", "", JFR_LONG, JFR_PLAIN, "samples of accesses" },
	};
	struct jfr_type like = *of_rows;
	int at = 0;

	while (at < JFR_WORDS - 1 && like.words[at])
		at++;
	like.words[at] = "accesses";
	like.help = "where objects were accessed";
	like.has_stack = true;
	struct jfr_type *type = jfr_types_add(&c->types, &like);
	for (const struct figure *f = figures; f->name; f++)
		if (is_identity(f))
			jfr_figure_fields(&c->types, type, f);
	if (has_own_stack(figures))
		jfr_type_field(&c->types, type, &made);
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		jfr_type_field(&c->types, type, &fields[i]);
	return type;
}

static void add_paths(struct jfr_chunk *c, const struct jfr_type *type,
		      const struct finding_row *row, const struct figure *figures)
{
	bool made = has_own_stack(figures);

	for (size_t i = 0; i < row->npaths; i++) {
		const struct finding_path *p = &row->paths[i];
		jfr_begin(c, type, whole_stack(c, &p->stack));
		for (const struct figure *f = figures; f->name; f++)
			if (is_identity(f))
				jfr_figure_values(c, f, row, 0, 0);
		if (made)
			jfr_add_constant(c, whole_stack(c, &row->stack[0]));
		jfr_add_float(c, p->share);
		jfr_add_number(c, (int64_t)p->count);
		jfr_end(c);
	}
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Calls `put` for all rows of the k-th tables of an analysis's findings. */
static void each_row(const struct findings *all, const struct analysis *a, size_t k,
		     struct jfr_chunk *c, const struct jfr_type *type,
		     void (*put)(struct jfr_chunk *c, const struct jfr_type *type,
				 const struct finding *f, const struct finding_row *row,
				 const struct figure *figures))
{
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen || k >= f->ntables)
			continue;
		for (size_t n = 0; n < f->table[k].n; n++)
			put(c, type, f, finding_row(&f->table[k], n), f->table[k].kind->figures);
	}
}

static void put_row(struct jfr_chunk *c, const struct jfr_type *type, const struct finding *f,
		    const struct finding_row *row, const struct figure *figures)
{
	add_event(c, type, figures, row, f->z, row);
}

static void put_row_paths(struct jfr_chunk *c, const struct jfr_type *type, const struct finding *f,
			  const struct finding_row *row, const struct figure *figures)
{
	(void)f;
	add_paths(c, type, row, figures);
}

static size_t count_rows(const struct findings *all, const struct analysis *a, size_t k)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (all->item[i].analysis == a && all->item[i].seen && k < all->item[i].ntables)
			n += all->item[i].table[k].n;
	return n;
}

/* The rows of the k-th tables, and their paths. */
static void add_table(struct jfr_chunk *c, const struct findings *all, const struct analysis *a,
		      size_t k)
{
	const struct finding_table_kind *t = a->kinds[0]->tables[k];
	struct jfr_type like = { .words = { a->key, t->key }, .help = t->title };

	if (count_rows(all, a, k) == 0)
		return;
	const struct jfr_type *type = add_type(c, &like, a, t->figures);
	if (!type)
		return;
	each_row(all, a, k, c, type, put_row);
	if (!paths_of(t->figures))
		return;
	type = add_path_type(c, type, t->figures);
	if (type)
		each_row(all, a, k, c, type, put_row_paths);
}

/* ---- findings -------------------------------------------------------------------------------- */

static void add_totals(struct jfr_chunk *c, const struct findings *all, const struct analysis *a)
{
	struct jfr_type like = { .words = { a->totals_key ? a->totals_key : a->key },
				 .help = a->about };
	const struct jfr_type *type = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->item[i];
		if (f->analysis != a || !f->seen)
			continue;
		if (!type && !(type = add_type(c, &like, a, a->kinds[0]->figures)))
			return;
		add_event(c, type, f->kind->figures, f, f->z, NULL);
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
