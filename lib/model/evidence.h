/* SPDX-License-Identifier: Apache-2.0 */
/* evidence.h - snapshots and uses as the model keeps them. */
#ifndef OJX_EVIDENCE_H
#define OJX_EVIDENCE_H

#include <stdint.h>

/* Evidence, reduced to what the statistics need. */
struct model_snapshot {
	uint64_t content;
	uint64_t deep;	/* with what it refers to; valid with WIRE_DEEP */
	uint64_t fixed; /* what cannot change around it; valid with WIRE_FIXED */
	double weight;
	uint32_t array_length, epoch, ticket;
	uint32_t number; /* in order of arrival, of those that the model took, from 0 on */
	uint32_t nodes, deep_bytes; /* objects that `deep` covers; bytes of those but the first */
	uint16_t flags;
	uint8_t nslots;
	uint8_t exponent; /* one in 2^exponent was kept, see wire_controls.h */
	uint32_t zeros;	  /* slots whose values are zero, as in wire_snapshot */
	uint32_t slot[];  /* nslots */
};

struct model_use {
	uint64_t value, content;
	uint64_t deep; /* valid with WIRE_DEEP */
	double weight;
	uint32_t array_length, epoch, ticket, access, position;
	uint16_t flags, size;
};

#endif
