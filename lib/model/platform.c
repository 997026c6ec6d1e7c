/* SPDX-License-Identifier: Apache-2.0 */
/* platform.c - see platform.h. */
#include "model/platform.h"

#include <fnmatch.h>

#include "model/platform_class.h"

bool platform_frame(const struct platform *p, const struct model_frame *frame)
{
	const char *name = frame->class_name;

	if (frame->folded > 0 || !name)
		return true;
	if (frame->code == MODEL_CODE_UNKNOWN ? platform_class(name, frame->home)
					      : frame->code == MODEL_CODE_PLATFORM)
		return true;
	for (size_t i = 0; p && i < p->n; i++)
		if (fnmatch(p->globs[i], name, 0) == 0)
			return true;
	return false;
}

size_t platform_line(const struct platform *p, const struct model *m, uint32_t jvm,
		     uint32_t stack_id)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = model_stack_frames(m, jvm, stack_id, &numbers, &flags);

	for (size_t i = 0; i < n && i < WIRE_MAX_STACK; i++) {
		enum model_code code = model_frame_code(m, jvm, numbers[i]);
		if (code == MODEL_CODE_PLATFORM)
			continue;
		if (code == MODEL_CODE_PROGRAM && (!p || p->n == 0))
			return i;
		struct model_frame frame = model_frame(m, jvm, numbers[i]);
		if (!platform_frame(p, &frame))
			return i;
	}
	return 0;
}
