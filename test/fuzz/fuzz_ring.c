/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_ring.c - a ring whose writer writes anything, anywhere.
 *
 * Input: a byte for the size, where the reader is, where the writer says it is, then the data.
 * The data is shared memory in life, so it may change while it is read; here every record taken
 * overwrites its own header to that end.
 */
#include <stdlib.h>
#include <string.h>

#include "wire/ring.h"

struct input {
	uint8_t size; /* 2^(6 + size % 8) bytes */
	uint8_t pad[3];
	uint32_t tail; /* in units of WIRE_ALIGN: the reader's own is always aligned */
	uint64_t head; /* relative to tail */
};

struct take {
	unsigned char *data;
	uint64_t size, bytes;
	unsigned char touched;
};

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct take *t = arg;
	size_t at = (size_t)((const unsigned char *)rec - t->data);

	if (at > t->size || len > t->size - at || len < sizeof *rec || at % WIRE_ALIGN)
		abort();
	for (uint32_t i = 0; i < len; i++)
		t->touched ^= t->data[at + i];
	t->bytes += len;
	memset(t->data + at, 0xff, sizeof *rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;
	struct wire_ring ring = { .pad = 0 };

	if (size < sizeof in)
		return 0;
	memcpy(&in, data, sizeof in);
	struct take t = { .size = 64u << in.size % 8 };
	t.data = calloc(1, t.size);
	if (!t.data)
		abort();
	memcpy(t.data, data + sizeof in,
	       size - sizeof in < t.size ? size - sizeof in : (size_t)t.size);
	ring.size = ~(uint64_t)0; /* lies: the reader has its own */
	uint64_t tail = (uint64_t)in.tail * WIRE_ALIGN;
	uint64_t head = tail + in.head;
	atomic_store(&ring.head, head);
	long n = ring_drain(&ring, t.data, t.size, &tail, head, take, &t);
	/* all is read or skipped, nothing twice, and the next call starts in order */
	if (n < -1 || (n >= 0 && tail != head) || t.bytes > t.size || tail % WIRE_ALIGN ||
	    head - tail >= WIRE_ALIGN || atomic_load(&ring.tail) != tail)
		abort();
	free(t.data);
	return 0;
}
