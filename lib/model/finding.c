/* SPDX-License-Identifier: Apache-2.0 */
/* finding.c - see finding.h. */
#define _GNU_SOURCE 1 /* qsort_r */

#include "model/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/units.h"
#include "base/xmalloc.h"
#include "model/disambiguate.h"

/* ---- makes, sorts, distinguishes and releases findings. */

_Static_assert(offsetof(struct finding, own) == 0, "figures reach it by the first pointer");

/* ---- making ------------------------------------------------------------------------------ */

static size_t count_kinds(const struct analysis *a)
{
	size_t n = 0;

	while (a->kinds[n])
		n++;
	return n;
}

static void finding_begin(struct finding *f, const struct analysis *a,
			  const struct finding_kind *kind, const struct findings_options *options)
{
	*f = (struct finding){ .own = xcalloc(1, kind->own_size ? kind->own_size : 1),
			       .analysis = a,
			       .kind = kind,
			       .least = options->min_pairs,
			       .z = bounds_z(options->confidence) };
}

void findings_compute(struct findings *to, const struct model *m,
		      const struct findings_options *options)
{
	size_t n = 0;
	const struct analysis *const *analyses = model_analyses(m);

	*to = (struct findings){ .n = 0 };
	for (int i = 0; analyses[i]; i++)
		n += count_kinds(analyses[i]);
	to->item = xcalloc(n, sizeof *to->item);
	for (int i = 0; analyses[i]; i++) {
		const struct analysis *a = analyses[i];
		struct finding *first = &to->item[to->n];
		for (size_t k = 0; k < count_kinds(a); k++)
			finding_begin(&to->item[to->n++], a, a->kinds[k], options);
		if (a->find)
			a->find(first, m, options);
	}
}

void finding_table_init(struct finding_table *t, const struct finding_table_kind *kind, void *rows,
			size_t n, size_t size)
{
	*t = (struct finding_table){
		.kind = kind, .rows = rows, .size = size, .n = n, .chosen = n, .all = n
	};
}

void finding_add_table(struct finding *f, void *rows, size_t n, size_t size)
{
	struct finding_table *t = &f->table[f->ntables];

	finding_table_init(t, f->kind->tables[f->ntables], rows, n, size);
	f->ntables++;
	for (size_t i = 0; i < n; i++)
		finding_row(t, i)->kind = f->kind;
}

static void release_row(const struct finding_table *t, struct finding_row *row)
{
	for (size_t i = 0; i < row->npaths; i++)
		callstack_release(&row->paths[i].stack);
	free(row->paths);
	for (int k = 0; k < 2; k++)
		callstack_release(&row->stack[k]);
	if (t->kind->release)
		t->kind->release(row);
}

void findings_release(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct finding *one = &f->item[i];
		for (size_t k = 0; k < one->ntables; k++) {
			for (size_t r = 0; r < one->table[k].all; r++)
				release_row(&one->table[k], finding_row(&one->table[k], r));
			free(one->table[k].rows);
		}
		free(one->own);
	}
	free(f->item);
	*f = (struct findings){ .n = 0 };
}

bool findings_seen(const struct findings *f, bool of_objects)
{
	for (size_t i = 0; f && i < f->n; i++)
		if (f->item[i].count && (!of_objects || f->item[i].kind->tables[0]->of_objects))
			return true;
	return false;
}

/* ---- rows that read the same ------------------------------------------------------------- */

/* Compares what is shown of two rows. */
static uint64_t title_of(const struct finding_table *t, const struct finding_row *row,
			 size_t frames)
{
	const char *aspect = t->kind->aspect ? t->kind->aspect(row) : NULL;
	uint64_t seed = (uint64_t)row->pid * 4 + (uint64_t)(uintptr_t)aspect;

	for (int i = 0; i < 2; i++) {
		struct callstack shown = row->stack[i];
		shown.flags = 0;
		seed = callstack_hash(&shown, frames, seed).low;
	}
	return seed;
}

static void tell_apart(struct finding_table *t, size_t frames, int which)
{
	struct disambiguate_item *items = xcalloc(t->n, sizeof *items);

	for (size_t i = 0; i < t->n; i++) {
		const struct finding_row *row = finding_row(t, i);
		items[i] = (struct disambiguate_item){ .title = title_of(t, row, frames),
						       .stack = &row->stack[which] };
	}
	disambiguate(items, t->n);
	for (size_t i = 0; i < t->n; i++)
		finding_row(t, i)->via[which] = items[i].via;
	free(items);
}

