/* SPDX-License-Identifier: Apache-2.0 */
/* wire_rec.h - a part of wire.h: the beginning of every record. */
#ifndef OJX_WIRE_REC_H
#define OJX_WIRE_REC_H

#include <stdatomic.h>
#include <stdint.h>

#define WIRE_ALIGN 8u

/*
 * Every record in a ring, in the table of definitions and in a chunk of ojx.data begins with this
 * header. In the table of definitions `type` is written last (release): a reader stops at a record
 * of type 0 until its type is there.
 */
struct wire_rec {
	uint32_t len;	       /* bytes, this header included; a multiple of WIRE_ALIGN */
	_Atomic uint16_t type; /* wire_type */
	/*
	 * In an event, the number of the thread that allocated the object; in an access or waste
	 * event, of the thread that accesses. 0: not known, or not an event.
	 */
	uint16_t thread;
};

/* `n` bytes, padded. */
static inline uint32_t wire_pad(uint64_t n)
{
	return (uint32_t)((n + WIRE_ALIGN - 1) & ~(uint64_t)(WIRE_ALIGN - 1));
}

#endif
