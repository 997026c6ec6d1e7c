/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ojx.data: what was written is read again, and damage to the file is detected.
 * test_datafile_create.c tests how files are created and kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyse/analyses.h"
#include "datafile_fixture.h"
#include "same_model.h"

/* The processor that this is compiled for, as the compiler has it. */
#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#endif

/* ---- round trip ------------------------------------------------------------------------ */

static void test_records(void **state)
{
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;

	struct datafile_writer *w = datafile_create(f->path);
	assert_non_null(w);
	assert_int_equal(datafile_size(w), sizeof(struct file_header));
	build_sites(&b, 3);
	write_all(w, &b, 1);
	write_all(w, &b, 2); /* the JVM changes: another chunk */
	assert_int_equal(datafile_flush(w), 0);
	assert_int_equal(datafile_flush(w), 0); /* nothing to do */
	size_t chunks = sizeof(struct file_header) + 2 * sizeof(struct file_chunk);
	assert_in_range(datafile_size(w), chunks + 2, chunks + b.len); /* it is packed */
	write_all(w, &b, 1);
	assert_int_equal(datafile_close(w), 0);

	read_file(f);
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->header.version, DATAFILE_VERSION);
	assert_true(f->header.start_unix_ns > 0);
	char machine[FILE_MACHINE];
	wire_file_machine(&f->header, machine);
	assert_string_equal(machine, MACHINE);
	assert_int_equal(f->end_ns, f->last_time);
	assert_true(f->end_ns > 0);
	assert_int_equal(f->got.len, 3 * b.len);
	for (int i = 0; i < 3; i++)
		assert_memory_equal(f->got.data + (size_t)i * b.len, b.data, b.len);
	assert_int_equal(f->last_jvm, 1);
	builder_release(&b);
}

/* Recordings of before had no machine in their header. What is no name of one is not printed. */
static void test_machine(void **state)
{
	static const struct {
		char in_file[FILE_MACHINE + 1];
		const char *machine;
	} rows[] = {
		{ "", "x86_64" },	  { "x86_64", "x86_64" }, { "aarch64", "aarch64" },
		{ "riscv64", "riscv64" }, { "ppc64le_", "?" },	  { "a b", "?" },
		{ "\x1b[1m", "?" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct file_header h = { .version = DATAFILE_VERSION };
		char machine[FILE_MACHINE];
		memcpy(h.machine, rows[i].in_file, FILE_MACHINE);
		wire_file_machine(&h, machine);
		assert_string_equal(machine, rows[i].machine);
	}
}

/* Below `setarch i686` the kernel names another processor than that of a JVM's instructions. */
static void test_machine_here(void **state)
{
	char machine[FILE_MACHINE];

	(void)state;
	int before = personality(PER_LINUX32); /* not all processors have it, nor all containers */
	struct file_header h = wire_file_header();
	if (before >= 0)
		personality((unsigned long)before);
	wire_file_machine(&h, machine);
	assert_string_equal(machine, MACHINE);
}

/* More chunks than are read ahead; also where reading ends early. */
static void test_many_chunks(void **state)
{
	enum { CHUNKS = 41 };
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(w);
	for (uint32_t i = 0; i < CHUNKS; i++) {
		size_t begun = b.len;
		struct wire_rec *rec = build_record(&b, 200, 4096 + 8 * i);
		memset(rec + 1, (int)i, 8);
		rec = (struct wire_rec *)(b.data + begun);
		assert_int_equal(datafile_write(w, 1 + i % 2, rec, rec->len), 0);
	}
	assert_int_equal(datafile_close(w), 0);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->nrecords, CHUNKS);
	assert_int_equal(f->got.len, b.len);
	assert_memory_equal(f->got.data, b.data, b.len);
	for (f->refuse_at = 1; f->refuse_at <= CHUNKS; f->refuse_at += 5) {
		read_file(f);
		assert_int_equal(f->result, DATAFILE_DAMAGED);
		assert_int_equal(f->nrecords, f->refuse_at - 1);
	}
	builder_release(&b);
}

