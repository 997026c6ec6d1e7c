/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stacks.h - calling contexts: folding, interning, definitions.
 */
#ifndef OJX_STACKS_H
#define OJX_STACKS_H

#include <jni.h>
#include <stdint.h>

#include "core/part.h"
#include "wire/wire.h"

/* Learns which frames are left out; tells the user once new stacks are cut for lack of room. */
extern const struct part stacks_part;

/* A calling context that another thread was defining; NULL: there is none. */
struct stacks_pending {
	const struct hashtable_slot *slot;
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
 * frames that exist only in interpreted code, cuts to the requested depth and folds.
 * 0 and `pending`: as stacks_intern.
 */
uint32_t stacks_take(struct wire_frame *frames, uint32_t n, struct stacks_pending *pending);

/*
 * Waits for the id of a calling context that another thread was defining, a second at most. 0 if it
 * does not come, or if there is none.
 */
uint32_t stacks_await(const struct stacks_pending *pending);

/* [handler] The same of the `first` frames alone, of an object that is only counted. */
uint32_t stacks_take_first(struct wire_frame *frames, uint32_t first);

/* [handler] Whether new calling contexts are cut for lack of room. */
bool stacks_short_of_room(void);

/*
 * ---- innermost frames that exist only while code is interpreted. For some JDK methods that
 * allocate or copy, such as Object.clone and Arrays.copyOf, compilers put code of their own in
 * place of the call, which has no frame. So code that is interpreted first and compiled later
 * would have two contexts. Therefore these frames are left out when they are innermost.
 */

/* [handler] How many of the `n` frames (innermost first) to leave out; fewer than n. */
uint32_t intrinsics_of(const struct wire_frame *frames, uint32_t n);

/*
 * ---- which frame of a stack is its line: what a reader of the report can change. The tool
 * knows which methods are the platform's, and tells by bits in the shared memory
 * (wire_layout.h). With an agent alone there is nobody to tell; no method is the platform's
 * then.
 */

/*
 * [handler] The position of the innermost of `n` frames, innermost first, that the tool has not
 * called the platform's; 0 if there is none.
 */
uint32_t line_of_frames(const struct wire_frame *frames, uint32_t n);

/* [handler] What the tool says; nothing of it is believed. */
static inline const struct wire_controls *line_controls(void)
{
	return (const struct wire_controls *)(ojx.base + ojx.layout.controls_offset);
}

#endif
