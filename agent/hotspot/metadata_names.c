/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata_names.c - the names and lines of a method, from HotSpot's records. The class may be
 * unloaded while they are read. So the number is computed anew at the end: it is a hash of them.
 */
#define _GNU_SOURCE

#include <classfile_constants.h>
#include <string.h>

#include "core/jvm.h"
#include "core/peek.h"
#include "core/state.h"
#include "hotspot/metadata.h"
#include "hotspot/metadata_private.h"
#include "hotspot/versions.h"
#include "hotspot/vmstructs.h"

/* ---- where HotSpot's records of methods are, and a trial of them. */

#define at metadata_at

static bool find_places(void *dl)
{
	uintptr_t in_class = 0, in_pool = 0;
	const struct vmstructs_wanted wanted[] = {
		{ "Method", "_constMethod", .offset = &at.const_method },
		{ "Method", "_access_flags", .offset = &at.access },
		{ "ConstMethod", "_constants", .offset = &at.constants },
		{ "ConstMethod", "_constMethod_size", .offset = &at.const_words },
		{ "ConstMethod", "_code_size", .offset = &at.code_size },
		{ "ConstMethod", "_name_index", .offset = &at.name },
		{ "ConstMethod", "_signature_index", .offset = &at.descriptor },
		{ "ConstantPool", "_pool_holder", .offset = &at.holder },
		{ "ConstantPool", "_length", .offset = &at.length },
		{ "Klass", "_name", .offset = &at.class_name },
		{ "Klass", "_super", .offset = &at.super },
		{ "Klass", "_class_loader_data", .offset = &at.loader },
		{ "Klass", "_access_flags", .offset = &at.class_access },
		{ "ClassLoaderData", "_class_loader", .offset = &at.loader_handle },
		{ "Symbol", "_length", .offset = &at.symbol_length },
		{ "Symbol", "_body", .offset = &at.symbol_body },
	};
	/* names changed with JDK 21 and 17 */
	const struct vmstructs_wanted flags[] = {
		{ "ConstMethod", "_flags", .offset = &at.const_flags },
		{ "ConstMethod", "_flags._flags", .offset = &at.const_flags },
	};
	const struct vmstructs_wanted files[] = {
		{ "InstanceKlass", "_source_file_name_index", .offset = &in_class },
		{ "ConstantPool", "_source_file_name_index", .offset = &in_pool },
	};
	const size_t n = sizeof wanted / sizeof wanted[0];

	vmstructs_find(dl, files, 2);
	at.file_in_class = in_class != 0;
	at.file = in_class ? in_class : in_pool;
	at.const_size = vmstructs_type_size(dl, "ConstMethod");
	at.pool_size = vmstructs_type_size(dl, "ConstantPool");
	return vmstructs_find(dl, wanted, n) == n && vmstructs_find(dl, flags, 2) == 1 &&
	       at.const_size && at.const_size <= METADATA_HEAD && at.pool_size &&
	       at.pool_size <= METADATA_POOL && at.file && at.holder + 8 <= at.pool_size &&
	       at.length + 4 <= at.pool_size && at.const_method + 8 <= METADATA_HEAD &&
	       at.access + 4 <= METADATA_HEAD && at.name >= at.code_size &&
	       at.name + 2 <= at.code_size + METADATA_SIZES && at.descriptor >= at.code_size &&
	       at.descriptor + 2 <= at.code_size + METADATA_SIZES &&
	       at.code_size + METADATA_SIZES <= at.const_size &&
	       at.const_words + 4 <= at.const_size && at.constants + 8 <= at.const_size &&
	       at.const_flags + 2 <= at.const_size && at.symbol_body > at.symbol_length &&
	       at.symbol_body - at.symbol_length <= METADATA_SYMBOL;
}

static bool is_text(struct metadata_text text, const char *wanted)
{
	return text.len == strlen(wanted) && memcmp(text.text, wanted, text.len) == 0;
}

/* Whether the records say the same of Thread.run as JVMTI. */
static bool tried(JNIEnv *jni, jmethodID run)
{
	jvmtiLineNumberEntry *lines = NULL;
	struct metadata_names n;
	uintptr_t method = 0;
	jint nlines = 0;

	if (!peek((uintptr_t)run, &method, sizeof method))
		return false;
	uint64_t number = metadata_number(method);
	if (!number || !metadata_names(jni, method, number, &n) ||
	    !is_text(n.class_signature, "Ljava/lang/Thread;") || !is_text(n.name, "run") ||
	    !is_text(n.descriptor, "()V"))
		return false;
	(*ojx.jvmti)->GetLineNumberTable(ojx.jvmti, run, &nlines, &lines);
	bool same = n.nlines == (uint32_t)nlines;
	for (jint i = 0; same && i < nlines; i++)
		same = lines[i].start_location == n.lines[i].bci &&
		       lines[i].line_number == n.lines[i].line;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)lines);
	return same;
}

