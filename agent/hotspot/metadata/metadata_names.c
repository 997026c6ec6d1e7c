/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata_names.c - the names and lines of a method, from HotSpot's records. The number is a hash
 * of them. The class may be unloaded while they are read, so at the end it is proved that they are
 * still what they were.
 */
#define _GNU_SOURCE

#include <classfile_constants.h>
#include <string.h>

#include "core/jvm.h"
#include "core/peek.h"
#include "core/state.h"
#include "core/trace.h"
#include "hotspot/metadata/bytecodes.h"
#include "hotspot/metadata/loaders.h"
#include "hotspot/metadata/metadata.h"
#include "hotspot/metadata/metadata_private.h"
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
	       at.symbol_body - at.symbol_length <= METADATA_SYMBOL &&
	       metadata_class_span() <= METADATA_SPAN;
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

/* Whether the bytecodes of a method are what JVMTI says; if there are none, nothing is wrong. */
static bool code_agrees(JNIEnv *jni, jmethodID id, uint32_t *replaced)
{
	uintptr_t method = 0;
	unsigned char *plain = NULL;
	struct metadata_names n;
	jint size = 0;

	if (!peek((uintptr_t)id, &method, sizeof method) ||
	    !metadata_names(jni, method, metadata_number(method), &n) || !n.code_size ||
	    (*ojx.jvmti)->GetBytecodes(ojx.jvmti, id, &size, &plain) != JVMTI_ERROR_NONE)
		return true;
	bool same = n.code_size == (uint32_t)size &&
		    bytecodes_agree(n.code, plain, n.code_size, replaced);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, plain);
	return same;
}

/*
 * Whether HotSpot's own bytecodes are known, by the methods of String: each JVM has run some of
 * them by now, and no program replaces them.
 */
static bool code_tried(JNIEnv *jni)
{
	const jvmtiCapabilities reads = { .can_get_bytecodes = 1 };
	jclass string = (*jni)->FindClass(jni, "java/lang/String");
	jmethodID *methods = NULL;
	uint32_t replaced = 0;
	jint n = 0;
	bool same = true;

	if (!string || (*ojx.jvmti)->AddCapabilities(ojx.jvmti, &reads) != JVMTI_ERROR_NONE)
		return false;
	(*ojx.jvmti)->GetClassMethods(ojx.jvmti, string, &n, &methods);
	for (jint i = 0; same && i < n; i++)
		same = code_agrees(jni, methods[i], &replaced);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)methods);
	(*ojx.jvmti)->RelinquishCapabilities(ojx.jvmti, &reads);
	(*jni)->DeleteLocalRef(jni, string);
	trace("bytecodes: %u of HotSpot's own in String, %s", replaced,
	      same ? "as they are known" : "others than are known");
	return same && replaced;
}

bool metadata_init(void *dl, JNIEnv *jni, jmethodID run)
{
	at.excludes = version_has(VERSION_BYTES_EXCLUDE_0);
	at.has_lines =
		(uint32_t)vmstructs_constant(dl, "ConstMethod::_has_linenumber_table") |
		(uint32_t)vmstructs_constant(dl, "ConstMethodFlags::_misc_has_linenumber_table");
	at.code_known = true; /* to be tried */
	metadata_on = loaders_init(dl) && find_places(dl) && at.has_lines && tried(jni, run);
	at.code_known = metadata_on && code_tried(jni);
	return metadata_on;
}

#define TEXTS	   4
#define CHUNK	   256 /* bytes of line numbers that are read at once */
#define LINES_MAX  65536u
#define HEAD	   32
#define CLASS_BITS 7
#define FILE_ROOM  64 /* bytes of a source file's name; most are shorter */

static char texts[TEXTS][UINT16_MAX + 3]; /* a class's name becomes its signature */
static struct wire_line lines[LINES_MAX];
static unsigned char code[UINT16_MAX];

/* What all methods of a class have in common. Later than in its epoch the class may be gone. */
static struct class_known {
	uintptr_t klass, name, loader;
	uint64_t epoch;
	uint32_t flags;
	bool is_enum;
	uint8_t file_len;
	char file[FILE_ROOM];
} classes[1u << CLASS_BITS];

/* ---- texts ----------------------------------------------------------------------------- */

