/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_follow.h - reading a recording while it is being written.
 *
 * Each step hands out the records of the chunks that have become whole since the last one. A
 * read lock on the file tells the writer that somebody is watching, see datafile_watched().
 */
#ifndef OJX_DATAFILE_FOLLOW_H
#define OJX_DATAFILE_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "file/datafile_chunks.h"

struct follow {
	struct chunks chunks; /* what was handed out ends at its offset; 0: not even the header */
	uint64_t end_ns;      /* time of the last chunk */
	struct file_header header;
};

/* Opens a recording that may still be empty. 0, or -1 with errno. Release with follow_close. */
int follow_open(struct follow *f, const char *path);

/*
 * Reads on, up to the last whole chunk. `take` as with datafile_read. Returns how many chunks there
 * were, or -1 with errno: EILSEQ where this is no recording, ENOTSUP where it is of a newer
 * version, EBADMSG where it is damaged, else what the file or `take` met.
 */
int follow_step(struct follow *f, datafile_take *take, void *arg);

/* The next step begins at the first record again. */
void follow_rewind(struct follow *f);

/*
 * Writes what was handed out so far to `path`, as datafile_create does, as a recording that ends
 * here; `ended` where it has its end already. 0, or -1 with errno.
 */
int follow_copy(const struct follow *f, const char *path, bool ended);

void follow_close(struct follow *f);

#endif
