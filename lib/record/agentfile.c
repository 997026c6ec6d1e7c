/* SPDX-License-Identifier: Apache-2.0 */
/* agentfile.c - see agentfile.h. The copies themselves are in agentfile.c. */
#define _GNU_SOURCE

#include "record/agentfile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"

/*
 * ---- Directories are opened one by one and never through a symbolic link. Their contents are
 * checked through descriptors, so nobody can replace a file between check and use. A copy gets
 * its name by rename, when it is complete, and is never written to again: JVMs may have it
 * mapped.
 */

#define FOLDER	   "ojx"
#define AGENT_FILE "libojx-agent.so"
#define DAY	   86400

enum { ID_DIGITS = 16 };

/* ---- directories ------------------------------------------------------------------------- */

/*
 * Whether only we and root can put files there. In a sticky directory nobody else can replace ours.
 */
static bool is_trusted(const struct stat *st)
{
	bool own_group = st->st_gid == getegid() || st->st_gid == 0;

	if (st->st_uid != 0 && st->st_uid != geteuid())
		return false;
	if (st->st_mode & S_ISVTX)
		return true;
	return !(st->st_mode & S_IWOTH) && (!(st->st_mode & S_IWGRP) || own_group);
}

/* Opens a subdirectory, which must be trusted but need not be readable; -1 with errno. */
static int enter(int dir, const char *name)
{
	struct stat st;
	int fd = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && is_trusted(&st))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* Like enter, for an absolute path without symbolic links, and for all directories on it. */
static int enter_path(const char *path)
{
	char name[NAME_MAX + 1];
	int dir = enter(AT_FDCWD, "/");

	while (dir >= 0) {
		path += strspn(path, "/");
		size_t len = strcspn(path, "/");
		if (len == 0 || len > NAME_MAX)
			break;
		memcpy(name, path, len);
		name[len] = '\0';
		path += len;
		int next = enter(dir, name), saved = errno;
		close(dir);
		errno = saved;
		dir = next;
	}
	return dir;
}

/* Opens a subdirectory; creates it, readable for others, if it is missing. */
static int make_and_enter(int dir, const char *name)
{
	if (mkdirat(dir, name, 0755) == 0)
		fchmodat(dir, name, 0755, 0); /* whatever the umask; there is nothing to hide */
	else if (errno != EEXIST)
		return -1;
	return enter(dir, name);
}

/* ---- one copy ---------------------------------------------------------------------------- */

/* FNV-1a over words of 8 bytes. It only keeps builds apart; the content itself is compared. */
static void name_content(char id[ID_DIGITS + 1], const unsigned char *bytes, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u ^ size, word;

	for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
		memcpy(&word, bytes + i, sizeof word);
		hash = (hash ^ word) * 0x100000001b3u;
		hash ^= hash >> 32;
	}
	snprintf(id, ID_DIGITS + 1, "%016" PRIx64, hash);
}

/* Whether the open file is a valid copy. False with EACCES if code there cannot be executed. */
static bool is_good(int fd, const void *content, size_t size)
{
	struct stat st;

	errno = 0;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & (S_IWGRP | S_IWOTH) || (size_t)st.st_size != size)
		return false;
	void *p = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED) {
		errno = EACCES;
		return false;
	}
	bool same = memcmp(p, content, size) == 0;
	munmap(p, size);
	errno = 0;
	return same;
}

/* Marks the copy as recently used, for agentcopy_clean. */
static void touch(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && st.st_mtime < time(NULL) - DAY)
		futimens(fd, NULL);
}

/* 0 if there is a valid copy. -1 with errno; 0 or ENOENT if one can be made. */
static int find(int dir, const void *content, size_t size)
{
	int fd = openat(dir, AGENT_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		errno = errno == ELOOP ? 0 : errno;
		return -1;
	}
	bool good = is_good(fd, content, size);
	int saved = errno;
	if (good)
		touch(fd);
	close(fd);
	errno = saved;
	return good ? 0 : -1;
}

static int make(int dir, const void *content, size_t size)
{
	char name[48];
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(name, sizeof name, ".%d.%lx", (int)getpid(), (unsigned long)now.tv_nsec);
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	bool written = outfile_write(fd, content, size) == 0 && fchmod(fd, 0555) == 0;
	int saved = errno;
	if (close(fd) < 0 && written) {
		written = false;
		saved = errno;
	}
	if (written && renameat(dir, name, dir, AGENT_FILE) == 0)
		return 0;
	saved = written ? errno : saved;
	unlinkat(dir, name, 0);
	errno = saved;
	return -1;
}

