/* SPDX-License-Identifier: Apache-2.0 */
/* diff_commands.c - part of diff.h: whether two recordings are of one program. */
#include <stdbool.h>
#include <string.h>

#include "base/javaoption.h"
#include "report/diff.h"

static bool is_java(const char *command)
{
	const char *slash = strrchr(command, '/');

	return strcmp(slash ? slash + 1 : command, "java") == 0;
}

const char *diff_program(const struct recording *r)
{
	size_t n = model_argc(r->model), i = 0;

	while (i < n && !is_java(model_argv(r->model, i)))
		i++;
	if (i == n)
		return n ? model_argv(r->model, 0) : NULL;
	for (i++; i < n; i++) {
		const char *argument = model_argv(r->model, i);
		if (strcmp(argument, "-jar") == 0 || strcmp(argument, "-m") == 0 ||
		    strcmp(argument, "--module") == 0)
			return i + 1 < n ? model_argv(r->model, i + 1) : NULL;
		if (argument[0] != '-' && argument[0] != '@')
			return argument;
		i += javaoption_takes_next(argument);
	}
	return NULL;
}

enum diff_commands diff_commands(const struct diff *d)
{
	const struct model *a = d->from.recording->model, *b = d->to.recording->model;
	const char *from = diff_program(d->from.recording), *to = diff_program(d->to.recording);
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
