/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blockstack.h - a lock-free stack of numbers below 2^32 - 1, for handlers and all threads.
 *
 * The top holds a count of changes beside the number. So an exchange fails if the stack has changed
 * and changed back meanwhile.
 */
#ifndef OJX_BLOCKSTACK_H
#define OJX_BLOCKSTACK_H

#include <stdatomic.h>
#include <stdint.h>

struct blockstack {
	_Atomic uint64_t top;	 /* changes << 32 | number + 1; lower half 0: empty */
	_Atomic uint32_t *below; /* for each number: the one below it + 1 */
	_Atomic uint32_t count;	 /* approximate while others push or pop */
};

/* [handler] */
static inline void blockstack_push(struct blockstack *s, uint32_t n)
{
	uint64_t top = atomic_load_explicit(&s->top, memory_order_relaxed), next;

	do {
		atomic_store_explicit(&s->below[n], (uint32_t)top, memory_order_relaxed);
		next = ((top >> 32) + 1) << 32 | (n + 1);
	} while (!atomic_compare_exchange_weak_explicit(&s->top, &top, next, memory_order_release,
							memory_order_relaxed));
	atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
}

/* [handler] The number pushed last; -1 when the stack is empty. */
static inline int64_t blockstack_pop(struct blockstack *s)
{
	uint64_t top = atomic_load_explicit(&s->top, memory_order_acquire), next;

	do {
		if ((uint32_t)top == 0)
			return -1;
		uint32_t below =
			atomic_load_explicit(&s->below[(uint32_t)top - 1], memory_order_relaxed);
		next = ((top >> 32) + 1) << 32 | below;
	} while (!atomic_compare_exchange_weak_explicit(&s->top, &top, next, memory_order_acq_rel,
							memory_order_acquire));
	atomic_fetch_sub_explicit(&s->count, 1, memory_order_relaxed);
	return (int64_t)(uint32_t)top - 1;
}

#endif
