/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_classes.c - see heap.h: names and classes of a dump; what bodies of their instances consist
 * of. A body has the fields of the class first, then those of its superclass, and so on.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/rng.h"
#include "heapdump/heap.h"
#include "wire/wire_identity.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/*
 * ---- what cannot be shared even if it is equal: objects whose identity matters, and those that
 * are still empty because they wait for their contents. And how many elements a collection has.
 */

/*
 * What fields of a class tell of an object. `empty`: while this one is 0 or null, the object waits
 * for its contents, and so is equal to none but itself. `count`: holds how many elements there are,
 * an `int` or `long`, which is 0 while it is empty; it counts only while `none` is null.
 */
struct identity_fields {
	const char *class;
	const char *count, *empty, *none; /* NULL: there is none */
};
static const struct identity_fields identities[] = {
	{ "java.util.ArrayList", "size", NULL, NULL },
	{ "java.util.LinkedList", "size", NULL, NULL },
	{ "java.util.HashMap", "size", NULL, NULL }, /* of sets, too */
	{ "java.util.TreeMap", "size", NULL, NULL },
	{ "java.util.WeakHashMap", "size", NULL, NULL },
	{ "java.util.IdentityHashMap", "size", NULL, NULL },
	{ "java.util.EnumMap", "size", NULL, NULL },
	{ "java.util.JumboEnumSet", "size", NULL, NULL },
	{ "java.util.PriorityQueue", "size", NULL, NULL },
	{ "java.util.Hashtable", "count", NULL, NULL },
	{ "java.util.Vector", "elementCount", NULL, NULL },
	{ "java.util.concurrent.ConcurrentHashMap", "baseCount", NULL, "counterCells" },
	{ "java.util.Properties", NULL, NULL, NULL }, /* the inherited count is not used */
	{ "java.util.BitSet", NULL, "wordsInUse", NULL },
	{ "java.util.RegularEnumSet", NULL, "elements", NULL },
	{ "java.lang.AbstractStringBuilder", NULL, "count", NULL },
	{ "java.util.concurrent.CompletableFuture", NULL, "result", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap", NULL, "head", NULL },
	{ "java.util.concurrent.LinkedTransferQueue", NULL, "head", NULL },
	/* the first node of a list, which has no element */
	{ "java.util.concurrent.ConcurrentLinkedDeque$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentLinkedQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap$Node", NULL, "key", NULL },
	{ "java.util.concurrent.LinkedBlockingQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$DualNode", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$Node", NULL, "item", NULL },
};

/* Objects of this class and of its subclasses are equal to none but themselves. */
static bool identity_class(const char *name)
{
	for (size_t i = 0; i < WIRE_IDENTITY_CLASSES; i++)
		if (strcmp(wire_identity_classes[i], name) == 0)
			return true;
	return false;
}

/* Of a class that declares them; NULL: there are none. */
static const struct identity_fields *identity_fields(const char *class)
{
	for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++)
		if (strcmp(identities[i].class, class) == 0)
			return &identities[i];
	return NULL;
}

enum { PRIMITIVES = 8, FIRST_TYPE = HPROF_BOOLEAN, RECORD_LENGTH = 5, RECORD_BODY = 9 };
enum { FIRST_CLASSES = 64 };

/*
 * Fields that hold what the VM or the class computes again, views that a map has made of itself,
 * and counts of changes. A row is of the class that declares them.
 */
static const struct ignored {
	const char *class;
	const char *fields[4];
} ignored[] = {
	{ "java.lang.String", { "hash", "hashIsZero", "hash32" } },
	{ "java.util.AbstractList", { "modCount" } },
	{ "java.util.AbstractMap", { "keySet", "values" } },
	{ "java.util.Collections$CheckedMap", { "entrySet" } },
	{ "java.util.Collections$SynchronizedMap", { "keySet", "entrySet", "values" } },
	{ "java.util.Collections$UnmodifiableMap", { "keySet", "entrySet", "values" } },
	{ "java.util.EnumMap", { "entrySet" } },
	{ "java.util.HashMap", { "entrySet", "modCount" } },
	{ "java.util.Hashtable", { "modCount", "keySet", "entrySet", "values" } },
	{ "java.util.IdentityHashMap", { "entrySet", "modCount" } },
	{ "java.util.PriorityQueue", { "modCount" } },
	{ "java.util.TreeMap", { "modCount", "entrySet", "navigableKeySet", "descendingMap" } },
	{ "java.util.WeakHashMap", { "entrySet", "modCount" } },
	{ "java.util.concurrent.ConcurrentHashMap", { "keySet", "values", "entrySet" } },
	{ "java.util.concurrent.ConcurrentSkipListMap",
	  { "keySet", "values", "entrySet", "descendingMap" } },
};

/* ---- taking ------------------------------------------------------------------------------ */

static struct heap_class *add_class(struct heap *h)
{
	XGROW(h->class, h->nclasses, h->class_room, FIRST_CLASSES);
	struct heap_class *c = &h->class[h->nclasses++];
	*c = (struct heap_class){ .super = HEAP_NONE };
	return c;
}

uint32_t heap_class_find(const struct heap *h, uint64_t id)
{
	return (uint32_t)((uintptr_t)idmap_get(&h->classes, id) - 1);
}

/* The class with this identifier, a new one if there is none. */
static struct heap_class *class_at(struct heap *h, uint64_t id)
{
	uint32_t number = heap_class_find(h, id);

	if (number != HEAP_NONE)
		return &h->class[number];
	struct heap_class *c = add_class(h);
	xidmap_put(&h->classes, id, (void *)(uintptr_t)h->nclasses);
	c->id = id;
	return c;
}

static void take_string(struct heap *h, const struct hprof_item *item)
{
	if (!idmap_get(&h->strings, item->id))
		xidmap_put(&h->strings, item->id, (void *)(uintptr_t)(h->dump->data + item->at));
}

static void take_class(struct heap *h, const struct hprof_item *item)
{
	struct heap_class *c = class_at(h, item->id);

	if (c->defined)
		return;
	c->defined = true;
	c->super_id = item->other;
	c->fields = item->fields;
	c->nfields = item->nfields;
	c->statics = item->statics;
	c->nstatics = item->nstatics;
}

void heap_classes_take(struct heap *h, const struct hprof_item *item)
{
	switch (item->kind) {
	case HPROF_STRING:
		take_string(h, item);
		break;
	case HPROF_LOAD_CLASS:
		class_at(h, item->id)->name_id = item->other;
		break;
	case HPROF_CLASS:
		take_class(h, item);
		break;
	default:
		break;
	}
}

void heap_classes_begin(struct heap *h)
{
	static const char types[] = "ZCFDBSIJ";

	for (unsigned i = 0; i < PRIMITIVES; i++) {
		const char signature[] = { '[', types[i] };
		struct heap_class *c = add_class(h);
		char *name = xarena_alloc(&h->arena, javaname_room(2));
		javaname_class(name, signature, 2);
		c->name = name;
		c->kind = HEAP_PRIMITIVES;
		c->element = (uint8_t)(FIRST_TYPE + i);
	}
}

/* ---- names ------------------------------------------------------------------------------- */

const char *heap_text(const struct heap *h, uint64_t id, size_t *len)
{
	const unsigned char *record = idmap_get(&h->strings, id);

	*len = record ? hprof_u32(record + RECORD_LENGTH) - h->dump->id_size : 0;
	return record ? (const char *)record + RECORD_BODY + h->dump->id_size : "";
}

/* Names are `java/lang/String` or `[I`. */
static void name_class(struct heap *h, struct heap_class *c)
{
	size_t len;
	const char *text = heap_text(h, c->name_id, &len);
	char *name = xarena_alloc(&h->arena, javaname_room(len + 2));
	char *signature = xmalloc(len + 3);
	bool array = len > 1 && text[0] == '[';
	size_t n = 0;

	if (!array)
		signature[n++] = 'L';
	memcpy(signature + n, text, len);
	n += len;
	if (!array)
		signature[n++] = ';';
	if (len == 0)
		memcpy(name, "?", sizeof "?");
	else
		javaname_class(name, signature, n);
	free(signature);
	c->name = name;
	if (array) {
		c->kind = HEAP_OBJECTS;
		c->element = HPROF_OBJECT;
	}
}

bool heap_text_is(const struct heap *h, uint64_t id, const char *word)
{
	size_t len;
	const char *text = heap_text(h, id, &len);

	return word && len == strlen(word) && memcmp(text, word, len) == 0;
}

static const struct ignored *ignored_of(const char *name)
{
	for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
		if (strcmp(ignored[i].class, name) == 0)
			return &ignored[i];
	return NULL;
}

/* ---- superclasses and fields ------------------------------------------------------------- */

static int number_fields(struct heap *h)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < h->nclasses; i++) {
		h->class[i].first_field = (uint32_t)n;
		n += h->class[i].nfields + (uint64_t)h->class[i].nstatics + 1;
	}
	if (n >= HEAP_NONE)
		return heap_fail(h, "its classes have more than %u fields", HEAP_NONE);
	h->field = xcalloc(n, sizeof *h->field);
	h->nfields = (uint32_t)n;
	for (uint32_t i = 0; i < h->nclasses; i++) {
		const struct heap_class *c = &h->class[i];
		struct heap_field *f = &h->field[c->first_field];
		const unsigned char *p = c->fields;
		for (uint16_t k = 0; k < c->nfields; k++, p += h->dump->id_size + 1)
			*f++ = (struct heap_field){ i, hprof_id(h->dump, p), 0, false, false };
		p = c->statics;
		for (uint16_t k = 0; k < c->nstatics; k++) {
			*f++ = (struct heap_field){ i, hprof_id(h->dump, p), 0, true, false };
			p += h->dump->id_size;
			p += 1 + hprof_width(h->dump, *p);
		}
		*f = (struct heap_field){ i, 0, 0, false, true };
	}
	return 0;
}

