/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.c - see blocks.h. */
#define _GNU_SOURCE
#include "core/blocks.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/blockstack.h"
#include "core/memory.h"

#define STOCK 16 /* spare blocks that stay open */

static _Atomic uint32_t *below;	 /* for both stacks: a block is in at most one of them */
static struct blockstack ready;	 /* open blocks that nobody uses */
static struct blockstack closed; /* the others that nobody uses */
static _Atomic uint32_t least;	 /* fewest ready blocks since the last trim */

/*
 * [handler] Makes the kernel read the page, which allocates it if needed. When memory is out, the
 * system call fails, where a direct access would kill the process. The first argument is invalid,
 * so that the call changes nothing.
 */
static bool probe(const unsigned char *page)
{
	return syscall(SYS_rt_sigprocmask, ~0, page, NULL, sizeof(uint64_t)) == 0 ||
	       errno != EFAULT;
}

/* [handler] */
static bool open_pages(uint64_t offset, uint64_t len)
{
	unsigned char *from = ojx.base + offset;

	if (mprotect(from, len, PROT_READ | PROT_WRITE) < 0)
		return false;
	for (uint64_t at = 0; at < len; at += WIRE_BLOCK) /* the layout may not be known yet */
		if (!probe(from + at))
			return false;
	return true;
}

bool blocks_open(uint64_t offset, uint64_t len)
{
	if (open_pages(offset, len))
		return true;
	/* the counters are in the first pages, which the tool has allocated */
	if (offset > 0 && ojx.shm)
		limit_reached(WIRE_LIMIT_MEMORY);
	return false;
}

bool blocks_close(uint64_t offset, uint64_t len)
{
	unsigned char *from = ojx.base + offset;

	if (madvise(from, len, MADV_REMOVE) < 0) {
		munlock(from, len); /* the kernel does not remove pages that mlockall has locked */
		if (madvise(from, len, MADV_REMOVE) < 0)
			return false;
	}
	mprotect(from, len, PROT_NONE);
	return true;
}

bool blocks_init(void)
{
	uint32_t n = ojx.layout.blocks;

	memory_free((void *)below);
	below = memory_new(n, sizeof *below);
	if (!below || !blocks_open(0, ojx.layout.defs_offset))
		return false;
	ready = (struct blockstack){ .below = below };
	closed = (struct blockstack){ .below = below };
	for (uint32_t i = n; i > 0; i--) /* neighbours are popped one after the other */
		blockstack_push(&closed, i - 1);
	return true;
}

/* [handler] */
static uint64_t offset_of(uint32_t block)
{
	return ojx.layout.blocks_offset + (uint64_t)block * wire_layout_block(&ojx.layout);
}

int blocks_take(void)
{
	int64_t block = blockstack_pop(&ready);
	uint32_t left = atomic_load_explicit(&ready.count, memory_order_relaxed);

	if (left < atomic_load_explicit(&least, memory_order_relaxed))
		atomic_store_explicit(&least, left, memory_order_relaxed);
	if (block >= 0)
		return (int)block;
	block = blockstack_pop(&closed);
	if (block < 0)
		return -1;
	if (!blocks_open(offset_of((uint32_t)block), wire_layout_block(&ojx.layout))) {
		blockstack_push(&closed, (uint32_t)block);
		return -1;
	}
	return (int)block;
}

void blocks_give(uint32_t block)
{
	blockstack_push(&ready, block);
}

void blocks_trim(bool all)
{
	uint32_t spare = atomic_load_explicit(&least, memory_order_relaxed);
	uint32_t n = all ? ojx.layout.blocks : spare > STOCK ? spare - STOCK : 0;

	for (; n > 0; n--) {
		int64_t block = blockstack_pop(&ready);
		if (block < 0)
			break;
		if (!blocks_close(offset_of((uint32_t)block), wire_layout_block(&ojx.layout))) {
			blockstack_push(&ready, (uint32_t)block);
			break;
		}
		blockstack_push(&closed, (uint32_t)block);
	}
	atomic_store_explicit(&least, atomic_load_explicit(&ready.count, memory_order_relaxed),
			      memory_order_relaxed);
}
