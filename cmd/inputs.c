/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.c - see inputs.h. */
#include "inputs.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/outfile.h"
#include "out_of_memory.h"
#include "say.h"

#define SUFFIX ".data"

static void add(struct inputs *to, char *path, bool named)
{
	XGROW(to->file, to->n, to->room, 8);
	to->file[to->n++] = (struct input_file){ path, named };
}

static int is_recording(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > strlen(SUFFIX) &&
	       strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX) == 0;
}

/* Adds the recordings of a directory, by name. */
static int add_directory(struct inputs *to, const char *path)
{
	struct dirent **entry;
	int n = scandir(path, &entry, is_recording, alphasort);
	size_t before = to->n;

	if (n < 0)
		return say_error("cannot read '%s': %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		struct stat st;
		char *file = xasprintf("%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
				       entry[i]->d_name);
		if (stat(file, &st) == 0 && S_ISREG(st.st_mode))
			add(to, file, false);
		else
			free(file);
		free(entry[i]);
	}
	free(entry);
	return to->n > before
		       ? 0
		       : say_error("'%s' is a directory without recordings (*" SUFFIX ")", path);
}

/* Adds the files that match a pattern, by name. */
static int add_pattern(struct inputs *to, const char *pattern)
{
	glob_t found;
	int result = glob(pattern, 0, NULL, &found);

	if (result == GLOB_NOSPACE)
		out_of_memory();
	for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
		add(to, xstrdup(found.gl_pathv[i]), false);
	if (result == 0)
		globfree(&found);
	return result == 0 ? 0 : say_error("no file matches '%s'", pattern);
}

static int add_name(struct inputs *to, const char *name)
{
	struct stat st;

	if (strcmp(name, "-") != 0 && stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return add_directory(to, name);
	if (strpbrk(name, "*?[") && access(name, F_OK) < 0)
		return add_pattern(to, name);
	add(to, xstrdup(name), true);
	return 0;
}

int inputs_find(struct inputs *to, const char *const *names, size_t n)
{
	size_t streams = 0;

	*to = (struct inputs){ .n = 0 };
	for (size_t i = 0; i < n; i++) {
		if (add_name(to, names[i]) < 0)
			return -1;
		streams += strcmp(names[i], "-") == 0;
	}
	if (streams > 1)
		return say_error("only one of the recordings can be standard input");
	to->name = n == 1 ? xstrdup(names[0]) : xasprintf("%s and %zu more", names[0], n - 1);
	return 0;
}

void inputs_release(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++)
		free(in->file[i].path);
	free(in->file);
	free(in->name);
	*in = (struct inputs){ .n = 0 };
}

bool inputs_have(const struct inputs *in, const char *output)
{
	for (size_t i = 0; i < in->n; i++)
		if (outfile_is_input(output, in->file[i].path))
			return true;
	return false;
}
