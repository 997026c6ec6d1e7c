/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_start.c - finds the recording to show: starts a recorder, or joins a running one. The
 * recorder is another process, whose file is read as it grows. So no event is lost, whatever
 * happens to the screen and however long an analysis takes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "base/tempdir.h"
#include "cmd.h"
#include "live/running.h"
#include "record.h"
#include "say.h"
#include "top.h"

enum { SNAPSHOT_AGAIN_MS = 10 };

static int open_live(struct top *t, const char *path, bool from_zero)
{
	struct rows_options how = { .grouping = ROWS_BY_LINE, .replica = REPLICA_OPTIONS_INIT };

	how.replica.live = true;
	if (live_open(&t->live, path, analyses, &how, from_zero) < 0)
		return -1;
	t->open = true;
	return 0;
}

/* ---- starting one --------------------------------------------------------------------------- */

/* Makes a directory for a recording that is not kept. */
static int make_place(struct top *t)
{
	const char *parent = getenv("TMPDIR");

	if (t->options.output) {
		snprintf(t->path, sizeof t->path, "%s", t->options.output);
		return 0;
	}
	t->lock = tempdir_make(t->dir, sizeof t->dir - sizeof OJX_DATA,
			       parent && *parent ? parent : "/tmp", "ojx-top-");
	if (t->lock < 0) {
		t->dir[0] = '\0';
		return -1;
	}
	stpcpy(stpcpy(stpcpy(t->path, t->dir), "/"), OJX_DATA);
	return 0;
}

static void remove_place(struct top *t)
{
	if (!t->dir[0])
		return;
	unlink(t->path);
	tempdir_remove(t->dir, t->lock);
	t->dir[0] = '\0';
}

static bool same_terminal(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_rdev == y.st_rdev;
}

/*
 * The program must not write to the terminal that we draw on. If standard output and standard error
 * are the same terminal, both are kept in one file, so that their lines stay in order.
 */
static int open_spools(struct top *t, bool screen)
{
	if (spool_open(&t->out, STDOUT_FILENO) < 0)
		return -1;
	if (screen && isatty(STDERR_FILENO) && !same_terminal(STDOUT_FILENO, STDERR_FILENO))
		return spool_open(&t->err, STDERR_FILENO);
	return 0;
}

/* Runs in the recorder: sets the streams for the program. */
static void redirect(const struct top *t, bool screen)
{
	bool together = screen && isatty(STDERR_FILENO);

	if (t->err.fd >= 0)
		dup2(t->err.fd, STDERR_FILENO);
	else if (together)
		dup2(t->out.fd, STDERR_FILENO);
	dup2(t->out.fd, STDOUT_FILENO);
	if (screen && isatty(STDIN_FILENO)) {
		int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (null >= 0)
			dup2(null, STDIN_FILENO);
	}
}

static _Noreturn void become_recorder(const struct top *t, bool screen)
{
	struct record_options options = t->options.record;

	if (options.pids) /* otherwise nothing would end it */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	redirect(t, screen);
	/* about a recording that is not kept, report only errors */
	options.quiet = options.quiet || !t->options.output;
	options.output = t->path;
	int status = record_run(&options);
	fflush(NULL);
	_exit(status);
}

/* Waits until the recorder has made the file, or has ended. */
static void await_file(struct top *t)
{
	struct pollfd fd = { .fd = t->child.signal_fd, .events = POLLIN };
	struct running r;

	while (!t->child.exited) {
		if (running_by(t->child.pid, &r) == 0 && open_live(t, r.path, true) == 0)
			return;
		poll(&fd, 1, SNAPSHOT_AGAIN_MS);
		child_step(&t->child);
	}
	/* if there is a file, it is complete by now */
	open_live(t, t->path, true);
}

int top_start(struct top *t, bool screen)
{
	if (child_prepare(&t->child) < 0 || make_place(t) < 0 || open_spools(t, screen) < 0) {
		say("cannot start a recording: %s", strerror(errno));
		remove_place(t);
		return EXIT_RECORD;
	}
	int forked = child_fork(&t->child);
	if (forked == 0)
		become_recorder(t, screen);
	if (forked < 0) {
		say("cannot start a process: %s", strerror(errno));
		remove_place(t);
		return EXIT_RECORD;
	}
	await_file(t);
	/* both processes have it open */
	remove_place(t);
	return -1;
}

/* ---- finding one --------------------------------------------------------------------------- */

static void say_choices(const struct running *list, size_t n)
{
	say("there are %zu recordings: name one with -p", n);
	for (size_t i = 0; i < n; i++)
		say("-p %d: %s", (int)list[i].pid, list[i].command);
}

/* The recording to watch; NULL after a message, or without one if `pids` is given: it has none. */
static const struct running *choose(const struct running *list, size_t n, const char *pids)
{
	long pid = pids ? strtol(pids, NULL, 10) : 0; /* 0 in place of a pattern */

	if (pids)
		return pid > 0 && pid <= INT_MAX && strspn(pids, "0123456789") == strlen(pids)
			       ? running_of(list, n, (pid_t)pid)
			       : NULL;
	if (n == 1)
		return &list[0];
	if (n > 1)
		say_choices(list, n);
	else
		say("there is no recording to watch: start one with 'ojx record', name a command, "
		    "or a JVM with -p (see 'ojx top --help')");
	return NULL;
}

int top_find(struct top *t, bool screen)
{
	struct running list[RUNNING_MAX];
	const struct running *r = choose(list, running_find(list), t->options.record.pids);

	if (!r)
		return t->options.record.pids ? top_start(t, screen) : EXIT_RECORD;
	if (t->options.output) {
		say("--output: the watched recording has a file already; w writes a copy");
		return EXIT_RECORD;
	}
	if (child_prepare(&t->child) < 0 || open_live(t, r->path, false) < 0) {
		say("cannot read the recording of process %d: %s", (int)r->pid, strerror(errno));
		return EXIT_RECORD;
	}
	t->watched = r->pid;
	return -1;
}
