/* SPDX-License-Identifier: Apache-2.0 */
/* next_code.h - code that accesses memory next; its registers are those with the numbers 0 to 2. */
#ifndef OJX_TEST_NEXT_CODE_H
#define OJX_TEST_NEXT_CODE_H

#include <stdint.h>

/* a load of an element, a store to a field */
static const uint8_t plain_code[] = {
	0x8b, 0x44, 0x88, 0x10, /* mov eax, [rax + rcx * 4 + 16] */
	0x89, 0x42, 0x0c,	/* mov [rdx + 12], eax */
	0xc3,			/* ret */
};

/* the array is in the frame */
static const uint8_t spilled_code[] = {
	0x48, 0x8b, 0x54, 0x24, 0x18, /* mov rdx, [rsp + 24] */
	0xff, 0xc1,		      /* inc ecx */
	0x8b, 0x44, 0x8a, 0x10,	      /* mov eax, [rdx + rcx * 4 + 16] */
	0xc3,			      /* ret */
};

#define ELEMENTS 16 /* the displacement of the load */
#define RETURN	 1  /* bytes of the last instruction */

#endif
