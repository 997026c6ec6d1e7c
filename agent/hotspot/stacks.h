/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks.h - calling contexts: folding, interning, definitions.
 */
#ifndef OJX_STACKS_H
#define OJX_STACKS_H

#include "core/state.h"

/*
 * [handler] Folds repeated cycles of `n` frames in place (innermost first): a cycle that occurs
 * twice or more in a row stays once, followed by a frame with method 0 and the cycle's length.
 * Depth of recursion then no longer scatters one context over thousands. Returns the new number.
 */
uint32_t stacks_fold(struct wire_frame *frames, uint32_t n);

/*
 * [handler] The id of a calling context, defined for the tool when it is new; 0 where the tables
 * are full or another thread is just defining it and does not come to an end.
 */
uint32_t stacks_intern(const struct wire_frame *frames, uint32_t n, uint16_t flags);

/*
 * [handler] The id of the calling context of `n` frames as the VM gives them, which are
 * overwritten: without frames that are only there in interpreted code (intrinsics.h), cut at the
 * depth that was asked for, folded.
 */
uint32_t stacks_take(struct wire_frame *frames, uint32_t n);

/* [handler] The same of the `first` frames alone. */
uint32_t stacks_take_first(struct wire_frame *frames, uint32_t first);

#endif
