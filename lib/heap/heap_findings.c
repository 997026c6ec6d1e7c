/* SPDX-License-Identifier: Apache-2.0 */
/* heap_findings.c - see heap_report.h: the figures of a heap, and the rows that have them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/javaname.h"
#include "base/memtext.h"
#include "base/names.h"
#include "base/order.h"
#include "base/units.h"
#include "heap/heap_report.h"
#include "heap/heap_rows.h"
#include "heap/heap_value.h"

/* ---- figures of rows --------------------------------------------------------------------- */

#define SUM(name)                                                        \
	static double row_##name(const void *row)                        \
	{                                                                \
		return (double)((const struct heap_row *)row)->sum.name; \
	}

SUM(bytes)
SUM(distinct)
SUM(distinct_shallow)
SUM(freed)
SUM(freed_shallow)
SUM(largest)

static double row_wasted(const void *row)
{
	return (double)((const struct heap_row *)row)->wasted;
}

static double row_made(const void *row)
{
	return ((const struct heap_row *)row)->made;
}

static double row_of_class(const void *row)
{
	return ((const struct heap_row *)row)->of_class;
}

static const char *row_label(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->label;
}

static const char *row_value(const void *row, char room[FIGURE_TEXT_MAX])
{
	const struct heap_row *r = row;

	if (!r->report->values || !r->sum.largest)
		return NULL;
	return heap_value(&r->report->heap, r->sum.example, room, FIGURE_TEXT_MAX);
}

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	SHOWN = BOTH | FIGURE_PAGE,
	KEY = BOTH | FIGURE_KEY,
	SHOWN_KEY = SHOWN | FIGURE_KEY,
};

static const struct figure class_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN_KEY, .value = row_freed,
	  .help = "bytes that merging equal objects frees" },
	{ "share", "share", FIGURE_NUMBER, SHOWN_KEY, .value = finding_share,
	  .help = "these bytes in those of the whole heap" },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN_KEY, .value = row_bytes,
	  .help = "bytes of the objects" },
	{ "objects", "count", FIGURE_NUMBER, SHOWN_KEY, .value = finding_count, .help = "objects" },
	{ "distinct", "count", FIGURE_NUMBER, SHOWN_KEY, .value = row_distinct,
	  .help = "objects that differ" },
	{ "largest", "count", FIGURE_NUMBER, SHOWN_KEY, .value = row_largest,
	  .help = "objects of the largest group of equal ones" },
	{ "distinct_shallow", "count", FIGURE_NUMBER, KEY, .value = row_distinct_shallow,
	  .help = "objects that differ, where references to equal objects differ, too" },
	{ "freed_shallow_bytes", "bytes", FIGURE_NUMBER, KEY, .value = row_freed_shallow,
	  .help = "bytes that merging these frees" },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "value", NULL, FIGURE_TEXT, SHOWN, .text = row_value },
	{ .name = NULL },
};

static const struct figure holder_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_freed },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "copies", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "distinct", "count", FIGURE_NUMBER, SHOWN, .value = row_distinct },
	{ "largest", "count", FIGURE_NUMBER, SHOWN, .value = row_largest },
	{ "held_bytes", "bytes", FIGURE_NUMBER, BOTH, .value = row_bytes },
	{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "value", NULL, FIGURE_TEXT, SHOWN, .text = row_value },
	{ .name = NULL },
};

static const struct figure site_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_freed },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "allocated_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_made },
	{ "of_class", "share", FIGURE_NUMBER, SHOWN, .value = row_of_class },
	{ "line", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

static const struct figure wasteful_figures[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_wasted },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_bytes },
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "problem", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

/* ---- figures of the heap ----------------------------------------------------------------- */

static const struct heap_report *report_of(const void *finding)
{
	return *(struct heap_report *const *)((const struct finding *)finding)->own;
}

#define TOTAL(name)                                                  \
	static double total_##name(const void *finding)              \
	{                                                            \
		return (double)report_of(finding)->merge.total.name; \
	}

TOTAL(objects)
TOTAL(bytes)
TOTAL(distinct)
TOTAL(distinct_shallow)
TOTAL(freed)
TOTAL(freed_shallow)

static double total_share(const void *finding)
{
	return total_freed(finding) / total_bytes(finding);
}

static double total_wasted(const void *finding)
{
	const struct finding_table *t = &((const struct finding *)finding)->table[0];
	double sum = 0;

	for (size_t i = 0; i < t->all; i++)
		sum += row_wasted(finding_row(t, i));
	return sum;
}

