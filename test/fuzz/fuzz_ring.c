/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_ring.c - a ring whose writer writes anything, anywhere.
 *
 * Input: how many slots and blocks there are, where the reader is, where the writer says it is,
 * which block is in which slot, then the data. The data is shared memory in life, so it may change
 * while it is read; here every record taken overwrites its own header to that end.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_ring.h"
#include "wire/ring.h"

struct take {
	unsigned char *data;
	uint64_t size, bytes;
	unsigned char touched;
};

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct take *t = arg;
	size_t at = (size_t)((const unsigned char *)rec - t->data);

	if (at > t->size || len > t->size - at || len < sizeof *rec || at % WIRE_ALIGN ||
	    len > WIRE_BLOCK - at % WIRE_BLOCK)
		abort();
	for (uint32_t i = 0; i < len; i++)
		t->touched ^= t->data[at + i];
	t->bytes += len;
	memset(t->data + at, 0xff, sizeof *rec);
}

/* All is read or skipped, and the next call starts in order. */
static void check(const struct ring_reader *r, const struct take *t, long n, uint64_t head)
{
	if (n < -1 || (n >= 0 && r->tail != head) || r->tail % WIRE_ALIGN ||
	    head - r->tail >= WIRE_ALIGN || atomic_load(&r->ring->tail) != r->tail ||
	    t->bytes > (uint64_t)r->slots * WIRE_BLOCK)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_ring in;
	struct wire_ring ring = { .head = 0 };
	_Atomic uint16_t map[FUZZ_SLOTS];

	if (size < sizeof in)
		return 0;
	memcpy(&in, data, sizeof in);
	memcpy((void *)map, in.map, sizeof map);
	uint32_t blocks = 1 + in.blocks % FUZZ_SLOTS;
	struct take t = { .size = (uint64_t)blocks * WIRE_BLOCK };
	t.data = calloc(1, t.size);
	if (!t.data)
		abort();
	memcpy(t.data, data + sizeof in,
	       size - sizeof in < t.size ? size - sizeof in : (size_t)t.size);
	struct ring_reader r = {
		.ring = &ring,
		.map = map,
		.blocks = t.data,
		.slots = 1u << in.slots % 4,
		.block = WIRE_BLOCK,
		.nblocks = blocks,
		.tail = (uint64_t)in.tail * WIRE_ALIGN,
	};
	uint64_t head = r.tail + in.head;
	check(&r, &t, ring_drain(&r, head, take, &t), head);
	free(t.data);
	return 0;
}
