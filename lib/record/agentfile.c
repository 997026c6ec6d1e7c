/* SPDX-License-Identifier: Apache-2.0 */
/* agentfile.c - see agentfile.h. The copies themselves are in agentcopy.c. */
#define _GNU_SOURCE
#include "record/agentfile.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/agentcopy.h"

#define SYSTEM_PLACE "/var/cache"
#define KEPT_SECONDS (7 * 86400u)

bool agentfile_plain(const char *path)
{
	for (; *path; path++)
		if (!isalnum((unsigned char)*path) && !strchr("/._-+@%:~", *path))
			return false;
	return true;
}

bool agentfile_of_system(const char *path)
{
	char dir[PATH_MAX];
	struct stat st;

	size_t len = strlen(path);
	if (len >= sizeof dir || stat(path, &st) < 0)
		return false;
	if (!S_ISREG(st.st_mode) || !(st.st_mode & S_IROTH))
		return false;
	memcpy(dir, path, len + 1);
	for (char *end;; *end = '\0') {
		if (stat(*dir ? dir : "/", &st) < 0 || st.st_uid != 0 ||
		    st.st_mode & (S_IWGRP | S_IWOTH) ||
		    (S_ISDIR(st.st_mode) && !(st.st_mode & S_IXOTH)))
			return false;
		end = strrchr(dir, '/');
		if (!end)
			return true;
	}
}

/* ---- where copies go ------------------------------------------------------------------------ */

struct content {
	void *bytes;
	size_t size;
};

static int map_content(struct content *c, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	c->bytes = MAP_FAILED;
	if (fstat(fd, &st) == 0) {
		c->size = (size_t)st.st_size;
		c->bytes = mmap(NULL, c->size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	int saved = errno;
	close(fd);
	errno = saved;
	return c->bytes == MAP_FAILED ? -1 : 0;
}

/* The copy below `parent`/`below`; NULL with errno. */
static char *copy_at(const char *parent, const char *below, const struct content *c)
{
	char base[PATH_MAX], real[PATH_MAX];
	int n = snprintf(base, sizeof base, "%s%s", parent, below);

	if (parent[0] != '/' || n < 0 || (size_t)n >= sizeof base) {
		errno = EINVAL;
		return NULL;
	}
	if (mkdir(base, 0700) < 0 && errno != EEXIST)
		return NULL;
	if (!realpath(base, real))
		return NULL;
	if (!agentfile_plain(real)) {
		errno = EINVAL;
		return NULL;
	}
	return agentcopy_get(real, c->bytes, c->size);
}

static char *find_copy(const struct content *c)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;

	errno = ENOENT; /* there is no such directory */
	if (geteuid() == 0)
		path = copy_at(SYSTEM_PLACE, "", c);
	if (!path && cache && *cache)
		path = copy_at(cache, "", c);
	if (!path && home && *home)
		path = copy_at(home, "/.cache", c);
	return path;
}

/* ---- settling ------------------------------------------------------------------------------- */

static int use_in_place(struct agentfile *f, const char *agent)
{
	if (strchr(agent, '=')) {
		errno = EINVAL;
		return -1;
	}
	f->in_place = true;
	f->path = strdup(agent);
	return f->path ? 0 : -1;
}

int agentfile_settle(struct agentfile *f, const char *agent)
{
	struct content c;

	*f = (struct agentfile){ .path = NULL };
	if (geteuid() != 0 && agentfile_plain(agent) && agentfile_of_system(agent))
		return use_in_place(f, agent);
	if (map_content(&c, agent) == 0) {
		f->path = find_copy(&c);
		int saved = errno;
		munmap(c.bytes, c.size);
		errno = saved;
	}
	if (!f->path) {
		f->error = errno;
		return use_in_place(f, agent);
	}
	agentcopy_clean(f->path, KEPT_SECONDS);
	return 0;
}

void agentfile_release(struct agentfile *f)
{
	free(f->path);
	f->path = NULL;
}
