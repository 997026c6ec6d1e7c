/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory shared with the tool, as the agent uses it: missing memory is noticed, unopened memory
 * takes no pages, and unneeded memory is given back.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/core/blocks.h"

enum { HEADER = 2 * WIRE_BLOCK, BLOCKS = 64, SIZE = HEADER + BLOCKS * WIRE_BLOCK };

struct agent ojx; /* the only agent that blocks.c knows */
static int memfd = -1;

/* Maps `size` bytes, of which `there` bytes exist. */
static void map(size_t size, size_t there)
{
	memfd = memfd_create("test", MFD_CLOEXEC);
	assert_true(memfd >= 0);
	assert_int_equal(ftruncate(memfd, (off_t)there), 0);
	ojx.base = mmap(NULL, size, PROT_NONE, MAP_SHARED, memfd, 0);
	assert_true(ojx.base != MAP_FAILED);
	ojx.layout = (struct wire_layout){
		.size = size, .defs_offset = HEADER, .blocks_offset = HEADER, .blocks = BLOCKS
	};
}

static int teardown(void **state)
{
	(void)state;
	munmap(ojx.base, ojx.layout.size);
	close(memfd);
	return 0;
}

/* Number of resident pages. */
static unsigned pages(void)
{
	struct stat st;

	assert_int_equal(fstat(memfd, &st), 0);
	return (unsigned)(st.st_blocks * 512 / WIRE_BLOCK);
}

static unsigned char *data_of(int block)
{
	assert_in_range(block, 0, BLOCKS - 1);
	return ojx.base + HEADER + (size_t)block * WIRE_BLOCK;
}

/* Without memory, an access ends the process; the end of a file has the same effect. */
static void test_none(void **state)
{
	int taken[BLOCKS];

	(void)state;
	map(SIZE, HEADER + 3 * WIRE_BLOCK);
	assert_true(blocks_init());
	for (int i = 0; i < 3; i++) {
		taken[i] = blocks_take();
		memset(data_of(taken[i]), 1, WIRE_BLOCK);
	}
	assert_int_equal(blocks_take(), -1);
	assert_int_equal(blocks_take(), -1);
	blocks_give((uint32_t)taken[1]);
	assert_int_equal(blocks_take(), taken[1]); /* what existed remains */
}

static void test_no_header(void **state)
{
	(void)state;
	map(SIZE, WIRE_BLOCK);
	assert_false(blocks_init());
}

/* Data stays when the same block is opened again, as two threads may do. */
static void test_again(void **state)
{
	(void)state;
	map(SIZE, SIZE);
	assert_true(blocks_open(0, HEADER));
	memset(ojx.base, 7, HEADER);
	assert_true(blocks_open(0, HEADER));
	for (int i = 0; i < HEADER; i++)
		assert_int_equal(ojx.base[i], 7);
	assert_true(blocks_close(0, HEADER));
	assert_int_equal(pages(), 0);
	assert_true(blocks_open(0, WIRE_BLOCK));
	assert_int_equal(ojx.base[0], 0);
}

/* Takes n blocks, writes to them, and gives them back. */
static void use(int n)
{
	int taken[BLOCKS];

	for (int i = 0; i < n; i++) {
		taken[i] = blocks_take();
		memset(data_of(taken[i]), 1, WIRE_BLOCK);
	}
	for (int i = 0; i < n; i++)
		blocks_give((uint32_t)taken[i]);
}

static void assert_given_back(void)
{
	assert_true(blocks_init());
	blocks_trim(true); /* another test may have run before */
	unsigned before = pages();
	use(BLOCKS);
	assert_int_equal(pages(), before + BLOCKS);
	blocks_trim(false);
	use(BLOCKS);
	blocks_trim(false); /* all were needed since the last time */
	assert_int_equal(pages(), before + BLOCKS);
	use(30);
	blocks_trim(false); /* these and a few more remain */
	assert_in_range(pages(), before + 30, before + 60);
	use(30);
	blocks_trim(true);
	assert_int_equal(pages(), before);
	use(BLOCKS); /* all are available again */
	assert_int_equal(blocks_take() >= 0, true);
}

static void test_trim(void **state)
{
	(void)state;
	map(SIZE, SIZE);
	assert_given_back();
}

/*
 * In a program that locks all of its memory, nothing becomes resident early, and given back memory
 * is released.
 */
static void test_locked(void **state)
{
	(void)state;
	map(SIZE, SIZE);
	mlock(ojx.base, SIZE); /* fails: out of memory */
	assert_int_equal(pages(), 0);
	assert_given_back();
}

int unit_blocks(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_none, teardown),
		cmocka_unit_test_teardown(test_no_header, teardown),
		cmocka_unit_test_teardown(test_again, teardown),
		cmocka_unit_test_teardown(test_trim, teardown),
		cmocka_unit_test_teardown(test_locked, teardown),
	};
	return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
