/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_follow.h - reads a recording while it is being written.
 *
 * Each step delivers the records of the chunks that became whole since the last step. A read lock
 * on the file tells the writer that somebody follows it, see datafile_watched().
 */
#ifndef OJX_DATAFILE_FOLLOW_H
#define OJX_DATAFILE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "file/datafile_read.h"

struct follow {
	struct chunks chunks; /* delivered up to its offset; 0: not even the header */
	uint64_t end_ns;      /* time of the last chunk */
	struct file_header header;
};

/* Opens a recording, which may still be empty. 0, or -1 with errno. Release with follow_close. */
int follow_open(struct follow *f, const char *path);

/*
 * Reads up to the last whole chunk. `take` is as in datafile_read. Returns the number of chunks, or
 * -1 with errno: EILSEQ if this is no recording, ENOTSUP if it is of another version, EBADMSG if it
 * is damaged, else that of the file or of `take`.
 */
int follow_step(struct follow *f, datafile_take *take, void *arg);

/* Makes the next step begin at the first record again. */
void follow_rewind(struct follow *f);

/*
 * Writes what was delivered so far to `path`, as datafile_create does, as a recording that ends
 * here. `ended`: it already contains its end. 0, or -1 with errno.
 */
int follow_copy(const struct follow *f, const char *path, bool ended);

void follow_close(struct follow *f);

#endif
