/* SPDX-License-Identifier: Apache-2.0 */
/* jdk_release.c - see jdk_release.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "report/jdk_release.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "JAVA_VERSION=\""

/* Reads the version from a file `release`. */
static bool read_version(FILE *in, char version[JDK_VERSION_MAX])
{
	char line[256];

	while (fgets(line, sizeof line, in)) {
		size_t len;
		if (strncmp(line, KEY, strlen(KEY)) != 0)
			continue;
		const char *value = line + strlen(KEY);
		len = strcspn(value, "\"\n");
		if (len == 0 || len >= JDK_VERSION_MAX)
			return false;
		memcpy(version, value, len);
		version[len] = '\0';
		return true;
	}
	return false;
}

static bool read_release(const char *folder, int len, const char *name,
			 char version[JDK_VERSION_MAX])
{
	char *path;
	bool found = false;

	if (asprintf(&path, "%.*s%s", len, folder, name) < 0)
		return false;
	FILE *in = fopen(path, "r");
	free(path);
	if (!in)
		return false;
	found = read_version(in, version);
	fclose(in);
	return found;
}

bool jdk_release_version(const char *archive, char version[JDK_VERSION_MAX])
{
	const char *slash = strrchr(archive, '/');
	int len = slash ? (int)(slash + 1 - archive) : 0;

	if (strcmp(archive + len, "src.zip") != 0)
		return false;
	return read_release(archive, len, "../release", version) ||
	       read_release(archive, len, "release", version);
}

bool jdk_release_is_of(const char *version, const char *vm_version)
{
	size_t len = strcspn(vm_version, "+-_ ");

	return strlen(version) == len && strncmp(version, vm_version, len) == 0;
}
