/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - the program under observation: starting it, passing signals on, ending as it ended.
 *
 * It is a child in our process group, with the signal dispositions and mask that ojx was started
 * with, and with our standard streams. While it lives, signals wait in a descriptor and are passed
 * on when somebody sent them to ojx alone; what the terminal sends (Ctrl-C) has reached the program
 * already, as it went to the whole group.
 */
#ifndef OJX_CHILD_H
#define OJX_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;     /* 0: none */
	int signal_fd; /* readable: call child_step */
	bool exited;
	int status;	 /* as waitpid gave it, once `exited` */
	int last_signal; /* that would end a process, and came in; 0: none */
	sigset_t old_mask;
	struct sigaction old_chld, old_pipe, old_xfsz;
};

/*
 * From here on signals that end processes wait for child_step, so that what ojx has made can be
 * removed. 0, or -1 with errno.
 */
int child_prepare(struct child *c);

struct child_command {
	char *const *argv;	  /* found as execvp does */
	const char *tool_options; /* for the child's JAVA_TOOL_OPTIONS; NULL: as it is */
	bool stdout_to_stderr;
};

/*
 * Starts the command. 0; or -1 with errno, where *exec_failed tells whether it was the exec. Where
 * a signal came in before the start, nothing is started, and the child is `exited` by that signal.
 */
int child_start(struct child *c, const struct child_command *command, bool *exec_failed);

/*
 * fork() after child_prepare: 1, or -1 with errno; 0 in the child, with the signals ojx was started
 * with. The child is looked after as one of child_start.
 */
int child_fork(struct child *c);

/* Passes signals on, and notices the child's end. Never waits. */
void child_step(struct child *c);

/* Passes signals on until the child ends. */
void child_wait(struct child *c);

/* Undoes child_prepare. */
void child_release(struct child *c);

/*
 * The exit status that is the child's; does not return if a signal killed it, but dies of the
 * same one, without a core of our own.
 */
int child_exit_status(const struct child *c);

#endif