/* Fields of one name in classes of one name are one. */
static void unite_fields(struct heap *h)
{
	struct idmap first = { .slots = NULL };

	for (uint32_t i = 0; i < h->nfields; i++) {
		struct heap_field *f = &h->field[i];
		const char *class = h->class[f->class].name;
		uint64_t kind = (uint64_t)f->is_static << 1 | f->is_element;
		uint64_t key = rng_mix(XXH3_64bits(class, strlen(class)) ^
				       rng_mix(f->name ^ rng_mix(1 + kind)));
		const struct heap_field *one = idmap_get(&first, key);
		if (!one)
			xidmap_put(&first, key, f);
		f->one = one ? (uint32_t)(one - h->field) : i;
	}
	idmap_release(&first);
}

/* Whether a class or one of its superclasses is kept apart; java.lang.Object alone only itself. */
static bool is_apart(const struct heap *h, uint32_t class)
{
	if (strcmp(h->class[class].name, "java.lang.Object") == 0)
		return true;
	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		if (identity_class(h->class[class].name))
			return true;
		class = h->class[class].super;
	}
	return false;
}

int heap_classes_link(struct heap *h)
{
	h->mirror = HEAP_NONE;
	for (uint32_t i = 0; i < h->nclasses; i++) {
		if (i >= PRIMITIVES)
			name_class(h, &h->class[i]);
		if (h->class[i].super_id)
			h->class[i].super = heap_class_find(h, h->class[i].super_id);
		if (strcmp(h->class[i].name, "java.lang.Class") == 0 && h->mirror == HEAP_NONE)
			h->mirror = i;
	}
	if (h->mirror == HEAP_NONE) {
		add_class(h)->name = "java.lang.Class";
		h->mirror = h->nclasses - 1;
	}
	for (uint32_t i = 0; i < h->nclasses; i++)
		h->class[i].apart = is_apart(h, i);
	if (number_fields(h) < 0)
		return -1;
	unite_fields(h);
	return 0;
}

