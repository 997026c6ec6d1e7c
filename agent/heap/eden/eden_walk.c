/* SPDX-License-Identifier: Apache-2.0 */
/* eden_walk.c - see eden_walk.h. On the service thread. */
#define XXH_INLINE_ALL

#include "heap/eden/eden_walk.h"

#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/peek.h"
#include "hotspot/eden.h"
#include "hotspot/mark_word.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/klassname.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/metadata/shape_private.h"

#define OBJECTS	 24
#define ATTEMPTS 5 /* a collection may interfere, or an allocation buffer be full */

/*
 * Makes arrays of all kinds, and strings, and keeps their local references. False if out of memory.
 */
static bool make(JNIEnv *jni, jobject *made)
{
	jclass string = (*jni)->FindClass(jni, "java/lang/String");

	for (int i = 0; i < OBJECTS && string; i++) {
		switch (i % 4) {
		case 0:
			made[i] = (*jni)->NewByteArray(jni, 5 * i);
			break;
		case 1:
			made[i] = (*jni)->NewLongArray(jni, i);
			break;
		case 2:
			made[i] = (*jni)->NewObjectArray(jni, i, string, NULL);
			break;
		default:
			made[i] = (*jni)->AllocObject(jni, string);
		}
		if (!made[i])
			return false;
	}
	return string != NULL;
}

/* Counts the objects of `made`, in order, that a walk from the first one finds in their places. */
static int walk(const struct eden_window *w, jobject *made, uint32_t *end)
{
	struct walked o;
	int found = 0;

	*end = 0;
	while (eden_walk_next(w, *end, &o)) {
		if (found < OBJECTS && w->at + o.offset == handle_address(made[found]))
			found++;
		*end = (uint32_t)(o.offset + o.bytes);
	}
	return found;
}

static bool attempt(JNIEnv *jni, uint32_t number, const char **why)
{
	static unsigned char room[EDEN_ROOM];
	jobject made[OBJECTS];
	struct eden_window w = { .copy = room };
	struct eden_window *const all[] = { &w };
	uint64_t epoch = epoch_now();
	uint32_t walked = 0, threads;
	bool open = false;

	if (epoch == UINT64_MAX || !make(jni, made))
		return false;
	enum eden_found found = eden_begin(UINT64_MAX, &threads);
	if (found == EDEN_LATE)
		*why = "there are too many threads";
	if (found != EDEN_KNOWN)
		return false;
	w.at = handle_address(made[0]);
	uintptr_t end = eden_end(w.at, &open);
	if (!end || !open || end - w.at > sizeof room)
		return false;
	w.bytes = (uint32_t)(end - w.at);
	if (!peek(w.at, room, w.bytes) || !epoch_is(epoch))
		return false;
	eden_walk_begin(number, all, 1);
	bool right = walk(&w, made, &walked) == OBJECTS && walked == w.bytes && epoch_is(epoch);
	eden_walk_begin(number, NULL, 0);
	return right;
}

bool eden_walk_check(JNIEnv *jni, const char **why)
{
	bool good = false;

	for (uint32_t i = 0; i < ATTEMPTS && !good; i++) {
		if ((*jni)->PushLocalFrame(jni, 2 * OBJECTS) != 0)
			break;
		/* no pause has such a number */
		good = attempt(jni, UINT32_MAX - i, why);
		if ((*jni)->ExceptionCheck(jni))
			(*jni)->ExceptionClear(jni);
		(*jni)->PopLocalFrame(jni, NULL);
	}
	if ((*jni)->ExceptionCheck(jni)) /* of PushLocalFrame */
		(*jni)->ExceptionClear(jni);
	return good;
}

#define CLASSES	    4096u
#define CLASSES_MAX 3072u /* most that are kept; an object of a further class ends its window */
#define NAME_MAX_OF 64u
#define PAGES	    64u /* most that are read for one class */
#define DEPTH	    2	/* references from the object */
#define NODES	    8u	/* objects that are read to find what one object holds */
#define ELEMENTS    64u /* of an array of references */
#define OWN	    512u
#define MIRROR_MAX  (64u << 10)

