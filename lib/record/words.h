/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - splits a text into JVM options, as the JVM and its launcher do. */
#ifndef OJX_WORDS_H
#define OJX_WORDS_H

#include <stdbool.h>

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

/* Where the paths of a process lead; NULL: where ours do. */
struct words_place {
	const char *root; /* its root directory, as seen from here, such as /proc/PID/root */
	const char *dir;  /* its working directory, as seen from its root directory */
};

/*
 * Reads the text of a file of options, at most 1 MiB: malloc'ed, NUL-terminated. NULL with errno;
 * EINVAL if it is not a regular file.
 */
char *words_read(const struct words_place *place, const char *path);

#endif
