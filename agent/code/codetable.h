/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codetable.h - the service thread's findings about code addresses, for handlers.
 *
 * Compiled code comes and goes. An entry keeps the bytes of code from which its answer follows. If
 * they have changed, the answer is void. Only the service thread writes entries, under a sequence
 * number, so that a handler never sees half of one.
 */
#ifndef OJX_CODETABLE_H
#define OJX_CODETABLE_H

#include "core/state.h"

#define CODE_SLOTS  8192u
#define CODE_BYTES  64	/* most bytes of near code per answer */
#define CODE_FAR    48	/* most bytes of far code per answer */
#define CODE_ANSWER 152 /* most bytes of an answer */

/* The code from which an answer follows. */
struct code_basis {
	const uint8_t *bytes; /* `len` <= CODE_BYTES, from `before` bytes before the address on */
	const uint8_t
		*far_bytes; /* `far_len` <= CODE_FAR, from `far` bytes behind the address on */
	uint8_t before, len, far_len;
	int32_t far;
};

/*
 * Which address an entry of a table is for, and whether it is being written. Only the service
 * thread writes. A handler copies the entry between two looks at `sequence`, and throws away a copy
 * that was changed meanwhile.
 */
struct code_turn {
	_Atomic uint32_t sequence; /* odd: being written */
	_Atomic uint64_t ip;	   /* 0: free */
};

/* [handler] Whether the entry is for `ip` and whole. The reads of the rest come behind this. */
static inline bool code_turn_begin(const struct code_turn *t, uint64_t ip, uint32_t *before)
{
	*before = atomic_load_explicit(&t->sequence, memory_order_acquire);
	return atomic_load_explicit(&t->ip, memory_order_relaxed) == ip && !(*before & 1);
}

/* [handler] Whether what was read since is one entry. The fence keeps these reads before. */
static inline bool code_turn_end(const struct code_turn *t, uint32_t before)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&t->sequence, memory_order_relaxed) == before;
}

/* Service thread: whether an entry for `ip` may go here without displacing another. */
static inline bool code_turn_suits(const struct code_turn *t, uint64_t ip)
{
	/* relaxed: it is this thread that writes it */
	uint64_t at = atomic_load_explicit(&t->ip, memory_order_relaxed);

	return at == ip || at == 0;
}

/* Service thread: before it writes the rest. The fence keeps these writes behind. */
static inline void code_turn_write(struct code_turn *t)
{
	atomic_fetch_add_explicit(&t->sequence, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

/* Service thread: the entry is whole. */
static inline void code_turn_wrote(struct code_turn *t, uint64_t ip)
{
	atomic_store_explicit(&t->ip, ip, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->sequence, 1, memory_order_release);
}

struct code_entry {
	struct code_turn turn;
	uint8_t before, len; /* see struct code_basis */
	uint8_t far_len;
	int32_t far;
	uint8_t bytes[CODE_BYTES], far_bytes[CODE_FAR];
	uint8_t answer[CODE_ANSWER];
};

struct code_table {
	struct code_entry entries[CODE_SLOTS];
};

/*
 * [handler] Copies the answer of `size` bytes for `ip` to `to`. False if there is none, or the code
 * has changed. `here`: the calling thread is executing that code, so its page is readable.
 */
bool code_table_find(const struct code_table *table, uint64_t ip, bool here, void *to, size_t size);

/*
 * Service thread: writes an answer. Replaces an older one of the same address, or another one if
 * there is no room.
 */
void code_table_put(struct code_table *table, uint64_t ip, const struct code_basis *basis,
		    const void *answer, size_t size);

/*
 * [handler] Copies `len` bytes of code from `at`, close to `ip`, which is being executed. False if
 * they cannot be read.
 */
bool code_read(uint64_t ip, uint64_t at, uint8_t *to, size_t len);

#endif
