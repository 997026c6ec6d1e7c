/* SPDX-License-Identifier: Apache-2.0 */
/* heap_findings.c - see heap_report.h: the rows of the tables. */
#include "heapdump/heap_findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"
#include "base/memtext.h"
#include "base/sort.h"
#include "heapdump/heap_report.h"
#include "heapdump/retained/paths.h"

/* ---- the table of the lines that allocate what has copies. */

/* The row of the class, among those of the table of classes; NULL: it has no copies. */
static const struct heap_row *row_of_name(const struct finding_table *t, const char *class)
{
	for (size_t i = 0; i < t->all; i++) {
		const struct heap_row *row = (const struct heap_row *)finding_row(t, i);
		if (strcmp(row->row.class_name, class) == 0)
			return row->sum.freed ? row : NULL;
	}
	return NULL;
}

static int compare_sites(const void *a, const void *b)
{
	const struct heap_site *x = a, *y = b;

	return strcmp(x->class_name, y->class_name);
}

/* Adds rows for the `n` sites of one class. Returns their number. */
static size_t add_sites_of(struct heap_report *r, struct heap_row *to, const struct heap_site *made,
			   size_t n)
{
	const struct finding_table *classes_made = &r->findings.item[HEAP_EQUAL].table[0];
	const struct heap_row *class = row_of_name(classes_made, made->class_name);
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += made[i].bytes;
	for (size_t i = 0; class && i < n; i++) {
		to[i] = heap_row_of(r, class->row.class_name);
		to[i].label = xarena_text(&r->arena, made[i].line, strlen(made[i].line));
		to[i].made = made[i].bytes;
		to[i].of_class = made[i].bytes / all;
		to[i].sum.freed = (uint64_t)((double)class->sum.freed * to[i].of_class);
	}
	return class ? n : 0;
}

void heap_report_add_sites(struct heap_report *r, struct heap_site *made, size_t n)
{
	struct heap_row *rows = xcalloc(n + 1, sizeof *rows);
	size_t have = 0;

	qsort(made, n, sizeof *made, compare_sites);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && compare_sites(&made[first], &made[next]) == 0;)
			next++;
		have += add_sites_of(r, rows + have, made + first, next - first);
	}
	heap_add_table(&r->findings.item[HEAP_EQUAL], rows, have, r->merge.total.bytes);
}

/* ---- texts ------------------------------------------------------------------------------- */

static void put_holder(FILE *out, const struct heap_report *r, const struct merge_holder *m)
{
	if (m->field == OWNER_ROOT)
		fputs("(a local variable or another root)", out);
	else if (m->field == HEAP_NONE)
		fputs("(no field or root that the dump has)", out);
	else
		paths_put_field(out, &r->heap, m->field, false);
}

/* "HashSet > HashMap$Node.key", "ArrayList", "Order[]". */
static void put_path(FILE *out, const struct heap_report *r, const struct merge_path *p)
{
	const struct owners *o = &r->merge.owners;
	const struct heap_field *inner = &r->heap.field[p->inner];
	uint32_t class[OWNER_LENGTH];
	size_t n = 0;

	for (uint32_t way = p->way; o->ways[way].class != HEAP_NONE; way = o->ways[way].before)
		class[n++] = o->ways[way].class;
	/* the last class is named with the field */
	size_t last = n && !inner->is_element && owners_family(o, class[0], inner -> class) ? 1 : 0;
	for (size_t i = n; i-- > last;)
		fprintf(out, "%s%s", names_short(r->heap.class[class[i]].name),
			i > last || !inner->is_element ? " > " : "");
	if (!inner->is_element || n == 0)
		paths_put_field(out, &r->heap, p->inner, true);
}

static void put_paths(FILE *out, const struct heap_report *r, const struct merge_holder *m)
{
	for (unsigned i = 0; i < m->npaths; i++) {
		fputs(i ? ", " : "", out);
		put_path(out, r, &m->path[i]);
	}
	if (m->more_paths)
		fputs(", ...", out);
	if (m->shared)
		fputs(m->shared < m->copies ? " (partly shared)" : " (shared)", out);
}

/* What one of these functions writes. */
static const char *text_of(struct heap_report *r, const struct merge_holder *m,
			   void (*put)(FILE *, const struct heap_report *,
				       const struct merge_holder *))
{
	struct memtext gathered;

	put(memtext_begin(&gathered), r, m);
	char *text = memtext_end(&gathered);
	const char *copy = xarena_text(&r->arena, text, gathered.len);
	free(text);
	return copy;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* What rows are sorted by, if nobody says otherwise; ties are in the order of names. */
static int compare_rows(const void *a, const void *b)
{
	const struct heap_row *x = a, *y = b;

	int order = ORDER(y->retained, x->retained)
			    ?: ORDER(y->wasted, x->wasted)
			    ?: ORDER(y->sum.freed, x->sum.freed);
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
		uint64_t part = r->retained ? r->retained : r->wasted ? r->wasted : r->sum.freed;
		r->row.share = (double)part / (double)whole;
	}
	finding_add_table(f, rows, n, sizeof *rows);
}

struct heap_row heap_row_of(const struct heap_report *r, const char *class)
{
	return (struct heap_row){ .row.class_name = class, .report = r, .sum.example = HEAP_NONE };
}

static void add_classes(struct heap_report *r, struct finding *f)
{
	const struct merge *m = &r->merge;
	struct heap_row *rows = xcalloc(m->nclasses + 1, sizeof *rows);
	size_t n = 0;

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
}

static void fill_holder(struct heap_report *r, const struct merge_holder *m, struct heap_row *to)
{
	*to = heap_row_of(r, r->merge.classes[m->group].name);
	to->label = text_of(r, m, put_holder);
	to->path = m->npaths ? text_of(r, m, put_paths) : NULL;
	to->row.count = m->copies;
	to->shared = m->shared;
	to->sum = (struct merge_sum){ .bytes = m->bytes,
				      .distinct = m->distinct,
				      .freed = m->freed,
				      .largest = m->largest,
				      .example = m->example };
}

static void add_holders(struct heap_report *r, struct finding *f)
{
	const struct merge *m = &r->merge;
	struct heap_row *rows = xcalloc(m->nholders + 1, sizeof *rows);
	size_t n = 0;

	for (size_t i = 0; i < m->nholders; i++)
		if (m->holders[i].freed)
			fill_holder(r, &m->holders[i], &rows[n++]);
	heap_add_table(f, rows, n, m->total.bytes);
}

struct finding *heap_add_finding(struct heap_report *r, size_t kind)
{
	struct finding *f = &r->findings.item[r->findings.n++];
	const struct heap_report **own = xmalloc(sizeof *own);

	*f = (struct finding){ .own = own,
			       .analysis = heap_analyses[0],
			       .kind = heap_analyses[0]->kinds[kind] };
	*own = r;
	f->seen = true;
	f->count = r->merge.total.objects;
	return f;
}

void heap_findings_make(struct heap_report *r)
{
	r->findings.item = xcalloc(HEAP_FINDINGS, sizeof *r->findings.item);
	struct finding *equal = heap_add_finding(r, HEAP_EQUAL);

	add_classes(r, equal);
	add_holders(r, equal);
}
