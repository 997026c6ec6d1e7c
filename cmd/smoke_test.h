/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smoke_test.h - makes a minimal recording, to see whether the agent loads into a JVM, and which
 * engines run there.
 */
#ifndef OJX_SMOKE_TEST_H
#define OJX_SMOKE_TEST_H

#include <stdint.h>

enum { SMOKE_TEST_TEXT = 256 };

struct smoke_test {
	int recorded;		   /* a JVM sent data */
	uint64_t bad;		   /* records that make no sense; they are left out */
	unsigned engines;	   /* wire_engine bits that ran in it */
	char why[SMOKE_TEST_TEXT]; /* first message of ojx or the agent; may be empty */
};

/*
 * Runs `JAVA -version` under `ojx record`, with a temporary output file; `ojx` is the path of the
 * tool. Takes as long as a JVM needs to start; one that hangs is killed. 0, or -1 with errno if it
 * could not be tried.
 */
int smoke_test_run(struct smoke_test *t, const char *ojx, const char *java);

#endif
