/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.c - see header.h.
 *
 * Where the object begins is not known of most. But if the address is that of a header's part, the object begins so far before
 * it, and there is a class word, which must lead to a class of the VM. The contents of an object that look
 * like that are so rare that none has been seen.
 */
#include "header.h"

#include "klassname.h"
#include "layout.h"
#include "peek.h"

#define ALIGNMENT 8 /* of objects, at least */
#define WORD	  8 /* bytes of the mark word */

/* [handler] Whether an object begins here. */
static bool begins(uintptr_t start, bool *array)
{
	unsigned char header[2 * WORD];

	if (start % ALIGNMENT || !peek(start, header, sizeof header))
		return false;
	return *(const uint64_t *)header && klassname_is_class(layout_klass(header), array);
}

/* [handler] With compact headers, the class is the upper half of the mark word. */
static bool is_compact(void)
{
	return layout.klass_offset < WORD;
}

uint8_t header_part(uintptr_t address, uint32_t size)
{
	uintptr_t class_at = is_compact() ? WORD / 2 : layout.klass_offset;
	bool array;

	if (!layout.known || size > WORD)
		return WIRE_PART_CONTENT;
	if (begins(address - class_at, &array))
		return WIRE_PART_CLASS;
	if (begins(address - layout.length_offset, &array) && array)
		return WIRE_PART_LENGTH;
	if (begins(address, &array) || (!is_compact() && begins(address - WORD / 2, &array)))
		return WIRE_PART_MARK;
	return WIRE_PART_CONTENT;
}
