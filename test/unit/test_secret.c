/* SPDX-License-Identifier: Apache-2.0 */
/* test_secret.c - the keyed hash against known values, and files that hold a secret. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "wire/secret.h"

static char folder[64], file[96];

static int setup(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ojx-secret.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof file, "%s/secret", folder);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder); /* fails if anything else was left */
}

/*
 * Values of `openssl mac -macopt size:8 -macopt hexkey:KEY SIPHASH` of 16 bytes. The first is also
 * one of the test vectors of the function's authors.
 */
static void test_known(void **state)
{
	const struct wire_secret counted = { { 0x0706050403020100, 0x0f0e0d0c0b0a0908 } };
	const struct wire_secret zero = { { 0, 0 } };

	(void)state;
	assert_true(wire_secret_hash(&counted, 0x0706050403020100, 0x0f0e0d0c0b0a0908) ==
		    0x3f2acc7f57c29bdb);
	assert_true(wire_secret_hash(&counted, 0, 0) == 0x98a0d3c0ef557701);
	assert_true(wire_secret_hash(&zero, 0xffffffffffffffff, 1) == 0x73cc7caa2f78e75f);
}

/* No two of them are equal, and each bit is one about as often as not. */
static void test_new(void **state)
{
	struct wire_secret s[64];
	unsigned ones[128] = { 0 };

	(void)state;
	for (size_t i = 0; i < 64; i++) {
		assert_null(secret_make(&s[i]));
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(&s[i], &s[k], sizeof s[i]);
		for (size_t bit = 0; bit < 128; bit++)
			ones[bit] += s[i].key[bit / 64] >> bit % 64 & 1;
	}
	/* one of them is the same in all: once in 2^56 runs */
	for (size_t bit = 0; bit < 128; bit++)
		assert_in_range(ones[bit], 1, 63);
}

static void put_file(const char *text, mode_t mode)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void test_made(void **state)
{
	struct wire_secret first, again;
	struct stat st;

	(void)state;
	assert_null(secret_share(&first, file));
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode, S_IFREG | 0600);
	assert_int_equal(st.st_size, 33);
	assert_int_equal(st.st_nlink, 1);
	assert_null(secret_share(&again, file));
	assert_memory_equal(&first, &again, sizeof first);
	unlink(file);
	assert_null(secret_share(&again, file));
	assert_memory_not_equal(&first, &again, sizeof first);
}

static void test_read(void **state)
{
	static const char *const good[] = { "00112233445566778899aAbBcCdDeEfF",
					    "00112233445566778899aabbccddeeff\n" };
	static const char *const bad[] = {
		"",
		"\n",
		"00112233445566778899aabbccddeef",
		"00112233445566778899aabbccddeeff0",
		"00112233445566778899aabbccddeeff\n\n",
		"00112233445566778899aabbccddeeff more, and more, and more, and more, and more",
		"0x112233445566778899aabbccddeeff",
		"+0112233445566778899aabbccddeeff",
		"correct horse battery staple, ok",
	};
	struct wire_secret s;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		put_file(good[i], 0400);
		assert_null(secret_share(&s, file));
		assert_true(s.key[0] == 0x0011223344556677 && s.key[1] == 0x8899aabbccddeeff);
		unlink(file);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		put_file(bad[i], 0600);
		assert_non_null(strstr(secret_share(&s, file), "32 hexadecimal digits"));
	}
}

static void test_refused(void **state)
{
	static const mode_t modes[] = { 0640, 0604, 0622, 0601 };
	struct wire_secret s;

	(void)state;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		put_file("00112233445566778899aabbccddeeff\n", modes[i]);
		assert_non_null(strstr(secret_share(&s, file), "chmod 600"));
	}
	assert_string_equal(secret_share(&s, folder), "it is no file");
	assert_string_equal(secret_share(&s, "/dev/null"), "it is no file");
	assert_string_equal(secret_share(&s, "/nowhere/secret"), "No such file or directory");
}

int unit_secret(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_known), TEST(test_new),     TEST(test_made),
		TEST(test_read),  TEST(test_refused),
	};

	return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
