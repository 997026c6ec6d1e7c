/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.c - builds the entry of a class when its first object is sampled.
 *
 * The fields, inherited ones included, come from JVMTI; their offsets are in the jfieldIDs
 * (layout.c checks that). Building happens outside the lock; of two threads that build the same
 * class at the same time one loses and throws its work away.
 */
#include "classes.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "link.h"

#define FIELD_MAX	      2048 /* per class; more: the rest is not looked at */
#define FIELD_MODIFIER_STATIC 0x0008
#define FIELD_MODIFIER_FINAL  0x0010
#define SUPERCLASS_MAX	      64

static struct klass *_Atomic table[CLASS_MAX];
static uint32_t last_id;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One field while the list is built. */
struct field {
	uint32_t offset;
	char *name;
	char *declarer;
	char *signature;
	bool final;
};

struct field_list {
	struct field *fields;
	size_t n, room;
};

static uint8_t type_size(char type)
{
	switch (type) {
	case 'Z':
	case 'B':
		return 1;
	case 'C':
	case 'S':
		return 2;
	case 'I':
	case 'F':
		return 4;
	case 'J':
	case 'D':
		return 8;
	default:
		return (uint8_t)layout.ref_size;
	}
}

static bool is_reference(char type)
{
	return type == 'L' || type == '[';
}

struct klass *class_by_id(uint32_t id)
{
	return id < CLASS_MAX ? atomic_load_explicit(&table[id], memory_order_acquire) : NULL;
}

struct class_position class_position(const struct klass *k, uint64_t position)
{
	if (!k->array)
		return k->positions[position];
	return (struct class_position){
		.offset = (uint32_t)(k->base + position * k->element_size),
		.size = k->element_size,
		.reference = k->reference_elements,
	};
}

/* ---- fields ---------------------------------------------------------------------------- */

static void list_free(struct field_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->fields[i].name);
		free(list->fields[i].declarer);
		free(list->fields[i].signature);
	}
	free(list->fields);
}

static void list_add(struct field_list *list, jfieldID id, const char *name, const char *signature,
		     const char *declarer, bool final)
{
	if (list->n == FIELD_MAX)
		return;
	if (list->n == list->room) {
		size_t room = list->room ? 2 * list->room : 16;
		struct field *more = realloc(list->fields, room * sizeof *more);
		if (!more)
			return;
		list->fields = more;
		list->room = room;
	}
	struct field f = { .offset = (uint32_t)((uintptr_t)id >> 2),
			   .name = strdup(name),
			   .declarer = strdup(declarer),
			   .signature = strdup(signature),
			   .final = final };
	if (f.name && f.declarer && f.signature) {
		list->fields[list->n++] = f;
	} else {
		free(f.name);
		free(f.declarer);
		free(f.signature);
	}
}

static void add_field(struct field_list *list, jclass type, jfieldID id, const char *declarer)
{
	char *name = NULL, *signature = NULL;
	jint modifiers = 0;

	if ((*ojx.jvmti)->GetFieldModifiers(ojx.jvmti, type, id, &modifiers) == JVMTI_ERROR_NONE &&
	    !(modifiers & FIELD_MODIFIER_STATIC) &&
	    (*ojx.jvmti)->GetFieldName(ojx.jvmti, type, id, &name, &signature, NULL) ==
		    JVMTI_ERROR_NONE)
		list_add(list, id, name, signature, declarer, modifiers & FIELD_MODIFIER_FINAL);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)name);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
}

/* The fields that one class declares. */
static bool add_declared(struct field_list *list, jclass type)
{
	jint n = 0;
	jfieldID *ids = NULL;
	char *declarer = NULL;
	bool ok = (*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &declarer, NULL) ==
			  JVMTI_ERROR_NONE &&
		  (*ojx.jvmti)->GetClassFields(ojx.jvmti, type, &n, &ids) == JVMTI_ERROR_NONE;

	for (jint i = 0; ok && i < n; i++)
		add_field(list, type, ids[i], declarer);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)ids);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)declarer);
	return ok;
}

static int by_offset(const void *a, const void *b)
{
	uint32_t x = ((const struct field *)a)->offset, y = ((const struct field *)b)->offset;
	return (x > y) - (x < y);
}

/* All instance fields of a class and its superclasses, by offset. */
static bool list_fields(JNIEnv *jni, jclass type, struct field_list *list)
{
	bool ok = true;
	jclass c = type;

	for (int depth = 0; ok && c && depth < SUPERCLASS_MAX; depth++) {
		ok = add_declared(list, c);
		c = (*jni)->GetSuperclass(jni, c);
	}
	if (list->n)
		qsort(list->fields, list->n, sizeof *list->fields, by_offset);
	return ok;
}

/* ---- building -------------------------------------------------------------------------- */

/* "Lcom/acme/Foo;" to "com.acme.Foo", "[I" to "int[]", as --class spells it. */
static void java_name(const char *signature, char *to, size_t room)
{
	static const char *const primitive[] = {
		['Z'] = "boolean", ['B'] = "byte", ['C'] = "char",  ['S'] = "short",
		['I'] = "int",	   ['J'] = "long", ['F'] = "float", ['D'] = "double"
	};
	size_t dimensions = strspn(signature, "["), n = 0;
	const char *s = signature + dimensions;
	if (*s == 'L')
		for (s++; *s && *s != ';' && n + 1 < room; s++)
			to[n++] = *s == '/' ? '.' : *s;
	else if ((unsigned char)*s < sizeof primitive / sizeof *primitive &&
		 primitive[(unsigned char)*s])
		for (s = primitive[(unsigned char)*s]; *s && n + 1 < room; s++)
			to[n++] = *s;
	for (; dimensions && n + 2 < room; dimensions--) {
		to[n++] = '[';
		to[n++] = ']';
	}
	to[n] = '\0';
}

