/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.c - measures the object layout.
 *
 * Each object is read through its local handle while the GC epoch does not change. Then it is
 * searched for its known content: a length of 77 elements, a pattern of bytes, the same reference
 * several times.
 */
#include "hotspot/metadata/layout.h"

#include <string.h>

#include "core/peek.h"
#include "hotspot/versions.h"
#include "hotspot/vmstructs.h"

static const struct vmstructs *structs;

/*
 * The range if the collector does not tell: ZGC's heap lies between 4 TB and 80 TB, even one of 5
 * TB, and the program and its libraries lie above.
 */
static uintptr_t heap_low = 1ull << 42, heap_high = 5ull << 44;

void ranges_init(const struct vmstructs *vm)
{
	uintptr_t low, high;

	structs = vm;
	if (vmstructs_heap_range(vm, &low, &high)) {
		heap_low = low;
		heap_high = high;
	}
}

bool ranges_in_heap(uintptr_t address, size_t size)
{
	return address >= heap_low && address < heap_high && size <= heap_high - address;
}

/* Reads the range each time, since the code cache may grow. */
bool ranges_in_code(uint64_t ip)
{
	uintptr_t low, high;

	return vmstructs_code_range(structs, &low, &high) && ip >= low && ip < high;
}

#define PROBE_LENGTH 77 /* elements; not a value that headers hold by chance */
#define PROBE_BYTES  32 /* read from each object: header and start of the content */
#define ATTEMPTS     50

struct layout layout;

/*
 * Copies the first bytes of an object while its address is valid. If the kernel does not copy (see
 * peek.h), reads it in place, which is safe only while no other thread runs.
 */
static bool read_object(JNIEnv *jni, jobject handle, unsigned char *to, size_t n)
{
	for (int i = 0; handle && i < ATTEMPTS; i++) {
		/* waits for the end of a pause; the collector has updated the handle then */
		(*jni)->IsSameObject(jni, handle, NULL);
		uint64_t epoch = epoch_now();
		if (epoch == UINT64_MAX)
			continue;
		uintptr_t address = handle_address(handle);
		if (!peek(address, to, n)) {
			if (ojx.attached)
				continue;
			memcpy(to, (const void *)address, n);
		}
		if (epoch_is(epoch))
			return true;
	}
	return false;
}

/* Offset of `len` bytes in an object's copy, at multiples of `step` from `from`; 0 if missing. */
static uint32_t find(const unsigned char *object, const void *what, uint32_t len, uint32_t from,
		     uint32_t step)
{
	for (uint32_t at = from; at + len <= PROBE_BYTES; at += step)
		if (memcmp(object + at, what, len) == 0)
			return at;
	return 0;
}

/* Length and class word, from the header of a byte[77]. */
static bool measure_header(JNIEnv *jni)
{
	unsigned char object[PROBE_BYTES];
	int32_t length = PROBE_LENGTH;

	if (!read_object(jni, (*jni)->NewByteArray(jni, PROBE_LENGTH), object, sizeof object))
		return false;
	layout.length_offset = find(object, &length, sizeof length, 8, 4);
	layout.klass_mask = UINT64_MAX;
	switch (layout.length_offset) {
	case 8: /* compact header: the class is in the mark word's upper bits */
		layout.klass_offset = 0;
		layout.klass_size = 8;
		layout.klass_mask = UINT64_MAX << version_value(VERSION_KLASS_SHIFT);
		return true;
	case 12:
		layout.klass_offset = 8;
		layout.klass_size = 4;
		return true;
	case 16:
		layout.klass_offset = 8;
		layout.klass_size = 8;
		return true;
	default:
		return false;
	}
}

/* First element of primitive arrays, by element size. */
static bool measure_arrays(JNIEnv *jni)
{
	static const jlong pattern[] = { 0x1122334455667788, 0x21436587a9cbed0f };
	unsigned char object[PROBE_BYTES];
	jbyteArray bytes = (*jni)->NewByteArray(jni, PROBE_LENGTH);
	jshortArray shorts = (*jni)->NewShortArray(jni, PROBE_LENGTH);
	jintArray ints = (*jni)->NewIntArray(jni, PROBE_LENGTH);
	jlongArray longs = (*jni)->NewLongArray(jni, PROBE_LENGTH);
	if (!bytes || !shorts || !ints || !longs)
		return false;
	(*jni)->SetByteArrayRegion(jni, bytes, 0, 8, (const jbyte *)pattern);
	(*jni)->SetShortArrayRegion(jni, shorts, 0, 4, (const jshort *)pattern);
	(*jni)->SetIntArrayRegion(jni, ints, 0, 2, (const jint *)pattern);
	(*jni)->SetLongArrayRegion(jni, longs, 0, 1, pattern);

	const struct {
		jobject array;
		uint32_t element;
	} probes[] = { { bytes, 1 }, { shorts, 2 }, { ints, 4 }, { longs, 8 } };
	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
		if (!read_object(jni, probes[i].array, object, sizeof object))
			return false;
		uint32_t at = find(object, pattern, 8, layout.length_offset + 4, 4);
		if (!at)
			return false;
		layout.base[probes[i].element] = at;
	}
	return true;
}

