/* SPDX-License-Identifier: Apache-2.0 */
/* datafile_private.h - what writing (datafile.c) and reading (datafile_read.c) share. */
#ifndef OJX_DATAFILE_PRIVATE_H
#define OJX_DATAFILE_PRIVATE_H

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "file/datafile.h"

/* The checksum of a chunk whose payload follows it in memory, as it does in the file. */
static inline uint64_t datafile_checksum(const unsigned char *chunk)
{
	struct file_chunk c;
	XXH3_state_t state;

	memcpy(&c, chunk, sizeof c);
	c.checksum = 0;
	XXH3_INITSTATE(&state);
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &c, sizeof c);
	XXH3_64bits_update(&state, chunk + sizeof c, c.len);
	return XXH3_64bits_digest(&state);
}

/* Finds the next records of a chunk, up to DATAFILE_BLOCK of them. Returns how many, 0 where there is none that makes sense. */
static inline size_t datafile_block(const unsigned char *p, uint32_t left,
				    const struct wire_rec **recs)
{
	size_t n = 0;

	while (left > 0 && n < DATAFILE_BLOCK) {
		const struct wire_rec *rec = (const struct wire_rec *)p;
		if (rec->len < sizeof *rec || rec->len % WIRE_ALIGN || rec->len > left)
			break;
		recs[n++] = rec;
		left -= rec->len;
		p += rec->len;
	}
	return n;
}

#endif
