/* SPDX-License-Identifier: Apache-2.0 */
/* diff_commands.c - part of diff.h: whether two recordings are of one program. */
#include <string.h>

#include "report/diff.h"

enum diff_commands diff_commands(const struct diff *d)
{
	const struct model *a = d->from.recording->model, *b = d->to.recording->model;
	const char *from = d->from.recording->command.program;
	const char *to = d->to.recording->command.program;
	size_t n = model_argc(a);

	if (!n || !model_argc(b))
		return DIFF_COMMANDS_SAME;
	if (from && to && strcmp(from, to) != 0)
		return DIFF_COMMANDS_PROGRAM;
	if (n != model_argc(b))
		return DIFF_COMMANDS_ARGUMENTS;
	for (size_t i = 0; i < n; i++)
		if (strcmp(model_argv(a, i), model_argv(b, i)) != 0)
			return DIFF_COMMANDS_ARGUMENTS;
	return DIFF_COMMANDS_SAME;
}

const char *diff_commands_name(enum diff_commands c)
{
	static const char *const names[] = { "same", "arguments", "program" };

	return names[c];
}
