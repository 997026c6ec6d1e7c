/* SPDX-License-Identifier: Apache-2.0 */
/* unfinished.c - see unfinished.h. */
#include "analyse/replica/unfinished.h"

#include <string.h>

bool unfinished_use(const struct model_context *context, const struct model_use *use)
{
	struct model_frame frame;
	unsigned flags;

	if (!context->model || !context->class || !context->class->name ||
	    model_stack(context->model, context->jvm, use->access, &frame, 1, &flags) == 0)
		return false;
	return frame.method && strcmp(frame.method, "<init>") == 0 && frame.class_name &&
	       strcmp(frame.class_name, context->class->name) == 0;
}

bool unfinished_reference(const struct model_context *context, const struct model_use *use)
{
	const struct model_class *class = context->class;

	if (!class || !class->fields || use->position >= class->nfields)
		return false;
	char type = class->fields[use->position].type;
	return (type == 'L' || type == '[') && unfinished_use(context, use);
}
