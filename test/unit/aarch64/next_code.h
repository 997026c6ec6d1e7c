/* SPDX-License-Identifier: Apache-2.0 */
/* next_code.h - code that accesses memory next; its registers are those with the numbers 0 to 2. */
#ifndef OJX_TEST_NEXT_CODE_H
#define OJX_TEST_NEXT_CODE_H

#include <stdint.h>

/* clang-format off */

/* a load of an element, a store to a field */
static const uint8_t plain_code[] = {
	0x00, 0x78, 0x61, 0xb8, /* ldr w0, [x0, x1, lsl #2] */
	0x40, 0x0c, 0x00, 0xb9, /* str w0, [x2, #12] */
	0xc0, 0x03, 0x5f, 0xd6, /* ret */
};

/* the array is in the frame */
static const uint8_t spilled_code[] = {
	0xe2, 0x0f, 0x40, 0xf9, /* ldr x2, [sp, #24] */
	0x21, 0x04, 0x00, 0x11, /* add w1, w1, #0x1 */
	0x40, 0x78, 0x61, 0xb8, /* ldr w0, [x2, x1, lsl #2] */
	0xc0, 0x03, 0x5f, 0xd6, /* ret */
};

/* clang-format on */

#define ELEMENTS 0 /* the displacement of the load */
#define RETURN	 4 /* bytes of the last instruction */

#endif
