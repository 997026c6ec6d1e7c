/* SPDX-License-Identifier: Apache-2.0 */
/*
 * say.h - ojx's own words: one line each, "ojx: ...", on standard error or in the log file.
 *
 * Results go to standard output and never through here. Messages are lower case, without a full
 * stop, name the thing in single quotes, and say what to do where that is not obvious.
 */
#ifndef OJX_SAY_H
#define OJX_SAY_H

#include <stdbool.h>
#include <stdio.h>

/* Where the words go from now on; NULL: standard error. The stream remains the caller's. */
void say_to(FILE *log);

/* What is called before each word, such as one that makes room for it, and after it; NULL: nothing.
 */
void say_around(void (*hook)(bool before));

/* One line, "ojx: " before it and a newline after it. errno is kept. Control characters and
 * broken UTF-8 in the text are shown as '?': a message may quote what a peer sent. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and returns -1. */
int say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* That something could not be written, for the reason in errno. Returns -1. */
int say_unwritten(const char *name);

/* Like say, between brackets, as perf ends: "[ ojx ... ]". */
void say_summary(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The word of `names` (ended by NULL) that was probably meant by `word`, or NULL. */
const char *say_similar(const char *word, const char *const *names);

#endif
