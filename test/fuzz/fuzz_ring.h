/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_ring.h - what the input of fuzz_ring.c begins with; make_seeds.c writes one.
 */
#ifndef OJX_FUZZ_RING_H
#define OJX_FUZZ_RING_H

#include <stdint.h>

#define FUZZ_SLOTS 8

struct fuzz_ring {
	uint8_t slots;	/* 2^(slots % 4) of them */
	uint8_t blocks; /* 1 + blocks % FUZZ_SLOTS of them */
	uint16_t pad;
	uint32_t tail; /* in units of WIRE_ALIGN: the reader's own is always aligned */
	uint64_t head; /* relative to tail */
	uint16_t map[FUZZ_SLOTS];
};

#endif
