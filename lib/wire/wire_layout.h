/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_layout.h - a part of wire.h: where the parts of the shared memory lie.
 *
 * The tool lays the memory out. The agent copies struct wire_layout once, checks the copy, and
 * never reads the original again: shared memory can change at any time.
 *
 * Events need little memory most of the time and much at times, so memory is handed out in blocks.
 * A block is whole pages, which the kernel can take back. A ring is a window of `slots` blocks on
 * an endless sequence of bytes: byte p lies in slot (p / block size) % slots, and the ring's map
 * says which block that is now.
 */
#ifndef OJX_WIRE_LAYOUT_H
#define OJX_WIRE_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WIRE_BLOCK	4096u	    /* bytes of a block, where no page is larger; */
#define WIRE_MAX_BLOCK	(64u << 10) /* else it is a page. A power of two between these */
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
	uint64_t defs_size;	  /* bytes; whole blocks */
	uint64_t blocks_offset;	  /* array of blocks, which ends the memory */
	uint32_t rings;		  /* ring 0 belongs to the service thread */
	uint32_t service_slots;	  /* of ring 0's map; a power of two */
	uint32_t ring_slots;	  /* of each other ring's map; a power of two */
	uint32_t blocks;
};

static inline uint32_t wire_layout_slots(const struct wire_layout *l, uint32_t ring)
{
	return ring == 0 ? l->service_slots : l->ring_slots;
}

/* Bytes of a block. */
static inline uint32_t wire_layout_block(const struct wire_layout *l)
{
	return (uint32_t)((l->size - l->blocks_offset) / l->blocks);
}

/* Offset of the first slot of a ring's map. */
static inline uint64_t wire_layout_map(const struct wire_layout *l, uint32_t ring)
{
	uint64_t slots = ring == 0 ? 0 : l->service_slots + (uint64_t)(ring - 1) * l->ring_slots;

	return l->maps_offset + slots * sizeof(uint16_t);
}

static inline bool wire_layout_power(uint64_t n, uint64_t most)
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

	if (l->blocks < 1 || l->blocks > WIRE_MAX_BLOCKS || l->blocks_offset > l->size)
		return false;
	uint64_t block = (l->size - l->blocks_offset) / l->blocks;
	return wire_layout_power(block, WIRE_MAX_BLOCK) && block >= WIRE_BLOCK && l->size == size &&
	       l->rings >= 1 && l->rings <= WIRE_MAX_RINGS &&
	       wire_layout_power(l->service_slots, WIRE_MAX_SLOTS) &&
	       wire_layout_power(l->ring_slots, WIRE_MAX_SLOTS) && l->defs_size >= block &&
	       l->defs_size <= WIRE_MAX_DEFS && l->defs_size % block == 0 &&
	       wire_layout_part(l->rings_offset, l->rings * ring, 64, size, &end) &&
	       wire_layout_part(l->maps_offset, wire_layout_map(l, l->rings) - l->maps_offset,
				sizeof(uint16_t), size, &end) &&
	       wire_layout_part(l->controls_offset, controls, 64, size, &end) &&
	       wire_layout_part(l->defs_offset, l->defs_size, block, size, &end) &&
	       wire_layout_part(l->blocks_offset, l->blocks * block, block, size, &end) &&
	       end == size;
}

/*
 * ---- a part of wire.h: how many sampled objects of each line the tool wants to see, and of
 * which lines it wants uses. The tool knows lines (lib/model/callstack.h) and counts what it
 * has of each. Of a line with much evidence it wants fewer objects: it tells for how many bytes
 * each is to stand. The agent knows contexts, and keys: the hash of a class and of the innermost
 * frame that the tool has not called transparent. The agent believes none of it. Indices are
 * masked, exponents are cut; whatever is here, weights are those of the probabilities that were
 * used, so that nonsense costs evidence and nothing else.
 */

#define WIRE_CONTROL_LINES    8192u /* powers of two; line 0 is none: the agent decides by itself */
#define WIRE_CONTROL_CONTEXTS 32768u
#define WIRE_CONTROL_KEYS     8192u
#define WIRE_CONTROL_METHODS  65536u /* bits */
#define WIRE_CONTROL_MOST     15u    /* the largest exponent */

/* Whether uses of a line's objects are worth a watch. */
enum wire_control_uses {
	WIRE_CONTROL_USES_UNKNOWN,
	WIRE_CONTROL_USES_FEW,	  /* contents differ, cannot change, or enough uses were seen */
	WIRE_CONTROL_USES_WANTED, /* contents repeat at the end of life */
};