/* Records larger than a normal chunk, and chunks that are exactly full. */
static void test_sizes(void **state)
{
	static const uint32_t sizes[] = { 8, 1 << 10,	(256 << 10) - 8,
					  8, 256 << 10, (256 << 10) + 8,
					  8, 1 << 20,	DATAFILE_MAX_CHUNK };
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(w);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		memset((char *)build_record(&b, 200, sizes[i]) + 8, (int)i, sizes[i] - 8);
	write_all(w, &b, 1);

	struct wire_rec *huge = calloc(1, DATAFILE_MAX_CHUNK + 8);
	assert_non_null(huge);
	static const uint32_t impossible[] = { 0, 4, 12, DATAFILE_MAX_CHUNK + 8 };
	for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
		huge->len = impossible[i];
		assert_int_equal(datafile_write(w, 1, huge, impossible[i]), -1);
		assert_int_equal(errno, EINVAL);
	}
	huge->len = 16; /* not its real length */
	assert_int_equal(datafile_write(w, 1, huge, 24), -1);
	free(huge);
	assert_int_equal(datafile_close(w), 0); /* none of these spoils the file */

	read_file(f);
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->got.len, b.len);
	assert_memory_equal(f->got.data, b.data, b.len);
	builder_release(&b);
}

static int write_one(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	return datafile_write(arg, jvm, rec, len);
}

static int feed_one(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		    void *arg)
{
	(void)time_ns;
	return model_feed(arg, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

/* Feeds a live model and writes what the model wants written, as record does. */
static void record(struct model *m, struct datafile_writer *w, struct builder *b, uint32_t jvm)
{
	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r)) {
		enum model_fed fed = model_feed(m, jvm, r, r->len);
		assert_int_not_equal(fed, MODEL_BAD);
		if (fed == MODEL_KEEP)
			assert_int_equal(datafile_write(w, jvm, r, r->len), 0);
	}
	b->len = 0;
}

static void test_model_through_file(void **state)
{
	enum { N = 300000, CONTEXTS = 2 };
	static const char *const argv[] = { "java", "-jar", "app.jar", NULL };
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct model *live = model_new(analyses);
	struct model *read = model_new(analyses);
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(live);
	assert_non_null(read);
	assert_non_null(w);
	build_command(&b, argv);
	record(live, w, &b, 0);
	for (uint32_t jvm = 1; jvm <= 2; jvm++) {
		build_jvm(&b, (int)jvm, WIRE_ENGINE_SCAN, "HotSpot", "17", "G1");
		build_sites(&b, CONTEXTS);
		record(live, w, &b, jvm);
	}
	for (uint64_t i = 0; i < N; i++) {
		build_event(&b, i, CONTEXTS);
		record(live, w, &b, i < N / 2 ? 1 : 1 + i / 1000 % 2);
		if (i % 100000 == 0)
			assert_int_equal(model_flush_counts(live, write_one, w), 0);
	}
	build_status(&b, &(struct file_status){ .sampled = N });
	record(live, w, &b, 2);
	assert_int_equal(model_flush_counts(live, write_one, w), 0);
	build_end(&b, 1000000000, 0);
	record(live, w, &b, 0);
	assert_int_equal(datafile_close(w), 0);

	uint64_t end_ns;
	assert_int_equal(datafile_read(f->path, &f->header, &end_ns, feed_one, read), DATAFILE_OK);
	assert_same_model(live, read);
	const struct model_context *c = model_context(live, 0);
	assert_true(c->snapshots_seen > c->nsnapshots); /* some were downsampled away */
	model_free(live);
	model_free(read);
	builder_release(&b);
}

/* ---- cut short ------------------------------------------------------------------------- */

/* A small file of three chunks, in memory; `ends` receives where each chunk ends. */
static size_t small_file(struct fixture *f, unsigned char **bytes, size_t ends[3])
{
	struct builder b = BUILDER_INIT;
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(w);
	build_context(&b, 1, 2, 3);
	build_unused(&b, 1, 0);
	for (uint32_t i = 0; i < 3; i++) {
		write_all(w, &b, i + 1);
		assert_int_equal(datafile_flush(w), 0);
		ends[i] = datafile_size(w);
	}
	assert_int_equal(datafile_close(w), 0);
	builder_release(&b);
	*bytes = slurp(f->path, ends[2]);
	return ends[2];
}

