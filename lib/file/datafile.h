/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile.h - ojx.data: an append-only sequence of chunks of wire records, with checksums.
 *
 * A file is a file_header, then chunks. Each chunk carries records of one JVM (or of the recording
 * itself) and a checksum; a file that was cut short or is still being written can be read up to its
 * last whole chunk. docs/file-format.md describes the bytes.
 */
#ifndef OJX_DATAFILE_H
#define OJX_DATAFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire_file.h"

/* ---- writing --------------------------------------------------------------------------- */

struct datafile_writer;

/*
 * Creates `path` (mode 0600) and writes the header. An existing non-empty file is first renamed
 * to `path`.old, or removed if it is a recording that ended without any JVM. "-" is standard
 * output. NULL with errno on failure (datafile_why): EBUSY if a recording is being made at `path`
 * or `path`.old. Free with datafile_close.
 */
struct datafile_writer *datafile_create(const char *path);

/*
 * The same for a file that is not of a time: with this header, and time 0 in all chunks. Equal
 * records give equal bytes. NULL: as datafile_create.
 */
struct datafile_writer *datafile_create_of(const char *path, const struct file_header *header);

/*
 * As datafile_create, in an open file that is empty, which it takes over. NULL with errno on
 * failure; then the file is closed.
 */
struct datafile_writer *datafile_begin(int fd);

/* What an errno of datafile_create means. */
const char *datafile_why(int error);

/*
 * Buffers one record of `jvm`. A chunk is written when the buffer is full, when the JVM changes or
 * by datafile_flush. 0, or -1 with errno. EINVAL: the record has an impossible length and is left
 * out. Any other errno is an error of the file, which every later call returns, too.
 */
int datafile_write(struct datafile_writer *w, uint32_t jvm, const struct wire_rec *rec,
		   uint32_t len);
int datafile_flush(struct datafile_writer *w);
/* Bytes so far; unwritten records count with their unpacked size. */
uint64_t datafile_size(const struct datafile_writer *w);
/* Whether a reader follows the file (datafile_follow.h), so that it should be flushed often. */
bool datafile_watched(const struct datafile_writer *w);
int datafile_close(struct datafile_writer *w); /* flushes; 0 or -1 with errno */

/* ---- reading --------------------------------------------------------------------------- */

enum datafile_result {
	DATAFILE_OK = 0,
	DATAFILE_TRUNCATED =
		/*
		 * read up to the last whole chunk; the file was cut short or is still being written
		 */
	1,
	DATAFILE_ERRNO = -1, /* see errno */
	DATAFILE_EMPTY = -2,
	DATAFILE_FOREIGN = -3,	     /* not an ojx.data */
	DATAFILE_OTHER_VERSION = -4, /* of the format or of its records */
	DATAFILE_DAMAGED = -5,	     /* a checksum is wrong, and more chunks follow */
};

/*
 * Takes a record that was written `time_ns` after the start. The record is aligned, complete and
 * `len` bytes long; its contents are not checked. Returns 0, or -1 to stop reading.
 */
typedef int datafile_take(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
			  void *arg);

/*
 * Reads `path` ("-": standard input) and calls `take` for each record, in order. If `take` returns
 * -1, the result is DATAFILE_ERRNO if errno is ENOMEM, else DATAFILE_DAMAGED. `*end_ns` receives
 * the time of the last chunk.
 */
enum datafile_result datafile_read(const char *path, struct file_header *header, uint64_t *end_ns,
				   datafile_take *take, void *arg);
/* The same without a thread that unpacks ahead: for one of several readers. */
enum datafile_result datafile_read_alone(const char *path, struct file_header *header,
					 uint64_t *end_ns, datafile_take *take, void *arg);

#endif
