/* SPDX-License-Identifier: Apache-2.0 */
/* metadata_start.c - where HotSpot's records of methods are, and a trial of them. */
#include <string.h>

#include "core/peek.h"
#include "core/state.h"
#include "hotspot/metadata.h"
#include "hotspot/metadata_private.h"
#include "hotspot/vmstructs.h"

#define EXCLUDES 20 /* from this JDK on, the bytes of a number are never 0 */

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
	       at.const_size && at.const_size <= METADATA_HEAD && at.pool_size && at.file &&
	       at.const_method + 8 <= METADATA_HEAD && at.access + 4 <= METADATA_HEAD &&
	       at.name >= at.code_size && at.name + 2 <= at.code_size + METADATA_SIZES &&
	       at.descriptor >= at.code_size &&
	       at.descriptor + 2 <= at.code_size + METADATA_SIZES &&
	       at.code_size + METADATA_SIZES <= at.const_size &&
	       at.const_words + 4 <= at.const_size && at.constants + 8 <= at.const_size &&
	       at.const_flags + 2 <= at.const_size;
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

bool metadata_init(void *dl, JNIEnv *jni, int jdk, jmethodID run)
{
	at.excludes = jdk >= EXCLUDES;
	at.has_lines =
		(uint32_t)vmstructs_constant(dl, "ConstMethod::_has_linenumber_table") |
		(uint32_t)vmstructs_constant(dl, "ConstMethodFlags::_misc_has_linenumber_table");
	metadata_on = find_places(dl) && at.has_lines && tried(jni, run);
	return metadata_on;
}
