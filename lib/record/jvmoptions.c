/* SPDX-License-Identifier: Apache-2.0 */
/* jvmoptions.c - see jvmoptions.h. */
#include "record/jvmoptions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char vm_options[] = "-XX:VMOptionsFile=", flags_file[] = "-XX:Flags=";

/* The value of -XX:NAME=VALUE; NULL if it is another option. */
static const char *value_of(const char *option, const char *name)
{
	size_t len = strlen(name);

	return strncmp(option, name, len) == 0 ? option + len : NULL;
}

/* Files cannot name further files. */
static void add_file(const struct jvmoptions *o, const char *path, const char *prefix)
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
		add_file(o, options, "");
	else if (flags)
		add_file(o, flags, "-XX:");
	o->see(option, o->arg);
}

void jvmoptions_add_text(const struct jvmoptions *o, const char *text)
{
	char *word = text ? malloc(strlen(text) + 1) : NULL;

	while (word && words_next(&text, word, WORDS_OPTIONS))
		jvmoptions_add(o, word);
	free(word);
}
