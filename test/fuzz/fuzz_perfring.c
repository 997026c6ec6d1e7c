/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_perfring.c - samples of perf events whose bytes are anything.
 *
 * Input: where the reader is, how far ahead the writer says it is, which fields a sample has; then
 * the data.
 */
#include <stdlib.h>
#include <string.h>

#include "../../agent/perf/perfring.c"

#define SIZE 4096u

struct input {
	uint64_t tail, ahead, sample_type;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;
	struct perf_event_mmap_page page = { .data_head = 0 };
	struct perfring_counts counts = { 0 };
	struct perfring_sample s;
	uint64_t n = 0;

	if (size < sizeof in)
		return 0;
	memcpy(&in, data, sizeof in);
	size -= sizeof in;
	unsigned char *ring = calloc(1, SIZE);
	if (!ring)
		abort();
	memcpy(ring, data + sizeof in, size < SIZE ? size : SIZE);
	page.data_tail = in.tail;
	page.data_head = in.tail + in.ahead % (2 * SIZE);
	while (perfring_next(&page, ring, SIZE, in.sample_type & perfring_sample_types, &s,
			     &counts))
		n++;
	/* all of it is read or dropped, and a record takes its header's room at least */
	if (page.data_tail != page.data_head ||
	    n + counts.other + counts.throttled > SIZE / sizeof(struct perf_event_header))
		abort();
	free(ring);
	return 0;
}
