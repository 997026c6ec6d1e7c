/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h - single-producer single-consumer byte ring of wire records in shared memory.
 *
 * The agent's thread that owns the ring writes, the tool reads; neither ever waits. Records are
 * contiguous: what does not fit before the end of the data is preceded by a WIRE_PAD record. A
 * full ring drops the new record and counts it in `lost`. The reader trusts nothing: a head that
 * makes no sense, a length that leaves the written bytes, ends the reading of that ring.
 */
#ifndef OJX_RING_H
#define OJX_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "wire/wire.h"

/*
 * Writer: room for a record of `len` bytes (a multiple of WIRE_ALIGN), its header filled in;
 * NULL where the ring is full (counted). The record is published by ring_commit.
 */
static inline void *ring_reserve(struct wire_ring *r, unsigned char *data, uint32_t len,
				 uint16_t type)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);
	uint64_t at = head & (r->size - 1);
	uint64_t left = r->size - at;
	uint64_t need = len <= left ? len : left + len;

	if (need > r->size - (head - tail)) {
		atomic_fetch_add_explicit(&r->lost, 1, memory_order_relaxed);
		return NULL;
	}
	if (len > left) {
		struct wire_rec *pad = (struct wire_rec *)(data + at);
		pad->len = (uint32_t)left;
		pad->thread = 0;
		atomic_store_explicit(&pad->type, WIRE_PAD, memory_order_relaxed);
		/* visible together with the record: both lie before the next head */
		atomic_store_explicit(&r->head, head + left, memory_order_release);
		at = 0;
	}
	struct wire_rec *rec = (struct wire_rec *)(data + at);
	rec->len = len;
	rec->thread = 0;
	atomic_store_explicit(&rec->type, type, memory_order_relaxed);
	return rec;
}

/* Writer: publishes the record that ring_reserve returned last. */
static inline void ring_commit(struct wire_ring *r, const struct wire_rec *rec)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
	atomic_store_explicit(&r->head, head + rec->len, memory_order_release);
}

/* Bytes waiting to be read; the writer uses it to wake the reader in time. */
static inline uint64_t ring_used(struct wire_ring *r)
{
	return atomic_load_explicit(&r->head, memory_order_acquire) -
	       atomic_load_explicit(&r->tail, memory_order_acquire);
}

/*
 * Reader: calls `take` for each record between the reader's own `*tail` and `head`, which it
 * loaded (acquire) before, then frees the room. `take` copies the record before it believes
 * anything in it, since the writer can still change it; `len` is checked and is the length to copy.
 * `size` and `tail` are the reader's own, not what it finds in the shared memory. Returns the number
 * of records, or -1 where the ring is damaged: it is then skipped to `head`.
 */
static inline long ring_drain(struct wire_ring *r, const unsigned char *data, uint64_t size,
			      uint64_t *tail, uint64_t head,
			      void (*take)(const struct wire_rec *rec, uint32_t len, void *arg),
			      void *arg)
{
	bool damaged = head - *tail > size || head % WIRE_ALIGN;
	uint64_t at = *tail;
	long n = 0;

	while (!damaged && at != head) {
		const struct wire_rec *rec = (const struct wire_rec *)(data + (at & (size - 1)));
		uint32_t len = *(const volatile uint32_t *)&rec->len;
		uint64_t left = size - (at & (size - 1));
		if (len < sizeof *rec || len % WIRE_ALIGN || len > head - at || len > left) {
			damaged = true;
			break;
		}
		if (atomic_load_explicit(&rec->type, memory_order_relaxed) != WIRE_PAD) {
			take(rec, len, arg);
			n++;
		}
		at += len;
	}
	*tail = damaged ? head & ~(uint64_t)(WIRE_ALIGN - 1) : at;
	atomic_store_explicit(&r->tail, *tail, memory_order_release);
	return damaged ? -1 : n;
}

#endif
