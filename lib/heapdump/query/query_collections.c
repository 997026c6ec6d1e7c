/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_collections.c - see query.h: collections that hold nothing or one element, and those
 * that have much more room than they need. Which fields tell it is in wire/wire_collections.h;
 * of a class whose fields are others nothing is told. Classes that are not there have a number
 * of elements in heap_classes.c, or nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "heapdump/query/query.h"
#include "wire/wire_collections.h"
#include "wire/wire_fill.h"

enum { NAME = 160, LEAST = 16 /* bytes: not worth less */, DEPTH = 4 };

/* Where objects of a class have what tells how full they are; no bytes: there is no such field. */
struct shape {
	const struct wire_collection *row; /* NULL: nothing is known */
	bool transparent;		   /* (owners.h) */
	struct heap_run inner, size, from, unless, coder, table[WIRE_COLLECTION_TABLES];
};

struct fill {
	uint64_t size, capacity;
	bool has_size, has_capacity;
	uint32_t own; /* the object that has the fields */
	uint32_t table[WIRE_COLLECTION_TABLES];
	unsigned ntables;
};

struct search {
	struct query *q;
	struct shape *shape; /* of each class */
};

/* ---- classes ----------------------------------------------------------------------------- */

/* "Ljava/util/HashMap;" is java.util.HashMap. */
static const char *name_of(const char *signature, char room[NAME])
{
	size_t n = strlen(signature);

	if (n < 3 || n >= NAME)
		return "";
	memcpy(room, signature + 1, n - 2);
	room[n - 2] = '\0';
	for (char *p = room; *p; p++)
		*p = *p == '/' ? '.' : *p;
	return room;
}

static bool find(const struct heap *h, uint32_t class, const struct wire_collection *row,
		 const struct wire_collection_field *f, struct heap_run *at)
{
	char room[NAME];
	uint8_t type;

	*at = (struct heap_run){ 0, 0 };
	if (!f->name)
		return true;
	unsigned wanted = f->type[0] == 'I'   ? HPROF_INT
			  : f->type[0] == 'J' ? HPROF_LONG
			  : f->type[0] == 'B' ? HPROF_BYTE
					      : HPROF_OBJECT;
	const char *declarer = name_of(f->declarer ? f->declarer : row->class, room);
	return query_field_at(h, class, declarer, f->name, at, &type) && type == wanted;
}

static bool fits(const struct heap *h, uint32_t class, const struct wire_collection *row,
		 struct shape *to)
{
	bool ok = find(h, class, row, &row->inner, &to->inner) &&
		  find(h, class, row, &row->size, &to->size) &&
		  find(h, class, row, &row->from, &to->from) &&
		  find(h, class, row, &row->unless, &to->unless) &&
		  find(h, class, row, &row->coder, &to->coder);

	for (unsigned i = 0; i < WIRE_COLLECTION_TABLES; i++)
		ok = ok && find(h, class, row, &row->table[i], &to->table[i]);
	to->row = ok ? row : NULL;
	return ok;
}

/* A subclass with fields of its own may have its elements there. */
static void know_class(const struct heap *h, uint32_t class, struct shape *to)
{
	char room[NAME];

	for (uint32_t k = class; h->class[class].planned && k != HEAP_NONE; k = h->class[k].super) {
		for (const struct wire_collection *row = wire_collections; row->class; row++)
			if (strcmp(name_of(row->class, room), h->class[k].name) == 0 &&
			    fits(h, class, row, to))
				return;
		if (h->class[k].nfields)
			return;
	}
}

/* ---- how full an object is --------------------------------------------------------------- */

static int64_t number_at(const unsigned char *body, struct heap_run at)
{
	if (at.n == 8)
		return (int64_t)hprof_u64(body + at.offset);
	return at.n == 4 ? (int32_t)hprof_u32(body + at.offset) : body[at.offset];
}

/* The object that a slot refers to; HEAP_NONE: null. */
static uint32_t slot_at(const struct heap *h, uint32_t x, uint32_t offset)
{
	uint32_t slot = heap_slot_at(h, heap_class_of(h, x), offset);

	return slot == HEAP_NONE ? HEAP_NONE : h->to[h->edge[x] + slot];
}

