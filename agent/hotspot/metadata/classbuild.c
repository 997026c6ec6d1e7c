/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classbuild.c - see classbuild.h. jfieldIDs contain the offsets of fields (layout.c checks that).
 */
#include "hotspot/metadata/classbuild.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/link.h"
#include "core/memory.h"
#include "hotspot/metadata/collection_classes.h"
#include "hotspot/metadata/layout.h"

#define FIELD_MAX	      2048 /* per class; further fields are ignored */
#define FIELD_MODIFIER_STATIC 0x0008
#define FIELD_MODIFIER_FINAL  0x0010
#define SUPERCLASS_MAX	      64

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

/* ---- fields ---------------------------------------------------------------------------- */

void classbuild_release(struct class_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		free(plan->fields[i].name);
		free(plan->fields[i].declarer);
		free(plan->fields[i].signature);
	}
	free(plan->fields);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)plan->signature);
}

static void list_add(struct class_plan *plan, jfieldID id, const char *name, const char *signature,
		     const char *declarer, bool final)
{
	if (plan->n == FIELD_MAX)
		return;
	if (plan->n == plan->room) {
		size_t room = plan->room ? 2 * plan->room : 16;
		struct class_field *more = realloc(plan->fields, room * sizeof *more);
		if (!more)
			return;
		plan->fields = more;
		plan->room = room;
	}
	struct class_field f = { .offset = layout_field(id),
				 .size = type_size(signature[0]),
				 .name = strdup(name),
				 .declarer = strdup(declarer),
				 .signature = strdup(signature),
				 .final = final };
	if (f.name && f.declarer && f.signature) {
		plan->fields[plan->n++] = f;
	} else {
		free(f.name);
		free(f.declarer);
		free(f.signature);
	}
}

static void add_field(struct class_plan *plan, jclass type, jfieldID id, const char *declarer)
{
	char *name = NULL, *signature = NULL;
	jint modifiers = 0;

	if ((*ojx.jvmti)->GetFieldModifiers(ojx.jvmti, type, id, &modifiers) == JVMTI_ERROR_NONE &&
	    !(modifiers & FIELD_MODIFIER_STATIC) &&
	    (*ojx.jvmti)->GetFieldName(ojx.jvmti, type, id, &name, &signature, NULL) ==
		    JVMTI_ERROR_NONE)
		list_add(plan, id, name, signature, declarer, modifiers & FIELD_MODIFIER_FINAL);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)name);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
}

/* The fields that one class declares. */
static bool add_declared(struct class_plan *plan, jclass type)
{
	size_t below = plan->n;
	jint n = 0;
	jfieldID *ids = NULL;
	char *declarer = NULL;
	bool ok = (*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &declarer, NULL) ==
			  JVMTI_ERROR_NONE &&
		  (*ojx.jvmti)->GetClassFields(ojx.jvmti, type, &n, &ids) == JVMTI_ERROR_NONE;

	for (jint i = 0; ok && i < n; i++)
		add_field(plan, type, ids[i], declarer);
	if (ok && below == 0 && !plan->collection)
		plan->collection = collection_class(declarer);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)ids);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)declarer);
	return ok;
}

static int by_offset(const void *a, const void *b)
{
	uint32_t x = ((const struct class_field *)a)->offset,
		 y = ((const struct class_field *)b)->offset;
	return (x > y) - (x < y);
}

/* All instance fields of a class and its superclasses, by offset. */
static bool list_fields(JNIEnv *jni, jclass type, struct class_plan *plan)
{
	bool ok = true;
	jclass c = type;

	for (int depth = 0; ok && c && depth < SUPERCLASS_MAX; depth++) {
		ok = add_declared(plan, c);
		c = (*jni)->GetSuperclass(jni, c);
	}
	if (plan->n)
		qsort(plan->fields, plan->n, sizeof *plan->fields, by_offset);
	return ok;
}

/* ---- building -------------------------------------------------------------------------- */

/* Converts "Lcom/acme/Foo;" to "com.acme.Foo" and "[I" to "int[]", as --class spells it. */
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

static bool set_fields(struct klass *k, const struct class_plan *plan)
{
	k->positions = memory_new(plan->n ? plan->n : 1, sizeof *k->positions);
	if (!k->positions)
		return false;
	for (size_t i = 0; i < plan->n; i++) {
		const struct class_field *f = &plan->fields[i];
		char type = f->signature[0];
		uint8_t size = type_size(type);
		k->positions[i] = (struct class_position){ f->offset, size, is_reference(type) };
		k->field_bytes += size;
		if (f->offset + size > k->size)
			k->size = f->offset + size;
	}
	k->npositions = (uint32_t)plan->n;
	return true;
}

