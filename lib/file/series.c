/* SPDX-License-Identifier: Apache-2.0 */
/* series.c - see series.h. */
#define _GNU_SOURCE
#include "file/series.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/sort.h"
#include "wire/wire_file.h"

enum { MOST_OF_A_NAME = 999999 }; /* files of one name */

void series_init(struct series *s, const char *pattern, pid_t pid)
{
	*s = (struct series){ .pattern = pattern, .pid = pid };
	if (gethostname(s->host, sizeof s->host - 1) < 0 || strchr(s->host, '/'))
		s->host[0] = '\0';
}

/* ---- a file ------------------------------------------------------------------------------ */

/* The name itself, or with a number behind it, and ".part". NULL if out of memory. */
static char *numbered(const char *name, unsigned number, const char *end)
{
	char *text = NULL;
	const char *data = series_end(name);
	int n = number > 1 ? asprintf(&text, "%.*s.%u%s%s", (int)(data - name), name, number, data,
				      end)
			   : asprintf(&text, "%s%s", name, end);

	return n < 0 ? NULL : text;
}

static void forget(struct series_file *f)
{
	int saved = errno;

	free(f->path);
	free(f->part);
	free(f->name);
	*f = (struct series_file){ .writer = NULL };
	errno = saved;
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Tries one name. 0, or -1 with errno, EEXIST if it is taken. */
static int open_one(struct series_file *f, const char *name, unsigned number)
{
	int fd = -1;

	f->name = strdup(name);
	f->path = numbered(name, number, "");
	f->part = numbered(name, number, SERIES_PART);
	errno = EEXIST;
	if (!f->name || !f->path || !f->part)
		errno = ENOMEM;
	else if (!exists(f->path))
		fd = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	else
		errno = EEXIST;
	if (fd >= 0) {
		flock(fd, LOCK_EX | LOCK_NB); /* before it has contents, see adopt_one */
		f->writer = datafile_begin(fd);
		if (f->writer)
			return 0;
		int saved = errno;
		unlink(f->part);
		errno = saved;
	}
	forget(f);
	return -1;
}

int series_open(const struct series *s, struct series_file *f)
{
	char *name = series_name(s->pattern, s->host, s->pid, time(NULL));
	int result = -1;

	*f = (struct series_file){ .writer = NULL };
	if (!name)
		return -1;
	for (unsigned i = 1; result < 0 && i <= MOST_OF_A_NAME; i++) {
		result = open_one(f, name, i);
		if (result < 0 && errno != EEXIST)
			break;
	}
	int saved = errno;
	free(name);
	errno = saved;
	return result;
}

/*
 * Renames a file of a folder unless the new name is taken. 0, or -1 with errno. NFS and some other
 * file systems cannot: there an empty file keeps the name until ours replaces it.
 */
static int rename_new(int dir, const char *from, const char *to)
{
	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	int fd = openat(dir, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -1;
	close(fd);
	if (renameat(dir, from, dir, to) == 0)
		return 0;
	int saved = errno;
	unlinkat(dir, to, 0);
	errno = saved;
	return -1;
}

int series_publish(struct series_file *f)
{
	if (!f->part)
		return 0;
	int result = rename_new(AT_FDCWD, f->part, f->path);
	for (unsigned i = 2; result < 0 && errno == EEXIST && i <= MOST_OF_A_NAME; i++) {
		char *other = numbered(f->name, i, "");
		if (!other)
			return -1;
		result = rename_new(AT_FDCWD, f->part, other);
		int saved = errno;
		free(result == 0 ? f->path : other);
		f->path = result == 0 ? other : f->path;
		errno = saved;
	}
	if (result < 0)
		return -1;
	free(f->part);
	f->part = NULL;
	return 0;
}

int series_close(struct series_file *f, bool remove)
{
	if (!f->writer)
		return 0;
	int result = datafile_close(f->writer), error = errno;

	if (remove) {
		result = unlink(f->part ? f->part : f->path);
		error = errno;
	} else if (series_publish(f) < 0 && result == 0) {
		result = -1;
		error = errno;
	}
	forget(f);
	errno = error;
	return result;
}

/* ---- the files of a folder --------------------------------------------------------------- */

/* One that the pattern names. */
struct found {
	char *name;
	struct series_match match;
	struct timespec end;
	uint64_t bytes;
};

struct folder {
	int fd;
	struct found *list;
	size_t n, room;
};

/* Whether it begins as recordings do, is a regular file and ours. An open descriptor, or -1. */
static int open_recording(int dir, const char *name, struct stat *st)
{
	struct file_header h;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
	    pread(fd, &h, sizeof h, 0) == sizeof h &&
	    memcmp(h.magic, DATAFILE_MAGIC, sizeof h.magic) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void add_found(struct folder *f, const char *name, const struct series_match *match)
{
	struct stat st;
	int fd = open_recording(f->fd, name, &st);

	if (fd < 0)
		return;
	close(fd);
	char *copy = GROW(f->list, f->n, f->room, 16) ? strdup(name) : NULL;
	if (copy) /* without memory fewer are deleted, until the next time */
		f->list[f->n++] = (struct found){ copy, *match, st.st_mtim, (uint64_t)st.st_size };
}

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return ORDER(x->end.tv_sec, y->end.tv_sec) ?: ORDER(x->end.tv_nsec, y->end.tv_nsec)
							     ?: strcmp(x->name, y->name);
}

/*
 * Finds the pattern's recordings, the oldest first; `parts`: only those that are being written. 0,
 * or -1 with errno.
 */
static int look(const struct series *s, struct folder *f, bool parts)
{
	char *path = series_folder(s->pattern);
	DIR *dir = path ? opendir(path) : NULL;
	struct series_match m;

	*f = (struct folder){ .fd = dir ? dirfd(dir) : -1 };
	for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		if (series_matches(s->pattern, s->host, e->d_name, &m) && (m.part || !parts))
			add_found(f, e->d_name, &m);
	if (dir)
		f->fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	int saved = errno;
	if (dir)
		closedir(dir);
	free(path);
	if (f->n > 0)
		qsort(f->list, f->n, sizeof *f->list, compare_found);
	errno = saved;
	return dir && f->fd >= 0 ? 0 : -1;
}

static void release(struct folder *f)
{
	int saved = errno;

	for (size_t i = 0; i < f->n; i++)
		free(f->list[i].name);
	free(f->list);
	if (f->fd >= 0)
		close(f->fd);
	errno = saved;
}

/* Who writes a file holds a lock on it, from before the file has contents. */
static void adopt_one(const struct series *s, const struct folder *f, const struct found *found)
{
	struct stat st;
	char *to = NULL;
	int fd = open_recording(f->fd, found->name, &st);
	bool free_now = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0;

	if (asprintf(&to, "%.*s%s", (int)found->match.base, found->name, series_end(s->pattern)) <
	    0)
		to = NULL;
	for (unsigned i = 1; free_now && i <= MOST_OF_A_NAME; i++) {
		char *other = to ? numbered(to, i, "") : NULL;
		int result = other ? rename_new(f->fd, found->name, other) : -1;
		free_now = result < 0 && other && errno == EEXIST;
		free(other);
	}
	free(to);
	if (fd >= 0)
		close(fd);
}

void series_adopt(const struct series *s)
{
	struct folder f;

	if (look(s, &f, true) == 0)
		for (size_t i = 0; i < f.n; i++)
			adopt_one(s, &f, &f.list[i]);
	release(&f);
}

static bool is_too_old(const struct found *found, uint64_t age_ns, const struct timespec *now)
{
	double age = (double)(now->tv_sec - found->end.tv_sec) * 1e9 +
		     (double)(now->tv_nsec - found->end.tv_nsec);

	return age_ns && age > (double)age_ns;
}

int series_keep(const struct series *s, const struct series_bounds *bounds)
{
	struct folder f;
	struct timespec now;
	uint64_t bytes = 0;
	int deleted = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	int result = look(s, &f, false), error = errno;
	bool all = result == 0;
	for (size_t i = 0; i < f.n; i++)
		bytes += f.list[i].bytes;
	for (size_t i = 0; all && i < f.n; i++) {
		const struct found *found = &f.list[i];
		bool large = bounds->bytes && bytes > bounds->bytes;
		if (found->match.part || (!large && !is_too_old(found, bounds->age_ns, &now)))
			continue;
		/* another ojx of this pattern may have been faster */
		if (unlinkat(f.fd, found->name, 0) == 0) {
			deleted++;
		} else if (errno != ENOENT) {
			result = -1;
			error = errno;
			continue; /* the next one is deleted in its place */
		}
		bytes -= found->bytes;
	}
	release(&f);
	errno = error;
	return result < 0 ? -1 : deleted;
}