/* Copies a Symbol to text `n`, from its byte `from` on; most of them were read as a whole. */
static struct metadata_text copy_symbol(const struct metadata_symbol *s, uintptr_t symbol, int n,
					size_t from)
{
	char *to = texts[n] + from;

	if (s->len > METADATA_TEXT)
		return (struct metadata_text){ to, metadata_symbol(symbol, to, UINT16_MAX) };
	memcpy(to, metadata_text_in(s), s->len);
	return (struct metadata_text){ to, s->len };
}

/* As JVMTI has it: the part that the VM adds to a hidden class's name follows a full stop. */
static struct metadata_text signature_of(const struct metadata_symbol *s, uintptr_t symbol)
{
	struct metadata_text t = copy_symbol(s, symbol, 0, 1);
	char *name = texts[0] + 1, *plus = memrchr(name, '+', t.len);

	if (!t.len || t.len > UINT16_MAX - 2)
		return (struct metadata_text){ texts[0], 0 };
	if (plus && (size_t)(name + t.len - plus) > 2 && plus[1] == '0' && plus[2] == 'x')
		*plus = '.';
	texts[0][0] = 'L';
	name[t.len] = ';';
	return (struct metadata_text){ texts[0], (uint16_t)(t.len + 2) };
}

/* ---- lines ----------------------------------------------------------------------------- */

static int32_t signed_number(const unsigned char **p)
{
	uint32_t x = metadata_next(p);

	return (int32_t)(x >> 1) ^ -(int32_t)(x & 1);
}

/* Where the entries of a method have been read to. */
struct line_reader {
	uintptr_t from; /* 0: there are no more */
	int32_t bci, line;
	uint32_t n;
};

/* Takes the entries in `len` bytes, with METADATA_SLACK bytes behind. `more`: others follow. */
static void take_lines(struct line_reader *r, const unsigned char *bytes, size_t len, bool more)
{
	const unsigned char *p = bytes, *last = bytes + len;

	/* an entry that may not be whole belongs to the next chunk */
	while (p < last - (more ? METADATA_SLACK : 0) && *p && r->n < LINES_MAX) {
		uint32_t byte = *p++;
		r->bci += byte == 0xff ? signed_number(&p) : (int32_t)(byte >> 3);
		r->line += byte == 0xff ? signed_number(&p) : (int32_t)(byte & 7);
		lines[r->n++] = (struct wire_line){ (uint16_t)r->bci, (uint16_t)r->line };
	}
	r->from = more && p > bytes && *p && r->n < LINES_MAX ? r->from + (size_t)(p - bytes) : 0;
}

/* The first of them were read with the texts. */
static uint32_t read_lines(const struct metadata_records *r, const struct metadata_texts *t)
{
	struct line_reader to = { .from = r->lines };
	unsigned char bytes[CHUNK + METADATA_SLACK];

	if (!r->lines)
		return 0;
	take_lines(&to, t->lines, t->nlines, t->nlines == METADATA_LINES);
	while (to.from && to.from < r->lines_end) {
		size_t left = r->lines_end - to.from, len = left < CHUNK ? left : CHUNK;
		memset(bytes, 0, sizeof bytes);
		bool good = peek(to.from, bytes, len);
		take_lines(&to, bytes, good ? len : 0, good && len == CHUNK);
	}
	return to.n;
}

/* ---- classes ----------------------------------------------------------------------------- */

/* An enum that has values(): the classes of its constants' bodies extend it, not java.lang.Enum. */
static bool extends_enum(uintptr_t super)
{
	static const char wanted[] = "java/lang/Enum";
	uintptr_t symbol = 0;
	char name[HEAD];

	return peek(super + at.class_name, &symbol, sizeof symbol) &&
	       metadata_symbol(symbol, name, sizeof name) == strlen(wanted) &&
	       memcmp(name, wanted, strlen(wanted)) == 0;
}

/* Reads what a class's methods have in common, its file's name into text 3. */
static void read_class(JNIEnv *jni, const struct metadata_records *r,
		       struct metadata_text signature, struct class_known *to,
		       struct metadata_text *file)
{
	uintptr_t super = 0, symbol = 0;
	uint16_t access = 0, index = 0;
	uint64_t epoch = epoch_now();
	struct peek_piece pieces[] = {
		{ .from = r->klass + at.class_access, .to = &access, .len = sizeof access },
		{ .from = r->klass + at.super, .to = &super, .len = sizeof super },
		{ .from = (at.file_in_class ? r->klass : r->pool) + at.file,
		  .to = &index,
		  .len = sizeof index },
	};

