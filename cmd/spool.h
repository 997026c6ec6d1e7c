/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool.h - what a program writes while the screen is not its own: kept in a file without a name,
 * shown as a page, and written to where it was meant for in the end.
 *
 * A file and not a pipe, so that the program never waits for us.
 */
#ifndef OJX_SPOOL_H
#define OJX_SPOOL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/style.h"

struct spool {
	int fd;	    /* -1: none, the stream is the program's as it is */
	int to;	    /* the descriptor it stands for */
	off_t done; /* bytes that were written to it */
};
#define SPOOL_NONE       \
	{                \
		.fd = -1 \
	}

/* 0, or -1 with errno. */
int spool_open(struct spool *s, int to);
void spool_close(struct spool *s);

/* Writes what has come since the last time. 0, or -1 with errno where it cannot be written. */
int spool_drain(struct spool *s);

/* The end of what has come, clean for a terminal, allocated; NULL where memory lacks. */
char *spool_tail(const struct spool *s, const struct style *style);

#endif