void findings_tell_apart(struct findings *f, size_t frames)
{
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->item[i].ntables; k++)
			for (int which = 0; which < 2; which++) {
				struct finding_table *t = &f->item[i].table[k];
				if (!t->kind->of_objects)
					tell_apart(t, frames, which);
			}
}

/* ---- order ------------------------------------------------------------------------------- */

/* What determines the place of a row; rows themselves may be large. */
struct place {
	double keys[FINDING_KEYS];
	size_t row; /* its index before */
};

struct sorting {
	struct finding_table *table;
	const struct finding_order *order;
};

static int compare_places(const void *a, const void *b, void *arg)
{
	const struct place *x = a, *y = b;
	const struct sorting *s = arg;
	int result = 0;

	for (int i = 0; i < FINDING_KEYS && !result; i++)
		result = order_down(x->keys[i], y->keys[i]);
	return result
		       ?: s->order->tie(finding_row(s->table, x->row),
					finding_row(s->table, y->row));
}

/* Puts row place[i].row at i, for all i; `moved` has room for a row. */
static void permute(struct finding_table *t, struct place *place, void *moved)
{
	for (size_t first = 0; first < t->all; first++) {
		size_t at = first;
		memcpy(moved, finding_row(t, first), t->size);
		while (place[at].row != first) {
			size_t from = place[at].row;
			memcpy(finding_row(t, at), finding_row(t, from), t->size);
			place[at].row = at;
			at = from;
		}
		memcpy(finding_row(t, at), moved, t->size);
		place[at].row = at;
	}
}

void finding_table_sort(struct finding_table *t, const struct finding_order *order)
{
	struct sorting sorting = { t, order };
	struct place *place = xcalloc(t->all + 1, sizeof *place);
	void *moved = xmalloc(t->size);

	for (size_t i = 0; i < t->all; i++) {
		order->keys(finding_row(t, i), place[i].keys, order->arg);
		place[i].row = i;
	}
	qsort_r(place, t->all, sizeof *place, compare_places, &sorting);
	permute(t, place, moved);
	free(place);
	free(moved);
}

static void key_of_finding(const struct finding_row *row, double keys[FINDING_KEYS],
			   const void *arg)
{
	keys[0] = figure_of(arg, row);
}

static int compare_stacks(const struct finding_row *a, const struct finding_row *b)
{
	return callstack_hash_compare(&a->hash, &b->hash);
}

void findings_sort(struct findings *f, const struct analysis *a, const struct figure *key)
{
	const struct finding_order order = { key_of_finding, compare_stacks, key };

	for (size_t i = 0; i < f->n; i++)
		if (f->item[i].analysis == a && f->item[i].ntables)
			finding_table_sort(&f->item[i].table[0], &order);
}

/* ---- figures of findings by name, and those that all rows have. */

/* ---- names ------------------------------------------------------------------------------- */

static const struct figure *figures_of(const struct analysis *a)
{
	return a->kinds[0] ? a->kinds[0]->tables[0]->figures : NULL;
}

static bool is_key(const struct figure *f)
{
	return f->kind == FIGURE_NUMBER && (f->flags & FIGURE_KEY);
}

const struct figure *figure_find_key(const struct analysis *const *analyses, const char *name,
				     const struct analysis **analysis)
{
	for (int i = 0; analyses[i]; i++) {
		size_t len = strlen(analyses[i]->key);
		if (strncmp(name, analyses[i]->key, len) != 0 || name[len] != '.')
			continue;
		for (const struct figure *f = figures_of(analyses[i]); f && f->name; f++)
			if (is_key(f) && strcmp(figure_key(f), name + len + 1) == 0) {
				*analysis = analyses[i];
				return f;
			}
	}
	return NULL;
}

const struct figure *finding_headline(const struct finding_kind *kind)
{
	for (const struct figure *f = kind->figures; f && f->name; f++)
		if (f->flags & FIGURE_HEADLINE)
			return f;
	return NULL;
}

const struct finding_kind *finding_kind_find(const struct analysis *const *analyses,
					     const char *name)
{
	for (int i = 0; analyses[i]; i++)
		for (int k = 0; analyses[i]->kinds[k]; k++) {
			const struct finding_kind *kind = analyses[i]->kinds[k];
			if (finding_headline(kind) && strcmp(kind->name, name) == 0)
				return kind;
		}
	return NULL;
}

