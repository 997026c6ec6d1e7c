/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_layout.h - a part of wire.h: where the parts of the shared memory lie.
 *
 * The tool lays the memory out. The agent copies struct wire_layout once, checks the copy, and
 * never reads the original again: shared memory can change at any time.
 *
 * Events need little memory most of the time and much at times, so memory is handed out in blocks.
 * A ring is a window of `slots` blocks on an endless sequence of bytes: byte p lies in slot (p /
 * WIRE_BLOCK) % slots, and the ring's map says which block that is now.
 */
#ifndef OJX_WIRE_LAYOUT_H
#define OJX_WIRE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_BLOCK	4096u /* bytes; a page */
#define WIRE_MAX_RINGS	4096u
#define WIRE_MAX_SLOTS	4096u
#define WIRE_MAX_BLOCKS 65535u	     /* the maps hold 16 bits */
#define WIRE_MAX_DEFS	(1ull << 30) /* bytes */

/* Offsets from the start of the memory; the parts lie in this order. */
struct wire_layout {
	uint64_t size;		  /* bytes in total */
	uint64_t rings_offset;	  /* array of struct wire_ring */
	uint64_t maps_offset;	  /* of uint16_t: the map of ring 0, then that of ring 1, ... */
	uint64_t controls_offset; /* struct wire_controls */
	uint64_t defs_offset;	  /* the append-only table of definitions */
	uint64_t defs_size;	  /* bytes; whole pages */
	uint64_t blocks_offset;	  /* array of WIRE_BLOCK bytes each */
	uint32_t rings;		  /* ring 0 belongs to the service thread */
	uint32_t service_slots;	  /* of ring 0's map; a power of two */
	uint32_t ring_slots;	  /* of each other ring's map; a power of two */
	uint32_t blocks;
};

static inline uint32_t wire_layout_slots(const struct wire_layout *l, uint32_t ring)
{
	return ring == 0 ? l->service_slots : l->ring_slots;
}

/* Offset of the first slot of a ring's map. */
static inline uint64_t wire_layout_map(const struct wire_layout *l, uint32_t ring)
{
	uint64_t slots = ring == 0 ? 0 : l->service_slots + (uint64_t)(ring - 1) * l->ring_slots;

	return l->maps_offset + slots * sizeof(uint16_t);
}

static inline bool wire_layout_power(uint32_t n, uint32_t most)
{
	return n > 0 && n <= most && (n & (n - 1)) == 0;
}

/*
 * Whether `bytes` at `offset` are aligned, start at or behind `*end` and end within the memory;
 * moves `*end` behind them.
 */
static inline bool wire_layout_part(uint64_t offset, uint64_t bytes, uint64_t align, uint64_t size,
				    uint64_t *end)
{
	if (offset % align || offset < *end || offset > size || bytes > size - offset)
		return false;
	*end = offset + bytes;
	return true;
}

/*
 * Whether a layout is valid for a memory of `size` bytes that begins with a header of `header`
 * bytes, with `ring` bytes for each ring and `controls` bytes of controls. The counts are checked
 * first, so no product overflows.
 */
static inline bool wire_layout_fits(const struct wire_layout *l, uint64_t size, uint64_t header,
				    uint64_t ring, uint64_t controls)
{
	uint64_t end = header;

	return l->size == size && l->rings >= 1 && l->rings <= WIRE_MAX_RINGS &&
	       wire_layout_power(l->service_slots, WIRE_MAX_SLOTS) &&
	       wire_layout_power(l->ring_slots, WIRE_MAX_SLOTS) && l->blocks >= 1 &&
	       l->blocks <= WIRE_MAX_BLOCKS && l->defs_size >= WIRE_BLOCK &&
	       l->defs_size <= WIRE_MAX_DEFS && l->defs_size % WIRE_BLOCK == 0 &&
	       wire_layout_part(l->rings_offset, l->rings * ring, 64, size, &end) &&
	       wire_layout_part(l->maps_offset, wire_layout_map(l, l->rings) - l->maps_offset,
				sizeof(uint16_t), size, &end) &&
	       wire_layout_part(l->controls_offset, controls, 64, size, &end) &&
	       wire_layout_part(l->defs_offset, l->defs_size, WIRE_BLOCK, size, &end) &&
	       wire_layout_part(l->blocks_offset, (uint64_t)l->blocks * WIRE_BLOCK, WIRE_BLOCK,
				size, &end);
}

#endif
