/* SPDX-License-Identifier: Apache-2.0 */
/* definitions.c - see definitions.h. */
#include "record/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "file/record_table.h"

#define MOST_BYTES (96u << 20) /* more than any table of definitions has, with what holds them */

#define WORN_BYTES (5u << 20) /* of 16 MiB; from half of them on stacks are cut */
#define WORN_COUNT 20000u     /* of 65535 of a kind */
#define GONE_BYTES (1u << 20) /* bytes from which on it matters if most are not used any more */
#define GONE_PART  4	      /* ... as only this part is */
#define GONE_FILES 3	      /* ... in so many files, one after the other */

enum {
	KINDS = WIRE_LAST_DEFINITION - WIRE_CLASS + 1,
	REFERENCES = 4, /* of a struct */
};

/* A field that names a definition. */
struct reference {
	uint16_t type; /* WIRE_CLASS, ... */
	uint16_t offset, width;
};

struct references {
	struct reference field[REFERENCES];
	unsigned n;
};

/* The fields of a type of record, and of the elements of the part that follows it. */
struct naming {
	struct references own, element;
	const struct record_part *part; /* NULL: none names any */
	uint16_t size;			/* of the struct */
};

struct definition {
	uint32_t file; /* the last one that got it */
	uint32_t len;  /* of the record that follows */
};

/* A method that stacks name and that has not come yet. */
struct missing {
	uint32_t file; /* the last one that lacks it */
	bool tail;     /* the tail lacks it */
	bool hopeless; /* it is waited for no more */
};

struct definitions {
	struct naming namings[RECORD_TYPES_MAX]; /* by row of record_types */
	struct idmap kept[KINDS];
	struct idmap missing; /* by method */
	uint32_t ntail;	      /* methods that the tail lacks */
	struct arena arena;
	uint64_t bytes;
	uint64_t given;	 /* bytes of those that the file has */
	uint32_t little; /* files before it, one after the other, that had little of them */
	uint32_t file;
};

/* ---- which fields name definitions --------------------------------------------------------- */

static uint16_t type_named_by(const char *field)
{
	static const struct {
		const char *field;
		uint16_t type;
	} names[] = {
		{ "context", WIRE_CONTEXT }, { "class_id", WIRE_CLASS },
		{ "own_class", WIRE_CLASS }, { "stack_id", WIRE_STACK },
		{ "stack", WIRE_STACK },     { "access", WIRE_STACK },
		{ "watched", WIRE_STACK },   { "trapped", WIRE_STACK },
		{ "method", WIRE_METHOD },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i].field, field) == 0)
			return names[i].type;
	return 0;
}

static void find_references(struct references *to, const struct record_field *fields)
{
	for (; fields->name; fields++) {
		uint16_t type = fields->kind == RECORD_UINT ? type_named_by(fields->name) : 0;
		if (type && to->n < REFERENCES)
			to->field[to->n++] =
				(struct reference){ type, fields->offset, fields->width };
	}
}

static void find_naming(struct naming *to, const struct record_type *type)
{
	const struct record_part *part = type->layout.parts;

	to->size = type->layout.size;
	if (type->type != WIRE_METHOD && type->type != WIRE_LOADS) /* they have the id themselves */
		find_references(&to->own, type->layout.fields);
	if (!part || !part->of || part->of->parts)
		return;
	find_references(&to->element, part->of->fields);
	if (to->element.n > 0)
		to->part = part;
}

struct definitions *definitions_new(void)
{
	struct definitions *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->arena.limit = MOST_BYTES;
	d->file = 1;
	for (size_t i = 0; i < record_ntypes; i++)
		find_naming(&d->namings[i], &record_types[i]);
	return d;
}

void definitions_free(struct definitions *d)
{
	if (!d)
		return;
	for (int i = 0; i < KINDS; i++)
		idmap_release(&d->kept[i]);
	idmap_release(&d->missing);
	arena_release(&d->arena);
	free(d);
}

/* ---- keeping ------------------------------------------------------------------------------- */

static bool is_definition(uint16_t type)
{
	return type >= WIRE_CLASS && type <= WIRE_LAST_DEFINITION;
}

static uint64_t id_of(const struct wire_rec *rec, uint16_t type)
{
	switch (type) {
	case WIRE_CLASS:
		return ((const struct wire_class *)rec)->id;
	case WIRE_METHOD:
		return ((const struct wire_method *)rec)->method;
	case WIRE_LOADS:
		return ((const struct wire_loads *)rec)->method;
	case WIRE_STACK:
		return ((const struct wire_stack *)rec)->id;
	case WIRE_CONTEXT:
		return ((const struct wire_context *)rec)->id;
	default:
		return ((const struct wire_thread *)rec)->number;
	}
}

