/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_again.h - reading a recording once more, as far as it was read before.
 */
#ifndef OJX_DATAFILE_AGAIN_H
#define OJX_DATAFILE_AGAIN_H

#include "file/datafile.h"

/* A file that datafile_read has read. Several threads may read it again at once. */
struct datafile_again {
	int fd;		  /* of a regular file, at any position */
	uint64_t records; /* how many it gave */
};

/*
 * Calls `take` for all records, up to DATAFILE_BLOCK at a time. Checksums are not looked at again, lengths are; where the file is not what it
 * was, reading ends early, or gives other records. 0; -1 with errno, or as soon as `take` returns -1.
 */
int datafile_read_again(const struct datafile_again *again,
			int (*take)(uint32_t jvm, const struct wire_rec *const *recs, size_t n,
				    void *arg),
			void *arg);

#endif