bool metadata_init(void *dl, JNIEnv *jni, jmethodID run)
{
	at.excludes = version_has(VERSION_BYTES_EXCLUDE_0);
	at.has_lines =
		(uint32_t)vmstructs_constant(dl, "ConstMethod::_has_linenumber_table") |
		(uint32_t)vmstructs_constant(dl, "ConstMethodFlags::_misc_has_linenumber_table");
	metadata_on = find_places(dl) && at.has_lines && tried(jni, run);
	return metadata_on;
}

#define TEXTS	   4
#define CHUNK	   256 /* bytes of line numbers that are read at once */
#define ENTRY_MOST 16  /* bytes of one entry, and more */
#define LINES_MAX  65536u
#define HEAD	   32

static char texts[TEXTS][UINT16_MAX + 3]; /* a class's name becomes its signature */
static struct wire_line lines[LINES_MAX];

/* ---- texts ----------------------------------------------------------------------------- */

/* Copies a Symbol to text `n`, from its byte `from` on. */
static struct metadata_text read_symbol(uintptr_t symbol, int n, size_t from)
{
	char *to = texts[n] + from;

	return (struct metadata_text){ to, metadata_symbol(symbol, to, UINT16_MAX) };
}

/* As JVMTI has it: the part that the VM adds to a hidden class's name follows a full stop. */
static struct metadata_text read_signature(uintptr_t symbol)
{
	struct metadata_text t = read_symbol(symbol, 0, 1);
	char *name = texts[0] + 1, *plus = memrchr(name, '+', t.len);

	if (!t.len || t.len > UINT16_MAX - 2)
		return (struct metadata_text){ texts[0], 0 };
	if (plus && (size_t)(name + t.len - plus) > 2 && plus[1] == '0' && plus[2] == 'x')
		*plus = '.';
	texts[0][0] = 'L';
	name[t.len] = ';';
	return (struct metadata_text){ texts[0], (uint16_t)(t.len + 2) };
}

static struct metadata_text read_file(const struct metadata_records *r)
{
	uintptr_t symbol = 0;
	uint16_t index = 0;

	if (!peek((at.file_in_class ? r->klass : r->pool) + at.file, &index, sizeof index) ||
	    !index || !peek(r->pool + at.pool_size + index * sizeof symbol, &symbol, sizeof symbol))
		return (struct metadata_text){ texts[3], 0 };
	return read_symbol(symbol, 3, 0);
}

/* ---- lines ----------------------------------------------------------------------------- */

static int32_t signed_number(const unsigned char **p)
{
	uint32_t x = metadata_next(p);

	return (int32_t)(x >> 1) ^ -(int32_t)(x & 1);
}

/* Reads the entries at *from. Returns how many; *from becomes 0 at the end. */
static uint32_t read_chunk(uintptr_t *from, uintptr_t end, uint32_t n, int32_t *bci, int32_t *line)
{
	unsigned char bytes[CHUNK + ENTRY_MOST] = { 0 };
	size_t len = end - *from < CHUNK ? end - *from : CHUNK;
	const unsigned char *p = bytes, *last = bytes + len;
	bool more = len == CHUNK;

	if (!peek(*from, bytes, len))
		last = p;
	/* an entry that may not be whole belongs to the next chunk */
	while (p < last - (more ? ENTRY_MOST : 0) && *p && n < LINES_MAX) {
		uint32_t byte = *p++;
		*bci += byte == 0xff ? signed_number(&p) : (int32_t)(byte >> 3);
		*line += byte == 0xff ? signed_number(&p) : (int32_t)(byte & 7);
		lines[n++] = (struct wire_line){ (uint16_t)*bci, (uint16_t)*line };
	}
	*from = more && p > bytes && *p && n < LINES_MAX ? *from + (size_t)(p - bytes) : 0;
	return n;
}

static uint32_t read_lines(const struct metadata_records *r)
{
	int32_t bci = 0, line = 0;
	uint32_t n = 0;

	for (uintptr_t from = r->lines; from && from < r->lines_end;)
		n = read_chunk(&from, r->lines_end, n, &bci, &line);
	return n;
}

/* ---- flags ----------------------------------------------------------------------------- */

/* An enum that has values(): the classes of its constants' bodies extend it, not java.lang.Enum. */
static bool is_enum(uintptr_t klass)
{
	static const char wanted[] = "java/lang/Enum";
	uintptr_t super = 0, symbol = 0;
	uint16_t access = 0;
	char name[HEAD];

	return peek(klass + at.class_access, &access, sizeof access) && access & JVM_ACC_ENUM &&
	       peek(klass + at.super, &super, sizeof super) &&
	       peek(super + at.class_name, &symbol, sizeof symbol) &&
	       metadata_symbol(symbol, name, sizeof name) == strlen(wanted) &&
	       memcmp(name, wanted, strlen(wanted)) == 0;
}

