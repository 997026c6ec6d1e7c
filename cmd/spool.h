/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spool.h - keeps a program's output while the screen is in use: in a file without a name. The
 * output can be shown as a page, and is written to its destination in the end.
 *
 * It is a file and not a pipe, so that the program never waits for ojx.
 */
#ifndef OJX_SPOOL_H
#define OJX_SPOOL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/style.h"

struct spool {
	int fd;	    /* -1: none, the program writes directly */
	int to;	    /* the descriptor that it replaces */
	off_t done; /* bytes written to that descriptor */
};
#define SPOOL_NONE       \
	{                \
		.fd = -1 \
	}

/* 0, or -1 with errno. */
int spool_open(struct spool *s, int to);
void spool_close(struct spool *s);

/* Writes what is new. 0, or -1 with errno if it cannot be written. */
int spool_drain(struct spool *s);

/* The end of the output, clean for a terminal, allocated; NULL if out of memory. */
char *spool_tail(const struct spool *s, const struct style *style);

#endif
