/* SPDX-License-Identifier: Apache-2.0 */
/*
 * series_name.h - names of recordings that follow one another, by a pattern such as
 * app-%Y%m%dT%H%M%S-%p.data: %Y %m %d %H %M %S are the local time at which a file begins, %p the
 * process id of the JVM, %h the name of the host, %% is a percent sign.
 *
 * Only the last part of the path has such codes, so that all files of a pattern are in one folder.
 * If a name is taken, the next file has ".2" in front of its ".data", or behind a name without
 * that, and so on. A file that is being written ends in ".part".
 */
#ifndef OJX_SERIES_NAME_H
#define OJX_SERIES_NAME_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#define SERIES_PART ".part"
#define SERIES_DATA ".data"

enum { SERIES_WHY = 128, SERIES_HOST = 65 };

enum series_codes {
	SERIES_HAS_TIME = 1 << 0,
	SERIES_HAS_PID = 1 << 1,
};

/* The codes of a pattern, a set of series_codes; -1 with `why` if it is none. */
int series_codes(const char *pattern, char why[SERIES_WHY]);

/* The name of the pattern's file that begins at `when`. malloc'ed; NULL if out of memory. */
char *series_name(const char *pattern, const char *host, pid_t pid, time_t when);

/* Where a number goes in a name or pattern: its ".data", or its end. */
const char *series_end(const char *name);

/* The folder of the pattern's files. malloc'ed; NULL if out of memory. */
char *series_folder(const char *pattern);

struct series_match {
	bool part;   /* the file is being written, or was when its ojx was killed */
	size_t base; /* length of the name in front of number and ".data" */
};

/*
 * Whether a name, without its folder, is one that the pattern gives at some time, of any process.
 */
bool series_matches(const char *pattern, const char *host, const char *name,
		    struct series_match *m);

#endif
