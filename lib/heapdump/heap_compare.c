/* SPDX-License-Identifier: Apache-2.0 */
/* heap_compare.c - see heap_compare.h: classes and holders are the same if their names are. */
#include "heapdump/heap_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/units.h"

struct change_row {
	struct finding_row row;
	const char *label;		  /* of a holder */
	const struct heap_row *old, *new; /* NULL: there is none */
};

/* ---- figures ------------------------------------------------------------------------------- */

static double bytes_of(const struct heap_row *r)
{
	return r ? (double)r->sum.bytes : 0;
}

static double freed_of(const struct heap_row *r)
{
	return r ? (double)r->sum.freed : 0;
}

static double count_of(const struct heap_row *r)
{
	return r ? (double)r->row.count : 0;
}

#define FIGURES(name)                                                    \
	static double old_##name(const void *row)                        \
	{                                                                \
		return name##_of(((const struct change_row *)row)->old); \
	}                                                                \
	static double new_##name(const void *row)                        \
	{                                                                \
		return name##_of(((const struct change_row *)row)->new); \
	}                                                                \
	static double changed_##name(const void *row)                    \
	{                                                                \
		return new_##name(row) - old_##name(row);                \
	}

FIGURES(bytes)
FIGURES(freed)
FIGURES(count)

static const char *label(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct change_row *)row)->label;
}

enum { DATA = FIGURE_JSON | FIGURE_CSV, SHOWN = DATA | FIGURE_PAGE, KEY = SHOWN | FIGURE_KEY };

#define FREED                                                                              \
	{ "freed_bytes",	  "bytes",                                                 \
	  FIGURE_NUMBER,	  KEY,                                                     \
	  .value = changed_freed, .help = "more bytes that merging equal objects frees" }, \
		{ "freed_bytes_old", "bytes", FIGURE_NUMBER, DATA, .value = old_freed },   \
	{                                                                                  \
		"freed_bytes_new", "bytes", FIGURE_NUMBER, SHOWN, .value = new_freed       \
	}
#define BYTES                                                                      \
	{ "bytes",                                                                 \
	  "bytes",                                                                 \
	  FIGURE_NUMBER,                                                           \
	  KEY,                                                                     \
	  .value = changed_bytes,                                                  \
	  .help = "more bytes of the objects" },                                   \
		{ "bytes_old", "bytes", FIGURE_NUMBER, DATA, .value = old_bytes }, \
	{                                                                          \
		"bytes_new", "bytes", FIGURE_NUMBER, SHOWN, .value = new_bytes     \
	}
#define OBJECTS(name)                                                                          \
	{ name, "count", FIGURE_NUMBER, KEY, .value = changed_count, .help = "more objects" }, \
		{ name "_old", "count", FIGURE_NUMBER, DATA, .value = old_count },             \
	{                                                                                      \
		name "_new", "count", FIGURE_NUMBER, SHOWN, .value = new_count                 \
	}