/* The ClassLoaderData of a class. 0 if a collection came in between. */
static uintptr_t loader_of(jclass type)
{
	const uintptr_t *klass_at = NULL;
	const struct vmstructs_wanted wanted[] = {
		{ "java_lang_Class", "_klass_offset", .address = (uintptr_t **)&klass_at },
	};
	uintptr_t klass = 0, loader = 0;
	uint64_t epoch = epoch_now();

	if (!vmstructs_find(ojx.dl, wanted, 1) || !klass_at ||
	    !peek(handle_address(type) + *(const uint32_t *)klass_at, &klass, sizeof klass) ||
	    !epoch_is(epoch) || !peek(klass + at.loader, &loader, sizeof loader))
		return 0;
	return loader;
}

/* The ClassLoaderData of the platform loader, found by any class that it has made. */
static uintptr_t find_platform(JNIEnv *jni, jobject platform)
{
	jclass *types = NULL;
	uintptr_t found = 0;
	jint n = 0;

	if ((*ojx.jvmti)->GetClassLoaderClasses(ojx.jvmti, platform, &n, &types) !=
	    JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < n && !found; i++) {
		jobject loader = NULL;
		if ((*ojx.jvmti)->GetClassLoader(ojx.jvmti, types[i], &loader) ==
			    JVMTI_ERROR_NONE &&
		    loader && (*jni)->IsSameObject(jni, loader, platform))
			found = loader_of(types[i]);
		(*jni)->DeleteLocalRef(jni, loader);
	}
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)types);
	return found;
}

/* The platform loader, without running Java code; NULL: unknown. */
static jobject platform_loader(JNIEnv *jni)
{
	jclass type = (*jni)->FindClass(jni, "jdk/internal/loader/ClassLoaders");
	jfieldID field = type ? (*jni)->GetStaticFieldID(
					jni, type, "PLATFORM_LOADER",
					"Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;")
			      : NULL;

	(*jni)->ExceptionClear(jni);
	return field ? (*jni)->GetStaticObjectField(jni, type, field) : NULL;
}

static bool is_platform(JNIEnv *jni, uintptr_t loader)
{
	static uintptr_t platform, other; /* ClassLoaderData; `other` was none of it in `epoch` */
	static uint64_t epoch;
	uint64_t now = epoch_now();

	if (platform || (loader == other && epoch == now))
		return loader == platform;
	if ((*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
		return false;
	jobject object = platform_loader(jni);
	platform = object ? find_platform(jni, object) : 0;
	(*jni)->PopLocalFrame(jni, NULL);
	other = loader;
	epoch = now;
	return loader == platform;
}

/* The loader of a class: the boot loader, which has no object, the platform loader, or another. */
static uint32_t loader_flags(JNIEnv *jni, uintptr_t loader)
{
	uintptr_t object = 0;

	if (!peek(loader + at.loader_handle, &object, sizeof object))
		return 0;
	bool platform = !object || is_platform(jni, loader);
	return WIRE_METHOD_LOADER | (platform ? WIRE_METHOD_PLATFORM : 0u);
}

/* By which the tool knows methods that a compiler made. */
static uint32_t kind_flags(const struct metadata_records *r)
{
	bool is_static = r->access & JVM_ACC_STATIC;

	return (is_static ? WIRE_METHOD_STATIC : 0u) |
	       (r->access & JVM_ACC_SYNTHETIC ? WIRE_METHOD_SYNTHETIC : 0u) |
	       (r->access & JVM_ACC_BRIDGE ? WIRE_METHOD_BRIDGE : 0u) |
	       (is_static && is_enum(r->klass) ? WIRE_METHOD_ENUM : 0u);
}

bool metadata_names(JNIEnv *jni, uintptr_t method, uint64_t number, struct metadata_names *to)
{
	struct metadata_records r, again;

	if (!method || !metadata_find(method, &r))
		return false;
	*to = (struct metadata_names){
		.class_signature = read_signature(r.class_name),
		.name = read_symbol(r.name, 1, 0),
		.descriptor = read_symbol(r.descriptor, 2, 0),
		.file = read_file(&r),
		.lines = lines,
		.nlines = read_lines(&r),
		.flags = loader_flags(jni, r.loader) | kind_flags(&r),
	};
	return to->class_signature.len && to->name.len && metadata_find(method, &again) &&
	       memcmp(&r, &again, sizeof r) == 0 &&
	       ((metadata_compute(&r) ^ number) & ~(uint64_t)METADATA_BITS) == 0;
}
