/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark_word.c - see mark_word.h.
 *
 * The lowest bits of mark words are the same in all JDKs: 01 free, 00 locked, 10 has a monitor, 11
 * moved. With biased locking 101 is free, or biased to the thread above bit 10. The place of the
 * hash code differs. It is found on an object whose hash code is requested.
 */
#include "hotspot/mark_word.h"

#include <string.h>

#include "core/peek.h"
#include "hotspot/metadata/klassname.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/vmstructs.h"

/*
 * ---- The start of the object is mostly unknown. But if the address is that of a part of a
 * header, the object begins at a known distance before it. There must be a plausible mark
 * word, and a class word that leads to a class of the VM. Uncompressed references differ from
 * these parts by their width. Contents that look like a header nevertheless are rare.
 */

#define ALIGNMENT   8 /* of objects, at least */
#define WORD	    8 /* bytes of the mark word */
#define HALF	    4
#define MARK_UNUSED 39 /* bits from here on are 0, unless the mark word is a pointer */
#define STACKS_FROM (UINT64_C(0x7e) << 40)

/*
 * [handler] Whether this can be a mark word; a reference cannot. Not for compact headers, where
 * anything can.
 */
static bool is_mark(uint64_t mark)
{
	bool plain = mark >> MARK_UNUSED == 0;

	switch (mark & 3) {
	case 0: /* locked: the lock is on a stack or, from JDK 21 on, in the thread */
		return mark && (plain || mark >= STACKS_FROM);
	case 1: /* unlocked; or biased to a thread (JDK 11) */
		return plain || mark & 4;
	default: /* has a monitor, or has moved */
		return true;
	}
}

/* [handler] With compact headers, the class is the upper half of the mark word. */
static bool is_compact(void)
{
	return layout.klass_offset < WORD;
}

/* [handler] Whether an object begins here. */
static bool begins(uintptr_t start, bool *array)
{
	unsigned char header[2 * WORD];

	if (start % ALIGNMENT || !peek(start, header, sizeof header))
		return false;
	return (is_compact() || is_mark(*(const uint64_t *)header)) &&
	       klassname_is_class(layout_klass(header), array);
}

uint8_t header_part(uintptr_t address, uint32_t size)
{
	uintptr_t class_at = is_compact() ? HALF : layout.klass_offset;
	uint32_t class_size = is_compact() ? HALF : layout.klass_size;
	bool array;

	if (!layout.known || size > WORD)
		return WIRE_PART_CONTENT;
	if (size == class_size && begins(address - class_at, &array))
		return WIRE_PART_CLASS;
	if (size == HALF && begins(address - layout.length_offset, &array) && array)
		return WIRE_PART_LENGTH;
	if (begins(address, &array) || (!is_compact() && begins(address - HALF, &array)))
		return WIRE_PART_MARK;
	return WIRE_PART_CONTENT;
}

#define HASH_BITS  31
#define SHIFT_MAX  33
#define BIAS_OWNER 10 /* shift */
#define ATTEMPTS   30 /* a GC may come between */

enum { LOCKED, FREE, MONITOR, MOVED };
static uint64_t hash_mask; /* 0: not known */
static bool biases;	   /* locks */
static bool stays;	   /* the hash code stays where it is when there is a monitor */

uint16_t mark_word_flags(const unsigned char *object)
{
	uint64_t mark;
	uint16_t flags = 0;

	memcpy(&mark, object, sizeof mark);
	switch (mark & 3) {
	case FREE:
		if (biases && mark & 4)
			return mark >> BIAS_OWNER ? WIRE_LOCKED : 0;
		return mark & hash_mask ? WIRE_HASHED : 0;
	case LOCKED:
	case MONITOR:
		flags = WIRE_LOCKED;
		if (stays && mark & hash_mask)
			flags |= WIRE_HASHED;
		return flags;
	default:
		return 0;
	}
}

/* The mark word of an object that was just used; 0 if it may have moved meanwhile. */
static uint64_t read_mark(jobject object)
{
	uint64_t mark = 0, epoch = epoch_now();
	uintptr_t at = handle_address(object);

	if (epoch == UINT64_MAX)
		return 0;
	if (!peek(at, &mark, sizeof mark)) { /* see peek.h */
		if (ojx.attached)
			return 0;
		memcpy(&mark, (const void *)at, sizeof mark);
	}
	return epoch_is(epoch) ? mark : 0;
}

/* The bits where the hash code of a new object appears; 0 if nowhere, or in more than one place. */
static uint64_t find_hash(JNIEnv *jni, jclass type)
{
	uint64_t found = 0, bits = (1ull << HASH_BITS) - 1;
	jobject object = (*jni)->AllocObject(jni, type);
	jint hash = 0;

	if (!object ||
	    (*ojx.jvmti)->GetObjectHashCode(ojx.jvmti, object, &hash) != JVMTI_ERROR_NONE || !hash)
		return 0;
	uint64_t mark = read_mark(object);
	for (uint32_t shift = 3; shift <= SHIFT_MAX; shift++) {
		if ((mark >> shift & bits) != (uint32_t)hash)
			continue;
		if (found)
			return 0;
		found = bits << shift;
	}
	return (mark & 3) == FREE ? found : 0;
}

/* Monitors in a table leave the rest of the mark word as it is. */
static bool hash_stays(const struct vmstructs *vm)
{
	return vmstructs_flag(vm, "UseObjectMonitorTable");
}

void mark_word_measure(JNIEnv *jni)
{
	struct vmstructs vm;
	jclass type;

	vmstructs_read(&vm, ojx.dl);
	biases = vmstructs_flag(&vm, "UseBiasedLocking");
	stays = hash_stays(&vm);
	if ((*jni)->PushLocalFrame(jni, 16) != 0)
		return;
	type = (*jni)->FindClass(jni, "java/lang/Object");
	for (int i = 0; type && i < ATTEMPTS && !hash_mask; i++) {
		uint64_t once = find_hash(jni, type), again = find_hash(jni, type);
		hash_mask = once == again ? once : 0;
	}
	(*jni)->PopLocalFrame(jni, NULL);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
}
