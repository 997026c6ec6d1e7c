/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_datafile.c - a damaged or hostile ojx.data, read as a whole and followed.
 *
 * Nobody finds a checksum or a zlib stream by chance. So a chunk's checksum is put right first,
 * unless it is NO_CHECKSUM, and the payload of one that says it unpacks to TO_PACK bytes, which no
 * real one does, is packed here: what lies behind both is reached, too.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "file/datafile_follow.h"
#include "file/record_text.h"
#include "fuzz_chunks.h"
#include "model/model.h"
#include "wire/wire_file.h"
#include <zlib.h>

struct take {
	struct model *model; /* NULL: they are counted only */
	uint64_t records, bytes;
	unsigned char touched;
	FILE *text; /* where their texts go; NULL: they are not written */
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
	if (t->text)
		record_put(t->text, jvm, rec, len, true);
	t->records++;
	t->bytes += len;
	return t->model && model_feed(t->model, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

struct file {
	unsigned char *bytes;
	size_t size, room;
	uint64_t records; /* bytes that its chunks say they have of them */
};

static void append(struct file *f, const void *bytes, size_t size)
{
	if (f->room - f->size < size || !f->bytes) {
		f->room = 2 * f->room + size + 1;
		f->bytes = realloc(f->bytes, f->room);
		if (!f->bytes)
			abort();
	}
	memcpy(f->bytes + f->size, bytes, size);
	f->size += size;
}

/* Appends a chunk of which all is there. */
static void append_chunk(struct file *f, struct file_chunk c, const unsigned char *payload)
{
	uLongf len = compressBound(c.len);
	unsigned char *packed = calloc(1, wire_pad(len));

	if (!packed)
		abort();
	if (c.unpacked == TO_PACK &&
	    compress2(packed, &len, payload, c.len, Z_BEST_SPEED) == Z_OK) {
		c.unpacked = c.len;
		c.len = (uint32_t)wire_pad(len);
		payload = packed;
	}
	size_t at = f->size;
	append(f, &c, sizeof c);
	append(f, payload, c.len);
	if (c.checksum != NO_CHECKSUM) {
		c.checksum = wire_checksum(f->bytes + at);
		memcpy(f->bytes + at, &c, sizeof c);
	}
	f->records += c.unpacked ? c.unpacked : c.len;
	free(packed);
}

static struct file put_right(const unsigned char *data, size_t size)
{
	struct file f = { .bytes = NULL };
	size_t at = size < sizeof(struct file_header) ? size : sizeof(struct file_header);
	struct file_chunk c;

	append(&f, data, at);
	while (size - at >= sizeof c) {
		memcpy(&c, data + at, sizeof c);
		if (c.len > size - at - sizeof c)
			break;
		append_chunk(&f, c, data + at + sizeof c);
		at += sizeof c + c.len;
	}
	append(&f, data + at, size - at);
	return f;
}

/* The reader takes a path, so the input becomes a file in memory. */
static int make_file(char *path, size_t path_size, const struct file *f)
{
	int fd = memfd_create("ojx.data", MFD_CLOEXEC);

	if (fd < 0 || write(fd, f->bytes, f->size) != (ssize_t)f->size)
		abort();
	snprintf(path, path_size, "/proc/self/fd/%d", fd);
	return fd;
}

/* Who follows a file gets the same records as who reads it in the end. */
static void follow(const char *path, const struct take *read, enum datafile_result result)
{
	struct take t = { .model = NULL };
	struct follow f;

	if (follow_open(&f, path) < 0)
		abort();
	int chunks = follow_step(&f, take_record, &t);
	bool whole = result == DATAFILE_OK || result == DATAFILE_EMPTY;
	if ((whole && chunks < 0) || ((whole || result == DATAFILE_TRUNCATED) &&
				      (t.records != read->records || t.bytes != read->bytes)))
		abort();
	follow_rewind(&f);
	follow_step(&f, take_record, &t);
	follow_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *text;
	if (!text && !(text = fopen("/dev/null", "w")))
		abort();
	struct take t = { .model = model_new(analyses), .text = text };
	struct file file = put_right(data, size);
	struct file_header header;
	uint64_t end_ns;
	char path[64];

	if (!t.model)
		abort();
	int fd = make_file(path, sizeof path, &file);
	enum datafile_result result = datafile_read(path, &header, &end_ns, take_record, &t);
	if (result == DATAFILE_ERRNO || (result == DATAFILE_EMPTY) != (size == 0) ||
	    t.bytes > file.records || (result == DATAFILE_OK && size < sizeof header))
		abort();
	follow(path, &t, result);
	close(fd);
	free(file.bytes);
	model_free(t.model);
	return 0;
}
