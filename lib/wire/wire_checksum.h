/* SPDX-License-Identifier: Apache-2.0 */
/* wire_checksum.h - the checksum of a chunk of ojx.data. */
#ifndef OJX_WIRE_CHECKSUM_H
#define OJX_WIRE_CHECKSUM_H

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "wire/wire_file.h"

/* The checksum of a chunk whose payload follows it in memory, as in the file. */
static inline uint64_t wire_checksum(const unsigned char *chunk)
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

#endif
