/* SPDX-License-Identifier: Apache-2.0 */
/* big.c - see big.h. */
#define _GNU_SOURCE 1 /* madvise */
#include "base/big.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20 };

void *big_alloc(size_t n, size_t size)
{
	void *memory;

	if (size && n > SIZE_MAX / size) {
		errno = ENOMEM;
		return NULL;
	}
	n = n && size ? n * size : 1;
	if (n < 2 * HUGE)
		return malloc(n);
	if (posix_memalign(&memory, HUGE, n) != 0)
		return NULL;
	madvise(memory, n / HUGE * HUGE, MADV_HUGEPAGE); /* where not, in small ones */
	return memory;
}

void *big_zeroed(size_t n, size_t size)
{
	void *memory = big_alloc(n, size);

	if (memory)
		memset(memory, 0, n * size);
	return memory;
}
