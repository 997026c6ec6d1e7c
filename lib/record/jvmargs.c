/* SPDX-License-Identifier: Apache-2.0 */
/* jvmargs.c - see jvmargs.h. */
#include "record/jvmargs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"

static const char vm_options[] = "-XX:VMOptionsFile=", flags_file[] = "-XX:Flags=";

/* The value of -XX:NAME=VALUE; NULL if it is another option. */
static const char *value_of(const char *option, const char *name)
{
	size_t len = strlen(name);

	return strncmp(option, name, len) == 0 ? option + len : NULL;
}

/* Files cannot name further files. */
static void add_options_file(const struct jvmoptions *o, const char *path, const char *prefix)
{
	char *text = words_read(&o->place, path);
	size_t room = text ? strlen(text) + 1 : 0;
	char *option = text ? malloc(strlen(prefix) + room) : NULL;
	const char *at = text;

	while (option) {
		char *end = stpcpy(option, prefix);
		if (!words_next(&at, end, WORDS_OPTIONS))
			break;
		if (!value_of(option, vm_options) && !value_of(option, flags_file))
			o->see(option, o->arg);
	}
	free(option);
	free(text);
}

void jvmoptions_add(const struct jvmoptions *o, const char *option)
{
	const char *options = value_of(option, vm_options), *flags = value_of(option, flags_file);

	if (options)
		add_options_file(o, options, "");
	else if (flags)
		add_options_file(o, flags, "-XX:");
	o->see(option, o->arg);
}

void jvmoptions_add_text(const struct jvmoptions *o, const char *text)
{
	char *word = text ? malloc(strlen(text) + 1) : NULL;

	while (word && words_next(&text, word, WORDS_OPTIONS))
		jvmoptions_add(o, word);
	free(word);
}

/* Adds an argument that names no file. */
static void add_plain(struct jvmargs *j, const char *argument)
{
	static const char module[] = "--module=";

	if (j->main)
		return;
	if (j->takes_next)
		j->takes_next = false;
	else if (argument[0] != '-')
		j->main = strdup(argument);
	else if (strncmp(argument, module, sizeof module - 1) == 0)
		j->main = strdup(argument + sizeof module - 1);
	else if (strcmp(argument, "--disable-@files") == 0)
		j->no_files = true;
	else if (javaoption_takes_next(argument))
		j->takes_next = true;
	else if (j->see)
		j->see(argument, j->arg);
}

/* If the file is missing, the launcher ends with an error, so there is nothing to add. */
static void add_file(struct jvmargs *j, const char *path)
{
	char *text = words_read(&j->place, path);
	char *word = text ? malloc(strlen(text) + 1) : NULL;
	const char *at = text;

	while (word && words_next(&at, word, WORDS_ARGFILE))
		add_plain(j, word);
	free(word);
	free(text);
}

void jvmargs_add(struct jvmargs *j, const char *argument)
{
	if (j->main)
		return;
	if (argument[0] != '@' || j->no_files)
		add_plain(j, argument);
	else if (argument[1] == '@')
		add_plain(j, argument + 1);
	else
		add_file(j, argument + 1);
}

void jvmargs_add_text(struct jvmargs *j, const char *text)
{
	char *word = text ? malloc(strlen(text) + 1) : NULL;

	while (word && words_next(&text, word, WORDS_OPTIONS))
		jvmargs_add(j, word);
	free(word);
}

void jvmargs_release(struct jvmargs *j)
{
	free(j->main);
	j->main = NULL;
}
