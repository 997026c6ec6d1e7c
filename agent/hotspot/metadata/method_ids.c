/* SPDX-License-Identifier: Apache-2.0 */
/*
 * method_ids.c - see method_ids.h. A class has an array of ids, by the number that each of its
 * methods has in the class (idnum). It begins with its length. The VM replaces it by a longer one
 * when methods are added, so it is read through the kernel.
 */
#include "hotspot/metadata/method_ids.h"

#include "core/peek.h"
#include "core/state.h"
#include "hotspot/versions.h"
#include "hotspot/vmstructs.h"

#define LONGEST	 (1 << 17) /* no class has more methods, with those of its older versions */
#define PIECE	 64	   /* words that are read at once */
#define ATTEMPTS 50

static struct {
	bool numbers; /* ids are no addresses */
	size_t methods, ids, const_method, idnum, first;
	uintptr_t *mirror_klass; /* where the offset is */
} at;

bool method_ids_init(void *dl)
{
	const struct vmstructs_wanted wanted[] = {
		{ "InstanceKlass", "_methods", .offset = &at.methods },
		{ "InstanceKlass", "_methods_jmethod_ids", .offset = &at.ids },
		{ "Method", "_constMethod", .offset = &at.const_method },
		{ "ConstMethod", "_method_idnum", .offset = &at.idnum },
		{ "Array<Method*>", "_data", .offset = &at.first },
		{ "java_lang_Class", "_klass_offset", .address = &at.mirror_klass },
	};
	const size_t n = sizeof wanted / sizeof wanted[0];

	at.numbers = version_has(VERSION_IDS_ARE_NUMBERS);
	return !at.numbers || vmstructs_find(dl, wanted, n) == n;
}

/* The Klass of a class that has no objects, perhaps; 0: its mirror was always being moved. */
static uintptr_t klass_of(JNIEnv *jni, jclass type)
{
	uint32_t offset = *(const uint32_t *)at.mirror_klass;

	for (int i = 0; i < ATTEMPTS; i++) {
		uintptr_t klass = 0;
		/* waits for the end of a pause; the collector has updated the handle then */
		(*jni)->IsSameObject(jni, type, NULL);
		uint64_t epoch = epoch_now();
		if (epoch != UINT64_MAX &&
		    peek(handle_address(type) + offset, &klass, sizeof klass) && epoch_is(epoch))
			return klass;
	}
	return 0;
}

/* Whether the Method has this id, which is that of a method of the class. */
static bool has_id(uintptr_t method, uintptr_t ids, uint64_t length, jmethodID id)
{
	uintptr_t const_method = 0, its = 0;
	uint16_t idnum = 0;

	return peek(method + at.const_method, &const_method, sizeof const_method) &&
	       peek(const_method + at.idnum, &idnum, sizeof idnum) && idnum < length &&
	       peek(ids + (idnum + 1u) * sizeof its, &its, sizeof its) && its == (uintptr_t)id;
}

static uintptr_t find_in(uintptr_t klass, jmethodID id)
{
	uintptr_t ids = 0, array = 0, piece[PIECE];
	uint64_t length = 0;
	int32_t n = 0;

	if (!peek(klass + at.ids, &ids, sizeof ids) || !ids || !peek(ids, &length, sizeof length) ||
	    length > LONGEST || !peek(klass + at.methods, &array, sizeof array) ||
	    !peek(array, &n, sizeof n) || n > LONGEST)
		return 0;
	for (int32_t i = 0; i < n; i += PIECE) {
		size_t some = n - i < PIECE ? (size_t)(n - i) : PIECE;
		uintptr_t from = array + at.first + (size_t)i * sizeof piece[0];
		if (!peek(from, piece, some * sizeof piece[0]))
			return 0;
		for (size_t k = 0; k < some; k++)
			if (has_id(piece[k], ids, length, id))
				return piece[k];
	}
	return 0;
}

uintptr_t method_ids_at(jmethodID id)
{
	return at.numbers ? 0 : *(const uintptr_t *)(const void *)id;
}

uintptr_t method_ids_find(JNIEnv *jni, jmethodID id)
{
	uintptr_t method = 0;
	jclass type = NULL;

	if (!id)
		return 0;
	if (!at.numbers)
		return method_ids_at(id);
	if ((*ojx.jvmti)->GetMethodDeclaringClass(ojx.jvmti, id, &type) != JVMTI_ERROR_NONE)
		return 0;
	uintptr_t klass = klass_of(jni, type);
	if (klass)
		method = find_in(klass, id);
	(*jni)->DeleteLocalRef(jni, type);
	return method;
}
