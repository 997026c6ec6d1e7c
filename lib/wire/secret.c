/* SPDX-License-Identifier: Apache-2.0 */
/* secret.c - see secret.h. */
#define _GNU_SOURCE

#include "wire/secret.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 32 };

const char *secret_make(struct wire_secret *secret)
{
	ssize_t n = getrandom(secret, sizeof *secret, 0);

	if (n == sizeof *secret)
		return NULL;
	return n < 0 ? strerror(errno) : "the kernel gives too few random bytes";
}

/* ---- a file ------------------------------------------------------------------------------ */

/* Makes the file, as a whole or not at all. Another process may make it at the same time. */
static const char *make_file(const char *path)
{
	struct wire_secret secret;
	char text[DIGITS + 2], new[PATH_MAX];
	const char *why = secret_make(&secret);

	if (why)
		return why;
	if (snprintf(new, sizeof new, "%s.XXXXXX", path) >= (int)sizeof new)
		return strerror(ENAMETOOLONG);
	int fd = mkostemp(new, O_CLOEXEC); /* of mode 0600 */
	if (fd < 0)
		return strerror(errno);
	snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64 "\n", secret.key[0], secret.key[1]);
	ssize_t n = write(fd, text, DIGITS + 1);
	if (n != DIGITS + 1)
		why = n < 0 ? strerror(errno) : strerror(ENOSPC);
	else if (link(new, path) < 0 && errno != EEXIST)
		why = strerror(errno);
	close(fd);
	unlink(new);
	return why;
}

/* Whether only this user can know what is in it. NULL, or the reason why not. */
static const char *check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return "it is no file";
	if (st.st_uid != geteuid() && geteuid() != 0)
		return "it belongs to another user";
	return st.st_mode & 077 ? "others have access to it: chmod 600 is needed" : NULL;
}

/* Reads up to `room` bytes; -1 with errno. */
static ssize_t read_all(int fd, char *to, size_t room)
{
	size_t len = 0;

	while (len < room) {
		ssize_t n = read(fd, to + len, room - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static bool parse(struct wire_secret *secret, const char *text, size_t len)
{
	char half[DIGITS / 2 + 1] = "";

	if (len == DIGITS + 1 && text[DIGITS] == '\n')
		len--;
	if (len != DIGITS)
		return false;
	for (size_t i = 0; i < DIGITS; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	for (size_t i = 0; i < 2; i++) {
		memcpy(half, text + i * DIGITS / 2, DIGITS / 2);
		secret->key[i] = strtoull(half, NULL, 16);
	}
	return true;
}

const char *secret_share(struct wire_secret *secret, const char *path)
{
	char text[2 * DIGITS];
	const char *why = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT) {
		why = make_file(path);
		fd = why ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		return why ? why : strerror(errno);
	why = check_file(fd);
	ssize_t n = why ? 0 : read_all(fd, text, sizeof text);
	if (n < 0)
		why = strerror(errno);
	else if (!why && !parse(secret, text, (size_t)n))
		why = "it has not 32 hexadecimal digits (openssl rand -hex 16), and nothing else";
	close(fd);
	return why;
}
