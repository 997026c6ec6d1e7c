/* SPDX-License-Identifier: Apache-2.0 */
/* big.h - memory for large arrays that are read in no order: in huge pages, if Linux has them. */
#ifndef OJX_BIG_H
#define OJX_BIG_H

#include <stddef.h>

#include "base/xmalloc.h"

/* Room for `n` things of `size` bytes, uninitialised, for free(). NULL with ENOMEM. */
void *big_alloc(size_t n, size_t size);
/* The same, zeroed. */
void *big_zeroed(size_t n, size_t size);

/* The same for reports (xmalloc.h): never NULL. */
static inline void *xbig_alloc(size_t n, size_t size)
{
	return xgiven(big_alloc(n, size));
}

static inline void *xbig_zeroed(size_t n, size_t size)
{
	return xgiven(big_zeroed(n, size));
}

#endif
