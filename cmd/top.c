/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.c - `ojx top`: shows a recording while it is made.
 *
 * The recorder is a separate process that works like `ojx record`; the program is its child. This
 * process reads the recording and shows it. It passes signals on, and ends as the recorder does,
 * which ends as the program does.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include "cmd.h"
#include "screen.h"
#include "top.h"

enum { DRAIN_MS = 100 };

static void drain(struct spool *s)
{
	/* if the reader of our output has left, the program need not end */
	if (s->fd >= 0 && spool_drain(s) < 0)
		spool_close(s);
}

/* The program goes on without a screen: its output is passed through again. */
static void see_it_off(struct top *t)
{
	struct pollfd fd = { .fd = t->child.signal_fd, .events = POLLIN };

	fflush(stdout);
	while (!t->child.exited) {
		drain(&t->out);
		drain(&t->err);
		poll(&fd, 1, DRAIN_MS);
		child_step(&t->child);
	}
	drain(&t->out);
	drain(&t->err);
}

static void release(struct top *t)
{
	if (t->open)
		live_close(&t->live);
	spool_close(&t->out);
	spool_close(&t->err);
	child_release(&t->child);
}

/* Returns the exit status; a signal that was sent to us takes effect now. */
static int end(struct top *t)
{
	struct child child = t->child;

	release(t);
	if (!child.pid)
		child.status = child.last_signal; /* 0: exited with status 0 */
	return child_exit_status(&child);
}

int cmd_top(int argc, char **argv)
{
	struct top t = { .out = SPOOL_NONE, .err = SPOOL_NONE, .child.signal_fd = -1 };
	int status = top_options_parse(&t.options, argc, argv);

	if (status >= 0)
		return status;
	bool screen = !t.options.batch && t.options.count == 0 && screen_possible();
	bool starts = t.options.record.command && t.options.record.command[0];
	status = starts ? top_start(&t, screen) : top_find(&t, screen);
	if (status < 0 && t.open) {
		if (top_update(&t) < 0)
			top_say_failed();
		else if (screen)
			top_screen(&t);
		else
			top_batch(&t);
	}
	/* a JVM that we attached to goes on, and would be recorded for ever */
	if (t.options.record.pids && t.child.pid && !t.child.exited)
		kill(t.child.pid, SIGTERM);
	if (status >= 0) {
		release(&t);
		return status;
	}
	if (t.child.pid)
		see_it_off(&t);
	return end(&t);
}
