/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_ahead.h - reads and unpacks the chunks of a file in a thread of its own, ahead of who
 * takes their records.
 *
 * Unpacking takes about as long as what is done with the records. Without a second processor, with
 * a pipe, which may keep the thread waiting, with a small file, or if no thread can be started,
 * each chunk is read when it is asked for. A process that has started a thread hands other
 * dispositions of signals on, and `record` looks at small files before it starts the program.
 */
#ifndef OJX_DATAFILE_AHEAD_H
#define OJX_DATAFILE_AHEAD_H

#include "file/datafile_chunks.h"

struct ahead_chunk {
	struct chunks chunks; /* its offset is that of the chunk */
	struct file_chunk head;
	size_t got;		      /* bytes of payload that exist */
	const unsigned char *records; /* if found is CHUNKS_WHOLE; NULL: see error */
	enum chunks_found found;
	int error; /* errno; 0: none */
};

struct ahead;

/* Begins at an offset of `fd`, which the caller keeps. NULL with ENOMEM. Free with ahead_free. */
struct ahead *ahead_new(int fd, uint64_t offset);

/*
 * The next chunk, valid until the next call. Not to be called again once `found` is something else
 * than CHUNKS_WHOLE, or without records.
 */
const struct ahead_chunk *ahead_next(struct ahead *a);
void ahead_free(struct ahead *a);

#endif
