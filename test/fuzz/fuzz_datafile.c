/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_datafile.c - a damaged or hostile ojx.data.
 *
 * Nobody finds a checksum by chance, so those of chunks whose padding is 0 are put right first:
 * what lies behind them is reached, too.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "file/datafile_private.h"
#include "model/model.h"

struct take {
	struct model *model;
	uint64_t bytes; /* of records */
	unsigned char touched;
};

static int take_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct take *t = arg;

	(void)time_ns;
	if ((uintptr_t)rec % WIRE_ALIGN || len < sizeof *rec || len % WIRE_ALIGN || rec->len != len)
		abort();
	for (uint32_t i = 0; i < len; i++)
		t->touched ^= ((const unsigned char *)rec)[i];
	t->bytes += len;
	return model_feed(t->model, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

static void fix_checksums(unsigned char *file, size_t size)
{
	struct file_chunk c;

	for (size_t at = sizeof(struct file_header); at + sizeof c <= size;
	     at += sizeof c + c.len) {
		memcpy(&c, file + at, sizeof c);
		if (c.len > size - at - sizeof c)
			break;
		if (c.pad)
			continue;
		c.checksum = datafile_checksum(file + at);
		memcpy(file + at, &c, sizeof c);
	}
}

/* The reader takes a path, so the input becomes a file in memory. */
static void make_file(char *path, size_t path_size, const unsigned char *bytes, size_t size)
{
	int fd = memfd_create("ojx.data", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, path_size, "/proc/self/fd/%d", fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct take t = { .model = model_new(analyses) };
	unsigned char *file = malloc(size + 1);
	struct file_header header;
	uint64_t end_ns;
	char path[64];

	if (!t.model || !file)
		abort();
	memcpy(file, data, size);
	fix_checksums(file, size);
	make_file(path, sizeof path, file, size);
	enum datafile_result result = datafile_read(path, &header, &end_ns, take_record, &t);
	if (result == DATAFILE_ERRNO || (result == DATAFILE_EMPTY) != (size == 0) ||
	    t.bytes > size || (result == DATAFILE_OK && size < sizeof header))
		abort();
	close(atoi(strrchr(path, '/') + 1));
	free(file);
	model_free(t.model);
	return 0;
}
