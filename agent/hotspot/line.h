/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line.h - which frame of a stack is its line: what a reader of the report can change.
 *
 * The tool knows which methods are the platform's, and tells by bits in the shared memory
 * (wire_controls.h). With an agent alone there is nobody to tell; no method is the platform's then.
 */
#ifndef OJX_LINE_H
#define OJX_LINE_H

#include "core/state.h"

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
