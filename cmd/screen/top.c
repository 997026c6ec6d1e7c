/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.c - `ojx top`: shows a recording while it is made.
 *
 * The recorder is a separate process that works like `ojx record`; the program is its child. This
 * process reads the recording and shows it. It passes signals on, and ends as the recorder does,
 * which ends as the program does.
 */
#define _GNU_SOURCE

#include "screen/top.h"

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
#include "live/rates.h"
#include "live/running.h"
#include "live/screen_table.h"
#include "options.h"
#include "out_of_memory.h"
#include "record.h"
#include "say.h"
#include "screen/screen.h"

/*
 * ---- finds the recording to show: starts a recorder, or joins a running one. The recorder is
 * another process, whose file is read as it grows. So no event is lost, whatever happens to
 * the screen and however long an analysis takes.
 */

enum { SNAPSHOT_AGAIN_MS = 10, DRAIN_MS = 100 };

static void drain(struct spool *s)
{
	/* if the reader of our output has left, the program need not end */
	if (s->fd >= 0 && spool_drain(s) < 0)
		spool_close(s);
}

/* The program goes on without a screen: its output is passed through again. */
static void pass_output_until_exit(struct top *t)
{
	struct pollfd fd = { .fd = t->child.signal_fd, .events = POLLIN };

	/* a JVM that we attached to goes on, and would be recorded for ever */
	if (t->options.record.pids && !t->child.exited)
		kill(t->child.pid, SIGTERM);
	while (!t->child.exited) {
		drain(&t->out);
		drain(&t->err);
		poll(&fd, 1, DRAIN_MS);
		child_step(&t->child);
	}
	drain(&t->out);
	drain(&t->err);
}

/*
 * This process has no memory to show anything; the recorder, another one, goes on to the end of the
 * program or is told to end, and writes all it has.
 */
static int end_without_memory(void *arg)
{
	struct top *t = arg;

	pass_output_until_exit(t);
	return child_exit_status(&t->child);
}

static int open_live(struct top *t, const char *path, bool from_zero)
{
	struct rows_options how = { .grouping = ROWS_BY_LINE, .replica = REPLICA_OPTIONS_INIT };

	how.replica.live = true;
	if (live_open(&t->live, path, analyses, &how, from_zero) < 0) {
		if (errno == ENOMEM)
			out_of_memory();
		return -1;
	}
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
		errno = 0;
		if (running_by(t->child.pid, &r) == 0 && open_live(t, r.path, true) == 0)
			return;
		if (errno == ENOMEM)
			out_of_memory();
		poll(&fd, 1, SNAPSHOT_AGAIN_MS);
		child_step(&t->child);
	}
	/* if there is a file, it is complete by now */
	open_live(t, t->path, true);
}

/*
 * The following return -1 to go on, or the exit status, after reporting errors. top_find watches a
 * running recording, or starts one of a JVM that has none. After top_start the recorder runs. Then
 * `live` is open unless the recorder has already ended without leaving a recording.
 */
static int top_start(struct top *t, bool screen)
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
	out_of_memory_after(end_without_memory, t);
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

static int top_find(struct top *t, bool screen)
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

#define DEFAULT_KEY	 "saved/s"
#define DEFAULT_INTERVAL 2000000000u /* nanoseconds */

static const char about[] = "Shows live which objects a Java program creates and how many of them "
			    "are replicas of each other. The program is COMMAND, which is run and "
			    "recorded as by 'ojx record', a JVM that runs, or one that is being "
			    "recorded already.";

static const char notes[] =
	"On a terminal, h shows the keys. What COMMAND writes to the terminal is kept: u shows\n"
	"it, and it is written when the screen is left. COMMAND cannot read from the terminal,\n"
	"since the keys are ojx's. Without a terminal, or with -b, a table is printed every\n"
	"interval, and COMMAND's standard output after the last table. The exit status is that\n"
	"of COMMAND, as with 'ojx record'.\n";

/* The columns that a live table can be sorted by. */
static void put_keys(FILE *out, bool with_help)
{
	const struct column *list[TABLE_COLUMNS];
	size_t n = live_columns_list(list, COLUMN_TOP);
	const char *separator = "";

	for (size_t i = 0; i < n; i++) {
		if (!column_is_key(list[i]))
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", column_name(list[i]), list[i]->figure->help);
		else
			fprintf(out, "%s%s", separator, column_name(list[i]));
		separator = ", ";
	}
}

static int check(struct top_options *o)
{
	const char *output = o->output;
	bool has_command = o->record.command && o->record.command[0];

	o->key = live_column_find(o->sort, COLUMN_TOP);
	if (!o->key) {
		options_say_unknown("sort", o->sort, put_keys);
		return EXIT_RECORD;
	}
	if (output && strcmp(output, "-") == 0)
		say("--output: 'ojx top' needs a file, not standard output");
	else if (!has_command && !o->record.pids && output)
		say("--output: the watched recording has a file already; w writes a copy");
	else
		return -1;
	return EXIT_RECORD;
}

/* Parses the arguments; reports errors. Returns -1 to go on, or the exit status. */
static int top_options_parse(struct top_options *o, int argc, char **argv)
{
	const struct record_options usual = RECORD_OPTIONS_INIT;
	char *keys = options_list(
		"sort by KEY, the largest first (default " DEFAULT_KEY "):", put_keys, true);

	*o = (struct top_options){
		.record = usual, .interval_ns = DEFAULT_INTERVAL, .limit = 20, .sort = DEFAULT_KEY
	};
	const struct option_row rows[] = {
		OPT_STRING('p', "pid", "PID", &o->record.pids,
			   "watch the recording of process PID, an 'ojx record' or a JVM that it "
			   "records; or attach to a JVM that is not recorded, as 'ojx record -p' "
			   "does; without PID and COMMAND, the only running recording"),
		OPT_TIME('d', "refresh", "TIME", &o->interval_ns, OPT_S, 0.1, 3600,
			 "refresh interval: 500ms, 10s, 2m; without a unit seconds (default 2s)"),
		OPT_STRING('s', "sort", "KEY", &o->sort, keys ? keys : "sort by KEY"),
		OPT_BOOL('b', "batch", &o->batch, "print tables even on a terminal"),
		OPT_INT('n', "tables", "N", &o->count, 1, INT_MAX,
			"print N tables (default: until the recording ends); COMMAND goes on"),
		OPT_INT(0, "limit", "N", &o->limit, 0, 1000000000,
			"lines of a printed table (default 20; 0: all)"),
		OPT_STRING(
			'o', "output", "FILE", &o->output,
			"keep the recording in FILE; an existing file becomes FILE.old (default: not kept)"),
		OPT_END,
	};
	const struct record_command as = {
		.shown = { "top", "[OPTION]... [[--] COMMAND [ARG]...]", about, rows, notes, false,
			   NULL },
		.may_lack_command = true,
	};

	int status = record_options_parse(&o->record, &as, argc, argv);
	free(keys);
	o->eager = o->interval_ns == DEFAULT_INTERVAL;
	return status < 0 ? check(o) : status;
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

	out_of_memory_status(EXIT_RECORD);
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
	out_of_memory_after(NULL, NULL);
	if (status >= 0) {
		release(&t);
		return status;
	}
	fflush(stdout);
	if (t.child.pid)
		pass_output_until_exit(&t);
	return end(&t);
}
