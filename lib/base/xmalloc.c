/* SPDX-License-Identifier: Apache-2.0 */
/* xmalloc.c - see xmalloc.h. None of them returns NULL for 0 bytes, where malloc() may. */
#define _GNU_SOURCE 1 /* vasprintf */
#include "base/xmalloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program's own takes its place. */
__attribute__((weak)) _Noreturn void out_of_memory(void)
{
	abort();
}

void *xgiven(void *what)
{
	if (!what)
		out_of_memory();
	return what;
}

void *xmalloc(size_t bytes)
{
	return xgiven(malloc(bytes ? bytes : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return xgiven(n && size ? calloc(n, size) : calloc(1, 1));
}

void *xmallocarray(size_t n, size_t size)
{
	return xreallocarray(NULL, n, size);
}

void *xreallocarray(void *items, size_t n, size_t size)
{
	return xgiven(n && size ? reallocarray(items, n, size) : realloc(items, 1));
}

void *xrealloc(void *memory, size_t bytes)
{
	return xgiven(realloc(memory, bytes ? bytes : 1));
}

char *xstrdup(const char *text)
{
	return xgiven(strdup(text));
}

char *xstrndup(const char *text, size_t len)
{
	return xgiven(strndup(text, len));
}

char *xasprintf(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	int len = vasprintf(&text, format, args);
	va_end(args);
	return xgiven(len < 0 ? NULL : text);
}
