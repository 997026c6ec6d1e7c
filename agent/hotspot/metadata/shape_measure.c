/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape_measure.c - finds out how this VM describes classes, and checks it on objects of known
 * classes.
 *
 * It does not trust the tables alone. It asks JVMTI for the size of objects and for the references
 * in a String, a Thread and a HashMap, and compares the answers.
 */
#include <pthread.h>
#include <string.h>

#include "core/jvm.h"
#include "core/link.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/metadata/shape_private.h"
#include "wire/wire_identity.h"

#define FIELD_MODIFIER_STATIC 0x0008
#define FIELD_MODIFIER_FINAL  0x0010
#define SUPERCLASS_MAX	      8
#define ATTEMPTS	      3	   /* in one epoch */
#define COLLECTIONS	      50   /* that may come between */
#define MOVES		      1000 /* of the mirror of a class that is just loaded */

/* How the objects of a special class are read. */
struct way {
	const char *signature;
	uint8_t kind;
	const char *fields[2]; /* FIELDS: ignored ones; NAMED, STRING: the number */
};

/* Those of wire_identity.h are SHAPE_IDENTITY, unless they stand here. */
static const struct way ways[] = {
	{ "Ljava/lang/String;", SHAPE_STRING, { "coder" } },
	{ "Ljava/lang/Class;", SHAPE_MIRROR, { NULL } },
	{ "Ljava/lang/Enum;", SHAPE_NAMED, { "ordinal" } },
	{ "Ljava/lang/Thread;", SHAPE_NAMED, { "tid" } },
	{ "Ljava/util/AbstractList;", SHAPE_FIELDS, { "modCount" } },
	{ "Ljava/util/AbstractMap;", SHAPE_FIELDS, { "keySet", "values" } },
	{ "Ljava/util/HashMap;", SHAPE_FIELDS, { "entrySet", "modCount" } },
};
#define WAYS (sizeof ways / sizeof ways[0])
_Static_assert(WAYS + WIRE_IDENTITY_CLASSES <= SHAPE_KNOWN, "room for every class");

/* ---- fields, as JVMTI tells -------------------------------------------------------------- */

/*
 * An instance field: its range, and the first character of its type. Offset 0: static or unknown.
 */
static struct shape_range field_range(jclass type, jfieldID id, const char *name, char *kind)
{
	struct shape_range range = { 0, 0 };
	char *its = NULL, *signature = NULL;
	jint modifiers = 0;

	if ((*ojx.jvmti)->GetFieldModifiers(ojx.jvmti, type, id, &modifiers) == JVMTI_ERROR_NONE &&
	    !(modifiers & FIELD_MODIFIER_STATIC) &&
	    (*ojx.jvmti)->GetFieldName(ojx.jvmti, type, id, &its, &signature, NULL) ==
		    JVMTI_ERROR_NONE &&
	    (!name || strcmp(name, its) == 0)) {
		*kind = signature[0];
		range.offset = layout_field(id);
		range.bytes = strchr("ZB", *kind)   ? 1
			      : strchr("CS", *kind) ? 2
			      : strchr("IF", *kind) ? 4
			      : strchr("JD", *kind) ? 8
						    : layout.ref_size;
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)its);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
	return range;
}

/* A field that a class declares; 0 bytes if there is none of this name. */
static struct shape_range find_field(jclass type, const char *name)
{
	struct shape_range found = { 0, 0 };
	jfieldID *ids = NULL;
	jint n = 0;
	char kind;

	if ((*ojx.jvmti)->GetClassFields(ojx.jvmti, type, &n, &ids) != JVMTI_ERROR_NONE)
		return found;
	for (jint i = 0; i < n && !found.bytes; i++)
		found = field_range(type, ids[i], name, &kind);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)ids);
	return found;
}

