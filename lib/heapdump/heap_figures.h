/* SPDX-License-Identifier: Apache-2.0 */
/* heap_figures.h - contents of objects as text: strings, numbers, arrays of numbers. */
#ifndef OJX_HEAP_FIGURES_H
#define OJX_HEAP_FIGURES_H

#include "heapdump/heap.h"

/*
 * Writes what an object holds, cut to fit, and returns it. NULL: there is no short text for objects
 * of its class.
 */
const char *heap_value(const struct heap *h, uint32_t x, char *room, size_t size);

#endif