static double wasted_share(const void *finding)
{
	return total_wasted(finding) / total_bytes(finding);
}

static const struct figure equal_figures[] = {
	{ "objects", "count", FIGURE_NUMBER, FIGURE_JSON, .value = total_objects },
	{ "bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_bytes },
	{ "distinct", "count", FIGURE_NUMBER, FIGURE_JSON, .value = total_distinct },
	{ "freed_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_freed },
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, .value = total_share },
	{ "distinct_shallow", "count", FIGURE_NUMBER, FIGURE_JSON,
	  .value = total_distinct_shallow },
	{ "freed_shallow_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON,
	  .value = total_freed_shallow },
	{ .name = NULL },
};

static const struct figure waste_figures[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_wasted },
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, .value = wasted_share },
	{ .name = NULL },
};

static void put_count(FILE *out, double n, const char *what)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %s", units_count(text, n), what);
}

static void tell_equal(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sequal objects%s: ", style_on(s, INK_BOLD), style_off(s, INK_BOLD));
	put_count(out, total_objects(f), "objects have ");
	put_count(out, total_distinct(f), "contents; ");
	fprintf(out, "merging all frees %s, %s %%, exactly\n", units_bytes(text, total_freed(f)),
		units_percent(share, total_share(f)));
}

static void tell_waste(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sobjects that hold little%s: %s, %s %%\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), units_bytes(text, total_wasted(f)),
		units_percent(share, wasted_share(f)));
}

/* ---- the table of kinds -------------------------------------------------------------------- */

