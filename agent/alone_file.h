/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alone_file.h - writes ojx.data from inside the program.
 *
 * The program may close descriptors that it does not know, and get their numbers for files of its
 * own. So before each chunk is written, it is checked that the descriptor still leads to this file.
 */
#ifndef OJX_ALONE_FILE_H
#define OJX_ALONE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "wire/wire_file.h"

struct alone_file {
	int fd;
	struct stat as_opened;
	uint64_t start_ns; /* now_ns() at the beginning of the recording */
	uint64_t size;	   /* bytes written */
	uint32_t jvm;	   /* of the chunk in `buffer` */
	uint32_t len, room;
	unsigned char *buffer; /* a struct file_chunk, then the records */
	int error;	       /* errno of the first failure, after which nothing is written */
	uint64_t left_out;     /* records for which there was no memory */
};

/*
 * Creates the file with mode 0600, locks it, and writes its header. A recording of this user that
 * is there, or an empty file, is renamed to PATH.old, and replaces such a one there. Any other file
 * stays, also one at PATH.old, and this fails with EEXIST; with EBUSY if a JVM still records into
 * it. 0, or -1 with errno.
 */
int alone_file_create(struct alone_file *f, const char *path);

/* Adds one record of `jvm` (0: the recording itself). Errors are kept in f->error. */
void alone_file_put(struct alone_file *f, uint32_t jvm, const struct wire_rec *rec);

/* Adds the command line of this process. */
void alone_file_put_command(struct alone_file *f);

/* Writes the chunk that was begun. */
void alone_file_flush(struct alone_file *f);

/* Flushes and closes it, and frees the memory. */
void alone_file_close(struct alone_file *f);

#endif