/* False if a table is no array. */
static bool read_tables(const struct heap *h, const struct shape *s, const unsigned char *body,
			struct fill *f)
{
	struct hprof_item item;

	for (unsigned i = 0; i < WIRE_COLLECTION_TABLES && s->table[i].n; i++) {
		uint32_t table = slot_at(h, f->own, s->table[i].offset);
		if (table == HEAP_NONE)
			continue;
		if (h->class[heap_class_of(h, table)].kind == HEAP_INSTANCE)
			return false;
		heap_item(h, table, &item);
		f->capacity = i == 0 ? item.count : f->capacity;
		f->table[f->ntables++] = table;
	}
	f->has_capacity = s->table[0].n > 0;
	if (s->coder.n)
		f->capacity >>= number_at(body, s->coder) & 1;
	return true;
}

static void read_size(const struct shape *s, const unsigned char *body, bool unknown,
		      struct fill *f)
{
	if (!s->size.n || unknown)
		return;
	int64_t size = number_at(body, s->size);
	if (s->from.n) {
		size -= number_at(body, s->from);
		size += size < 0 ? (int64_t)f->capacity : 0;
	}
	f->has_size =
		size >= 0 && (!f->has_capacity || !s->from.n || (uint64_t)size <= f->capacity);
	f->size = (uint64_t)size;
}

/* Whether it is known how full an object is. */
static bool read_fill(const struct search *s, uint32_t x, struct fill *f)
{
	const struct heap *h = s->q->h;
	const struct shape *shape = &s->shape[heap_class_of(h, x)];
	struct hprof_item item;

	*f = (struct fill){ .own = x };
	if (shape->row && shape->inner.n) {
		f->own = slot_at(h, x, shape->inner.offset);
		if (f->own == HEAP_NONE || heap_is_class_object(h, f->own))
			return false;
		shape = &s->shape[heap_class_of(h, f->own)];
	}
	heap_item(h, f->own, &item);
	if (shape->row && !shape->inner.n) {
		bool unknown =
			shape->unless.n && slot_at(h, f->own, shape->unless.offset) != HEAP_NONE;
		if (!read_tables(h, shape, item.body, f))
			return false;
		read_size(shape, item.body, unknown, f);
		return f->has_size;
	}
	const struct heap_class *c = &h->class[heap_class_of(h, f->own)];
	f->has_size = c->count.n && heap_counts(c, item.body, &f->size);
	return f->has_size;
}

/* ---- what is wasted ---------------------------------------------------------------------- */

/* Bytes that are saved if tables have as many places as are needed, each in proportion. */
static uint64_t saved(const struct search *s, const struct fill *f, uint64_t need)
{
	const struct heap *h = s->q->h;
	struct hprof_item item;
	uint64_t bytes = 0;

	for (unsigned i = 0; i < f->ntables; i++) {
		uint32_t table = f->table[i];
		if (s->q->m->holder[table] != f->own)
			continue;
		heap_item(h, table, &item);
		item.count = (uint32_t)(((double)item.count * (double)need) / (double)f->capacity);
		bytes += heap_size(h, table) - heap_item_size(h, heap_class_of(h, table), &item);
	}
	return bytes;
}

/* Whether it is a class of a collection's nodes, or of arrays of them: HashMap$Node. */
static bool is_node(const struct search *s, uint32_t collection, uint32_t class)
{
	const struct heap *h = s->q->h;

	if (!strchr(h->class[class].name, '$'))
		return false;
	for (uint32_t k = collection; k != HEAP_NONE; k = h->class[k].super)
		if (s->shape[k].transparent && owners_family(&s->q->m->owners, k, class))
			return true;
	return false;
}

