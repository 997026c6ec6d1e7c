/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_encoding.c - the parts of a compressed pprof file: numbering, messages of Protocol Buffers,
 * gzip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/idmap.h"
#include "builder.h"

/*
 * Numbers are given in the order of first mention, also for hashes with equal or adjacent lower
 * halves.
 */
static void test_hash_numbers(void **state)
{
	struct hash_numbers t = HASH_NUMBERS_INIT;
	const XXH128_hash_t hash[] = { { 5, 1 }, { 5, 2 }, { 6, 1 }, { 5, 3 }, { 0, 0 } };
	const size_t n = sizeof hash / sizeof hash[0];
	uint32_t number;
	bool is_new;

	(void)state;
	for (size_t i = 0; i < 2 * n; i++) {
		assert_int_equal(hash_numbers_of(&t, hash[i % n], &number, &is_new), 0);
		assert_int_equal(number, i % n);
		assert_int_equal(is_new, i < n);
	}
	assert_int_equal(t.n, n);
	hash_numbers_release(&t);
}

static void assert_bytes(const struct bytes *p, const void *want, size_t len)
{
	assert_int_equal(p->len, len);
	assert_memory_equal(p->data, want, len);
}

/* Numbers from the format's documentation (encoding), and corner cases. */
static void test_proto(void **state)
{
	struct bytes p = BYTES_INIT, inner = BYTES_INIT;
	static const unsigned char minus_one[] = { 0x08, 0xff, 0xff, 0xff, 0xff, 0xff,
						   0xff, 0xff, 0xff, 0xff, 0x01 };

	(void)state;
	proto_number(&p, 1, 150);
	assert_bytes(&p, "\x08\x96\x01", 3);
	bytes_clear(&p);
	proto_text(&p, 2, "testing", 7);
	assert_bytes(&p, "\x12\x07testing", 9);
	bytes_clear(&p);
	proto_number(&inner, 1, 150);
	proto_message(&p, 3, &inner);
	assert_bytes(&p, "\x1a\x03\x08\x96\x01", 5);
	bytes_clear(&p);
	bytes_clear(&inner);
	proto_packed(&inner, 3);
	proto_packed(&inner, 0); /* unlike a single number, an element 0 is written */
	proto_packed(&inner, 86942);
	proto_message(&p, 6, &inner);
	assert_bytes(&p, "\x32\x05\x03\x00\x9e\xa7\x05", 7);
	bytes_clear(&p);
	proto_number(&p, 1, 0);
	assert_int_equal(p.len, 0);
	proto_number(&p, 1, -1);
	assert_bytes(&p, minus_one, sizeof minus_one);
	bytes_clear(&p);
	proto_number(&p, 16, 1); /* the field number takes two bytes */
	assert_bytes(&p, "\x80\x01\x01", 3);
	bytes_clear(&p);
	proto_text(&p, 1, NULL, 0);
	assert_bytes(&p, "\x0a\x00", 2);
	bytes_release(&p);
	bytes_release(&inner);
}

enum { LARGE = 1 << 20 };

static size_t unzip(const void *data, size_t len, unsigned char *out, size_t room)
{
	z_stream z = { .next_in = (unsigned char *)data,
		       .avail_in = (uInt)len,
		       .next_out = out,
		       .avail_out = (uInt)room };

	assert_int_equal(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END); /* the checksum is right */
	assert_int_equal(z.avail_in, 0);
	size_t n = z.total_out;
	inflateEnd(&z);
	return n;
}

/* Half of the data is incompressible: the output exceeds the buffer. */
static void test_gzip(void **state)
{
	uint64_t *data = calloc(LARGE, 1), *back = malloc(LARGE);
	char *zipped = NULL;
	size_t len, at = 0;
	FILE *out = open_memstream(&zipped, &len);
	struct gzip *z = gzip_new(out);

	(void)state;
	assert_true(data && back && out && z);
	for (size_t i = 0; i < LARGE / sizeof *data / 2; i++)
		data[i] = build_random(i);
	for (size_t piece = 1; at < LARGE; at += piece, piece *= 3) {
		if (piece > LARGE - at)
			piece = LARGE - at;
		assert_int_equal(gzip_write(z, (char *)data + at, piece), 0);
	}
	assert_int_equal(gzip_write(z, NULL, 0), 0);
	assert_int_equal(gzip_finish(z), 0);
	assert_int_equal(fclose(out), 0);
	assert_true(len > LARGE / 2 && len < LARGE);
	assert_int_equal(unzip(zipped, len, (unsigned char *)back, LARGE), LARGE);
	assert_memory_equal(data, back, LARGE);
	free(data);
	free(back);
	free(zipped);
}

static void test_gzip_full_disk(void **state)
{
	FILE *out = fopen("/dev/full", "w");
	uint64_t data[8192];

	(void)state;
	if (!out)
		skip();
	setbuf(out, NULL);
	for (size_t i = 0; i < sizeof data / sizeof data[0]; i++)
		data[i] = build_random(i);
	struct gzip *z = gzip_new(out);
	assert_non_null(z);
	int written = gzip_write(z, data, sizeof data);
	assert_true(gzip_finish(z) < 0 || written < 0);
	fclose(out);
}

int unit_encoding(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash_numbers),
		cmocka_unit_test(test_proto),
		cmocka_unit_test(test_gzip),
		cmocka_unit_test(test_gzip_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
