/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_read.h - reads ojx.data chunk by chunk; part of datafile_read.c and datafile_follow.c.
 */
#ifndef OJX_DATAFILE_READ_H
#define OJX_DATAFILE_READ_H

#include <sys/types.h>

#include "file/datafile.h"

/* The chunks of a file that is read in order. Release with chunks_release. */
struct chunks {
	int fd;
	uint64_t offset;      /* of the next chunk */
	unsigned char *bytes; /* a struct file_chunk and its payload */
	size_t room;	      /* its capacity */
	unsigned char *records;
	size_t records_room; /* of the buffer into which a payload is unpacked */
	struct inflater *inflater;
};

enum chunks_found {
	CHUNKS_WHOLE,
	CHUNKS_END,	/* the file ends here */
	CHUNKS_CUT,	/* the file ends within the chunk */
	CHUNKS_NONE,	/* no chunk at this offset */
	CHUNKS_DAMAGED, /* the checksum is wrong */
	CHUNKS_ERRNO,	/* see errno */
};

/*
 * Reads up to `len` bytes at `offset`; from a pipe, the next bytes. Fewer only at the end. -1 with
 * errno.
 */
ssize_t datafile_read_at(int fd, void *data, size_t len, uint64_t offset);

/*
 * Checks the first `len` bytes of a file, which are in *h. DATAFILE_TRUNCATED: the rest is missing.
 */
enum datafile_result datafile_judge_header(const struct file_header *h, size_t len);

/*
 * Reads the chunk at the offset, without moving the offset. *got receives the bytes of payload that
 * exist, unless the result is CHUNKS_NONE.
 */
enum chunks_found chunks_read(struct chunks *f, struct file_chunk *c, size_t *got);

/*
 * What a chunk that was not found whole says of the file, of which `got` bytes of payload exist.
 * From a pipe it reads on.
 */
enum datafile_result chunks_judge(const struct chunks *f, enum chunks_found found, size_t got);

/*
 * The records of the chunk that was just read, unpacked; valid until the next one is read. NULL
 * with errno: EBADMSG, or out of memory.
 */
const unsigned char *chunks_unpack(struct chunks *f, const struct file_chunk *c);

/* Moves the offset to the next chunk. */
static inline void chunks_skip(struct chunks *f, const struct file_chunk *c)
{
	f->offset += sizeof *c + c->len;
}

/*
 * Calls `take` for the records of a chunk. 0, or -1 with errno: EBADMSG if the chunk does not
 * consist of whole records, else that of `take`.
 */
int chunks_deliver(const struct file_chunk *c, const unsigned char *records, datafile_take *take,
		   void *arg);

void chunks_release(struct chunks *f);

#endif
