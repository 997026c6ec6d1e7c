/* SPDX-License-Identifier: Apache-2.0 */
/*
 * no_memory.c - a library to be preloaded: there is memory for the first NO_MEMORY_AFTER requests
 * of a process, and for none after them. Processes that it starts get all they want.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* The C library's own, which have these names, too. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_long left = -1; /* -1: there is no limit yet */
static pid_t limited;

__attribute__((constructor)) static void begin(void)
{
	const char *after = getenv("NO_MEMORY_AFTER");

	limited = getpid();
	left = after ? atol(after) : -1;
	unsetenv("NO_MEMORY_AFTER");
	unsetenv("LD_PRELOAD");
}

static bool lacks(void)
{
	if (left == -1 || getpid() != limited)
		return false;
	if (left > 0) {
		left--;
		return false;
	}
	errno = ENOMEM;
	return true;
}

void *malloc(size_t bytes)
{
	return lacks() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size)
{
	return lacks() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t bytes)
{
	return lacks() ? NULL : __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
	return lacks() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
	if (lacks())
		return ENOMEM;
	*memory = __libc_memalign(alignment, bytes);
	return *memory ? 0 : ENOMEM;
}
