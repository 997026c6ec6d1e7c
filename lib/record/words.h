/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - splits a text into JVM options, as the JVM and its launcher do. */
#ifndef OJX_WORDS_H
#define OJX_WORDS_H

#include <stdbool.h>
#include <sys/types.h>

enum words_rule {
	/* environment variables and files of VM options: quotes protect, nothing escapes */
	WORDS_OPTIONS,
	/*
	 * @argfiles of the launcher: comments; escapes in quotes; a quote ends at the end of the
	 * line
	 */
	WORDS_ARGFILE,
};

/*
 * Writes the next word of *from to `to`, which has room for strlen(*from) + 1 bytes, and moves
 * *from behind it. False if there is none.
 */
bool words_next(const char **from, char *to, enum words_rule rule);

/* Whose rights count where a file is read. */
enum words_reader {
	WORDS_OURS,
	WORDS_ITS_USER, /* what root reads for others they could not read otherwise */
	WORDS_NOBODY,	/* none is read: which user's would count is not clear */
};

/* Where the paths of a process lead; NULL: where ours do. */
struct words_place {
	const char *root; /* its root directory, as seen from here, such as /proc/PID/root */
	/* its working directory, as seen from its root directory; empty: unknown */
	const char *dir;
	enum words_reader reader;
	uid_t uid; /* its user, for WORDS_ITS_USER */
	gid_t gid;
};

/*
 * Reads the text of a file of options, at most 1 MiB: malloc'ed, NUL-terminated. NULL with errno;
 * EINVAL if it is not a regular file. The process must have one thread, or the reader be
 * WORDS_OURS.
 */
char *words_read(const struct words_place *place, const char *path);

/* Opens such a file for reading; -1 with errno. */
int words_open(const struct words_place *place, const char *path);

#endif