static struct walked_class *classes;
static uint32_t nclasses, pause;
static uintptr_t
	named[KLASSNAME_ROOM]; /* at i: name of the first class that had id CLASS_MAX + i */
static struct shape_cache *shapes;
static struct reader *reader;
static uintptr_t object_klass;
static const uint32_t *mirror_size; /* offset of a java.lang.Class's size, in words */
static struct eden_window *const *sorted;
static uint32_t nsorted;
static uint32_t nodes_left;
static bool by_address; /* the current key depends on addresses */

/* ---- start ------------------------------------------------------------------------------- */

bool eden_walk_init(JNIEnv *jni)
{
	uintptr_t *size = NULL;
	const struct vmstructs_wanted wanted = { "java_lang_Class", "_oop_size_offset",
						 .address = &size };
	jclass type = (*jni)->FindClass(jni, "java/lang/Object");

	classes = memory_new(CLASSES, sizeof *classes);
	shapes = shape_cache_new();
	reader = reader_new(false);
	vmstructs_find(ojx.dl, &wanted, 1);
	mirror_size = (const uint32_t *)size;
	for (int i = 0; reader && type && i < 3 && !object_klass; i++) {
		reader_forget(reader);
		reader_allow(reader, PAGES);
		object_klass = shape_mirror(reader, handle_address(type));
	}
	return classes && shapes && reader && mirror_size && object_klass &&
	       shape_rules.vm.klass.name && shape_rules.vm.klass.primary_super;
}

void eden_walk_begin(uint32_t number, struct eden_window *const *all, uint32_t n)
{
	if (nclasses >= CLASSES_MAX) {
		memset(classes, 0, CLASSES * sizeof *classes);
		nclasses = 0;
	}
	pause = number;
	sorted = all;
	nsorted = n;
}

/* ---- classes ----------------------------------------------------------------------------- */

/* Reads from a klass what identifies the class. False if there is no class. */
static bool read_identity(uintptr_t klass, uintptr_t *name, int32_t *helper)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	uintptr_t super = 0;
	struct peek_piece pieces[] = {
		{ klass + k->primary_super, &super, sizeof super, false },
		{ klass + k->name, name, sizeof *name, false },
		{ klass + k->layout_helper, helper, sizeof *helper, false },
	};

	peek_batch(pieces, 3);
	/* the first superclass is java.lang.Object, even of arrays of primitive types */
	return pieces[0].ok && pieces[1].ok && pieces[2].ok && super == object_klass;
}

static void read_name(struct walked_class *c)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	char name[NAME_MAX_OF] = { 0 };
	uint16_t length = 0;

	if (!peek(c->name + k->symbol_length, &length, sizeof length))
		return;
	size_t n = length < sizeof name - 1 ? length : sizeof name - 1;
	if (!n || !peek(c->name + k->symbol_body, name, n))
		return;
	c->filler = strstr(name, "vm/Filler") != NULL;
	c->opaque = strcmp(name, "jdk/internal/vm/StackChunk") == 0;
	c->good = true;
}

/*
 * The id of a class; 0 if it is not known. klassname.h gives an id to a class word. When a class is
 * unloaded, another one may get its word, and with it its id. So the id counts only for the class
 * that had it first, which is recognised by its name.
 */
static uint32_t id_of(const struct walked_class *c, const unsigned char *header)
{
	uint32_t id = klassname_of(layout_klass(header));

	if (id < CLASS_MAX || id - CLASS_MAX >= KLASSNAME_ROOM)
		return 0;
	if (!named[id - CLASS_MAX])
		named[id - CLASS_MAX] = c->name;
	return named[id - CLASS_MAX] == c->name ? id : 0;
}