static void set_array(struct klass *k, char element)
{
	k->array = true;
	k->element_size = type_size(element);
	k->reference_elements = is_reference(element);
	k->base = k->reference_elements ? layout.object_base : layout.base[k->element_size];
}

static bool set_fields(struct klass *k, const struct field_list *list)
{
	k->positions = calloc(list->n ? list->n : 1, sizeof *k->positions);
	if (!k->positions)
		return false;
	for (size_t i = 0; i < list->n; i++) {
		const struct field *f = &list->fields[i];
		char type = f->signature[0];
		uint8_t size = type_size(type);
		k->positions[i] = (struct class_position){ f->offset, size, is_reference(type) };
		k->field_bytes += size;
		if (f->offset + size > k->size)
			k->size = f->offset + size;
	}
	k->npositions = (uint32_t)list->n;
	return true;
}

/* A primitive type's first character is all of it. */
static size_t signature_len(const struct field *f)
{
	return is_reference(f->signature[0]) ? strlen(f->signature) : 0;
}

static uint32_t field_record_len(const struct field *f)
{
	return wire_pad(sizeof(struct wire_field) + strlen(f->name) + strlen(f->declarer) +
			signature_len(f));
}

static char *append(char *to, const char *text, size_t len)
{
	memcpy(to, text, len);
	return to + len;
}

static void put_field(struct wire_field *to, const struct field *f)
{
	to->offset = f->offset;
	to->size = type_size(f->signature[0]);
	to->type = (uint8_t)f->signature[0];
	to->flags = f->final ? WIRE_FIELD_FINAL : 0;
	to->name_len = (uint16_t)strlen(f->name);
	to->declarer_len = (uint16_t)strlen(f->declarer);
	to->signature_len = (uint16_t)signature_len(f);
	char *at = append((char *)(to + 1), f->name, to->name_len);
	at = append(at, f->declarer, to->declarer_len);
	append(at, f->signature, to->signature_len);
}

/* Tells the tool. A class that finds the table full stays without a name there. */
static void define(const struct klass *k, const char *signature, const struct field_list *list)
{
	size_t text_len = strnlen(signature, UINT16_MAX);
	uint32_t len = wire_pad(sizeof(struct wire_class) + text_len);
	for (size_t i = 0; i < list->n; i++)
		len += field_record_len(&list->fields[i]);

	struct wire_class *rec = link_define_reserve(len);
	if (!rec)
		return;
	rec->id = k->id;
	rec->nfields = (uint32_t)list->n;
	rec->signature_len = (uint16_t)text_len;
	rec->element_size = k->element_size;
	char *at = (char *)rec + wire_pad(sizeof *rec + text_len);
	append((char *)(rec + 1), signature, text_len);
	for (size_t i = 0; i < list->n; i++) {
		put_field((struct wire_field *)at, &list->fields[i]);
		at += field_record_len(&list->fields[i]);
	}
	link_define(rec, WIRE_CLASS);
}

static struct klass *build(JNIEnv *jni, jclass type, const char *signature, struct field_list *list)
{
	struct klass *k = calloc(1, sizeof *k);
	char name[512];

	if (!k)
		return NULL;
	java_name(signature, name, sizeof name);
	const char *glob = ojx.config.class_glob;
	k->wanted = !*glob || fnmatch(glob, name, 0) == 0;
	if (signature[0] == '[') {
		set_array(k, signature[1]);
		return k;
	}
	if (list_fields(jni, type, list) && set_fields(k, list))
		return k;
	free(k->positions);
	free(k);
	return NULL;
}

/* Gives the class its id, unless another thread was faster. */
static struct klass *publish(jclass type, struct klass *k, const char *signature,
			     const struct field_list *list)
{
	jlong tag = 0;

	(*ojx.jvmti)->GetTag(ojx.jvmti, type, &tag);
	struct klass *winner = tag ? class_by_id((uint32_t)tag) : NULL;
	if (winner || last_id + 1 >= CLASS_MAX ||
	    (*ojx.jvmti)->SetTag(ojx.jvmti, type, last_id + 1) != JVMTI_ERROR_NONE) {
		free(k->positions);
		free(k);
		return winner;
	}
	k->id = ++last_id;
	define(k, signature, list);
	atomic_store_explicit(&table[k->id], k, memory_order_release);
	return k;
}

static struct klass *create(JNIEnv *jni, jclass type)
{
	struct field_list list = { 0 };
	struct klass *k = NULL;
	char *signature = NULL;

	if ((*jni)->PushLocalFrame(jni, SUPERCLASS_MAX + 16) != 0)
		return NULL;
	if ((*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &signature, NULL) == JVMTI_ERROR_NONE)
		k = build(jni, type, signature, &list);
	if (k) {
		/* the one place where JVMTI is called under a lock: tags take VM locks only */
		pthread_mutex_lock(&lock);
		k = publish(type, k, signature, &list);
		pthread_mutex_unlock(&lock);
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
	list_free(&list);
	(*jni)->PopLocalFrame(jni, NULL);
	return k;
}

struct klass *class_of(JNIEnv *jni, jclass type)
{
	jlong tag = 0;

	if ((*ojx.jvmti)->GetTag(ojx.jvmti, type, &tag) != JVMTI_ERROR_NONE)
		return NULL;
	struct klass *k = tag ? class_by_id((uint32_t)tag) : NULL;
	return k ? k : create(jni, type);
}
