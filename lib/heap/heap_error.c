/* SPDX-License-Identifier: Apache-2.0 */
/* heap_error.c - see heap.h: what is wrong with a dump, in a line. */
#include <stdarg.h>
#include <stdio.h>

#include "heap/heap.h"

int heap_fail(struct heap *h, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(h->error, sizeof h->error, format, args);
	va_end(args);
	return -1;
}

int heap_out_of_memory(struct heap *h)
{
	return heap_fail(h, "out of memory");
}
