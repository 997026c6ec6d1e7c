/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - see words.h. */
#define _GNU_SOURCE
#include "record/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/credentials.h"
#include "record/rootfile.h"

#define MOST_BYTES (1u << 20)

/* ---- options ----------------------------------------------------------------------------- */

static bool next_option(const char **from, char *to)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *p = *from + strspn(*from, blanks);
	bool any = *p != '\0';
	char quote = 0;

	for (; *p && (quote || !strchr(blanks, *p)); p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		else
			*to++ = *p;
	}
	*to = '\0';
	*from = p;
	return any;
}

/* ---- argument files ---------------------------------------------------------------------- */

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/*
 * Writes what a backslash in quotes stands for; *p is behind it. A continued line loses its
 * indentation.
 */
static char *put_escaped(const char **p, char *to)
{
	static const char names[] = "nrtf", chars[] = "\n\r\t\f";
	const char *name = strchr(names, **p);

	if (ends_line(**p)) {
		*p += strspn(*p, " \t\n\r\f");
		return to;
	}
	if (**p)
		*to++ = name ? chars[name - names] : **p;
	*p += **p != '\0';
	return to;
}

static bool next_argument(const char **from, char *to)
{
	const char *p = *from;
	char *start = to, quote = 0;
	bool any = false; /* "" is a word, too */

	while (*p && !(ends_line(*p) && any) && (quote || !any || !strchr(" \t\f", *p))) {
		char c = *p++;
		if (quote && c == '\\') {
			to = put_escaped(&p, to);
		} else if (quote && c == quote) {
			quote = 0;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			any = true;
		} else if (!quote && c == '#') {
			/* the launcher drops text that stands directly before '#' */
			p += strcspn(p, "\n\r");
			to = start;
			any = false;
		} else if (any || !strchr(" \t\f\n\r", c)) {
			*to++ = c;
			any = true;
		}
	}
	*to = '\0';
	*from = p;
	return any;
}

bool words_next(const char **from, char *to, enum words_rule rule)
{
	return rule == WORDS_ARGFILE ? next_argument(from, to) : next_option(from, to);
}

/* ---- files ------------------------------------------------------------------------------- */

/* Reads at most `room` bytes; -1 with errno. */
static ssize_t read_all(int fd, char *to, size_t room)
{
	size_t got = 0;

	while (got < room) {
		ssize_t n = read(fd, to + got, room - got);
		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		got += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)got;
}

static char *read_text(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return NULL;
	size_t room = st.st_size < MOST_BYTES ? (size_t)st.st_size : MOST_BYTES;
	char *text = malloc(room + 1);
	ssize_t n = text ? read_all(fd, text, room) : -1;
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/* Opens the file below `root`; -1 with errno. */
static int open_below(int root, const char *path)
{
	int found = rootfile_find(root, path, 0);
	/* the content of a pipe is for the command to read */
	int fd = found < 0 ? -1 : rootfile_open(found), saved = errno;

	if (found >= 0)
		close(found);
	errno = saved;
	return fd;
}

/* The same with the rights of the user of the place. */
static int open_as(const struct words_place *place, int root, const char *path)
{
	struct credentials old;

	if (place->reader == WORDS_OURS)
		return open_below(root, path);
	if (place->reader == WORDS_NOBODY) {
		errno = EPERM;
		return -1;
	}
	if (credentials_become(&old, place->uid, place->gid) < 0)
		return -1;
	int fd = open_below(root, path);
	credentials_return(&old);
	return fd;
}

int words_open(const struct words_place *place, const char *path)
{
	/* the root directory of another user's process is root's to find */
	int root = place->root ? open(place->root, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;

	if (place->root && root < 0)
		return -1;
	int fd = open_as(place, root, path), saved = errno;
	if (place->root)
		close(root);
	errno = saved;
	return fd;
}

char *words_read(const struct words_place *place, const char *path)
{
	char *whole = NULL, *text = NULL;

	if (path[0] != '/' && place->dir && !place->dir[0]) {
		errno = ENOENT;
		return NULL;
	}
	if (path[0] != '/' && place->dir && asprintf(&whole, "%s/%s", place->dir, path) < 0)
		return NULL;
	int fd = words_open(place, whole ? whole : path);
	if (fd >= 0)
		text = read_text(fd);
	int saved = errno;
	free(whole);
	if (fd >= 0)
		close(fd);
	errno = saved;
	return text;
}
