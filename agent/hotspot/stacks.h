/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks.h - calling contexts: folding, interning, definitions.
 */
#ifndef OJX_STACKS_H
#define OJX_STACKS_H

#include "core/state.h"

/*
 * [handler] Folds repeated cycles of `n` frames in place (innermost first). A cycle that occurs at
 * least twice in a row is kept once, followed by a frame with method 0 and the cycle's length. So
 * the depth of a recursion does not split one context into thousands. Returns the new number of
 * frames.
 */
uint32_t stacks_fold(struct wire_frame *frames, uint32_t n);

/* A calling context that another thread was defining; NULL: there is none. */
struct stacks_pending {
	const struct tiers_slot *slot;
};

/*
 * [handler] The id of a calling context, which is defined for the tool if new. Once much of the
 * tables is used, a new one is cut to its line and some callers. 0 if the tables are full, or if
 * another thread is defining it and does not finish soon; this sets `pending`, which may be NULL.
 */
uint32_t stacks_intern(const struct wire_frame *frames, uint32_t n, uint16_t flags,
		       struct stacks_pending *pending);

/*
 * [handler] The id of the calling context of `n` frames from the VM, which are overwritten. Removes
 * frames that exist only in interpreted code (intrinsics.h), cuts to the requested depth and folds.
 * 0 and `pending`: as stacks_intern.
 */
uint32_t stacks_take(struct wire_frame *frames, uint32_t n, struct stacks_pending *pending);

/*
 * Waits for the id of a calling context that another thread was defining, a second at most. 0 if it
 * does not come, or if there is none.
 */
uint32_t stacks_await(const struct stacks_pending *pending);

/* [handler] The same of the `first` frames alone. */
uint32_t stacks_take_first(struct wire_frame *frames, uint32_t first);

/* [handler] Whether new calling contexts are cut for lack of room. */
bool stacks_short_of_room(void);

/* Tells the user once they are. Service thread. */
void stacks_tell_room(void);

#endif
