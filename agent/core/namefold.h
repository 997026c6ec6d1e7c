/* SPDX-License-Identifier: Apache-2.0 */
/*
 * namefold.h - numbers for any number of names.
 *
 * The first names have one each; of later ones the last digits in the name, then all digits are
 * taken for '*', as in "pool-1-thread-*"; and what is new even then has the number 0. Knows nothing
 * of the VM, for tests.
 */
#ifndef OJX_NAMEFOLD_H
#define OJX_NAMEFOLD_H

#include <stdint.h>

#include "wire/wire.h"

#define NAMEFOLD_WHOLE 128 /* numbers that are given to whole names */
#define NAMEFOLD_LAST  224 /* then to those whose last digits are folded */

struct namefold {
	uint32_t last;				       /* number that was given */
	char name[WIRE_THREADS][WIRE_THREAD_NAME + 1]; /* by number */
};

/* The number of a name: 1.., new if `last` grows, and then name[last] is how it is told; or 0. */
uint32_t namefold_number(struct namefold *n, const char *name);

#endif