struct wire_controls {
	_Atomic uint16_t line_of_context[WIRE_CONTROL_CONTEXTS]; /* by context id */
	/* by key modulo their number: the line, and above it the key's upper half */
	_Atomic uint32_t line_of_key[WIRE_CONTROL_KEYS];
	/* by line: the bytes that a kept object is to stand for */
	_Atomic float each[WIRE_CONTROL_LINES];
	_Atomic uint8_t uses[WIRE_CONTROL_LINES];		 /* by line: wire_control_uses */
	_Atomic uint64_t transparent[WIRE_CONTROL_METHODS / 64]; /* by wire_control_method */
};

/*
 * The exponent of a sample that stands for `bytes`: it is kept with probability 2^-exponent, and
 * then stands for 2^exponent times as many. That is at most `each` bytes, as told for its line, and
 * more than half of them, where a sample does not stand for more by itself. Each of `halved`
 * doubles what it is to stand for, or what samples of small objects do, if that is more: `interval`
 * is the mean distance of samples in bytes, and a large object that stands for much more than that
 * is no usual one. Up to WIRE_CONTROL_MOST; an `each` that is no number counts as 0.
 */
static inline unsigned wire_control_exponent(double each, double bytes, double interval,
					     unsigned halved)
{
	double usual = bytes < 2 * interval ? bytes : 2 * interval;
	double stands = (each > usual ? each : usual) * (double)(1u << halved);
	unsigned exponent = 0;

	for (; exponent < WIRE_CONTROL_MOST && 2 * bytes <= stands; exponent++)
		bytes *= 2;
	return exponent;
}

static inline uint64_t wire_control_mix(uint64_t x)
{
	x = (x ^ (x >> 32)) * 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
	return x ^ (x >> 32);
}

/* The bit of a method that is not of a line: two that share one may both be taken for such. */
static inline uint32_t wire_control_method(uint64_t method)
{
	return (uint32_t)(wire_control_mix(method) % WIRE_CONTROL_METHODS);
}

/* The key of a class and the frame of its line. */
static inline uint32_t wire_control_key(uint32_t class_id, uint64_t method, int32_t bci)
{
	uint64_t frame = wire_control_mix(method) + (uint32_t)bci;

	return (uint32_t)wire_control_mix(frame + ((uint64_t)class_id << 32));
}

/*
 * ---- a part of wire.h: what bounds a recording. Nothing in a JVM grows without end, so each
 * table refuses what it has no room for. The agent counts that by table; lib/model/limits.c
 * says what it means, and what to do.
 */

/* What the agent's tables hold. */
#define WIRE_MOST_THREADS      1024u
#define WIRE_MOST_CLASSES      65536u
#define WIRE_MOST_CLASS_NAMES  8192u
#define WIRE_MOST_METHODS      65536u
#define WIRE_MOST_STACKS       65536u
#define WIRE_MOST_CONTEXTS     87040u
#define WIRE_MOST_SIZES	       16384u
#define WIRE_MOST_THREAD_NAMES 255u
#define WIRE_MOST_EVENTS       1024u

enum wire_limit {
	/* events that are lost */
	WIRE_LIMIT_RINGS,   /* their thread had no ring */
	WIRE_LIMIT_UNREAD,  /* their ring was full: the tool had not read it */
	WIRE_LIMIT_THREADS, /* their thread had no structure in the agent */
	WIRE_LIMIT_WAITING, /* samples of accesses that were to wait for the service thread */
	/* definitions that are lost */
	WIRE_LIMIT_DEFINITIONS, /* the table of all of them was full */
	WIRE_LIMIT_CLASSES,	/* counted by samples */
	WIRE_LIMIT_CLASS_NAMES, /* the same, of classes of which only the name is sent */
	WIRE_LIMIT_METHODS,
	WIRE_LIMIT_STACKS,
	WIRE_LIMIT_CONTEXTS,
	/* what is not looked at */
	WIRE_LIMIT_THREAD_NAMES,
	WIRE_LIMIT_SIZES,	/* samples of another size of a context: no watch */
	WIRE_LIMIT_DESCRIPTORS, /* perf events that were not opened for want of descriptors */
	WIRE_LIMIT_MEMORY,	/* memory that the agent asked for and did not get */
	WIRE_LIMITS
};

/* Those before it count what is lost. */
#define WIRE_LIMIT_LOST WIRE_LIMIT_THREAD_NAMES

#endif
