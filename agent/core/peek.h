/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peek.h - reads memory of this process that may not be mapped, without a fault.
 *
 * A SIGSEGV handler in front of the JVM's is out of the question (docs/architecture.md). So the
 * agent reads through the kernel: it calls process_vm_readv on its own process, in batches, since
 * the call costs more than the copying. Where a filter of system calls may refuse that, or kill for
 * it, the agent reads the file /proc/self/mem, which takes some microseconds.
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

/*
 * Finds out how, once, at start; `may_call`: whether process_vm_readv may be tried. False if there
 * is no way: peek() and peek_batch() fail then.
 */
bool peek_init(bool may_call);

/*
 * [handler] Whether it worked at start. If so, a later failure means that the memory is not there,
 * or that the program has forbidden the call since.
 */
bool peek_works(void);

/* [handler] Whether it still works, for the calling thread. */
bool peek_works_now(void);

/* [handler] Copies n bytes from `from`. False if they cannot be read. */
bool peek(uintptr_t from, void *to, size_t n);

/* [pause] Copies n <= PEEK_BATCH pieces and sets `ok` for those that were copied whole. */
void peek_batch(struct peek_piece *pieces, size_t n);

#endif
