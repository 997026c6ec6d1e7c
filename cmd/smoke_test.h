/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smoke_test.h - a recording of next to nothing: whether the agent loads into a JVM, and what of it
 * runs there.
 */
#ifndef OJX_SMOKE_TEST_H
#define OJX_SMOKE_TEST_H

enum { SMOKE_TEST_TEXT = 256 };

struct smoke_test {
	int recorded;		   /* a JVM sent a recording */
	unsigned engines;	   /* wire_engine bits that ran in it */
	char why[SMOKE_TEST_TEXT]; /* what ojx or the agent had to say first; may be empty */
};

/*
 * Runs `JAVA -version` under `ojx record`, where `ojx` is the path of the tool, into a file that is
 * removed again. Takes as long as a JVM does to start; one that hangs is killed. 0, or -1 with
 * errno where it could not even be tried.
 */
int smoke_test_run(struct smoke_test *t, const char *ojx, const char *java);

#endif
