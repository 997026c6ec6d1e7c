/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name_numbers.h - numbers for any number of names.
 *
 * Each of the first names has its own number. In later names the last group of digits becomes '*',
 * as in "pool-1-thread-*"; still later all groups do. When no numbers are left, a new name gets 0.
 * Knows nothing of the VM, so that tests need none.
 */
#ifndef OJX_NAME_NUMBERS_H
#define OJX_NAME_NUMBERS_H

#include <stdint.h>

#include "wire/wire.h"

#define NAMEFOLD_WHOLE 128 /* numbers for whole names */
#define NAMEFOLD_LAST  224 /* then for names whose last digits are folded */

struct name_numbers {
	uint32_t last;				       /* the highest number in use */
	char name[WIRE_THREADS][WIRE_THREAD_NAME + 1]; /* by number */
};

/*
 * The number of a name, from 1 on; 0 when there is none left. If `last` grows, the number is new
 * and name[last] is its text.
 */
uint32_t name_numbers_get(struct name_numbers *n, const char *name);

#endif
