/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_chunks.h - reading ojx.data chunk by chunk: what datafile_read and datafile_follow.h are
 * made of.
 */
#ifndef OJX_DATAFILE_CHUNKS_H
#define OJX_DATAFILE_CHUNKS_H

#include <sys/types.h>

#include "file/datafile.h"

/* Chunks of a file that is read in order. Release with chunks_release. */
struct chunks {
	int fd;
	uint64_t offset;      /* of the next chunk */
	unsigned char *bytes; /* a struct file_chunk and its payload */
	size_t room;	      /* bytes of it */
	unsigned char *records;
	size_t records_room; /* where a payload is unpacked */
};

enum chunks_found {
	CHUNKS_WHOLE,
	CHUNKS_END,	/* the file ends here */
	CHUNKS_CUT,	/* the file ends within the chunk */
	CHUNKS_NONE,	/* what is here is no chunk */
	CHUNKS_DAMAGED, /* the checksum is wrong */
	CHUNKS_ERRNO,	/* errno tells */
};

/*
 * Reads up to `len` bytes at `offset`, of a pipe the next ones; fewer only at the end. -1 with
 * errno.
 */
ssize_t datafile_read_at(int fd, void *data, size_t len, uint64_t offset);

/*
 * Judges the first `len` bytes of a file, which are in *h. DATAFILE_TRUNCATED: the rest is missing.
 */
enum datafile_result datafile_judge_header(const struct file_header *h, size_t len);

/*
 * Reads the chunk at the offset, which stays; *got receives how many bytes of payload there are,
 * unless it is CHUNKS_NONE.
 */
enum chunks_found chunks_read(struct chunks *f, struct file_chunk *c, size_t *got);

/*
 * Hands out the records of the chunk that has just been read, and goes on to the next one. 0; -1
 * with errno: EBADMSG where it does not hold whole records, else what `take` met.
 */
int chunks_deliver(struct chunks *f, const struct file_chunk *c, datafile_take *take, void *arg);

void chunks_release(struct chunks *f);

#endif
