/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h - single-producer single-consumer ring of wire records in shared memory, made of blocks.
 *
 * The agent's thread that owns the ring writes, the tool reads; neither ever waits. Records are
 * contiguous: a WIRE_PAD record fills the end of a block if the next record does not fit there. The
 * writer takes a block when it reaches one, and gives it back when the tool has read it, so a ring
 * takes only as much memory as is unread in it. When the ring is full, the writer drops the new
 * record and counts it in `lost`.
 *
 * Neither side trusts the other. The writer keeps its position and its blocks in private memory. It
 * reads only the tail, and ignores a tail beyond its head. The reader keeps its own tail. It stops
 * reading a ring whose head makes no sense, whose map names a block that does not exist, or which
 * has a record that ends behind the written bytes.
 */
#ifndef OJX_RING_H
#define OJX_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "wire/wire.h"

/* Where the writer gets its blocks. Both functions may be called by any thread at any time. */
struct ring_pool {
	int (*take)(void); /* a block's number; -1: none is free */
	void (*give)(uint32_t block);
};

/*
 * The writer's end. One thread at a time writes; any thread may reclaim. To set up: zero it, then
 * set the first six fields.
 */
struct ring_writer {
	struct wire_ring *ring;
	_Atomic uint16_t *map; /* the reader's map, in shared memory */
	_Atomic uint16_t *own; /* the writer's map, `slots` entries */
	unsigned char *blocks; /* data of block 0 */
	uint32_t slots;	       /* a power of two */
	uint32_t block;	       /* bytes of a block, likewise */
	uint32_t len;	       /* of the record being written */
	/* the block that holds head; NULL: none yet, head is at a block's start */
	unsigned char *open;
	_Atomic uint64_t head;	/* bytes written */
	_Atomic uint64_t freed; /* slots given back since the start */
};

/*
 * [any thread] Gives back the blocks before byte `until`, which the tool has read. A slot's number
 * is stored anew only after `freed` has passed the slot, so the exchange fails if the number was
 * stale.
 */
static inline void ring_free(struct ring_writer *w, uint64_t until, const struct ring_pool *pool)
{
	for (;;) {
		uint64_t slot = atomic_load_explicit(&w->freed, memory_order_acquire);
		if ((slot + 1) * w->block > until)
			return;
		uint16_t block =
			atomic_load_explicit(&w->own[slot % w->slots], memory_order_relaxed);
		if (atomic_compare_exchange_strong_explicit(
			    &w->freed, &slot, slot + 1, memory_order_acq_rel, memory_order_acquire))
			pool->give(block);
	}
}

/* [any thread] Bytes that the tool says it has read; 0 if it claims more than was written. */
static inline uint64_t ring_tail(struct ring_writer *w)
{
	uint64_t tail = atomic_load_explicit(&w->ring->tail, memory_order_acquire);
	uint64_t head = atomic_load_explicit(&w->head, memory_order_acquire);

	return tail <= head ? tail : 0;
}

/* [any thread] Gives back the blocks that the tool has read. */
static inline void ring_reclaim(struct ring_writer *w, const struct ring_pool *pool)
{
	ring_free(w, ring_tail(w), pool);
}

static inline void ring_publish(struct ring_writer *w, uint64_t head)
{
	if ((head & (w->block - 1)) == 0)
		w->open = NULL;
	atomic_store_explicit(&w->head, head, memory_order_release);
	atomic_store_explicit(&w->ring->head, head, memory_order_release);
}

/* Writer: pads the rest of the block it is in, if any, and leaves it. */
static inline void ring_leave_block(struct ring_writer *w)
{
	uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);
	uint32_t left = w->block - (uint32_t)(head & (w->block - 1));

	if (!w->open)
		return;
	struct wire_rec *pad = (struct wire_rec *)(w->open + (head & (w->block - 1)));
	pad->len = left;
	pad->thread = 0;
	atomic_store_explicit(&pad->type, WIRE_PAD, memory_order_relaxed);
	ring_publish(w, head + left);
}

