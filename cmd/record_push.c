/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_push.c - `ojx record --push`: has what a recording tells sent, by `ojx push` in a process
 * of its own. So the recording never waits for a receiver.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "push/push.h"
#include "record.h"
#include "say.h"

#define RETRY "--retry=10s" /* at the end of a program somebody may wait */

int record_push_check(const struct record_options *o)
{
	const char *fault = o->push ? push_fault(o->push) : NULL;

	if (fault)
		say("--push: cannot send to '%s': %s", o->push, fault);
	else if (o->push && strcmp(o->output, "-") == 0)
		say("--push sends a file when it is whole, and excludes -o -");
	else
		return -1;
	return EXIT_RECORD;
}

/* Runs in the child. What cannot be sent waits beside the recording. */
__attribute__((noreturn)) static void run(const struct record_push *p, const char *recording)
{
	const char *slash = strrchr(recording, '/');
	char *spool, *input;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(say_descriptor(), STDERR_FILENO);
	if (asprintf(&spool, "--spool=%.*s" PUSH_SPOOL, slash ? (int)(slash + 1 - recording) : 0,
		     recording) >= 0 &&
	    asprintf(&input, "%s%s", *recording == '-' ? "./" : "", recording) >= 0)
		execl("/proc/self/exe", "ojx", "push", RETRY, spool, p->quiet ? "-q" : "--", p->url,
		      input, (char *)NULL);
	_exit(EXIT_RECORD);
}

static void wait_for(struct record_push *p, unsigned i)
{
	while (waitpid(p->pid[i], NULL, 0) < 0 && errno == EINTR)
		;
	p->pid[i] = 0;
}

void record_push_start(struct record_push *p, const char *recording)
{
	unsigned i = 0;

	if (!p->url)
		return;
	while (i < RECORD_PUSHES && p->pid[i] && waitpid(p->pid[i], NULL, WNOHANG) == 0)
		i++;
	if (i == RECORD_PUSHES) {
		say("'%s' is not sent, since %d others still are: 'ojx push' sends it", recording,
		    RECORD_PUSHES);
		return;
	}
	p->pid[i] = fork();
	if (p->pid[i] == 0)
		run(p, recording);
	if (p->pid[i] > 0)
		return;
	p->pid[i] = 0;
	say("cannot start 'ojx push': %s", strerror(errno));
}

void record_push_wait(struct record_push *p)
{
	for (unsigned i = 0; i < RECORD_PUSHES; i++)
		if (p->pid[i])
			wait_for(p, i);
}
