/* SPDX-License-Identifier: Apache-2.0 */
/* spool.c - see spool.h. */
#define _GNU_SOURCE
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memtext.h"
#include "base/outfile.h"
#include "base/utf8.h"

enum { TAIL = 64 << 10, PIECE = 64 << 10, TAB = 8 };

/* Opens a file without a name, which disappears with its last descriptor. */
static int open_nameless(const char *dir)
{
	char path[4096];

	int fd = open(dir, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* the file system does not support O_TMPFILE */
	int n = snprintf(path, sizeof path, "%s/ojx-XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof path)
		return -1;
	fd = mkostemp(path, O_APPEND | O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int spool_open(struct spool *s, int to)
{
	const char *dir = getenv("TMPDIR");

	*s = (struct spool){ .fd = -1, .to = to };
	if (dir && *dir)
		s->fd = open_nameless(dir);
	if (s->fd < 0)
		s->fd = open_nameless("/tmp");
	return s->fd < 0 ? -1 : 0;
}

void spool_close(struct spool *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

int spool_drain(struct spool *s)
{
	static char piece[PIECE];
	ssize_t n;

	while (s->fd >= 0 && (n = pread(s->fd, piece, sizeof piece, s->done)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || outfile_write(s->to, piece, (size_t)n) < 0)
			return -1;
		s->done += n;
	}
	return 0;
}

/*
 * Cleans the text. A tab becomes blanks; of a line that overwrites itself (\r) only the last
 * version stays.
 */
static void put_clean(FILE *out, const char *text, size_t len, const struct style *style)
{
	const char *end = text + len;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		const char *stop = eol ? eol : end, *cr;
		if (stop > text && stop[-1] == '\r')
			stop--;
		while ((cr = memrchr(text, '\r', (size_t)(stop - text))))
			text = cr + 1;
		for (size_t column = 0; text < stop;) {
			const char *tab = memchr(text, '\t', (size_t)(stop - text));
			const char *to = tab ? tab : stop;
			utf8_put(out, text, (size_t)(to - text),
				 style->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
			column += (size_t)(to - text);
			text = tab ? tab + 1 : stop;
			if (tab) {
				size_t blanks = TAB - column % TAB;
				fprintf(out, "%*s", (int)blanks, "");
				column += blanks;
			}
		}
		if (eol)
			putc('\n', out);
		text = eol ? eol + 1 : end;
	}
}

char *spool_tail(const struct spool *s, const struct style *style)
{
	struct stat st;
	char *raw = malloc(TAIL);
	struct memtext text;

	if (!raw || fstat(s->fd, &st) < 0) {
		free(raw);
		return NULL;
	}
	off_t from = st.st_size > TAIL ? st.st_size - TAIL : 0;
	ssize_t n = pread(s->fd, raw, TAIL, from);
	FILE *out = memtext_begin(&text);
	if (out) {
		/* skip the first line, which is incomplete */
		const char *begin = from && n > 0 ? memchr(raw, '\n', (size_t)n) : NULL;
		begin = begin ? begin + 1 : raw;
		if (n > 0)
			put_clean(out, begin, (size_t)(raw + n - begin), style);
	}
	free(raw);
	return memtext_end(&text);
}
