/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - the memory of a recording. All of it can be freed at once, when the agent detaches.
 */
#ifndef OJX_MEMORY_H
#define OJX_MEMORY_H

#include <stddef.h>

/* `n` elements of `size` bytes, all zero; NULL when out of memory. Not in handlers. */
void *memory_new(size_t n, size_t size);

/* Frees what memory_new returned; NULL is allowed. */
void memory_free(void *p);

/* Frees all of it. The caller ensures that nobody uses any. */
void memory_free_all(void);

#endif
