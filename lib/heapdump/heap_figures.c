/* SPDX-License-Identifier: Apache-2.0 */
/* heap_figures.c - see heap_report.h: the figures of a heap and of its rows, and its tables. */
#include "heapdump/heap_figures.h"

#include <stdio.h>

#include "base/units.h"
#include "heapdump/heap_findings.h"
#include "heapdump/heap_report.h"
#include "heapdump/heap_rules.h"

enum {
	LONGEST = 4 /* bytes of a character, with what escapes it */,
	VALUE_SHOWN = 40,
	NUMBERS = 8
};

static size_t put_character(char *to, uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))
		c = '?'; /* what could steer a terminal, and halves of characters */
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	to[0] = (char)(0xe0 | c >> 12);
	to[1] = (char)(0x80 | (c >> 6 & 0x3f));
	to[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

/* HotSpot keeps two bytes of a character in a byte[] as the processor does. */
static uint32_t character(const unsigned char *body, uint32_t i, bool wide, bool swapped)
{
	if (!wide)
		return body[i];
	uint32_t first = body[2 * (size_t)i], second = body[2 * (size_t)i + 1];
	return swapped ? first << 8 | second : second << 8 | first;
}

static const char *put_string(const struct heap *h, uint32_t x, char *room, size_t size)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item string, text;
	uint32_t offset, at = PARTITION_NULL;
	size_t used = 1;

	for (uint32_t i = 0; i < c->nslots; i++)
		at = h->to[h->edge[x] + i] != PARTITION_NULL ? h->to[h->edge[x] + i] : at;
	if (at == PARTITION_NULL)
		return NULL;
	heap_item(h, x, &string);
	heap_item(h, at, &text);
	if (text.kind != HPROF_PRIMITIVES || hprof_width(h->dump, text.type) > 2)
		return NULL;
	bool chars = text.type == HPROF_CHAR, wide = chars;
	if (!chars && heap_field_find(h, heap_class_of(h, x), "coder", &offset) == HPROF_BYTE)
		wide = string.body[offset] == 1;
	uint32_t n = wide && !chars ? text.count / 2 : text.count, i = 0;
	room[0] = '"';
	for (; i < n && i < VALUE_SHOWN && used + LONGEST + 4 < size; i++)
		used += put_character(room + used, character(text.body, i, wide, chars));
	snprintf(room + used, size - used, i < n ? "\"..." : "\"");
	return room;
}

static size_t put_number(char *to, size_t size, const unsigned char *p, unsigned type)
{
	uint64_t bits;
	uint32_t half;
	float f;
	double d;
	int n;

	switch (type) {
	case HPROF_BOOLEAN:
		n = snprintf(to, size, "%s", *p ? "true" : "false");
		break;
	case HPROF_BYTE:
		n = snprintf(to, size, "%d", (signed char)*p);
		break;
	case HPROF_CHAR:
		n = snprintf(to, size, "%u", hprof_u16(p));
		break;
	case HPROF_SHORT:
		n = snprintf(to, size, "%d", (int16_t)hprof_u16(p));
		break;
	case HPROF_INT:
		n = snprintf(to, size, "%d", (int32_t)hprof_u32(p));
		break;
	case HPROF_FLOAT:
		half = hprof_u32(p);
		memcpy(&f, &half, sizeof f);
		n = snprintf(to, size, "%g", (double)f);
		break;
	case HPROF_LONG:
		n = snprintf(to, size, "%lld", (long long)hprof_u64(p));
		break;
	default:
		bits = hprof_u64(p);
		memcpy(&d, &bits, sizeof d);
		n = snprintf(to, size, "%g", d);
		break;
	}
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static const char *put_numbers(const struct heap *h, uint32_t x, char *room, size_t size)
{
	struct hprof_item item;
	size_t used = 0;
	uint32_t i = 0;

	heap_item(h, x, &item);
	unsigned width = hprof_width(h->dump, item.type);
	for (; i < item.count && i < NUMBERS && used + 32 < size; i++) {
		used += (size_t)snprintf(room + used, size - used, i ? ", " : "{ ");
		used += put_number(room + used, size - used, item.body + (size_t)i * width,
				   item.type);
	}
	snprintf(room + used, size - used, i < item.count ? ", ...}" : i ? " }" : "{}");
	return room;
}

/* Of a class that has one field, `value`, of a primitive type. */
static const char *put_box(const struct heap *h, uint32_t x, char *room, size_t size)
{
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	struct hprof_item item;
	uint32_t offset;

	if (c->kind != HEAP_INSTANCE || c->nslots > 0)
		return NULL;
	unsigned type = heap_field_find(h, heap_class_of(h, x), "value", &offset);
	if (!type || type == HPROF_OBJECT || c->bytes != hprof_width(h->dump, type))
		return NULL;
	heap_item(h, x, &item);
	return put_number(room, size, item.body + offset, type) ? room : NULL;
}

const char *heap_value(const struct heap *h, uint32_t x, char *room, size_t size)
{
	if (x == HEAP_NONE || heap_is_class_object(h, x))
		return NULL;
	const struct heap_class *c = &h->class[heap_class_of(h, x)];
	if (strcmp(c->name, "java.lang.String") == 0)
		return put_string(h, x, room, size);
	if (c->kind == HEAP_PRIMITIVES)
		return put_numbers(h, x, room, size);
	return put_box(h, x, room, size);
}

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

static double row_made(const void *row)
{
	return ((const struct heap_row *)row)->made;
}

static double row_of_class(const void *row)
{
	return ((const struct heap_row *)row)->of_class;
}

static double row_shared(const void *row)
{
	return (double)((const struct heap_row *)row)->shared;
}

static const char *row_path(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->path;
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
	  .help = "share of the heap that merging equal objects frees" },
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
	  .help = "bytes that merging frees if references to equal objects differ" },
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
	{ "shared", "count", FIGURE_NUMBER, BOTH, .value = row_shared },
	{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_label },
	{ "path", NULL, FIGURE_TEXT, SHOWN, .text = row_path },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "value", NULL, FIGURE_TEXT, SHOWN, .text = row_value },
	{ "root_path", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_root_path },
	{ .name = NULL },
};

static const struct figure site_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_freed },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "allocated_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_made },
	{ "of_class", "share", FIGURE_NUMBER, SHOWN, .value = row_of_class },
	{ "line", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_label },
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

static void put_count(FILE *out, double n, const char *what)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %s", units_count(text, n), what);
}

static void tell_equal(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sequal objects%s: ", style_on(s, INK_BOLD), style_off(s, INK_BOLD));
	if (report_of(f)->heap.erased) {
		fputs("not told, since the contents are erased\n", out);
		return;
	}
	put_count(out, total_objects(f), "objects have ");
	put_count(out, total_distinct(f), "contents; ");
	fprintf(out, "merging all frees %s, %s %%, exactly\n", units_bytes(text, total_freed(f)),
		units_percent(share, total_share(f)));
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
	.rule = heap_rule_of_holder,
	.place = heap_place_of_holder,
	.shown = 15,
	.of_objects = true,
	.overlap = true,
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

static const struct finding_kind equal = { .name = "equal",
					   .title = "equal objects",
					   .counted = "objects",
					   .figures = equal_figures,
					   .tables = { &classes, &holders, &sites },
					   .tell = tell_equal };
static const struct analysis heap_analysis = {
	.key = "heap",
	.title = "Heap",
	.about = "objects of a heap dump",
	.kinds = { &equal, &heap_wasteful_kind, &heap_kept_kind, &heap_outside_kind,
		   &heap_retained_kind },
};

const struct analysis *const heap_analyses[] = { &heap_analysis, NULL };