/* 0 for a primitive type, whose first character is all of it. */
static size_t signature_len(const struct class_field *f)
{
	return is_reference(f->signature[0]) ? strlen(f->signature) : 0;
}

static uint32_t field_record_len(const struct class_field *f)
{
	return wire_pad(sizeof(struct wire_field) + strlen(f->name) + strlen(f->declarer) +
			signature_len(f));
}

static char *append(char *to, const char *text, size_t len)
{
	memcpy(to, text, len);
	return to + len;
}

static void put_field(struct wire_field *to, const struct class_field *f)
{
	to->offset = f->offset;
	to->size = type_size(f->signature[0]);
	to->type = (uint8_t)f->signature[0];
	to->flags = f->final ? WIRE_FIELD_FINAL : 0;
	/* does not read back what it has written: the tool may have changed it */
	uint16_t name_len = (uint16_t)strlen(f->name);
	uint16_t declarer_len = (uint16_t)strlen(f->declarer);
	uint16_t own_len = (uint16_t)signature_len(f);
	to->name_len = name_len;
	to->declarer_len = declarer_len;
	to->signature_len = own_len;
	char *at = append((char *)(to + 1), f->name, name_len);
	at = append(at, f->declarer, declarer_len);
	append(at, f->signature, own_len);
}

/* If the table is full, the class has no name at the tool. */
void classbuild_define(const struct klass *k, const struct class_plan *plan)
{
	size_t text_len = strnlen(plan->signature, UINT16_MAX);
	uint32_t len = wire_pad(sizeof(struct wire_class) + text_len);
	for (size_t i = 0; i < plan->n; i++)
		len += field_record_len(&plan->fields[i]);

	struct wire_class *rec = link_define_reserve(len);
	if (!rec)
		return;
	rec->id = k->id;
	rec->nfields = (uint32_t)plan->n;
	rec->signature_len = (uint16_t)text_len;
	rec->element_size = k->element_size;
	char *at = (char *)rec + wire_pad(sizeof *rec + text_len);
	append((char *)(rec + 1), plan->signature, text_len);
	for (size_t i = 0; i < plan->n; i++) {
		put_field((struct wire_field *)at, &plan->fields[i]);
		at += field_record_len(&plan->fields[i]);
	}
	link_define(rec, WIRE_CLASS);
}

void classbuild_free(struct klass *k)
{
	if (k)
		memory_free(k->positions);
	memory_free(k);
}

static struct klass *build(JNIEnv *jni, jclass type, struct class_plan *plan)
{
	struct klass *k = memory_new(1, sizeof *k);
	char name[512];

	if (!k)
		return NULL;
	k->salt = XXH3_64bits(plan->signature, strlen(plan->signature));
	java_name(plan->signature, name, sizeof name);
	const char *glob = ojx.config.class_glob;
	k->wanted = !*glob || fnmatch(glob, name, 0) == 0;
	if (plan->signature[0] == '[') {
		set_array(k, plan->signature[1]);
		return k;
	}
	if (list_fields(jni, type, plan) && set_fields(k, plan)) {
		/* only who takes snapshots looks at objects inside others first */
		k->tells = !(ojx.config.flags & WIRE_NO_SCAN) && plan->collection &&
			   collection_of(plan, plan->collection, &k->collection);
		return k;
	}
	classbuild_free(k);
	return NULL;
}

struct klass *classbuild(JNIEnv *jni, jclass type, struct class_plan *plan)
{
	struct klass *k = NULL;

	if ((*jni)->PushLocalFrame(jni, SUPERCLASS_MAX + 16) != 0)
		return NULL;
	if ((*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &plan->signature, NULL) ==
	    JVMTI_ERROR_NONE)
		k = build(jni, type, plan);
	(*jni)->PopLocalFrame(jni, NULL);
	return k;
}

void classbuild_inners(JNIEnv *jni)
{
	const char *name;

	for (uint32_t i = 0; (name = collection_inner_name(i)); i++) {
		struct class_plan plan = { 0 };
		jclass type = (*jni)->FindClass(jni, name);
		if (type && list_fields(jni, type, &plan))
			collection_inner(i, &plan, layout_klass_of(jni, type));
		classbuild_release(&plan);
		(*jni)->DeleteLocalRef(jni, type);
		(*jni)->ExceptionClear(jni);
	}
}