static void test_cut_everywhere(void **state)
{
	struct fixture *f = *state;
	unsigned char *bytes;
	size_t ends[3];
	size_t size = small_file(f, &bytes, ends);

	for (size_t len = 0; len <= size; len++) {
		enum datafile_result expect = DATAFILE_TRUNCATED;
		uint32_t whole = 0;
		spit(f->path, bytes, len);
		read_file(f);
		while (whole < 3 && len >= ends[whole])
			whole++;
		if (len == 0)
			expect = DATAFILE_EMPTY;
		else if (len == sizeof(struct file_header) || (whole && len == ends[whole - 1]))
			expect = DATAFILE_OK;
		assert_int_equal(f->result, expect);
		assert_int_equal(f->nrecords, 2 * whole);
		assert_int_equal(f->last_jvm, whole);
		assert_int_equal(f->end_ns, f->last_time);
	}
	free(bytes);
}

/* After a crash of the machine, a file may end in zeros. */
static void test_zeros_at_the_end(void **state)
{
	struct fixture *f = *state;
	unsigned char *bytes;
	size_t ends[3];
	size_t size = small_file(f, &bytes, ends);
	unsigned char *padded = calloc(1, size + 10000);

	assert_non_null(padded);
	memcpy(padded, bytes, size);
	spit(f->path, padded, size + 10000);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_TRUNCATED);
	assert_int_equal(f->nrecords, 6);

	memset(padded + ends[1] + 40, 0, ends[2] - ends[1] - 40); /* in the last payload */
	spit(f->path, padded, size);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_TRUNCATED);
	assert_int_equal(f->nrecords, 4);

	padded[size + 5000] = 1;
	memcpy(padded, bytes, size);
	spit(f->path, padded, size + 10000);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_DAMAGED);
	assert_int_equal(f->nrecords, 6);
	free(padded);
	free(bytes);
}

/* ---- damaged --------------------------------------------------------------------------- */

/* Changes every byte of every chunk: no wrong record is read, and the records before it are. */
static void test_every_byte_damaged(void **state)
{
	static const unsigned char flips[] = { 0x01, 0x10, 0x80, 0xff };
	struct fixture *f = *state;
	unsigned char *bytes;
	size_t ends[3];
	size_t size = small_file(f, &bytes, ends);

	for (size_t at = sizeof(struct file_header); at < size; at++) {
		for (size_t i = 0; i < sizeof flips; i++) {
			uint32_t whole = 0;
			bytes[at] ^= flips[i];
			spit(f->path, bytes, size);
			bytes[at] ^= flips[i];
			read_file(f);
			while (at >= ends[whole])
				whole++;
			assert_int_equal(f->nrecords, 2 * whole);
			if (whole < 2) /* more follows */
				assert_int_equal(f->result, DATAFILE_DAMAGED);
			else
				assert_true(f->result == DATAFILE_DAMAGED ||
					    f->result == DATAFILE_TRUNCATED);
		}
	}
	free(bytes);
}

/* Valid chunks whose records do not fill them: only a faulty writer makes such. */
static void test_bad_record_lengths(void **state)
{
	static const uint32_t lens[] = { 0, 4, 7, 12, 20, 32, UINT32_MAX, UINT32_MAX - 7 };
	struct fixture *f = *state;
	struct {
		struct file_header header;
		struct file_chunk chunk;
		struct wire_unused good;
		struct wire_rec bad;
	} file = {
		.header = { .magic = DATAFILE_MAGIC,
			    .version = DATAFILE_VERSION,
			    .wire_version = WIRE_RECORDS_VERSION },
		.chunk = { .magic = DATAFILE_CHUNK_MAGIC, .jvm = 1, .len = 24 },
		.good = { .rec = { .len = 16, .type = WIRE_UNUSED } },
	};

	for (size_t i = 0; i < 2 * (sizeof lens / sizeof lens[0]); i++) {
		file.good.rec.len = i % 2 ? 16 : lens[i / 2];
		file.bad.len = i % 2 ? lens[i / 2] : 8;
		file.chunk.checksum = 0;
		file.chunk.checksum = XXH3_64bits(&file.chunk, sizeof file.chunk + 24);
		spit(f->path, &file, sizeof file);
		read_file(f);
		assert_int_equal(f->result, DATAFILE_DAMAGED);
		assert_int_equal(f->nrecords, i % 2);
	}
}