/* Reads a class that is new, or that has replaced an unloaded one at the same address. */
static void read_class(struct walked_class *c, const unsigned char *header)
{
	c->good = c->filler = c->opaque = false;
	reader_forget(reader);
	reader_allow(reader, PAGES);
	const struct shape *s = shape_of(shapes, reader, header, pause);
	if (!s)
		return;
	c->shape = *s;
	read_name(c);
	c->class_id = c->good ? id_of(c, header) : 0;
}

/* The class of an object; NULL if the class word leads to none. */
static struct walked_class *class_at(const unsigned char *header)
{
	uintptr_t klass = shape_klass(header), name = 0;
	uint32_t i = (uint32_t)((klass >> 3) * 0x9e3779b97f4a7c15u >> 52);
	int32_t helper = 0;

	_Static_assert(CLASSES == 1u << 12, "the hash has so many bits");
	if (!klass || klass % 8)
		return NULL;
	while (classes[i].klass && classes[i].klass != klass)
		i = (i + 1) % CLASSES;
	struct walked_class *c = &classes[i];
	if (c->klass && c->checked == pause)
		return c->good ? c : NULL;
	if (!read_identity(klass, &name, &helper))
		return NULL;
	if (!c->klass && nclasses >= CLASSES_MAX)
		return NULL;
	if (!c->klass || c->name != name || c->helper != helper) {
		nclasses += !c->klass;
		c->klass = klass;
		c->name = name;
		c->helper = helper;
		read_class(c, header);
	}
	c->checked = pause;
	return c->good ? c : NULL;
}

/* ---- objects ----------------------------------------------------------------------------- */

static uint32_t length_of(const unsigned char *at)
{
	uint32_t n;
	memcpy(&n, at + layout.length_offset, sizeof n);
	return n;
}

/*
 * The size in bytes of the object at `at`; 0 if it makes no sense. `left` bytes of the copy remain.
 */
static uint64_t size_of(const struct shape *s, const unsigned char *at, uint64_t left)
{
	uint32_t words = 0;

	if (s->kind == SHAPE_PRIMITIVES || s->kind == SHAPE_REFERENCES) {
		uint32_t n = left >= s->base ? length_of(at) : UINT32_MAX;
		return n > INT32_MAX ? 0 : (s->base + ((uint64_t)n << s->log2) + 7) & ~7ull;
	}
	if (s->kind != SHAPE_MIRROR)
		return s->size;
	if (*mirror_size + sizeof words > left)
		return 0;
	memcpy(&words, at + *mirror_size, sizeof words);
	uint64_t bytes = (uint64_t)words * 8;
	return bytes < s->size || bytes > MIRROR_MAX ? 0 : bytes;
}

/* The copy of the object at an address; NULL if no window holds all of it. */
static const unsigned char *find_copy(uintptr_t at, struct walked_class **class, uint64_t *bytes)
{
	uint32_t low = 0, high = nsorted;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (sorted[middle]->at > at)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low || at % 8)
		return NULL;
	const struct eden_window *w = sorted[low - 1];
	uint64_t offset = at - w->at, left = offset < w->bytes ? w->bytes - offset : 0;
	if (left < 16)
		return NULL;
	*class = class_at(w->copy + offset);
	*bytes = *class ? size_of(&(*class)->shape, w->copy + offset, left) : 0;
	return *bytes && *bytes <= left ? w->copy + offset : NULL;
}

static bool key_of(const struct walked_class *c, const unsigned char *at, uint64_t bytes, int depth,
		   uint64_t *key);

/* The key of an object that another one refers to; false if what it holds is not known. */
static bool key_of_referred(uintptr_t to, int depth, uint64_t *key)
{
	struct walked_class *c = NULL;
	uint64_t bytes = 0;

	if (depth == DEPTH || !nodes_left)
		return false;
	nodes_left--;
	const unsigned char *at = find_copy(to, &c, &bytes);
	return at && bytes <= EDEN_LARGE && key_of(c, at, bytes, depth + 1, key);
}

/*
 * Adds a reference to a key: what the object there holds or, if that is not known, its address. An
 * address means something in this pause only.
 */
