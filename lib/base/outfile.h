/* SPDX-License-Identifier: Apache-2.0 */
/* outfile.h - output files that a user names. */
#ifndef OJX_OUTFILE_H
#define OJX_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Whether the path names an open descriptor (/dev/stdout, /dev/fd/N). It may lead to a file, which
 * must not be renamed or replaced.
 */
bool outfile_names_descriptor(const char *path);

/* Whether writing to `path` would overwrite a file that is read; `input` may be "-". */
bool outfile_is_input(const char *path, const char *input);

/* Writes all of it, even if write() blocks. 0, or -1 with errno. */
int outfile_write(int fd, const void *data, size_t len);

struct outfile {
	FILE *out;
	char *path, *temporary; /* NULL: `out` is the file itself */
	int unnamed;		/* the new file, while it has no name; else -1 */
	bool named;		/* the new file is at `temporary` */
};

/*
 * Opens `path` for writing. The output goes to a new file, which replaces an existing one on close;
 * until then the existing one stays. Where the file system has files without a name, the new one
 * has none, and a process that is killed leaves nothing. Only its owner can ever read a secret
 * file. Pipes, devices and open descriptors are written directly, as is what is not secret where
 * it has other names, another owner, or a folder that takes no new file. 0, or -1 with errno.
 */
int outfile_open(struct outfile *f, const char *path, bool secret);

/*
 * Closes the file. If not `whole`, the new file is removed and an existing one stays. 0, or -1
 * with errno.
 */
int outfile_close(struct outfile *f, bool whole);

/* Removes the new file, for a process that ends at once. It takes no memory. */
void outfile_give_up(const struct outfile *f);

#endif
