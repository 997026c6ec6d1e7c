/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_controls.h - a part of wire.h: how many sampled objects of each line the tool wants to see,
 * and of which lines it wants uses.
 *
 * The tool knows lines (lib/model/platform.h) and counts what it has of each. Of a line with much
 * evidence it asks for one object in 2^exponent only. The agent knows contexts, and keys: the hash
 * of a class and of the innermost frame that the tool has not called transparent.
 *
 * The agent believes none of it. Indices are masked, an exponent is cut; whatever is here, weights
 * are those of the probabilities that were used, so that nonsense costs evidence and nothing else.
 */
#ifndef OJX_WIRE_CONTROLS_H
#define OJX_WIRE_CONTROLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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
	_Atomic uint8_t exponent[WIRE_CONTROL_LINES];		 /* by line */
	_Atomic uint8_t uses[WIRE_CONTROL_LINES];		 /* by line: wire_control_uses */
	_Atomic uint64_t transparent[WIRE_CONTROL_METHODS / 64]; /* by wire_control_method */
};

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

#endif