/* Finds the copy in its directory; or makes it and checks again. */
static int find_or_make(int dir, const void *content, size_t size)
{
	if (find(dir, content, size) == 0)
		return 0;
	if (errno != 0 && errno != ENOENT)
		return -1;
	if (make(dir, content, size) < 0)
		return -1;
	if (find(dir, content, size) == 0)
		return 0;
	int saved = errno ? errno : EIO;
	unlinkat(dir, AGENT_FILE, 0);
	errno = saved;
	return -1;
}

char *agentcopy_get(const char *base, const void *content, size_t size)
{
	char id[ID_DIGITS + 1], *path = NULL;
	int parent = enter_path(base);
	int folder = parent < 0 ? -1 : make_and_enter(parent, FOLDER);

	name_content(id, content, size);
	int dir = folder < 0 ? -1 : make_and_enter(folder, id);
	if (dir >= 0 && find_or_make(dir, content, size) == 0 &&
	    asprintf(&path, "%s/" FOLDER "/%s/" AGENT_FILE, base, id) < 0)
		path = NULL;
	int saved = errno;
	if (dir >= 0)
		close(dir);
	if (folder >= 0)
		close(folder);
	if (parent >= 0)
		close(parent);
	errno = saved;
	return path;
}

/* ---- old ones ---------------------------------------------------------------------------- */

/* Whether a file in /proc of a process contains the text. False if we may not read it. */
static bool file_has(const char *pid, const char *name, const char *text)
{
	char path[300], *line = NULL;
	size_t room = 0;
	bool found = false;

	snprintf(path, sizeof path, "/proc/%s/%s", pid, name);
	FILE *in = fopen(path, "re");
	while (in && !found && getdelim(&line, &room, '\0', in) > 0)
		found = strstr(line, text) != NULL;
	if (in)
		fclose(in);
	free(line);
	return found;
}

/* Whether some process could start a JVM with this copy. */
static bool is_named(const char *path)
{
	bool found = false;
	DIR *proc = opendir("/proc");

	if (!proc)
		return true;
	for (struct dirent *e; !found && (e = readdir(proc));)
		found = e->d_name[0] >= '1' && e->d_name[0] <= '9' &&
			(file_has(e->d_name, "environ", path) ||
			 file_has(e->d_name, "cmdline", path));
	closedir(proc);
	return found;
}

static bool is_id(const char *name)
{
	return strlen(name) == ID_DIGITS && strspn(name, "0123456789abcdef") == ID_DIGITS;
}

/* Whether the copy in the subdirectory is ours and was not used recently. */
static bool is_old(int folder, const char *id, unsigned seconds)
{
	char name[sizeof AGENT_FILE + NAME_MAX + 2];
	struct stat st;

	snprintf(name, sizeof name, "%s/" AGENT_FILE, id);
	return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && st.st_mtime < time(NULL) - (time_t)seconds;
}

static void remove_copy(int folder, const char *id)
{
	int dir = enter(folder, id);

	if (dir < 0)
		return;
	unlinkat(dir, AGENT_FILE, 0);
	close(dir);
	unlinkat(folder, id, AT_REMOVEDIR);
}

void agentcopy_clean(const char *path, unsigned seconds)
{
	char base[PATH_MAX], other[PATH_MAX + NAME_MAX + 2];

	/* BASE/ID/FILE */
	size_t len = strlen(path);
	if (len >= sizeof base)
		return;
	memcpy(base, path, len + 1);
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(base, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
	int folder = enter_path(base);
	int listed = folder < 0 ? -1 : openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = listed < 0 ? NULL : fdopendir(listed);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		snprintf(other, sizeof other, "%s/%s/", base, e->d_name);
		if (is_id(e->d_name) && strncmp(path, other, strlen(other)) != 0 &&
		    is_old(dirfd(dir), e->d_name, seconds) && !is_named(other) &&
		    is_old(dirfd(dir), e->d_name, seconds)) /* again: the search took a while */
			remove_copy(dirfd(dir), e->d_name);
	}
	if (dir)
		closedir(dir);
	else if (listed >= 0)
		close(listed);
	if (folder >= 0)
		close(folder);
}

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
