/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_fixture.h - a directory, a path in it and a reader for each test of ojx.data; include it
 * after cmocka.h.
 */
#ifndef OJX_TEST_DATAFILE_FIXTURE_H
#define OJX_TEST_DATAFILE_FIXTURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builder.h"
#include "file/datafile.h"

struct fixture {
	char dir[64];
	char path[96]; /* dir/ojx.data */
	char old[96];  /* dir/ojx.data.old */

	/* result of the last read_file */
	enum datafile_result result;
	int errnum;
	struct file_header header;
	uint64_t end_ns;
	struct builder got; /* its records */
	size_t nrecords;
	uint64_t last_time;
	uint32_t last_jvm;

	size_t refuse_at; /* number of the record that `take` refuses, from 1; 0: none */
};

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	*state = f;
	strcpy(f->dir, "/tmp/ojx-test-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	snprintf(f->path, sizeof f->path, "%s/ojx.data", f->dir);
	snprintf(f->old, sizeof f->old, "%s/ojx.data.old", f->dir);
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;
	int rc;

	unlink(f->path);
	unlink(f->old);
	rc = rmdir(f->dir); /* a test leaves no other file */
	builder_release(&f->got);
	free(f);
	return rc;
}

static inline int take_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec,
			      uint32_t len, void *arg)
{
	struct fixture *f = arg;

	assert_int_equal((uintptr_t)rec % WIRE_ALIGN, 0);
	assert_int_equal(rec->len, len);
	if (f->refuse_at && f->nrecords + 1 == f->refuse_at)
		return -1;
	memcpy(build_record(&f->got, rec->type, len), rec, len);
	f->nrecords++;
	f->last_time = time_ns;
	f->last_jvm = jvm;
	return 0;
}

static inline void read_path(struct fixture *f, const char *path)
{
	f->got.len = 0;
	f->nrecords = 0;
	f->last_time = 0;
	f->last_jvm = 0;
	errno = 0;
	f->result = datafile_read(path, &f->header, &f->end_ns, take_record, f);
	f->errnum = errno;
}

static inline void read_file(struct fixture *f)
{
	read_path(f, f->path);
}

static inline void write_all(struct datafile_writer *w, const struct builder *b, uint32_t jvm)
{
	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r))
		assert_int_equal(datafile_write(w, jvm, r, r->len), 0);
}

/* Reads `len` bytes of the file. Freed by the caller. */
static inline unsigned char *slurp(const char *path, size_t len)
{
	unsigned char *bytes = malloc(len + 1);
	FILE *in = fopen(path, "rb");

	assert_non_null(bytes);
	assert_non_null(in);
	assert_int_equal(fread(bytes, 1, len + 1, in), len);
	fclose(in);
	return bytes;
}

static inline void spit(const char *path, const void *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