	peek_batch(pieces, sizeof pieces / sizeof *pieces);
	*to = (struct class_known){ .klass = r->klass,
				    .name = r->class_name,
				    .loader = r->loader,
				    .epoch = epoch,
				    .flags = loader_flags(jni, r->loader, signature.text,
							  signature.len),
				    .is_enum = access & JVM_ACC_ENUM && extends_enum(super) };
	*file = (struct metadata_text){ texts[3], 0 };
	if (index && peek(r->pool + at.pool_size + index * sizeof symbol, &symbol, sizeof symbol))
		file->len = metadata_symbol(symbol, texts[3], UINT16_MAX);
	if (file->len > sizeof to->file || epoch == UINT64_MAX) { /* it is not remembered */
		to->klass = 0;
		return;
	}
	memcpy(to->file, texts[3], file->len);
	to->file_len = (uint8_t)file->len;
}

/* What a class's methods have in common. */
static const struct class_known *class_of(JNIEnv *jni, const struct metadata_records *r,
					  struct metadata_text signature,
					  struct metadata_text *file)
{
	struct class_known *c = &classes[(r->klass * 0x9e3779b97f4a7c15u) >> (64 - CLASS_BITS)];

	if (c->klass == r->klass && c->name == r->class_name && c->loader == r->loader &&
	    (epoch_is(c->epoch) || loader_stays(c->loader)))
		*file = (struct metadata_text){ c->file, c->file_len };
	else
		read_class(jni, r, signature, c, file);
	return c;
}

/* By which the tool knows methods that a compiler made. */
static uint32_t kind_flags(const struct metadata_records *r, bool is_enum)
{
	bool is_static = r->access & JVM_ACC_STATIC;

	return (is_static ? WIRE_METHOD_STATIC : 0u) |
	       (r->access & JVM_ACC_SYNTHETIC ? WIRE_METHOD_SYNTHETIC : 0u) |
	       (r->access & JVM_ACC_BRIDGE ? WIRE_METHOD_BRIDGE : 0u) |
	       (is_static && is_enum ? WIRE_METHOD_ENUM : 0u);
}

/* ---- all of a method ---------------------------------------------------------------------- */

/* By what was known when the number was computed, if that is kept. */
static bool find(uintptr_t method, uint64_t number, struct metadata_records *r)
{
	struct metadata_known known;

	return (metadata_remembered(method, number, &known) &&
		metadata_find_again(method, &known, r)) ||
	       metadata_find(method, r);
}

/* Copies the bytecodes, which follow the ConstMethod. Returns their size; 0: they are not known. */
static uint32_t read_code(const struct metadata_records *r)
{
	return at.code_known && r->lines &&
			       peek(r->const_method + at.const_size, code, r->code_size)
		       ? r->code_size
		       : 0;
}

bool metadata_names(JNIEnv *jni, uintptr_t method, uint64_t number, struct metadata_names *to)
{
	const struct metadata_symbol *s;
	struct metadata_records r;
	struct metadata_texts t;
	struct metadata_known known;

	if (!method || !find(method, number, &r) || !metadata_read_texts(&r, &t) ||
	    !metadata_prove(&r, &t, &known) ||
	    ((metadata_hash(&r, &t) ^ number) & ~(uint64_t)METADATA_BITS))
		return false;
	s = t.symbol;
	*to = (struct metadata_names){
		.class_signature = signature_of(&s[METADATA_CLASS], r.class_name),
		.name = copy_symbol(&s[METADATA_NAME], r.name, 1, 0),
		.descriptor = copy_symbol(&s[METADATA_DESCRIPTOR], r.descriptor, 2, 0),
		.lines = lines,
		.nlines = read_lines(&r, &t),
		.code = code,
		.code_size = read_code(&r),
	};
	const struct class_known *c = class_of(jni, &r, to->class_signature, &to->file);
	to->flags = c->flags | kind_flags(&r, c->is_enum);
	return to->class_signature.len && to->name.len && metadata_proved(method, &known);
}
