/* SPDX-License-Identifier: Apache-2.0 */
/* jdks.c - see jdks.h. */
#define _GNU_SOURCE 1 /* asprintf */
#include "host/jdks.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/jvmargs.h"
#include "record/launch.h"

#define SYSTEM_JDKS "/usr/lib/jvm"

int jdk_feature(const char *version)
{
	if (strncmp(version, "1.", 2) == 0)
		version += 2;
	return atoi(version);
}

void jdk_read_version(const struct process_paths *place, const char *home,
		      char version[JDK_VERSION])
{
	static const char key[] = "JAVA_VERSION=\"";
	/* it may be another user's: never waits, as opening a pipe would */
	struct process_paths there = place ? *place : (struct process_paths){ .dir = home };

	there.dir = home;
	char *text = process_file_read(&there, "release");
	const char *line = text;

	version[0] = '\0';
	while (line && strncmp(line, key, sizeof key - 1) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (line) {
		line += sizeof key - 1;
		int len = (int)strcspn(line, "\"\n");
		snprintf(version, JDK_VERSION, "%.*s", len, line);
	}
	free(text);
}

static int is_known(const struct jdks *jdks, const char *home)
{
	for (size_t i = 0; i < jdks->n; i++)
		if (strcmp(jdks->jdk[i].home, home) == 0)
			return 1;
	return 0;
}

/* Adds the JDK in `home`, if there is one. 0, or -1 if out of memory. */
static int add(struct jdks *jdks, const char *home, const char *known_by)
{
	char *real = realpath(home, NULL), *java = NULL;

	if (!real)
		return errno == ENOMEM ? -1 : 0;
	if (asprintf(&java, "%s/bin/java", real) < 0) {
		free(real);
		return -1;
	}
	if (jdks->n < JDKS_MOST && !is_known(jdks, real) && jvmkind_is_launcher(java)) {
		struct jdk *jdk = &jdks->jdk[jdks->n++];
		*jdk = (struct jdk){ .home = real, .known_by = known_by };
		jdk_read_version(NULL, real, jdk->version);
		real = NULL;
	}
	free(java);
	free(real);
	return 0;
}

/* Adds the JDK of the `java` on PATH. */
static int add_path(struct jdks *jdks)
{
	char *found = launch_find("java"), *real = found ? realpath(found, NULL) : NULL;
	int result = 0;

	for (int i = 0; real && i < 2; i++) { /* from HOME/bin/java to HOME */
		char *slash = strrchr(real, '/');
		if (slash)
			*slash = '\0';
	}
	if (real && *real)
		result = add(jdks, real, "PATH");
	free(real);
	free(found);
	return result;
}

static int add_system(struct jdks *jdks)
{
	struct dirent **entries;
	int n = scandir(SYSTEM_JDKS, &entries, NULL, alphasort), result = 0;

	for (int i = 0; i < n; i++) {
		char *home = NULL;
		if (entries[i]->d_name[0] != '.' && result == 0) {
			result = asprintf(&home, SYSTEM_JDKS "/%s", entries[i]->d_name) < 0
					 ? -1
					 : add(jdks, home, SYSTEM_JDKS);
			free(home);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return result;
}

int jdks_find(struct jdks *jdks)
{
	const char *home = getenv("JAVA_HOME");

	jdks->n = 0;
	if ((home && *home && add(jdks, home, "JAVA_HOME") < 0) || add_path(jdks) < 0 ||
	    add_system(jdks) < 0) {
		jdks_release(jdks);
		return -1;
	}
	return 0;
}

void jdks_release(struct jdks *jdks)
{
	for (size_t i = 0; i < jdks->n; i++)
		free(jdks->jdk[i].home);
	jdks->n = 0;
}