static const struct finding_table_kind classes = {
	.key = "classes",
	.title = "by class",
	.one = "class",
	.many = "classes",
	.minor = " without equal objects",
	.figures = class_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind holders = {
	.key = "holders",
	.title = "who holds the copies",
	.one = "field",
	.many = "fields",
	.figures = holder_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind sites = {
	.key = "sites",
	.title = "where the recording has their classes allocated; copies in proportion to that",
	.one = "line",
	.many = "lines",
	.figures = site_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind problems = {
	.key = "problems",
	.one = "problem",
	.many = "problems",
	.figures = wasteful_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_kind equal = { .name = "equal",
					   .title = "equal objects",
					   .counted = "objects",
					   .figures = equal_figures,
					   .tables = { &classes, &holders, &sites },
					   .tell = tell_equal };
static const struct finding_kind wasteful = { .name = "wasteful",
					      .title = "objects that hold little",
					      .counted = "objects",
					      .figures = waste_figures,
					      .tables = { &problems },
					      .tell = tell_waste };

static const struct analysis heap_analysis = {
	.key = "heap",
	.title = "Heap",
	.about = "objects of a heap dump",
	.kinds = { &equal, &wasteful },
};

const struct analysis *const heap_analyses[] = { &heap_analysis, NULL };

/* ---- texts ------------------------------------------------------------------------------- */

/* "Shop.byName": of a field. */
static void put_field(FILE *out, const struct heap *h, uint32_t field, bool simple)
{
	const struct heap_field *f = &h->field[field];
	const char *class = h->class[f->class].name;
	size_t len;
	const char *text = heap_text(h, f->name, &len);

	fputs(simple ? names_simple(class) : class, out);
	if (f->is_element)
		return;
	char *name = malloc(javaname_room(len));
	if (!name)
		return;
	javaname_text(name, text, len);
	fprintf(out, ".%s", name);
	free(name);
}

/* "Shop.byName: HashMap$Node.key", "Shop.all: ArrayList", "Order.currency", "Order[]". */
static void put_holder(FILE *out, const struct heap_report *r, const struct merge_holder *m)
{
	const struct heap *h = &r->heap;

	if (m->outer == HEAP_NONE) {
		put_field(out, h, m->inner, false);
		return;
	}
	put_field(out, h, m->outer, false);
	fputs(": ", out);
	if (h->field[m->inner].is_element)
		fputs(names_simple(r->merge.classes[m->container].name), out);
	else
		put_field(out, h, m->inner, true);
}

/* NULL if out of memory. */
static const char *holder_text(struct heap_report *r, const struct merge_holder *m)
{
	struct memtext gathered;
	FILE *out = memtext_begin(&gathered);

	if (!out)
		return NULL;
	put_holder(out, r, m);
	char *text = memtext_end(&gathered);
	const char *copy = text ? arena_text(&r->arena, text, gathered.len) : NULL;
	free(text);
	return copy;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* What rows are sorted by, if nobody says otherwise; ties are in the order of names. */
static int compare_rows(const void *a, const void *b)
{
	const struct heap_row *x = a, *y = b;

	int order = ORDER(y->wasted, x->wasted) ?: ORDER(y->sum.freed, x->sum.freed);
	if (!order)
		order = ORDER(y->sum.bytes, x->sum.bytes)
				?: strcmp(x->row.class_name, y->row.class_name);
	return order || !x->label || !y->label ? order : strcmp(x->label, y->label);
}

void heap_add_table(struct finding *f, struct heap_row *rows, size_t n, uint64_t whole)
{
	qsort(rows, n, sizeof *rows, compare_rows);
	for (size_t i = 0; i < n; i++) {
		struct heap_row *r = &rows[i];
		r->row.hash.low = i;
		r->row.share = (double)(r->wasted ? r->wasted : r->sum.freed) / (double)whole;
	}
	finding_add_table(f, rows, n, sizeof *rows);
}

struct heap_row heap_row_of(const struct heap_report *r, const char *class)
{
	return (struct heap_row){ .row.class_name = class, .report = r, .sum.example = HEAP_NONE };
}

static int add_classes(struct heap_report *r, struct finding *f)
{
	const struct merge *m = &r->merge;
	struct heap_row *rows = calloc(m->nclasses + 1, sizeof *rows);
	size_t n = 0;

	if (!rows)
		return -1;
	for (size_t i = 0; i < m->nclasses; i++) {
		if (!m->classes[i].sum.objects)
			continue;
		rows[n] = heap_row_of(r, m->classes[i].name);
		rows[n].sum = m->classes[i].sum;
		rows[n].row.count = m->classes[i].sum.objects;
		rows[n].row.minor = !m->classes[i].sum.freed;
		n++;
	}
	heap_add_table(f, rows, n, m->total.bytes);
	return 0;
}

static int add_holders(struct heap_report *r, struct finding *f)
{
	const struct merge *m = &r->merge;
	struct heap_row *rows = calloc(m->nholders + 1, sizeof *rows);
	size_t n = 0;

	if (!rows)
		return -1;
	for (size_t i = 0; i < m->nholders; i++) {
		const struct merge_holder *holder = &m->holders[i];
		if (!holder->freed)
			continue;
		rows[n] = heap_row_of(r, m->classes[holder->group].name);
		rows[n].label = holder_text(r, holder);
		rows[n].row.count = holder->copies;
		rows[n].sum = (struct merge_sum){ .bytes = holder->bytes,
						  .distinct = holder->distinct,
						  .freed = holder->freed,
						  .largest = holder->largest,
						  .example = holder->example };
		if (!rows[n++].label) {
			free(rows);
			return -1;
		}
	}
	heap_add_table(f, rows, n, m->total.bytes);
	return 0;
}

static int add_problems(struct heap_report *r, struct finding *f)
{
	size_t n;
	struct wasteful *all = wasteful_find(&r->merge, &r->heap, &n);
	struct heap_row *rows = calloc(n + 1, sizeof *rows);

	if (!all || !rows) {
		free(all);
		free(rows);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		rows[i] = heap_row_of(r, r->merge.classes[all[i].group].name);
		rows[i].label = wasteful_name(all[i].kind);
		rows[i].row.count = all[i].objects;
		rows[i].sum.bytes = all[i].bytes;
		rows[i].wasted = all[i].wasted;
	}
	free(all);
	heap_add_table(f, rows, n, r->merge.total.bytes);
	return 0;
}

int heap_findings_make(struct heap_report *r)
{
	r->findings.item = calloc(HEAP_FINDINGS, sizeof *r->findings.item);
	if (!r->findings.item)
		return -1;
	for (size_t i = 0; i < HEAP_FINDINGS; i++) {
		struct finding *f = &r->findings.item[r->findings.n++];
		const struct heap_report **own = malloc(sizeof *own);
		*f = (struct finding){ .own = own,
				       .analysis = &heap_analysis,
				       .kind = heap_analysis.kinds[i] };
		if (!own)
			return -1;
		*own = r;
		f->seen = true;
		f->count = r->merge.total.objects;
	}
	struct finding *f = r->findings.item;
	if (add_classes(r, &f[HEAP_EQUAL]) < 0 || add_holders(r, &f[HEAP_EQUAL]) < 0)
		return -1;
	return add_problems(r, &f[HEAP_WASTEFUL]);
}
