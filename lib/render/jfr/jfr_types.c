/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_types.c - see jfr_types.h: types of events. jfr_types.c writes them.
 */
#include "render/jfr/jfr_types.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "render/jfr/jfr_put.h"

/*
 * ---- the event that describes all types. It has a table of strings,
 * then a tree of elements, each with attributes and elements below it, as XML has:
 *
 * 	root
 * 	    metadata
 * 	        class name, id, superType, simpleType
 * 	            annotation class, value
 * 	            field name, class, constantPool, dimension
 * 	                annotation class, value
 * 	    region locale, gmtOffset
 *
 * The number of attributes, and of the elements below, is written before them.
 */

/* Numbers of the types of annotations. */
enum {
	A_CONTENT_TYPE = 100, /* of annotations: it says what values are */
	A_LABEL,
	A_DESCRIPTION,
	A_CATEGORY,
	A_DATA_AMOUNT,
	A_PERCENTAGE,
	A_TIMESPAN,
	A_TIMESTAMP,
};

/* ---- types of values ------------------------------------------------------------------------- */

enum { VALUE_FIELDS = 6 };

/* A field of a value; `array`: of any number of them. */
struct value_field {
	const char *name;
	uint32_t type;
	bool array;
};

struct value_type {
	const char *name;
	struct value_field fields[VALUE_FIELDS];
	uint32_t id;
	bool simple;	 /* it is what its only field is */
	bool annotation; /* a type of annotations, ... */
	bool content;	 /* ... which tell what values are */
};

static const struct value_type value_types[] = {
	{ .id = JFR_BOOLEAN, .name = "boolean" },
	{ .id = JFR_FLOAT, .name = "float" },
	{ .id = JFR_DOUBLE, .name = "double" },
	{ .id = JFR_INT, .name = "int" },
	{ .id = JFR_LONG, .name = "long" },
	{ .id = JFR_STRING, .name = "java.lang.String" },
	{ .id = JFR_CLASS,
	  .name = "java.lang.Class",
	  .fields = { { "classLoader", JFR_CLASS_LOADER, false },
		      { "name", JFR_SYMBOL, false },
		      { "package", JFR_PACKAGE, false },
		      { "modifiers", JFR_INT, false },
		      { "hidden", JFR_BOOLEAN, false } } },
	{ .id = JFR_THREAD,
	  .name = "java.lang.Thread",
	  .fields = { { "osName", JFR_STRING, false },
		      { "osThreadId", JFR_LONG, false },
		      { "javaName", JFR_STRING, false },
		      { "javaThreadId", JFR_LONG, false } } },
	{ .id = JFR_CLASS_LOADER,
	  .name = "jdk.types.ClassLoader",
	  .fields = { { "type", JFR_CLASS, false }, { "name", JFR_SYMBOL, false } } },
	{ .id = JFR_SYMBOL,
	  .name = "jdk.types.Symbol",
	  .simple = true,
	  .fields = { { "string", JFR_STRING, false } } },
	{ .id = JFR_PACKAGE,
	  .name = "jdk.types.Package",
	  .fields = { { "name", JFR_SYMBOL, false } } },
	{ .id = JFR_METHOD,
	  .name = "jdk.types.Method",
	  .fields = { { "type", JFR_CLASS, false },
		      { "name", JFR_SYMBOL, false },
		      { "descriptor", JFR_SYMBOL, false },
		      { "modifiers", JFR_INT, false },
		      { "hidden", JFR_BOOLEAN, false } } },
	{ .id = JFR_FRAME_TYPE,
	  .name = "jdk.types.FrameType",
	  .simple = true,
	  .fields = { { "description", JFR_STRING, false } } },
	{ .id = JFR_FRAME,
	  .name = "jdk.types.StackFrame",
	  .fields = { { "method", JFR_METHOD, false },
		      { "lineNumber", JFR_INT, false },
		      { "bytecodeIndex", JFR_INT, false },
		      { "type", JFR_FRAME_TYPE, false } } },
	{ .id = JFR_STACK,
	  .name = "jdk.types.StackTrace",
	  .fields = { { "truncated", JFR_BOOLEAN, false }, { "frames", JFR_FRAME, true } } },
	{ .id = A_CONTENT_TYPE, .name = "jdk.jfr.ContentType", .annotation = true },
#define ANNOTATION(id_, name_, content_, array_)                                         \
	{                                                                                \
		.id = (id_), .name = (name_), .annotation = true, .content = (content_), \
		.fields = {                                                              \
			{ .name = "value", .type = JFR_STRING, (array_) },               \
		},                                                                       \
	}
	ANNOTATION(A_LABEL, "jdk.jfr.Label", false, false),
	ANNOTATION(A_DESCRIPTION, "jdk.jfr.Description", false, false),
	ANNOTATION(A_CATEGORY, "jdk.jfr.Category", false, true),
	ANNOTATION(A_DATA_AMOUNT, "jdk.jfr.DataAmount", true, false),
	ANNOTATION(A_TIMESPAN, "jdk.jfr.Timespan", true, false),
	ANNOTATION(A_TIMESTAMP, "jdk.jfr.Timestamp", true, false),
	{ .id = A_PERCENTAGE, .name = "jdk.jfr.Percentage", .annotation = true, .content = true },
};
enum { VALUE_TYPES = sizeof value_types / sizeof value_types[0] };

