/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xmalloc.h - memory for reports: whoever asks gets it, or the program ends.
 *
 * A report that gets no memory is no report, so its code need not pass that on: each of these
 * functions returns what was asked for, or calls out_of_memory(). So do XGROW (grow.h), xidmap_put
 * (idmap.h), xarena_alloc and xarena_text (arena.h), xbig_alloc and xbig_zeroed (big.h), and what
 * reports alone use: memtext.h, inked.h.
 *
 * What records must not use them, since what was recorded would be lost: lib/file/, lib/model/,
 * lib/record/, lib/attach/, the stores of the analyses, and cmd/record*. These pass lack of memory
 * on. test/house.py checks this.
 */
#ifndef OJX_XMALLOC_H
#define OJX_XMALLOC_H

#include <stddef.h>

/*
 * Ends the program. The library neither prints nor exits, and has no variable that could hold a
 * function: the program defines this one (cmd/out_of_memory.c). A program that does not, a test,
 * aborts. Any thread may call it; the others may be at work.
 */
_Noreturn void out_of_memory(void);

/* `what` unless it is NULL. */
void *xgiven(void *what) __attribute__((returns_nonnull));

void *xmalloc(size_t bytes) __attribute__((malloc, returns_nonnull, alloc_size(1)));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull, alloc_size(1, 2)));
/* Room for `n` things of `size` bytes, uninitialised. */
void *xmallocarray(size_t n, size_t size)
	__attribute__((malloc, returns_nonnull, alloc_size(1, 2)));
void *xreallocarray(void *items, size_t n, size_t size)
	__attribute__((returns_nonnull, alloc_size(2, 3)));
void *xrealloc(void *memory, size_t bytes) __attribute__((returns_nonnull, alloc_size(2)));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t len) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

#endif