static bool in_blocks(const struct shape *s, uint32_t offset)
{
	for (uint32_t i = 0; i < s->nblocks; i++)
		if (offset >= s->blocks[i].offset &&
		    offset < s->blocks[i].offset + s->blocks[i].bytes)
			return true;
	return false;
}

/*
 * Whether the references among the fields that a class declares lie in the blocks, and other fields
 * do not. Adds up the bytes of the references.
 */
static bool check_declared(jclass type, const struct shape *s, uint32_t *bytes)
{
	jfieldID *ids = NULL;
	jint n = 0;
	bool ok = (*ojx.jvmti)->GetClassFields(ojx.jvmti, type, &n, &ids) == JVMTI_ERROR_NONE;

	for (jint i = 0; ok && i < n; i++) {
		char kind = 0;
		struct shape_range f = field_range(type, ids[i], NULL, &kind);
		bool reference = kind == 'L' || kind == '[';
		ok = !kind || reference == in_blocks(s, f.offset);
		*bytes += reference ? f.bytes : 0;
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)ids);
	return ok;
}

/* Whether a class's oop maps name exactly its reference fields. */
static bool check_blocks(JNIEnv *jni, jclass type, const struct shape *s)
{
	uint32_t declared = 0, mapped = 0;
	bool ok = true;

	for (jclass c = type; ok && c; c = (*jni)->GetSuperclass(jni, c))
		ok = check_declared(c, s, &declared);
	for (uint32_t i = 0; i < s->nblocks; i++)
		mapped += s->blocks[i].bytes;
	return ok && declared == mapped;
}

/* Whether the bytes of final fields are known to be so, among those that a class declares. */
static bool check_finals(jclass type, const struct finals *f)
{
	jfieldID *ids = NULL;
	jint n = 0, modifiers = 0;
	bool ok = (*ojx.jvmti)->GetClassFields(ojx.jvmti, type, &n, &ids) == JVMTI_ERROR_NONE;

	for (jint i = 0; ok && i < n; i++) {
		char kind = 0;
		struct shape_range field = field_range(type, ids[i], NULL, &kind);
		if (!kind)
			continue;
		ok = (*ojx.jvmti)->GetFieldModifiers(ojx.jvmti, type, ids[i], &modifiers) ==
			     JVMTI_ERROR_NONE &&
		     finals_has(f, field.offset) == !!(modifiers & FIELD_MODIFIER_FINAL) &&
		     finals_has(f, field.offset + field.bytes - 1) == finals_has(f, field.offset);
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)ids);
	return ok;
}

/* ---- classes with a way of their own ------------------------------------------------------- */

/* Whether a signature, "Ljava/lang/Enum;", is of the class "java.lang.Enum". */
static bool is_of(const char *signature, const char *name)
{
	size_t i = 0;

	for (signature++;
	     name[i] && (signature[i] == name[i] || (signature[i] == '/' && name[i] == '.'));)
		i++;
	return !name[i] && signature[i] == ';';
}

/* The way of a class; false if it is not special. */
static bool find_way(const char *signature, struct way *to)
{
	if (strncmp(signature, "Ljava/", 6) != 0 && strncmp(signature, "Ljdk/", 5) != 0)
		return false;
	for (size_t i = 0; i < WAYS; i++)
		if (strcmp(signature, ways[i].signature) == 0) {
			*to = ways[i];
			return true;
		}
	*to = (struct way){ .signature = signature, .kind = SHAPE_IDENTITY };
	for (size_t i = 0; i < WIRE_IDENTITY_CLASSES; i++)
		if (is_of(signature, wire_identity_classes[i]))
			return true;
	return false;
}

/* Whether the VM's class has this name; a mirror that was just moved can lead to another one. */
static bool has_name(struct reader *r, uintptr_t klass, const char *signature)
{
	const struct vmstructs_klass *vk = &shape_rules.vm.klass;
	size_t len = strlen(signature) - 2; /* without L and ; */
	uintptr_t symbol = 0;
	const unsigned char *p = reader_class(r, klass + vk->name, sizeof symbol, false);

	if (p)
		memcpy(&symbol, p, sizeof symbol);
	p = symbol ? reader_class(r, symbol + vk->symbol_body, len, false) : NULL;
	return p && memcmp(p, signature + 1, len) == 0;
}

