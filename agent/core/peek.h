/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peek.h - reads memory of this process that may not be there, without a fault.
 *
 * A SIGSEGV handler in front of the JVM's is out of the question (docs/architecture.md), so the
 * kernel reads for us: process_vm_readv on ourselves, in batches since the call costs more than
 * the copying.
 */
#ifndef OJX_PEEK_H
#define OJX_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEEK_BATCH 64

struct peek_piece {
	uintptr_t from;
	void *to;
	size_t len;
	bool ok;
};

/* Whether the kernel lets us; asked once, at start. Without it peek() and peek_batch() fail. */
bool peek_init(void);

/* [handler] Whether it did at the start: what then cannot be read is not there, or the program has
 * forbidden it since. */
bool peek_works(void);

/* [handler] Whether it does so still, for the calling thread. */
bool peek_works_now(void);

/* [handler] Copies n bytes from `from`. False where they cannot be read. */
bool peek(uintptr_t from, void *to, size_t n);

/* Copies n <= PEEK_BATCH pieces and marks those that came over whole. */
void peek_batch(struct peek_piece *pieces, size_t n);

#endif
