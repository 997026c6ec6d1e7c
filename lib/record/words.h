/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.h - taking the options of a JVM out of a text, as the JVM and its launcher do.
 */
#ifndef OJX_WORDS_H
#define OJX_WORDS_H

#include <stdbool.h>

enum words_rule {
	/* environment variables and files of VM options: quotes protect, nothing escapes */
	WORDS_OPTIONS,
	/* @argfiles of the launcher: comments, escapes in quotes, a quote ends with its line */
	WORDS_ARGFILE,
};

/*
 * Writes the next word of *from to `to`, which has room for strlen(*from) + 1 bytes, and moves
 * *from behind it. False where there is none.
 */
bool words_next(const char **from, char *to, enum words_rule rule);

/*
 * The text of a file of options, at most 1 MiB of it: malloc'ed, ends with NUL. NULL with errno;
 * EINVAL where it is no regular file. A relative path is of the directory `dir`, or the current one
 * if that is NULL.
 */
char *words_read(const char *dir, const char *path);

#endif
