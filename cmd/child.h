/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - the program under observation: starts it, passes signals on, and ends as it ended.
 *
 * The program is a child in our process group, with our standard streams and with the signal
 * dispositions and mask that ojx was started with. While it lives, signals are read from a
 * descriptor. Those that somebody sent to ojx alone are passed on. Those of the terminal (Ctrl-C)
 * are not: they were sent to the whole group.
 */
#ifndef OJX_CHILD_H
#define OJX_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/style.h"

struct child {
	pid_t pid;     /* 0: none */
	int signal_fd; /* readable: call child_step */
	bool exited;
	int status;	   /* from waitpid; valid if `exited` */
	bool keeps_hangup; /* a SIGHUP that was sent to ojx is for it, see child_take_hangup */
	bool hangup;	   /* one has come */
	int last_signal;   /* last signal that arrived and would end a process; 0: none */
	sigset_t old_mask;
	struct sigaction old_chld, old_pipe, old_xfsz;
};

/*
 * From here on, signals that end processes wait for child_step, so that ojx can clean up. 0, or -1
 * with errno.
 */
int child_prepare(struct child *c);

struct child_command {
	char *const *argv;	  /* resolved like execvp */
	const char *tool_options; /* the child's JAVA_TOOL_OPTIONS; NULL: unchanged */
	bool stdout_to_stderr;
};

/*
 * Starts the command. 0; or -1 with errno, and *exec_failed tells whether exec failed. If a signal
 * arrived before the start, nothing is started, and the child is `exited` by that signal.
 */
int child_start(struct child *c, const struct child_command *command, bool *exec_failed);

/*
 * fork() after child_prepare: 1, or -1 with errno; 0 in the child, which has the signals that ojx
 * was started with. Handle the child like one of child_start.
 */
int child_fork(struct child *c);

/* Passes signals on, and detects the child's end. Never waits. */
void child_step(struct child *c);

/*
 * With `keeps_hangup`: whether somebody has sent a SIGHUP since the last call. It is not passed on
 * and ends nothing; that of a terminal that hangs up does what it always does.
 */
bool child_take_hangup(struct child *c);

/* Passes signals on until the child ends. */
void child_wait(struct child *c);

/* Undoes child_prepare. */
void child_release(struct child *c);

/*
 * Returns the child's exit status. If a signal killed the child, dies of the same signal, without a
 * core dump of ojx.
 */
int child_exit_status(const struct child *c);

/*
 * ---- keeps a program's output while the screen is in use: in a file without a name. The
 * output can be shown as a page, and is written to its destination in the end. It is a file
 * and not a pipe, so that the program never waits for ojx.
 */

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
