/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codetable.h - the service thread's findings about code addresses, for handlers.
 *
 * Compiled code comes and goes. An entry keeps the bytes of code from which its answer follows. If
 * they have changed, the answer is void. Only the service thread writes entries, under a sequence
 * number, so that a handler never sees half of one.
 */
#ifndef OJX_CODETABLE_H
#define OJX_CODETABLE_H

#include "core/state.h"

#define CODE_SLOTS  8192u
#define CODE_BYTES  64	/* most bytes of near code per answer */
#define CODE_FAR    48	/* most bytes of far code per answer */
#define CODE_ANSWER 152 /* most bytes of an answer */

/* The code from which an answer follows. */
struct code_basis {
	const uint8_t *bytes; /* `len` <= CODE_BYTES, from `before` bytes before the address on */
	const uint8_t
		*far_bytes; /* `far_len` <= CODE_FAR, from `far` bytes behind the address on */
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
 * [handler] Copies the answer of `size` bytes for `ip` to `to`. False if there is none, or the code
 * has changed. `here`: the calling thread is executing that code, so its page is readable.
 */
bool code_table_find(const struct code_table *table, uint64_t ip, bool here, void *to, size_t size);

/*
 * Service thread: writes an answer. Replaces an older one of the same address, or another one if
 * there is no room.
 */
void code_table_put(struct code_table *table, uint64_t ip, const struct code_basis *basis,
		    const void *answer, size_t size);

/*
 * [handler] Copies `len` bytes of code from `at`, close to `ip`, which is being executed. False if
 * they cannot be read.
 */
bool code_read(uint64_t ip, uint64_t at, uint8_t *to, size_t len);

#endif
