/* SPDX-License-Identifier: Apache-2.0 */
/*
 * say.h - the messages of ojx, and the progress of its work.
 *
 * A message is one line, "ojx: ...", on standard error or in the log file. Results go to standard
 * output and never through here. Messages are lower case, have no full stop, put names in single
 * quotes, and say what to do if that is not obvious.
 */
#ifndef OJX_SAY_H
#define OJX_SAY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/progress.h"

/* Sets where messages go; NULL: standard error. The caller keeps the stream. */
void say_to(FILE *log);

/* The descriptor that they go to. */
int say_descriptor(void);

/*
 * Writes one line, with "ojx: " before it and a newline after it. Keeps errno. Control characters
 * and invalid UTF-8 become '?', since a message may quote what a peer sent.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like say, but returns -1. */
int say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports that something could not be written, with the reason in errno. Returns -1. */
int say_unwritten(const char *name);

/* Like say, but in brackets, as perf writes them: "[ ojx ... ]". */
void say_summary(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the word of `names` (ends with NULL) that `word` probably meant, or NULL. */
const char *say_similar(const char *word, const char *const *names);

/*
 * ---- a line on the terminal that shows the progress of work that takes longer than a second.
 * It is written to standard error, only if that is a terminal that can erase a line. It is
 * erased before any other output and leaves nothing behind.
 */

/* Starts to show progress; NULL if it is not wanted (`quiet`) or not possible. */
struct progress *show_progress_start(bool quiet);

/* Erases the line and stops. Call it before results go to a terminal. May be called twice. */
void show_progress_stop(void);

/* Where current work should count its progress; NULL: nowhere. */
struct progress *show_progress_now(void);

#endif
