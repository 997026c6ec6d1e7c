/* SPDX-License-Identifier: Apache-2.0 */
/* line.c - see line.h. */
#include "hotspot/line.h"

/* [handler] */
static bool is_transparent(uint64_t method)
{
	uint32_t bit = wire_control_method(method);
	uint64_t word =
		atomic_load_explicit(&line_controls()->transparent[bit / 64], memory_order_relaxed);

	return word >> bit % 64 & 1;
}

uint32_t line_of_frames(const struct wire_frame *frames, uint32_t n)
{
	uint32_t at = 0;

	while (at < n && is_transparent(frames[at].method))
		at++;
	return at < n ? at : 0; /* as platform_line has it */
}
