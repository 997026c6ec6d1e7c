/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.h - memory shared with the tool, of which only the part in use takes memory.
 *
 * All of it is mapped, but a page cannot be accessed before it is opened. Opening allocates its
 * memory. So a lack of memory shows up there and not as a SIGBUS at the first access, and mlockall
 * makes only open pages resident. Blocks (wire_layout.h) that nobody needs for a while are closed.
 */
#ifndef OJX_BLOCKS_H
#define OJX_BLOCKS_H

#include "core/state.h"

/*
 * Opens the headers, whose layout is known, and makes all blocks available. False when out of
 * memory.
 */
bool blocks_init(void);

/* [handler] Gives a block back. */
bool blocks_open(uint64_t offset, uint64_t len);

/*
 * Closes whole pages and frees their memory. The caller ensures that nobody uses them. False on
 * failure.
 */
bool blocks_close(uint64_t offset, uint64_t len);

/* [handler] Takes an open block; -1 when there is none. Its data is undefined. */
int blocks_take(void);

/* [handler] */
void blocks_give(uint32_t block);

/*
 * Closes the blocks that nobody needed since the last call; with `all`, all that are not in use.
 * Service thread only.
 */
void blocks_trim(bool all);

#endif
