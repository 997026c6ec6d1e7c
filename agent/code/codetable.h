/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codetable.h - what the service thread found out about code addresses, for handlers to look up.
 *
 * Compiled code comes and goes. An entry keeps the bytes around its address that its answer rests
 * on, and when they are no longer there it is no answer. Entries are written by the service thread
 * alone, under a sequence number, so that a handler never sees half of one.
 */
#ifndef OJX_CODETABLE_H
#define OJX_CODETABLE_H

#include "core/state.h"

#define CODE_SLOTS  8192u
#define CODE_BYTES  64 /* of code, that an answer may rest on */
#define CODE_FAR    48 /* of code elsewhere, likewise */
#define CODE_ANSWER 96 /* bytes of an answer, at most */

/* The code that an answer rests on. */
struct code_basis {
	const uint8_t
		*bytes; /* `len` <= CODE_BYTES of them, from `before` bytes before the address on */
	const uint8_t *far_bytes; /* `far_len` <= CODE_FAR of them, from `far` bytes behind the
				     address on */
	uint8_t before, len, far_len;
	int32_t far;
};

struct code_entry {
	_Atomic uint32_t sequence; /* odd: being written */
	uint8_t before, len;	   /* see struct code_basis */
	uint8_t far_len;
	int32_t far;
	uint8_t bytes[CODE_BYTES], far_bytes[CODE_FAR];
	uint8_t answer[CODE_ANSWER];
	_Atomic uint64_t ip; /* 0: free */
};

struct code_table {
	struct code_entry entries[CODE_SLOTS];
};

/*
 * [handler] Copies the answer of `size` bytes for `ip` to `to`. False where there is none, or the
 * code has changed. `here`: the calling thread runs that code, so that it can be read.
 */
bool code_table_find(const struct code_table *table, uint64_t ip, bool here, void *to, size_t size);

/* Service thread: writes an answer, over an older one of the same address or one that is in the
 * way. */
void code_table_put(struct code_table *table, uint64_t ip, const struct code_basis *basis,
		    const void *answer, size_t size);

/*
 * [handler] Copies `len` bytes of code from `at`, part of which is being executed at `ip`. False
 * where they cannot be read.
 */
bool code_read(uint64_t ip, uint64_t at, uint8_t *to, size_t len);

#endif