static void add_reference(const unsigned char *slot, uint32_t place, int depth, uint64_t *key)
{
	uintptr_t to = shape_reference(slot);
	uint64_t value[3] = { place, 0, 0 };

	if (!to)
		return;
	if (!key_of_referred(to, depth, &value[1])) {
		value[1] = to;
		value[2] = pause;
		by_address = true;
	}
	*key = XXH3_64bits_withSeed(value, sizeof value, *key);
}

static bool key_of_fields(const struct shape *s, const unsigned char *at, int depth, uint64_t *key)
{
	unsigned char own[OWN];
	uint32_t size = s->size - s->base;

	if (size > OWN)
		return false;
	memcpy(own, at + s->base, size);
	for (uint32_t i = 0; i < s->nignored; i++)
		if (s->ignored[i].offset + s->ignored[i].bytes <= s->size)
			memset(own + s->ignored[i].offset - s->base, 0, s->ignored[i].bytes);
	for (uint32_t b = 0; b < s->nblocks; b++)
		for (uint32_t i = 0; i < s->blocks[b].bytes; i += layout.ref_size) {
			uint32_t offset = s->blocks[b].offset + i;
			add_reference(own + offset - s->base, offset, depth, key);
			memset(own + offset - s->base, 0, layout.ref_size);
		}
	*key = XXH3_64bits_withSeed(own, size, *key);
	return true;
}

static bool key_of_string(const struct shape *s, const unsigned char *at, int depth, uint64_t *key)
{
	*key += at[shape_coder()];
	if (s->nblocks != 1)
		return false;
	add_reference(at + s->blocks[0].offset, 0, depth, key);
	return true;
}

static bool key_of_references(const struct shape *s, const unsigned char *at, int depth,
			      uint64_t *key)
{
	uint32_t n = length_of(at);

	if (n > ELEMENTS)
		return false;
	for (uint32_t i = 0; i < n; i++)
		add_reference(at + s->base + ((uint64_t)i << s->log2), i, depth, key);
	return true;
}

/* The key of an object; false if what it holds is not known. */
static bool key_of(const struct walked_class *c, const unsigned char *at, uint64_t bytes, int depth,
		   uint64_t *key)
{
	const struct shape *s = &c->shape;

	*key = c->klass + ((uint64_t)bytes << 48);
	switch (s->kind) {
	case SHAPE_PRIMITIVES:
		*key += (uint64_t)length_of(at) << 40;
		*key = XXH3_64bits_withSeed(at + s->base, (uint64_t)length_of(at) << s->log2, *key);
		return true;
	case SHAPE_REFERENCES:
		*key += (uint64_t)length_of(at) << 40;
		return key_of_references(s, at, depth, key);
	case SHAPE_FIELDS:
		return key_of_fields(s, at, depth, key);
	case SHAPE_STRING:
		return key_of_string(s, at, depth, key);
	case SHAPE_NAMED:
		memcpy(&bytes, at + s->name_at, s->name_size);
		*key = XXH3_64bits_withSeed(&bytes, s->name_size, *key);
		return depth > 0; /* by itself it equals no other; but it can be a part of equals */
	default:
		return false;
	}
}

/* If the copy does not hold the whole object, only its class and size are known. */
bool eden_walk_next(const struct eden_window *w, uint32_t offset, struct walked *to)
{
	*to = (struct walked){ .offset = offset };
	if (offset + 16 > w->bytes)
		return false;
	const unsigned char *at = w->copy + offset;
	struct walked_class *c = to->class = class_at(at);
	if (!c || c->opaque)
		return false;
	uint64_t bytes = size_of(&c->shape, at, w->bytes - offset);
	if (bytes < 8)
		return false;
	to->bytes = bytes;
	to->marks = mark_word_flags(at);
	nodes_left = NODES;
	by_address = false;
	if (c->filler || bytes > w->bytes - offset || bytes > EDEN_LARGE ||
	    !key_of(c, at, bytes, 0, &to->key))
		to->key = 0;
	else
		to->key |= to->key == 0;
	to->addresses = by_address;
	return true;
}