/* Writer: takes a block for the slot that starts at head. */
static inline bool ring_enter_block(struct ring_writer *w, const struct ring_pool *pool)
{
	uint64_t slot = atomic_load_explicit(&w->head, memory_order_relaxed) / w->block;

	ring_reclaim(w, pool);
	if (slot - atomic_load_explicit(&w->freed, memory_order_acquire) >= w->slots)
		return false;
	int block = pool->take();
	if (block < 0)
		return false;
	atomic_store_explicit(&w->own[slot % w->slots], (uint16_t)block, memory_order_relaxed);
	/* becomes visible with the first record in the block */
	atomic_store_explicit(&w->map[slot % w->slots], (uint16_t)block, memory_order_relaxed);
	w->open = w->blocks + (size_t)block * w->block;
	return true;
}

/* Writer: makes room for a record of `len` bytes; false if there is none. */
static inline bool ring_make_room(struct ring_writer *w, uint32_t len, const struct ring_pool *pool)
{
	uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);

	if (len > w->block)
		return false;
	if (w->open && len > w->block - (head & (w->block - 1)))
		ring_leave_block(w);
	return w->open || ring_enter_block(w, pool);
}

/*
 * Writer: reserves a record of `len` bytes (a multiple of WIRE_ALIGN) and fills in its header.
 * NULL, and counts it as lost, if there is no room. ring_commit publishes the record.
 */
static inline void *ring_reserve(struct ring_writer *w, uint32_t len, uint16_t type,
				 const struct ring_pool *pool)
{
	if (!ring_make_room(w, len, pool)) {
		atomic_fetch_add_explicit(&w->ring->lost, 1, memory_order_relaxed);
		return NULL;
	}
	uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);
	struct wire_rec *rec = (struct wire_rec *)(w->open + (head & (w->block - 1)));
	rec->len = w->len = len;
	rec->thread = 0;
	atomic_store_explicit(&rec->type, type, memory_order_relaxed);
	return rec;
}

/* Writer: publishes the record that ring_reserve returned last. */
static inline void ring_commit(struct ring_writer *w)
{
	ring_publish(w, atomic_load_explicit(&w->head, memory_order_relaxed) + w->len);
}

/* What the reader did not believe, and where: the number and the position in the ring's bytes. */
struct ring_fault {
	const char *what;
	uint64_t value, at;
};

/* The reader's end. It is private to the reader, except what the pointers lead to. */
struct ring_reader {
	struct wire_ring *ring;
	const _Atomic uint16_t *map;
	const unsigned char *blocks;
	uint32_t slots, nblocks;
	uint32_t block;		 /* bytes of a block */
	uint64_t tail;		 /* bytes read */
	struct ring_fault fault; /* the last one */
};

/*
 * Reader: calls `take` for each record between the tail and `head`, then frees the room. The caller
 * has loaded `head` (acquire). The writer can still change a record, so `take` copies it before it
 * believes anything in it; `len` is checked and is the length to copy. Returns the number of
 * records. If the ring is damaged, says why in `fault`, skips to `head` and returns -1.
 */
static inline long ring_drain(struct ring_reader *r, uint64_t head,
			      void (*take)(const struct wire_rec *rec, uint32_t len, void *arg),
			      void *arg)
{
	struct ring_fault fault = { .value = head, .at = r->tail };
	uint64_t at = r->tail;
	long n = 0;

	if (head - r->tail > (uint64_t)r->slots * r->block || head % WIRE_ALIGN)
		fault.what = "head";
	while (!fault.what && at != head) {
		uint16_t block = atomic_load_explicit(&r->map[at / r->block % r->slots],
						      memory_order_relaxed);
		uint64_t left = r->block - (at & (r->block - 1));
		if (block >= r->nblocks) {
			fault = (struct ring_fault){ "block", block, at };
			break;
		}
		const struct wire_rec *rec =
			(const struct wire_rec *)(r->blocks + (size_t)block * r->block +
						  (at & (r->block - 1)));
		uint32_t len =
			atomic_load_explicit((_Atomic uint32_t *)&rec->len, memory_order_relaxed);
		if (len < sizeof *rec || len % WIRE_ALIGN || len > head - at || len > left) {
			fault = (struct ring_fault){ "length", len, at };
			break;
		}
		if (atomic_load_explicit(&rec->type, memory_order_relaxed) != WIRE_PAD) {
			take(rec, len, arg);
			n++;
		}
		at += len;
	}
	r->tail = fault.what ? head & ~(uint64_t)(WIRE_ALIGN - 1) : at;
	atomic_store_explicit(&r->ring->tail, r->tail, memory_order_release);
	if (fault.what)
		r->fault = fault;
	return fault.what ? -1 : n;
}

#endif
