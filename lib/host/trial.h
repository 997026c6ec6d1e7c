/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.h - a recording of next to nothing: whether the agent loads into a JVM, and what of it runs
 * there.
 */
#ifndef OJX_TRIAL_H
#define OJX_TRIAL_H

enum { TRIAL_TEXT = 256 };

struct trial {
	int recorded;	      /* a JVM sent a recording */
	unsigned engines;     /* wire_engine bits that ran in it */
	char why[TRIAL_TEXT]; /* what ojx or the agent had to say first; may be empty */
};

/*
 * Runs `JAVA -version` under `ojx record`, where `ojx` is the path of the tool, into a file that is
 * removed again. Takes as long as a JVM does to start; one that hangs is killed. 0, or -1 with
 * errno where it could not even be tried.
 */
int trial_run(struct trial *t, const char *ojx, const char *java);

#endif