/* Finds out what the rules have to say about a special class. */
static bool know_class(struct reader *r, jclass type, const struct way *way, struct shape_known *k)
{
	const struct vmstructs_klass *vk = &shape_rules.vm.klass;
	uintptr_t self;

	*k = (struct shape_known){ .kind = way->kind };
	reader_forget(r);
	k->klass = shape_mirror(r, handle_address(type));
	const unsigned char *klass =
		k->klass ? reader_class(r, k->klass, vk->klass_size, false) : NULL;
	if (!klass)
		return false;
	memcpy(&k->check_at, klass + vk->super_check, sizeof k->check_at);
	if (k->check_at > vk->klass_size - sizeof self)
		return false;
	memcpy(&self, klass + k->check_at, sizeof self);
	if (self != k->klass || !has_name(r, k->klass, way->signature))
		return false;
	for (int i = 0; i < 2 && way->fields[i]; i++) {
		struct shape_range f = find_field(type, way->fields[i]);
		if (!f.bytes || f.offset > UINT8_MAX)
			return k->kind == SHAPE_FIELDS;
		if (k->kind == SHAPE_FIELDS)
			k->ignored[k->nignored++] = f;
		k->name_at = (uint8_t)f.offset;
		k->name_size = (uint8_t)f.bytes;
	}
	return true;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of whoever adds rules */

/* Readers see the rule when it is complete. */
static void add_rule(const struct shape_known *k)
{
	pthread_mutex_lock(&lock);
	uint32_t n = atomic_load_explicit(&shape_rules.nknown, memory_order_acquire);
	bool there = n == SHAPE_KNOWN;
	for (uint32_t i = 0; i < n; i++)
		there = there || shape_rules.known[i].klass == k->klass;
	if (!there) {
		shape_rules.known[n] = *k;
		atomic_store_explicit(&shape_rules.nknown, n + 1, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
}

/* Adds the class to the rules if it is special. False if it cannot be understood. */
static bool add_class(struct reader *r, jclass type)
{
	char *signature = NULL;
	struct shape_known known;
	struct way way;
	bool ok = true;

	if ((*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE)
		return true;
	if (find_way(signature, &way)) {
		ok = know_class(r, type, &way, &known);
		if (ok && known.kind == SHAPE_STRING)
			shape_rules.coder_at = known.name_at;
		if (ok)
			add_rule(&known);
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
	return ok;
}

/*
 * Searches the loaded classes: a request by name would initialise the class. Those that come later
 * are for shape_class_loaded.
 */
static bool know_classes(struct reader *r)
{
	jint n = 0;
	jclass *classes = NULL;

	atomic_store_explicit(&shape_rules.nknown, 0, memory_order_release);
	atomic_store_explicit(&shape_rules.grows, true, memory_order_release);
	jvm_enable(JVMTI_EVENT_CLASS_LOAD);
	bool ok = (*ojx.jvmti)->GetLoadedClasses(ojx.jvmti, &n, &classes) == JVMTI_ERROR_NONE;
	for (jint i = 0; ok && i < n; i++)
		ok = add_class(r, classes[i]);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)classes);
	return ok;
}

void shape_class_loaded(jclass type)
{
	struct reader *r;
	char *signature = NULL;
	struct way way;
	bool done = false;

	if (!atomic_load_explicit(&shape_rules.grows, memory_order_relaxed) || !ojx.jvmti ||
	    (*ojx.jvmti)->GetClassSignature(ojx.jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE)
		return;
	bool special = find_way(signature, &way) && way.kind == SHAPE_IDENTITY;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)signature);
	if (!special || !(r = reader_new(false)))
		return;
	/* a collection may just move the mirror */
	for (int i = 0; i < MOVES && !done; i++) {
		reader_allow(r, UINT32_MAX);
		done = add_class(r, type);
	}
	reader_free(r);
}

/* ---- checks ------------------------------------------------------------------------------ */

/* State of the checks. */
struct probe {
	JNIEnv *jni;
	struct reader *reader;
	struct shape_cache *cache;
	uint64_t epoch; /* a new one for each attempt, so that no old shape is used */
};

static const struct shape *probe_shape(struct probe *p, jobject object)
{
	reader_forget(p->reader);
	const unsigned char *header =
		object ? reader_object(p->reader, handle_address(object), shape_header()) : NULL;
	unsigned char copy[16];
	if (!header)
		return NULL;
	memcpy(copy, header, shape_header()); /* reading the class overwrites the original */
	return shape_of(p->cache, p->reader, copy, p->epoch);
}

static bool check_object(struct probe *p, jobject object, uint8_t kind)
{
	const struct shape *s = probe_shape(p, object);
	jclass type = object ? (*p->jni)->GetObjectClass(p->jni, object) : NULL;
	jlong size = 0;

	return s && s->kind == kind && type &&
	       shape_mirror(p->reader, handle_address(type)) == s->klass &&
	       (*ojx.jvmti)->GetObjectSize(ojx.jvmti, object, &size) == JVMTI_ERROR_NONE &&
	       size == s->size && check_blocks(p->jni, type, s);
}

static bool check_array(struct probe *p, jobject array, uint8_t kind, uint32_t size, uint32_t base)
{
	const struct shape *s = probe_shape(p, array);
	return s && s->kind == kind && 1u << s->log2 == size && s->base == base;
}

static bool check_arrays(struct probe *p)
{
	JNIEnv *jni = p->jni;

	return check_array(p, (*jni)->NewByteArray(jni, 3), SHAPE_PRIMITIVES, 1, layout.base[1]) &&
	       check_array(p, (*jni)->NewCharArray(jni, 3), SHAPE_PRIMITIVES, 2, layout.base[2]) &&
	       check_array(p, (*jni)->NewIntArray(jni, 3), SHAPE_PRIMITIVES, 4, layout.base[4]) &&
	       check_array(p, (*jni)->NewDoubleArray(jni, 3), SHAPE_PRIMITIVES, 8, layout.base[8]);
}

/* Checks that a reference leads to the object of a handle. */
static bool check_references(struct probe *p, jobject object)
{
	JNIEnv *jni = p->jni;
	jclass type = (*jni)->GetObjectClass(jni, object);
	jobjectArray array = (*jni)->NewObjectArray(jni, 2, type, NULL);

	if (!array)
		return false;
	(*jni)->SetObjectArrayElement(jni, array, 1, object);
	if (!check_array(p, array, SHAPE_REFERENCES, layout.ref_size, layout.object_base))
		return false;
	const unsigned char *slots = reader_object(
		p->reader, handle_address(array) + layout.object_base, 2 * (size_t)layout.ref_size);
	return slots && !shape_reference(slots) &&
	       shape_reference(slots + layout.ref_size) == handle_address(object);
}

static bool check(struct probe *p)
{
	JNIEnv *jni = p->jni;
	jthread thread = NULL;
	jstring text = (*jni)->NewStringUTF(jni, "text");
	jclass map = (*jni)->FindClass(jni, "java/util/LinkedHashMap");
	jclass string = text ? (*jni)->GetObjectClass(jni, text) : NULL;
	const struct shape *mirror;

	if (!string || !map ||
	    (*ojx.jvmti)->GetCurrentThread(ojx.jvmti, &thread) != JVMTI_ERROR_NONE ||
	    !check_object(p, text, SHAPE_STRING) || !check_object(p, thread, SHAPE_NAMED) ||
	    !check_object(p, (*jni)->AllocObject(jni, map), SHAPE_FIELDS))
		return false;
	mirror = probe_shape(p, string);
	return mirror && mirror->kind == SHAPE_MIRROR && check_arrays(p) &&
	       check_references(p, text);
}

/*
 * Checks final fields on objects of some classes: those of a LinkedHashMap, its superclasses
 * included, a String and an Integer.
 */
static bool finals_right(struct probe *p)
{
	static const char *const names[] = { "java/util/LinkedHashMap", "java/lang/String",
					     "java/lang/Integer" };
	JNIEnv *jni = p->jni;
	bool ok = finals_init();

	for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++) {
		jclass type = (*jni)->FindClass(jni, names[i]);
		const struct shape *s =
			type ? probe_shape(p, (*jni)->AllocObject(jni, type)) : NULL;
		const struct finals *f = s ? shape_finals(p->cache, p->reader, s) : NULL;
		ok = f != NULL;
		for (jclass c = type; ok && c; c = (*jni)->GetSuperclass(jni, c))
			ok = check_finals(c, f);
	}
	return ok;
}

static bool tables_complete(const struct vmstructs_klass *k)
{
	bool compressed = layout.klass_size == 4 || layout.klass_mask != UINT64_MAX;

	return k->layout_helper && k->super_check && k->name && k->super && k->loader &&
	       k->symbol_body && k->vtable_len && k->itable_len && k->oop_map_words &&
	       k->mirror_klass && k->mirror_array && k->klass_size > sizeof(uintptr_t) &&
	       k->klass_size <= k->instance_size && k->instance_size <= READER_MAX &&
	       (!compressed || (k->class_base && k->class_shift)) &&
	       (layout.ref_size == 8 || (k->ref_base && k->ref_shift));
}

static bool know_collector(const char **why)
{
	const struct vmstructs *vm = &shape_rules.vm;
	const char *gc = ojx.gc;

	*why = "this collector is not supported";
	shape_rules.forwards = strcmp(gc, "Shenandoah") == 0;
	if (strcmp(gc, "Z") != 0)
		return strcmp(gc, "CMS") != 0 && strcmp(gc, "unknown") != 0;
	if (!vm->zglobals || !*vm->zglobals || vm->z_bad_mask < 0)
		return false;
	shape_rules.bad_mask =
		*(const uint64_t *const *)((const char *)*vm->zglobals + vm->z_bad_mask);
	return shape_rules.bad_mask && *shape_rules.bad_mask;
}

bool shape_heap(uintptr_t *low, uintptr_t *high)
{
	return vmstructs_heap_range(&shape_rules.vm, low, high);
}

bool shape_measure(JNIEnv *jni, struct reader *r, struct shape_cache *cache, const char **why)
{
	struct probe p = { jni, r, cache, UINT64_MAX };
	bool ok = false, known = false, finals = false;

	vmstructs_read(&shape_rules.vm, ojx.dl);
	if (!know_collector(why))
		return false;
	*why = "the VM's tables are incomplete";
	if (!tables_complete(&shape_rules.vm.klass))
		return false;
	*why = "classes differ from the VM's tables";
	reader_allow(r, UINT32_MAX);
	for (int i = 0, gcs = 0; i < ATTEMPTS && gcs < COLLECTIONS && !finals; p.epoch--) {
		uint64_t epoch = epoch_now();
		if ((*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
			break;
		known = known || know_classes(r);
		ok = ok || (known && check(&p));
		finals = finals || (ok && finals_right(&p));
		(*jni)->PopLocalFrame(jni, NULL);
		/* what was compared is right; what differs may have been moved by a collection */
		if (epoch != UINT64_MAX && epoch_is(epoch))
			i++;
		else
			gcs++;
	}
	if (ok && !finals) {
		finals_off();
		link_note("final fields are not known: objects with references are told apart "
			  "between two collections only");
	}
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	return ok;
}
