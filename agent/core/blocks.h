/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.h - memory shared with the tool: as much of it as is in use, and no more.
 *
 * All of it is mapped, but nothing can be accessed before it is opened, which takes the memory that
 * it needs. So what cannot be had is noticed there, and not by SIGBUS at the first touch, and
 * mlockall makes nothing resident but what is open. Blocks (wire_layout.h) that nobody needs for a
 * while are closed.
 */
#ifndef OJX_BLOCKS_H
#define OJX_BLOCKS_H

#include "core/state.h"

/*
 * Opens the headers, whose layout is known, and puts all blocks at disposal. False where memory
 * lacks.
 */
bool blocks_init(void);

/*
 * [handler] Opens whole pages of the shared memory, again or for the first time. False where memory
 * lacks.
 */
bool blocks_open(uint64_t offset, uint64_t len);

/* Closes whole pages and gives back what they took. Nobody uses them. False where that fails. */
bool blocks_close(uint64_t offset, uint64_t len);

/* [handler] An open block, -1 where there is none; its data is anything. */
int blocks_take(void);

/* [handler] */
void blocks_give(uint32_t block);

/*
 * Closes blocks that nobody has needed since the last call, or with `all` all that nobody uses.
 * Service thread only.
 */
void blocks_trim(bool all);

#endif
