/* SPDX-License-Identifier: Apache-2.0 */
/* wire_rec.h - a part of wire.h: the beginning of every record. */
#ifndef OJX_WIRE_REC_H
#define OJX_WIRE_REC_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Every record, in a ring, in the table of definitions and in a chunk of ojx.data, begins with
 * this header. In the table of definitions `type` is written last (release): a reader that
 * meets type 0 waits there.
 */
struct wire_rec {
	uint32_t len;	       /* bytes, this header included; a multiple of WIRE_ALIGN */
	_Atomic uint16_t type; /* wire_type */
	/*
	 * Of events: the number of the thread that allocated the object or, of accesses and waste,
	 * that accesses; 0: not known. Else 0.
	 */
	uint16_t thread;
};

#endif
