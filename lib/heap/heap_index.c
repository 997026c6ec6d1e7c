/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_index.c - see heap.h: from addresses to numbers. The addresses are sorted, and a table of as
 * many equal ranges as there are objects tells where to search: in a heap, which is dense, among a
 * few objects.
 */
#include "base/big.h"
#include "heap/heap.h"

int heap_index_make(struct heap_index *index, const struct heap *h)
{
	uint64_t span = h->address[h->n - 1] - h->address[0];

	*index = (struct heap_index){ .least = h->address[0] };
	while (span >> index->shift >= h->n)
		index->shift++;
	index->n = (size_t)(span >> index->shift) + 1;
	index->start = big_alloc(index->n + 1, sizeof *index->start);
	if (!index->start)
		return -1;
	size_t range = 0;
	for (uint32_t i = 0; i < h->n; i++) {
		size_t mine = (size_t)((h->address[i] - index->least) >> index->shift);
		while (range <= mine)
			index->start[range++] = i;
	}
	while (range <= index->n)
		index->start[range++] = h->n;
	return 0;
}

uint32_t heap_index_find(const struct heap_index *index, const struct heap *h, uint64_t address)
{
	if (address < index->least)
		return HEAP_NONE;
	uint64_t range = (address - index->least) >> index->shift;
	if (range >= index->n)
		return HEAP_NONE;
	uint32_t low = index->start[range], high = index->start[range + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (h->address[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	/* the next range begins with the first object that is not less */
	return low < h->n && h->address[low] == address ? low : HEAP_NONE;
}
