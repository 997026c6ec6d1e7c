/* SPDX-License-Identifier: Apache-2.0 */
/* in_constructor.c - see in_constructor.h. */
#include "analyse/replica/in_constructor.h"

#include <string.h>

bool in_constructor_use(const struct model_context *context, const struct model_use *use)
{
	struct model_frame frame;
	unsigned flags;

	if (!context->model || !context->class || !context->class->name ||
	    model_stack(context->model, context->jvm, use->access, &frame, 1, &flags) == 0)
		return false;
	return frame.method && strcmp(frame.method, "<init>") == 0 && frame.class_name &&
	       strcmp(frame.class_name, context->class->name) == 0;
}

bool in_construction(const struct model_context *context, const struct model_use *use)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = context->model && context->class && context->class->name
			   ? model_stack_frames(context->model, context->jvm, use->access, &numbers,
						&flags)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		struct model_frame frame = model_frame(context->model, context->jvm, numbers[i]);
		if (frame.method && strcmp(frame.method, "<init>") == 0 && frame.class_name &&
		    strcmp(frame.class_name, context->class->name) == 0)
			return true;
	}
	return false;
}

bool in_constructor_reference(const struct model_context *context, const struct model_use *use)
{
	const struct model_class *class = context->class;

	if (!class || !class->fields || use->position >= class->nfields)
		return false;
	char type = class->fields[use->position].type;
	return (type == 'L' || type == '[') && in_constructor_use(context, use);
}