/* By enum jfr_unit: an annotation, and its value. */
static const struct {
	uint32_t annotation; /* 0: none */
	const char *value;   /* NULL: it has none */
} units[] = {
	[JFR_PLAIN] = { 0, NULL },
	[JFR_BYTES] = { A_DATA_AMOUNT, "BYTES" },
	[JFR_SHARE] = { A_PERCENTAGE, NULL },
	[JFR_NANOSECONDS] = { A_TIMESPAN, "NANOSECONDS" },
	[JFR_TIMESTAMP] = { A_TIMESTAMP, "TICKS" },
};

/* Whether fields have the number of a constant in place of the value. A frame is in its stack. */
static bool is_pooled(uint32_t type)
{
	return type > JFR_STRING && type <= JFR_STACK && type != JFR_FRAME;
}

/* ---- elements -------------------------------------------------------------------------------- */

struct metadata {
	struct hash_numbers numbers; /* of strings */
	struct bytes strings, elements;
};

static void put_string(struct metadata *m, const char *text)
{
	bool is_new;
	uint32_t number = xhash_numbers_of(&m->numbers, XXH3_128bits(text, strlen(text)), &is_new);

	if (is_new)
		jfr_put_text(&m->strings, text);
	jfr_put_number(&m->elements, number);
}

/* Begins an element; as many attributes follow, then put_below. */
static void put_element(struct metadata *m, const char *name, unsigned attributes)
{
	put_string(m, name);
	jfr_put_number(&m->elements, attributes);
}

static void put_attribute(struct metadata *m, const char *name, const char *value)
{
	put_string(m, name);
	put_string(m, value);
}

static void put_id(struct metadata *m, const char *name, uint32_t id)
{
	char text[16];

	snprintf(text, sizeof text, "%u", id);
	put_attribute(m, name, text);
}

/* The number of elements below, which follow. */
static void put_below(struct metadata *m, size_t n)
{
	jfr_put_number(&m->elements, n);
}

static void put_annotation(struct metadata *m, uint32_t id, const char *value)
{
	put_element(m, "annotation", value ? 2 : 1);
	put_id(m, "class", id);
	if (value)
		put_attribute(m, "value", value);
	put_below(m, 0);
}

/* The attributes of a field; the elements below follow. */
static void put_field(struct metadata *m, const char *name, uint32_t type, bool array)
{
	put_element(m, "field", 2 + is_pooled(type) + array);
	put_attribute(m, "name", name);
	put_id(m, "class", type);
	if (is_pooled(type))
		put_attribute(m, "constantPool", "true");
	if (array)
		put_attribute(m, "dimension", "1");
}

static void put_value_type(struct metadata *m, const struct value_type *v)
{
	size_t n = 0;

	while (n < VALUE_FIELDS && v->fields[n].name)
		n++;
	put_element(m, "class", 2 + v->simple + v->annotation);
	put_attribute(m, "name", v->name);
	put_id(m, "id", v->id);
	if (v->annotation)
		put_attribute(m, "superType", "java.lang.annotation.Annotation");
	if (v->simple)
		put_attribute(m, "simpleType", "true");
	put_below(m, n + v->content);
	if (v->content)
		put_annotation(m, A_CONTENT_TYPE, NULL);
	for (size_t i = 0; i < n; i++) {
		put_field(m, v->fields[i].name, v->fields[i].type, v->fields[i].array);
		put_below(m, 0);
	}
}

/* ---- events ---------------------------------------------------------------------------------- */

enum { NAME_ROOM = 128 };

/* A name as it grows; what is too long for the room is cut. */
struct name {
	char text[NAME_ROOM];
	size_t len;
};

static void add_char(struct name *to, int c)
{
	if (to->len < NAME_ROOM - 1)
		to->text[to->len++] = (char)c;
	to->text[to->len] = '\0';
}

/*
 * Adds the first `len` characters of words that have '_' or '-' between them: "SavedBytes", with
 * `between` "Saved Bytes". A name of a field begins with a small letter.
 */
static void add_words(struct name *to, const char *words, size_t len, bool between, bool small)
{
	bool first = true;

	for (const char *c = words; c < words + len; c++) {
		if (*c == '_' || *c == '-') {
			first = true;
			continue;
		}
		if (first && between && to->len > 0)
			add_char(to, ' ');
		add_char(to, first && !(small && to->len == 0) ? toupper((unsigned char)*c) : *c);
		first = false;
	}
}