static enum datafile_result result_with(struct fixture *f, const unsigned char *bytes, size_t len)
{
	spit(f->path, bytes, len);
	read_file(f);
	assert_int_equal(f->nrecords, 0);
	return f->result;
}

static void test_headers(void **state)
{
	struct fixture *f = *state;
	struct file_header h = { .magic = DATAFILE_MAGIC,
				 .version = DATAFILE_VERSION,
				 .wire_version = WIRE_RECORDS_VERSION };
	const unsigned char *bytes = (const unsigned char *)&h;

	assert_int_equal(result_with(f, bytes, sizeof h), DATAFILE_OK);
	for (uint32_t version = 0; version <= DATAFILE_VERSION + 1; version++) {
		if (version == DATAFILE_VERSION)
			continue;
		h.version = version;
		assert_int_equal(result_with(f, bytes, sizeof h), DATAFILE_OTHER_VERSION);
		assert_int_equal(f->header.version, version);
	}
	h.version = DATAFILE_VERSION;
	for (uint32_t version = 0; version <= WIRE_RECORDS_VERSION + 1; version++) {
		h.wire_version = version;
		assert_int_equal(result_with(f, bytes, sizeof h), version == WIRE_RECORDS_VERSION
									  ? DATAFILE_OK
									  : DATAFILE_OTHER_VERSION);
	}

	memcpy(h.magic, "PERFILE2", 8);
	for (size_t len = 1; len <= sizeof h; len++)
		assert_int_equal(result_with(f, bytes, len), DATAFILE_FOREIGN);
	assert_int_equal(result_with(f, bytes, 0), DATAFILE_EMPTY);
	memcpy(h.magic, "OJXDATA\n", 8);
	assert_int_equal(result_with(f, bytes, sizeof h), DATAFILE_FOREIGN);
}

static void test_no_file(void **state)
{
	struct fixture *f = *state;

	read_file(f);
	assert_int_equal(f->result, DATAFILE_ERRNO);
	assert_int_equal(f->errnum, ENOENT);
	assert_int_equal(mkdir(f->path, 0700), 0);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_ERRNO);
	assert_int_equal(f->errnum, EISDIR);
	assert_int_equal(rmdir(f->path), 0);
}

static void test_record_refused(void **state)
{
	struct fixture *f = *state;
	unsigned char *bytes;
	size_t ends[3];

	small_file(f, &bytes, ends);
	free(bytes);
	f->refuse_at = 4;
	read_file(f);
	assert_int_equal(f->result, DATAFILE_DAMAGED);
	assert_int_equal(f->nrecords, 3);
}

static void test_standard_input(void **state)
{
	struct fixture *f = *state;
	unsigned char *bytes;
	size_t ends[3];
	size_t size = small_file(f, &bytes, ends);
	int saved = dup(STDIN_FILENO);
	int ends_of_pipe[2];

	assert_int_equal(pipe(ends_of_pipe), 0);
	assert_int_equal(write(ends_of_pipe[1], bytes, size), (ssize_t)size);
	close(ends_of_pipe[1]);
	assert_int_equal(dup2(ends_of_pipe[0], STDIN_FILENO), STDIN_FILENO);
	close(ends_of_pipe[0]);
	read_path(f, "-");
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->nrecords, 6);
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* still open */
	dup2(saved, STDIN_FILENO);
	close(saved);
	free(bytes);
}

int unit_datafile(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_records),
		TEST(test_many_chunks),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_machine_here),
		TEST(test_sizes),
		TEST(test_model_through_file),
		TEST(test_cut_everywhere),
		TEST(test_zeros_at_the_end),
		TEST(test_every_byte_damaged),
		TEST(test_bad_record_lengths),
		TEST(test_headers),
		TEST(test_no_file),
		TEST(test_record_refused),
		TEST(test_standard_input),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