void figures_put_keys(FILE *out, const struct analysis *const *analyses, bool with_help)
{
	for (int i = 0; analyses[i]; i++)
		for (const struct figure *f = figures_of(analyses[i]); f && f->name; f++) {
			if (!is_key(f))
				continue;
			fprintf(out, with_help ? "\n- %s.%s: " : ", %s.%s", analyses[i]->key,
				figure_key(f));
			if (with_help)
				fputs(f->help, out);
		}
}

/* ---- of all ------------------------------------------------------------------------------ */

double finding_pid(const void *row)
{
	return ((const struct finding_row *)row)->pid;
}

double finding_share(const void *row)
{
	return ((const struct finding_row *)row)->share;
}

double finding_count(const void *row)
{
	return (double)((const struct finding_row *)row)->count;
}

struct bounds_range finding_share_range(const void *row, double z)
{
	(void)z;
	return ((const struct finding_row *)row)->range;
}

const char *finding_class(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding_row *)row)->class_name;
}

const char *finding_row_kind(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding_row *)row)->kind->name;
}

const char *finding_name(const void *finding, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct finding *)finding)->kind->name;
}

/* ---- units ------------------------------------------------------------------------------- */

static bool has_unit(const struct figure *f, const char *unit)
{
	return f->unit && strcmp(f->unit, unit) == 0;
}

bool figure_is_share(const struct figure *f)
{
	return has_unit(f, "share");
}

bool figure_is_bytes(const struct figure *f)
{
	return has_unit(f, "bytes");
}

bool figure_is_amount(const struct figure *f)
{
	return has_unit(f, "bytes") || has_unit(f, "count");
}

void figure_put(FILE *out, const struct figure *f, double value)
{
	char text[UNITS_TEXT];

	if (figure_is_bytes(f))
		fputs(units_bytes(text, value), out);
	else if (figure_is_share(f))
		fprintf(out, "%s %%", units_percent(text, value));
	else if (figure_is_amount(f))
		fputs(units_count(text, value), out);
	else if (f->unit && strcmp(f->unit, "bytes per minute") == 0)
		fprintf(out, "%s a minute", units_bytes(text, value));
	else
		fprintf(out, "%.6g", value);
}

/* ---- values and intervals ---------------------------------------------------------------- */

/* The member at an offset. A struct finding begins with the pointer to its own struct. */
static const void *member_at(const struct figure *f, const void *of, size_t offset)
{
	const char *holder = f->member.own ? *(const void *const *)of : of;

	return holder + offset;
}

double figure_of(const struct figure *f, const void *of)
{
	if (f->value)
		return f->value(of);
	const void *at = member_at(f, of, f->member.at);

	switch (f->member.type) {
	case FIGURE_UINT32:
		return *(const uint32_t *)at;
	case FIGURE_UINT64:
		return (double)*(const uint64_t *)at;
	default:
		return *(const double *)at;
	}
}

struct bounds_range figure_interval(const struct figure *f, const void *of, double z)
{
	if (f->range)
		return f->range(of, z);
	const double *ends = member_at(f, of, f->member.range);
	return (struct bounds_range){ ends[0], ends[1] };
}

bool figure_is_enough(const struct figure *f, const void *of, double least)
{
	return !f->evidence || f->evidence(of) >= least;
}

double figure_value(const struct figure *f, const void *of, double least)
{
	return figure_is_enough(f, of, least) ? figure_of(f, of) : NAN;
}

struct bounds_range figure_range(const struct figure *f, const void *of, double z)
{
	const struct bounds_range none = { NAN, NAN };
	struct bounds_range range = figure_has_range(f) ? figure_interval(f, of, z) : none;

	return isnan(range.low) || isnan(range.high) ? none : range;
}

double figure_order(const struct figure *f, const void *of, double z, double least)
{
	if (figure_has_range(f) && figure_is_share(f))
		return figure_interval(f, of, z).low;
	return figure_value(f, of, least);
}

double figure_end(const struct figure *f, const void *of, double z, double least, bool upper)
{
	if (!figure_has_range(f))
		return figure_value(f, of, least);
	struct bounds_range range = figure_interval(f, of, z);
	return isnan(figure_of(f, of)) ? NAN : upper ? range.high : range.low;
}