/* Whether a field of a collection or a node is one of those that elements are in. */
static bool has_element(const struct heap *h, uint32_t field)
{
	static const char *const names[] = { "key",  "value", "val",	"item",	   "element",
					     "elem", "_key",  "_value", "referent" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (heap_text_is(h, h->field[field].name, names[i]))
			return true;
	return false;
}

/*
 * Whether what `x`, a collection or a part of it, refers to by `e` is a part, too: an array that
 * the collection has itself, a node, an array of nodes.
 */
static bool is_part(const struct search *s, const struct fill *f, uint32_t x, uint32_t e)
{
	const struct heap *h = s->q->h;
	uint32_t y = h->to[e], class = heap_class_of(h, y), own = heap_class_of(h, f->own);

	if (s->q->m->holder[y] != x)
		return false;
	if (y == f->own)
		return true;
	for (unsigned i = 0; i < f->ntables; i++)
		if (y == f->table[i])
			return x == f->own;
	if (h->class[heap_class_of(h, x)].kind == HEAP_OBJECTS)
		return is_node(s, own, heap_class_of(h, x)) && is_node(s, own, class);
	if (has_element(h, heap_edge_field(h, x, e)))
		return false;
	return is_node(s, own, class) || (x == f->own && h->class[class].kind != HEAP_INSTANCE);
}

/* Bytes of a collection without its elements: of its parts, and of theirs. They count there. */
static uint64_t structure(const struct search *s, uint32_t x, const struct fill *f, int depth)
{
	const struct heap *h = s->q->h;
	uint64_t bytes = heap_size(h, x);

	query_count(s->q, x);
	for (uint32_t e = h->edge[x]; depth > 0 && e < h->edge[x + 1]; e++)
		if (h->to[e] != PARTITION_NULL && !bits_has(s->q->counted, h->to[e]) &&
		    is_part(s, f, x, e))
			bytes += structure(s, h->to[e], f, depth - 1);
	return bytes;
}

/* Places of a table; of classes that have none, it does not matter. */
static uint64_t needed(const struct shape *shape, uint64_t elements)
{
	return (uint64_t)wire_fill_places(shape->row ? shape->row->kind : 0, (double)elements);
}

static void ask(struct search *s, uint32_t x)
{
	struct query *q = s->q;
	const struct shape *shape = &s->shape[heap_class_of(q->h, x)];
	struct fill f;

	if (!read_fill(s, x, &f))
		return;
	bool buffer = shape->row && shape->row->kind == WIRE_FILL_BUFFER;
	if (f.size <= 1 && !buffer) {
		uint64_t bytes = structure(s, x, &f, DEPTH);
		query_add(q, f.size ? QUERY_ONE : QUERY_EMPTY, x, bytes, bytes);
		return;
	}
	query_count(q, f.own);
	uint64_t bytes = heap_size(q->h, x),
		 need = needed(&s->shape[heap_class_of(q->h, f.own)], f.size);
	for (unsigned i = 0; i < f.ntables; i++) {
		query_count(q, f.table[i]);
		bytes += heap_size(q->h, f.table[i]);
	}
	uint64_t wasted =
		f.has_capacity && f.capacity >= 2 * need && f.capacity ? saved(s, &f, need) : 0;
	if (wasted >= LEAST)
		query_add(q, QUERY_ROOM, x, bytes, wasted);
}

/* Those that have others inside first: these count there. */
static void ask_all(struct search *s, bool inner)
{
	struct query *q = s->q;
	const struct heap *h = q->h;

	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t class = heap_class_of(h, x);
		const struct shape *shape = &s->shape[class];
		if (h->class[class].kind != HEAP_INSTANCE || bits_has(q->counted, x) ||
		    heap_is_class_object(h, x))
			continue;
		if (shape->row ? inner == (shape->inner.n > 0) : !inner && h->class[class].count.n)
			ask(s, x);
	}
}

void query_collections(struct query *q)
{
	struct search s = { q, xcalloc(q->h->nclasses, sizeof *s.shape) };

	for (uint32_t i = 0; i < q->h->nclasses; i++) {
		s.shape[i].transparent = transparent_class(q->h->class[i].name);
		know_class(q->h, i, &s.shape[i]);
	}
	if (!q->h->erased) {
		ask_all(&s, true);
		ask_all(&s, false);
	}
	free(s.shape);
}