static const struct figure class_figures[] = {
	BYTES,
	OBJECTS("objects"),
	FREED,
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

static const struct figure holder_figures[] = {
	FREED,
	OBJECTS("copies"),
	{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

/* ---- the finding --------------------------------------------------------------------------- */

static const struct heap_compare *compare_of(const void *finding)
{
	return *(struct heap_compare *const *)((const struct finding *)finding)->own;
}

static void put_change(FILE *out, const char *what, double old, double new)
{
	char before[UNITS_TEXT], after[UNITS_TEXT];

	fprintf(out, "%s %s, before %s", what, units_bytes(after, new), units_bytes(before, old));
}

static void tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct merge_sum *old = &compare_of(f)->old->merge.total;
	const struct merge_sum *new = &compare_of(f)->new->merge.total;

	fprintf(out, "%schange%s: ", style_on(s, INK_BOLD), style_off(s, INK_BOLD));
	put_change(out, "objects of", (double)old->bytes, (double)new->bytes);
	put_change(out, "; merging all frees", (double)old->freed, (double)new->freed);
	putc('\n', out);
}

#define CHANGE(name)                                                                        \
	static double total_##name(const void *finding)                                     \
	{                                                                                   \
		const struct heap_compare *c = compare_of(finding);                         \
		return (double)c->new->merge.total.name - (double)c->old->merge.total.name; \
	}

CHANGE(objects)
CHANGE(bytes)
CHANGE(freed)

static const struct figure total_figures[] = {
	{ "objects", "count", FIGURE_NUMBER, FIGURE_JSON, .value = total_objects },
	{ "bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_bytes },
	{ "freed_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_freed },
	{ .name = NULL },
};

static const struct finding_table_kind classes = {
	.key = "classes",
	.title = "by class: what is more, and what is there now",
	.one = "class",
	.many = "classes",
	.figures = class_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind holders = {
	.key = "holders",
	.title = "who holds more copies",
	.one = "field",
	.many = "fields",
	.figures = holder_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_kind change = { .name = "change",
					    .title = "change",
					    .counted = "objects",
					    .figures = total_figures,
					    .tables = { &classes, &holders },
					    .tell = tell };
static const struct analysis analysis = {
	.key = "change",
	.title = "Change",
	.about = "objects of two heap dumps",
	.kinds = { &change },
};

const struct analysis *const heap_compare_analyses[] = { &analysis, NULL };

/* ---- rows -------------------------------------------------------------------------------- */

static uint64_t name_hash(const struct heap_row *r)
{
	const char *class = r->row.class_name, *holder = r->label ? r->label : "";

	return XXH3_64bits_withSeed(class, strlen(class), XXH3_64bits(holder, strlen(holder)));
}

static struct change_row row_of(const struct heap_row *old, const struct heap_row *new)
{
	const struct heap_row *any = new ? new : old;

	return (struct change_row){ .row = { .class_name = any->row.class_name,
					     .count = new ? new->row.count : 0,
					     .hash.low = name_hash(any) },
				    .label = any->label,
				    .old = old,
				    .new = new };
}

static bool is_changed(const struct change_row *r)
{
	return changed_bytes(r) != 0 || changed_freed(r) != 0 || changed_count(r) != 0;
}

/* Rows of the old table by name; of one name, each has a key of its own. */
struct index {
	struct idmap rows; /* their numbers, from 1 */
	bool *matched;
};

static void index_make(struct index *index, const struct finding_table *old)
{
	*index = (struct index){ .matched = xcalloc(old->all + 1, sizeof *index->matched) };
	for (size_t i = 0; i < old->all; i++) {
		uint64_t key = name_hash((const struct heap_row *)finding_row(old, i));
		while (idmap_get(&index->rows, key))
			key++;
		xidmap_put(&index->rows, key, (void *)(uintptr_t)(i + 1));
	}
}

/* The old row of this name that nobody has had; NULL: there is none. */
static const struct heap_row *index_take(struct index *index, const struct finding_table *old,
					 uint64_t key)
{
	for (;; key++) {
		uintptr_t i = (uintptr_t)idmap_get(&index->rows, key);
		if (i == 0)
			return NULL;
		if (index->matched[i - 1])
			continue;
		index->matched[i - 1] = true;
		return (const struct heap_row *)finding_row(old, i - 1);
	}
}

/* Adds the rows of the new table, and those of the old one that are in it no more. */
static size_t match(struct change_row *rows, const struct finding_table *old,
		    const struct finding_table *new, struct index *index)
{
	size_t n = 0;

	for (size_t i = 0; i < new->all; i++) {
		const struct heap_row *now = (const struct heap_row *)finding_row(new, i);
		rows[n] = row_of(index_take(index, old, name_hash(now)), now);
		n += is_changed(&rows[n]);
	}
	for (size_t i = 0; i < old->all; i++)
		if (!index->matched[i])
			rows[n++] = row_of((const struct heap_row *)finding_row(old, i), NULL);
	return n;
}

/* The largest changes first, by bytes of classes, by what is freed of holders. */
static int compare_rows(const void *a, const void *b)
{
	const struct change_row *x = a, *y = b;
	double p = fabs(x->label ? changed_freed(x) : changed_bytes(x));
	double q = fabs(y->label ? changed_freed(y) : changed_bytes(y));

	if (p != q)
		return p > q ? -1 : 1;
	int order = strcmp(x->row.class_name, y->row.class_name);
	return order || !x->label || !y->label ? order : strcmp(x->label, y->label);
}

static void add_table(struct finding *f, const struct finding_table *old,
		      const struct finding_table *new)
{
	struct change_row *rows = xcalloc(old->all + new->all + 1, sizeof *rows);
	struct index index;

	index_make(&index, old);
	size_t n = match(rows, old, new, &index);
	qsort(rows, n, sizeof *rows, compare_rows);
	finding_add_table(f, rows, n, sizeof *rows);
	idmap_release(&index.rows);
	free(index.matched);
}

void heap_compare_make(struct heap_compare *c, const struct heap_report *old,
		       const struct heap_report *new)
{
	const struct finding *before = &old->findings.item[HEAP_EQUAL];
	const struct finding *now = &new->findings.item[HEAP_EQUAL];
	const struct heap_compare **own = xmalloc(sizeof *own);

	*c = (struct heap_compare){ old, new, { .item = xcalloc(1, sizeof *c->findings.item) } };
	*own = c;
	c->findings.n = 1;
	struct finding *f = c->findings.item;
	*f = (struct finding){ .analysis = &analysis, .kind = &change, .own = own };
	f->seen = true;
	f->count = new->merge.total.objects;
	for (size_t k = 0; k < before->ntables; k++)
		add_table(f, &before->table[k], &now->table[k]);
}

void heap_compare_release(struct heap_compare *c)
{
	findings_release(&c->findings);
}