unsigned heap_field_find(const struct heap *h, uint32_t class, const char *name, uint32_t *offset)
{
	*offset = 0;
	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		const unsigned char *p = h->class[class].fields;
		for (uint16_t i = 0; i < h->class[class].nfields; i++, p += h->dump->id_size + 1) {
			unsigned type = p[h->dump->id_size];
			if (heap_text_is(h, hprof_id(h->dump, p), name))
				return type;
			*offset += hprof_width(h->dump, type);
		}
		class = h->class[class].super;
	}
	return 0;
}

uint32_t heap_slot_of(const struct heap *h, uint32_t class, const char *declarer, const char *name)
{
	const struct heap_class *c = &h->class[class];

	for (uint32_t i = 0; i < c->nslots; i++) {
		const struct heap_field *f = &h->field[c->slot[i].field];
		if (strcmp(h->class[f->class].name, declarer) == 0 &&
		    heap_text_is(h, f->name, name))
			return i;
	}
	return HEAP_NONE;
}

uint32_t heap_slot_at(const struct heap *h, uint32_t class, uint32_t offset)
{
	const struct heap_class *c = &h->class[class];

	for (uint32_t i = 0; i < c->nslots; i++)
		if (c->slot[i].offset == offset)
			return i;
	return HEAP_NONE;
}

