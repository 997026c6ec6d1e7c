/* SPDX-License-Identifier: Apache-2.0 */
/* other_agents.c - see other_agents.h. */
#define _GNU_SOURCE
#include "attach/other_agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/words.h"

enum { MOST_BYTES = 256 << 20 };

/* Whether it has a function that the JVM calls when it loads an agent: its name is in the file. */
static bool is_agent(const struct words_place *place, const char *path)
{
	static const char load[] = "Agent_OnLoad", attach[] = "Agent_OnAttach";
	int fd = words_open(place, path);
	struct stat st;
	bool found = false;

	if (fd < 0)
		return false;
	size_t size = fstat(fd, &st) == 0 && st.st_size < MOST_BYTES ? (size_t)st.st_size : 0;
	char *text = size ? malloc(size) : NULL;
	ssize_t n = text ? pread(fd, text, size, 0) : -1;
	if (n > 0)
		found = memmem(text, (size_t)n, load, sizeof load) ||
			memmem(text, (size_t)n, attach, sizeof attach);
	free(text);
	close(fd);
	return found;
}

/* Length of the path of the JDK's libraries: of HOME/lib/ in HOME/lib/server/libjvm.so. */
static size_t jdk_len(const char *libjvm)
{
	size_t len = strlen(libjvm);

	for (int up = 0; up < 2; up++)
		while (len > 0 && libjvm[--len] != '/')
			continue;
	return len + 1;
}

char *other_agents_find(const struct target *t)
{
	static const char library[] = ".so", own[] = "libojx-agent.so";
	struct jvmproc_place place;
	char *line = NULL, *found = NULL, *last = NULL, path[64];
	size_t room = 0, jdk = t->libjvm ? jdk_len(t->libjvm) : 0;

	if (!t->libjvm)
		return NULL;
	jvmproc_find_place(&place, t->process.pid);
	snprintf(path, sizeof path, "/proc/%d/maps", (int)t->process.pid);
	FILE *in = fopen(path, "re");
	while (in && !found && getline(&line, &room, in) > 0) {
		char *file = strchr(line, '/');
		if (!file)
			continue;
		file[strcspn(file, "\n")] = '\0';
		/* each has several mappings, one behind the other */
		if (!strstr(file, library) || strncmp(file, t->libjvm, jdk) == 0 ||
		    strstr(file, own) || (last && strcmp(file, last) == 0))
			continue;
		free(last);
		last = strdup(file);
		if (is_agent(&place.place, file))
			found = strdup(file);
	}
	if (in)
		fclose(in);
	free(last);
	free(line);
	return found;
}
