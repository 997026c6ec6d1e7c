/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - how far a long work is, for somebody who looks on from another thread.
 *
 * Those who do the work only count, which costs next to nothing and may happen in several threads
 * at once; whoever wants to show it looks whenever he likes. Without somebody who looks the pointer
 * is NULL.
 */
#ifndef OJX_PROGRESS_H
#define OJX_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	const char *_Atomic what; /* "reading", a text that stays; NULL: nothing is being done */
	_Atomic uint64_t done, total; /* total 0: it is not known how much there is */
};

/* The next part of the work begins. */
static inline void progress_begin(struct progress *p, const char *what, uint64_t total)
{
	if (!p)
		return;
	atomic_store(&p->done, 0);
	atomic_store(&p->total, total);
	atomic_store(&p->what, what);
}

/* `n` more of the part are done. Any thread. */
static inline void progress_add(struct progress *p, uint64_t n)
{
	if (p)
		atomic_fetch_add_explicit(&p->done, n, memory_order_relaxed);
}

#endif