/* ---- bodies ------------------------------------------------------------------------------ */

static bool is_ignored(const struct heap *h, const struct ignored *s, uint64_t name)
{
	for (size_t i = 0; s && i < sizeof s->fields / sizeof s->fields[0]; i++)
		if (heap_text_is(h, name, s->fields[i]))
			return true;
	return false;
}

static void add_run(struct heap_class *c, uint32_t offset, uint32_t n)
{
	struct heap_run *last = c->nruns ? &c->run[c->nruns - 1] : NULL;

	if (last && last->offset + last->n == offset)
		last->n += n;
	else
		c->run[c->nruns++] = (struct heap_run){ offset, n };
}

/* Notes where a field of the class is that tells how much an object holds. */
static void plan_contents(const struct heap *h, struct heap_class *to,
			  const struct identity_fields *known, const unsigned char *field)
{
	uint64_t name = hprof_id(h->dump, field);
	unsigned type = field[h->dump->id_size];
	struct heap_run at = { to->bytes, hprof_width(h->dump, type) };

	if (heap_text_is(h, name, known->count) && (type == HPROF_INT || type == HPROF_LONG))
		to->count = at;
	if (heap_text_is(h, name, known->empty))
		to->empty = at;
	if (heap_text_is(h, name, known->none))
		to->none = at;
}

/* Adds the fields that one class declares; those in `known` tell how much an object holds. */
static void plan_part(struct heap *h, struct heap_class *to, const struct heap_class *part,
		      const struct identity_fields *known)
{
	const struct ignored *s = ignored_of(part->name);
	const unsigned char *p = part->fields;

	for (uint16_t i = 0; i < part->nfields; i++, p += h->dump->id_size + 1) {
		unsigned type = p[h->dump->id_size], width = hprof_width(h->dump, type);
		if (known)
			plan_contents(h, to, known, p);
		if (!is_ignored(h, s, hprof_id(h->dump, p))) {
			if (type == HPROF_OBJECT)
				to->slot[to->nslots++] =
					(struct heap_slot){ to->bytes,
							    h->field[part->first_field + i].one };
			else
				add_run(to, to->bytes, width);
		}
		to->bytes += width;
	}
}

int heap_class_plan(struct heap *h, uint32_t class)
{
	struct heap_class *c = &h->class[class];
	size_t fields = 0;
	int depth = 0;

	for (uint32_t at = class; at != HEAP_NONE; at = h->class[at].super) {
		fields += h->class[at].nfields;
		if (depth++ == HEAP_SUPERCLASSES_MAX)
			return heap_fail(h, "class %s has more than %d superclasses", c->name,
					 HEAP_SUPERCLASSES_MAX);
	}
	c->slot = xarena_alloc(&h->arena, fields * sizeof *c->slot);
	c->run = xarena_alloc(&h->arena, fields * sizeof *c->run);
	/* a program's class that adds fields may have its elements there */
	bool known = false, own = false;
	for (uint32_t at = class; at != HEAP_NONE; at = h->class[at].super) {
		const struct heap_class *part = &h->class[at];
		const struct identity_fields *tell =
			known || own ? NULL : identity_fields(part->name);
		plan_part(h, c, part, tell);
		known |= tell != NULL;
		own |= part->nfields > 0 && !names_in_jdk(part->name);
	}
	c->apart |= c->bytes == 0; /* there is nothing but an identity */
	c->planned = true;
	return 0;
}

/* ---- contents ---------------------------------------------------------------------------- */

static bool is_zero(const unsigned char *body, struct heap_run at)
{
	for (uint32_t i = 0; i < at.n; i++)
		if (body[at.offset + i])
			return false;
	return true;
}

bool heap_counts(const struct heap_class *c, const unsigned char *body, uint64_t *elements)
{
	if (c->count.n == 0 || !is_zero(body, c->none))
		return false;
	body += c->count.offset;
	*elements = c->count.n == 4 ? hprof_u32(body) : hprof_u64(body);
	return true;
}

bool heap_waits(const struct heap_class *c, const unsigned char *body)
{
	uint64_t elements;

	if (c->empty.n && is_zero(body, c->empty))
		return true;
	return heap_counts(c, body, &elements) && elements == 0;
}
