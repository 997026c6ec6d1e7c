/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.c - see header.h.
 *
 * The start of the object is mostly unknown. But if the address is that of a part of a header, the
 * object begins at a known distance before it. There must be a plausible mark word, and a class
 * word that leads to a class of the VM. Uncompressed references differ from these parts by their
 * width. Contents that look like a header nevertheless are rare.
 */
#include "hotspot/header.h"

#include "core/peek.h"
#include "hotspot/klassname.h"
#include "hotspot/layout.h"

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
