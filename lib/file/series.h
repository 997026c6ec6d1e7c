/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series.h - recordings that follow one another: a file is written under a name that ends in
 * ".part", and gets its own name when it is closed. Old ones can be deleted.
 *
 * Nothing is ever overwritten or renamed away: a file whose name is taken gets another one
 * (series_name.h). docs/service.md says what is kept.
 */
#ifndef OJX_SERIES_H
#define OJX_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "file/series_name.h"

struct series {
	const char *pattern; /* the caller's; series_codes has accepted it */
	pid_t pid;	     /* for %p */
	char host[SERIES_HOST];
};

void series_init(struct series *s, const char *pattern, pid_t pid);

struct series_file {
	struct datafile_writer *writer; /* NULL: closed */
	char *path, *part;		/* its name once it is closed; NULL: it has that. While it
					   is written */
	char *name;			/* that of the pattern, without a number */
};

/* Begins a file. 0, or -1 with errno; then there is nothing to close. */
int series_open(const struct series *s, struct series_file *f);

/*
 * Gives the file its own name, while it is still open: all that has been written is whole. 0, or
 * -1 with errno, and the file keeps the name that ends in ".part".
 */
int series_publish(struct series_file *f);

/*
 * Writes what is buffered, closes the file, and publishes it if it has not been yet. 0, or -1 with
 * errno of the first failure. `remove`: it is removed instead.
 */
int series_close(struct series_file *f, bool remove);

/* Gives their own names to files that nobody writes any more, as the ojx was killed. */
void series_adopt(const struct series *s);

/* What may stay; 0: no such bound. */
struct series_bounds {
	uint64_t age_ns; /* since a file's end */
	uint64_t bytes;	 /* of all files, those that are being written included */
};

/*
 * Deletes the oldest files until the bounds hold. Only regular files of our own user that the
 * pattern names and that begin as recordings do are deleted, and none that is being written.
 * Returns how many were deleted; -1 with errno if the folder cannot be read, or a file not be
 * deleted.
 */
int series_keep(const struct series *s, const struct series_bounds *bounds);

#endif