/* Whether the same reference of this size is there three times. If so, elements begin here. */
static bool references_at(const unsigned char *object, uint32_t at, uint32_t size)
{
	static const unsigned char null[8];

	if (memcmp(object + at, object + at + size, size) != 0 ||
	    memcmp(object + at, object + at + 2 * (size_t)size, size) != 0 ||
	    memcmp(object + at, null, size) == 0)
		return false;
	layout.ref_size = size;
	layout.object_base = at;
	return true;
}

/* Measures the size of references, and where object arrays keep them. */
static bool measure_references(JNIEnv *jni)
{
	unsigned char object[PROBE_BYTES + 16];
	jclass type = (*jni)->FindClass(jni, "java/lang/Object");
	jobject element = type ? (*jni)->AllocObject(jni, type) : NULL;
	jobjectArray array =
		element ? (*jni)->NewObjectArray(jni, PROBE_LENGTH, type, element) : NULL;
	if (!read_object(jni, array, object, sizeof object))
		return false;

	/*
	 * Up to JDK 22 elements of four bytes begin at a multiple of eight, too. Two of them look
	 * like one of eight bytes.
	 */
	uint32_t after = layout.length_offset + 4, aligned = (after + 7) & ~7u;
	return references_at(object, after, 4) || references_at(object, aligned, 4) ||
	       references_at(object, aligned, 8);
}

/*
 * A jfieldID has the field's offset above some bits that say what it is: two, from JDK 28 on
 * three. Finds out how many by a field of known value.
 */
static bool measure_fields(JNIEnv *jni)
{
	static const jint value = 0x5a17c3d1;
	unsigned char object[24]; /* an Integer, at most */
	jclass type = (*jni)->FindClass(jni, "java/lang/Integer");
	jmethodID valueOf =
		type ? (*jni)->GetStaticMethodID(jni, type, "valueOf", "(I)Ljava/lang/Integer;")
		     : NULL;
	jfieldID field = valueOf ? (*jni)->GetFieldID(jni, type, "value", "I") : NULL;
	if (!field)
		return false;
	jobject integer = (*jni)->CallStaticObjectMethod(jni, type, valueOf, value);
	if (!read_object(jni, integer, object, sizeof object))
		return false;
	for (layout.field_shift = 2; layout.field_shift <= 3; layout.field_shift++) {
		size_t offset = layout_field(field);
		if (offset + sizeof value <= 24 &&
		    memcmp(object + offset, &value, sizeof value) == 0)
			return true;
	}
	return false;
}

/* ZGC keeps metadata in reference slots. The VM's tables tell how to strip it. */
static bool measure_metadata(const char *gc)
{
	struct vmstructs vs;

	layout.ref_mask = UINT64_MAX;
	layout.ref_shift = NULL;
	if (strcmp(gc, "Z") != 0)
		return true;
	vmstructs_read(&vs, ojx.dl);
	if (!vs.zglobals || !*vs.zglobals)
		return false;
	const char *globals = (const char *)*vs.zglobals;
	if (vs.z_load_shift >= 0) {
		layout.ref_shift = *(const void *const *)(globals + vs.z_load_shift);
		return layout.ref_shift != NULL;
	}
	const uint64_t *mask = vs.z_offset_mask < 0
				       ? &vs.z_constant_mask
				       : *(const uint64_t *const *)(globals + vs.z_offset_mask);
	layout.ref_mask = mask ? *mask : 0;
	return layout.ref_mask != 0;
}

uint64_t layout_klass_of(JNIEnv *jni, jclass type)
{
	unsigned char header[16];
	jobject object = (*jni)->AllocObject(jni, type);
	bool ok = read_object(jni, object, header, sizeof header);

	(*jni)->DeleteLocalRef(jni, object);
	return ok ? layout_klass(header) : 0;
}

bool layout_measure(JNIEnv *jni)
{
	bool ok = (*jni)->PushLocalFrame(jni, 16) == 0;
	if (ok) {
		ok = measure_header(jni) && measure_arrays(jni) && measure_references(jni) &&
		     measure_fields(jni) && measure_metadata(ojx.gc);
		(*jni)->PopLocalFrame(jni, NULL);
	}
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	layout.known = ok;
	return ok;
}