static void put_event_field(struct metadata *m, const struct jfr_field *f)
{
	struct name name = { .len = 0 }, label = { .len = 0 };

	/* the unit of "median_s" is shown */
	size_t len = strlen(f->words) - (f->unit == JFR_NANOSECONDS ? strlen("_s") : 0);

	add_words(&name, f->words, len, false, true);
	add_words(&name, f->suffix, strlen(f->suffix), false, true);
	add_words(&label, f->words, len, true, false);
	add_words(&label, f->suffix, strlen(f->suffix), true, false);
	put_field(m, name.text, f->kind, false);
	put_below(m, 1 + !!f->help + (f->unit != JFR_PLAIN));
	put_annotation(m, A_LABEL, label.text);
	if (f->help)
		put_annotation(m, A_DESCRIPTION, f->help);
	if (f->unit != JFR_PLAIN)
		put_annotation(m, units[f->unit].annotation, units[f->unit].value);
}

static void put_category(struct metadata *m, const struct jfr_type *t)
{
	put_element(m, "annotation", 2 + !!t->category[1]);
	put_id(m, "class", A_CATEGORY);
	put_attribute(m, "value-0", t->category[0]);
	if (t->category[1])
		put_attribute(m, "value-1", t->category[1]);
	put_below(m, 0);
}

/* In the order in which readers expect them. */
static void put_first_fields(struct metadata *m, const struct jfr_type *t)
{
	static const struct jfr_field start = { "start_time", "", JFR_LONG, JFR_TIMESTAMP, NULL },
				      thread = { "event_thread", "", JFR_THREAD, JFR_PLAIN, NULL },
				      stack = { "stack_trace", "", JFR_STACK, JFR_PLAIN, NULL };

	put_event_field(m, &start);
	if (t->has_thread)
		put_event_field(m, &thread);
	if (t->has_stack)
		put_event_field(m, &stack);
}

static void put_event_type(struct metadata *m, const struct jfr_type *t)
{
	struct name name = { .len = 0 }, label = { .len = 0 };
	size_t first = 1u + t->has_thread + t->has_stack;

	for (const char *c = t->prefix; *c; c++)
		add_char(&name, *c);
	add_char(&name, '.');
	for (int i = 0; i < JFR_WORDS && t->words[i]; i++) {
		add_words(&name, t->words[i], strlen(t->words[i]), false, false);
		add_words(&label, t->words[i], strlen(t->words[i]), true, false);
	}
	put_element(m, "class", 3);
	put_attribute(m, "name", name.text);
	put_attribute(m, "superType", "jdk.jfr.Event");
	put_id(m, "id", t->id);
	put_below(m, 2 + !!t->help + first + t->n);
	put_annotation(m, A_LABEL, label.text);
	put_category(m, t);
	if (t->help)
		put_annotation(m, A_DESCRIPTION, t->help);
	put_first_fields(m, t);
	for (size_t i = 0; i < t->n; i++)
		put_event_field(m, &t->fields[i]);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void put_tree(struct metadata *m, const struct jfr_types *t)
{
	put_element(m, "root", 0);
	put_below(m, 2);
	put_element(m, "metadata", 0);
	put_below(m, VALUE_TYPES + t->n);
	for (size_t i = 0; i < VALUE_TYPES; i++)
		put_value_type(m, &value_types[i]);
	for (const struct jfr_type *type = t->first; type; type = type->next)
		put_event_type(m, type);
	put_element(m, "region", 2);
	put_attribute(m, "locale", "en_US");
	put_attribute(m, "gmtOffset", "0");
	put_below(m, 0);
}

void jfr_types_put(struct bytes *to, const struct jfr_types *t)
{
	struct metadata m = { .elements = BYTES_INIT };

	put_tree(&m, t);
	jfr_put_number(to, m.numbers.n);
	bytes_append(to, &m.strings);
	bytes_append(to, &m.elements);
	hash_numbers_release(&m.numbers);
	bytes_release(&m.strings);
	bytes_release(&m.elements);
}

enum { FIRST_ID = 1000 /* behind all types of values */ };

void jfr_types_init(struct jfr_types *t)
{
	*t = (struct jfr_types){ .first = NULL };
	t->end = &t->first;
}

void jfr_types_release(struct jfr_types *t)
{
	while (t->first) {
		struct jfr_type *type = t->first;
		t->first = type->next;
		free(type->fields);
		free(type);
	}
	jfr_types_init(t);
}

struct jfr_type *jfr_types_add(struct jfr_types *t, const struct jfr_type *like)
{
	struct jfr_type *type = xmalloc(sizeof *type);

	*type = *like;
	type->next = NULL;
	type->id = FIRST_ID + t->n++;
	type->fields = NULL;
	type->n = type->room = 0;
	*t->end = type;
	t->end = &type->next;
	return type;
}

void jfr_type_field(struct jfr_type *type, const struct jfr_field *field)
{
	XGROW(type->fields, type->n, type->room, 16);
	type->fields[type->n++] = *field;
}
