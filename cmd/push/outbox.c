/* SPDX-License-Identifier: Apache-2.0 */
/* outbox.c - see outbox.h. */
#define _GNU_SOURCE
#include "push/outbox.h"

#include <ctype.h>
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

#include "base/xmalloc.h"

enum { NAME_MAX_BYTES = 255, TIME_DIGITS = 13 };

#define SUFFIX ".otlp"

/* The address as a name: what is neither letter nor digit becomes %XX, so no two have the same. */
static char *folder_name(const char *url)
{
	char *name = xmalloc(3 * strlen(url) + 1), *end = name;

	for (; *url; url++)
		if (isalnum((unsigned char)*url) || strchr("-._:", *url))
			*end++ = *url;
		else
			end += sprintf(end, "%%%02X", (unsigned char)*url);
	*end = '\0';
	return name;
}

static int make_folder(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -1 : 0;
}

int outbox_open(struct outbox *b, const char *under, const char *url)
{
	char *name = folder_name(url);
	int result = -1;

	b->dir = xasprintf("%s/%s", under, name);
	if (strlen(name) > NAME_MAX_BYTES)
		errno = ENAMETOOLONG;
	else if (make_folder(under) == 0)
		result = make_folder(b->dir);
	free(name);
	return result;
}

void outbox_release(struct outbox *b)
{
	free(b->dir);
	b->dir = NULL;
}

char *outbox_new(const struct outbox *b)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	for (unsigned i = 0;; i++) {
		char *path = xasprintf("%s/%013lld-%d-%u" SUFFIX, b->dir,
				       (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000,
				       (int)getpid(), i);
		if (access(path, F_OK) < 0)
			return path;
		free(path);
	}
}

/* Whether outbox_new gives such names. */
static int is_ours(const struct dirent *entry)
{
	const char *rest = entry->d_name + strspn(entry->d_name, "0123456789");

	if (rest - entry->d_name != TIME_DIGITS)
		return 0;
	for (int i = 0; i < 2; i++) {
		size_t digits = *rest == '-' ? strspn(rest + 1, "0123456789") : 0;
		if (digits == 0)
			return 0;
		rest += 1 + digits;
	}
	return strcmp(rest, SUFFIX) == 0;
}

int outbox_list(const struct outbox *b, struct outbox_list *to)
{
	struct dirent **entries;
	int n = scandir(b->dir, &entries, is_ours, alphasort);

	*to = (struct outbox_list){ .n = 0 };
	if (n < 0)
		return -1;
	to->path = xcalloc((size_t)n + 1, sizeof *to->path);
	to->size = xcalloc((size_t)n + 1, sizeof *to->size);
	for (int i = 0; i < n; i++) {
		struct stat is;
		char *path = xasprintf("%s/%s", b->dir, entries[i]->d_name);
		free(entries[i]);
		if (lstat(path, &is) < 0 || !S_ISREG(is.st_mode)) {
			free(path);
			continue;
		}
		to->size[to->n] = (uint64_t)is.st_size;
		to->bytes += (uint64_t)is.st_size;
		to->path[to->n++] = path;
	}
	free(entries);
	return 0;
}

void outbox_list_release(struct outbox_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->path[i]);
	free(l->path);
	free(l->size);
	*l = (struct outbox_list){ .n = 0 };
}

int outbox_lock(const char *path)
{
	struct stat is;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &is) == 0) {
		if (is.st_nlink > 0)
			return fd;
		errno = ENOENT; /* sent since it was listed */
	}
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

size_t outbox_trim(const struct outbox *b, uint64_t most)
{
	struct outbox_list l;
	size_t removed = 0;

	if (outbox_list(b, &l) == 0)
		for (size_t i = 0; i < l.n && l.bytes > most; i++) {
			int fd = outbox_lock(l.path[i]);
			if (fd < 0)
				continue;
			l.bytes -= l.size[i];
			removed += unlink(l.path[i]) == 0;
			close(fd);
		}
	outbox_list_release(&l);
	return removed;
}
