/* SPDX-License-Identifier: Apache-2.0 */
/* source_path.c - see source_path.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "render/source_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/javaname.h"

/* A recording is data from outside: its file names are not to lead anywhere. */
static bool is_name(const char *file)
{
	return file && *file && !strpbrk(file, "/\\") && strcmp(file, ".") != 0 &&
	       strcmp(file, "..") != 0;
}

/* Leaves out "./" at the beginning and "/" at the end: "./a//b/" becomes "a//b". */
static const char *strip(const char *folder, size_t *len)
{
	while (folder[0] == '.' && (folder[1] == '/' || !folder[1]))
		folder += 1 + strspn(folder + 1, "/");
	*len = strlen(folder);
	while (*len > 1 && folder[*len - 1] == '/')
		--*len;
	return folder;
}

/*
 * Finds the file in a folder of the sources; *path is NULL if none has it. 0, or -1 if out of
 * memory.
 */
static int find(char **path, const struct sources *sources, const struct model_frame *frame)
{
	struct source_place where;
	size_t len;
	char *text = sources_read(sources, frame->class_name, frame->file, &len, &where);

	free(text);
	if (!text || where.packed)
		return 0;
	const char *folder = strip(where.origin, &len);
	const char *slash = len && folder[len - 1] != '/' ? "/" : "";
	return asprintf(path, "%.*s%s%s", (int)len, folder, slash, where.name) < 0 ? -1 : 0;
}

int source_path_of(char **path, const struct sources *sources, const struct model_frame *frame)
{
	*path = NULL;
	if (!frame || !frame->class_name || !is_name(frame->file))
		return 0;
	if (sources && find(path, sources, frame) < 0) {
		*path = NULL;
		return -1;
	}
	if (*path)
		return 0;
	size_t package = (size_t)(names_simple(frame->class_name) - frame->class_name);
	if (asprintf(path, "%.*s%s", (int)package, frame->class_name, frame->file) < 0) {
		*path = NULL;
		return -1;
	}
	for (size_t i = 0; i < package; i++)
		if ((*path)[i] == '.')
			(*path)[i] = '/';
	return 0;
}