/* The first definition of an id stands. Without memory, later files lack it. */
static void keep(struct definitions *d, const struct wire_rec *rec, uint32_t len, uint16_t type)
{
	struct idmap *map = &d->kept[type - WIRE_CLASS];
	uint64_t id = id_of(rec, type);

	if (idmap_get(map, id))
		return;
	struct definition *kept = arena_alloc(&d->arena, sizeof *kept + len);
	if (!kept)
		return;
	*kept = (struct definition){ .file = d->file, .len = len };
	memcpy(kept + 1, rec, len);
	if (idmap_put(map, id, kept) < 0)
		return;
	d->bytes += len;
	d->given += len;
}

/* ---- methods without a name ---------------------------------------------------------------- */

/* Without memory for it, it is not waited for. */
static void note_missing(struct definitions *d, uint64_t method)
{
	struct missing *m = idmap_get(&d->missing, method);

	if (!m) {
		m = arena_alloc(&d->arena, sizeof *m);
		if (!m)
			return;
		*m = (struct missing){ .file = 0 };
		if (idmap_put(&d->missing, method, m) < 0)
			return;
	}
	m->file = d->file;
}

static void note_come(struct definitions *d, uint64_t method)
{
	struct missing *m = idmap_get(&d->missing, method);

	if (!m)
		return;
	m->file = 0;
	d->ntail -= m->tail;
	m->tail = false;
}

static void each_missing(struct definitions *d,
			 void (*fn)(struct definitions *d, struct missing *m))
{
	for (size_t i = 0; d->missing.slots && i <= d->missing.mask; i++)
		if (d->missing.slots[i].value)
			fn(d, d->missing.slots[i].value);
}

static void begin_tail(struct definitions *d, struct missing *m)
{
	m->tail = m->file == d->file && !m->hopeless;
	d->ntail += m->tail;
}

static void give_up(struct definitions *d, struct missing *m)
{
	m->hopeless |= m->tail;
	d->ntail -= m->tail;
	m->tail = false;
}

bool definitions_lacks(const struct definitions *d)
{
	return d->ntail > 0;
}

void definitions_give_up(struct definitions *d)
{
	each_missing(d, give_up);
}

/* ---- passing on ------------------------------------------------------------------------------ */

/* Who takes what is passed on. */
struct taker {
	definitions_take *take;
	void *arg;
};

static void pass_named(struct definitions *d, const struct wire_rec *rec, uint32_t len,
		       const struct taker *t);

/* Calls itself through pass_named: a context names a stack, which names methods, and no more. */
static void pass(struct definitions *d, uint16_t type, uint64_t id, const struct taker *t)
{
	struct definition *kept = idmap_get(&d->kept[type - WIRE_CLASS], id);

	if (!kept && type == WIRE_METHOD && id)
		note_missing(d, id);
	if (!kept || kept->file == d->file)
		return;
	kept->file = d->file;
	d->given += kept->len;
	const struct wire_rec *rec = (const struct wire_rec *)(kept + 1);
	pass_named(d, rec, kept->len, t);
	t->take(rec, kept->len, t->arg);
	if (type == WIRE_METHOD)
		pass(d, WIRE_LOADS, id, t);
}

static void pass_fields(struct definitions *d, const struct references *r,
			const unsigned char *base, const struct taker *t)
{
	for (unsigned i = 0; i < r->n; i++)
		pass(d, r->field[i].type, record_uint(base + r->field[i].offset, r->field[i].width),
		     t);
}

static void pass_named(struct definitions *d, const struct wire_rec *rec, uint32_t len,
		       const struct taker *t)
{
	const struct record_type *type = record_fits(rec, len);
	const unsigned char *base = (const unsigned char *)rec;

	if (!type)
		return;
	const struct naming *n = &d->namings[type - record_types];
	pass_fields(d, &n->own, base, t);
	if (n->part) {
		uint64_t count = record_count(n->part, base);
		for (uint64_t i = 0; i < count; i++)
			pass_fields(d, &n->element, base + n->size + i * n->part->of->size, t);
	}
	if (rec->thread)
		pass(d, WIRE_THREAD, rec->thread, t);
}

void definitions_before(struct definitions *d, const struct wire_rec *rec, uint32_t len,
			definitions_take *take, void *arg)
{
	const struct taker t = { take, arg };
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	pass_named(d, rec, len, &t);
	if (!is_definition(type) || !record_fits(rec, len))
		return;
	keep(d, rec, len, type);
	if (type == WIRE_METHOD)
		note_come(d, id_of(rec, type));
}

static bool has_little(const struct definitions *d)
{
	return d->bytes > GONE_BYTES && d->given < d->bytes / GONE_PART;
}

void definitions_next_file(struct definitions *d)
{
	d->little = has_little(d) ? d->little + 1 : 0;
	d->ntail = 0;
	each_missing(d, begin_tail);
	d->given = 0;
	d->file++;
}

uint64_t definitions_bytes(const struct definitions *d)
{
	return d->bytes;
}

bool definitions_worn(const struct definitions *d)
{
	bool gone = has_little(d) && d->little + 1 >= GONE_FILES;
	bool worn = d->bytes > WORN_BYTES || gone;

	for (int i = 0; i < KINDS; i++)
		worn |= d->kept[i].count > WORN_COUNT;
	return worn;
}
