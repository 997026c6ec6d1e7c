/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outfile.h - files that a user names for output.
 */
#ifndef OJX_OUTFILE_H
#define OJX_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

/* Names of open descriptors. What they lead to may be a file, but it is not to be renamed or
 * replaced. */
bool outfile_names_descriptor(const char *path);

/* Writes all of it, however long that takes. 0, or -1 with errno. */
int outfile_write(int fd, const void *data, size_t len);

struct outfile {
	FILE *out;
	char *path, *temporary; /* NULL: `out` is the file itself */
};

/*
 * Opens `path` for writing. A secret file can be read by its owner alone, at any time: it is a new
 * one, which takes the place of an existing one when it is closed, and until then that one stays as
 * it is. Pipes, devices and open descriptors are written to as they are. 0, or -1 with errno.
 */
int outfile_open(struct outfile *f, const char *path, bool secret);

/* Closes it. Without `whole`, a secret file is removed, and an existing one stays. 0, or -1 with
 * errno. */
int outfile_close(struct outfile *f, bool whole);

#endif
