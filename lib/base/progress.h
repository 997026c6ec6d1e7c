/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - the progress of long work, for display by another thread.
 *
 * Workers only count, which is cheap and may happen in several threads at once. The displaying
 * thread reads whenever it wants to. The pointer is NULL if nobody displays progress.
 */
#ifndef OJX_PROGRESS_H
#define OJX_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	/* a static text, such as "reading"; NULL: no work is in progress */
	const char *_Atomic what;
	_Atomic uint64_t done, total; /* total 0: not known */
};

/* Begins the next part of the work. */
static inline void progress_begin(struct progress *p, const char *what, uint64_t total)
{
	if (!p)
		return;
	atomic_store_explicit(&p->done, 0, memory_order_relaxed);
	atomic_store_explicit(&p->total, total, memory_order_relaxed);
	atomic_store_explicit(&p->what, what, memory_order_relaxed);
}

/* Adds `n` to the part's count. Any thread. */
static inline void progress_add(struct progress *p, uint64_t n)
{
	if (p)
		atomic_fetch_add_explicit(&p->done, n, memory_order_relaxed);
}

/* ---- the number of processors for worker threads. */

/*
 * Number of processors that this thread may run on, at least 1. taskset or a container's cpuset can
 * make them fewer than the machine has.
 */
size_t processors_allowed(void);

#endif
