/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.c - `ojx record`: starts a program with the agent in its JVMs, or attaches to JVMs that
 * run already, and writes what they send to ojx.data.
 *
 * The program keeps its streams, signals and terminal, and ojx exits with its status. Only if ojx
 * fails before the program has started, it exits with 125, as env does; 126 and 127 mean that the
 * program could not be run. If the output cannot be written any more, ojx reports that, the program
 * goes on, and its status counts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "cmd.h"
#include "host/machine.h"
#include "record.h"
#include "record/launch.h"
#include "record/rundir.h"
#include "record/session.h"
#include "say.h"
#include "wire/secret.h"

#define MS_NS	  1000000u
#define SECOND_NS 1000000000u

enum {
	GRACE_MS = 200, /* for JVMs to stop on request */
	GRACE_STEP_MS = 5,
	OWN_START_MS = 20, /* of CPU time, until main: loading takes some milliseconds */
	DETACH_MS = 10000, /* the same, if they go on without us; a collection may be under way */
	ATTACH_STEP_MS = 10,
};

struct record {
	struct record_options options;
	struct record_say say;
	struct record_jvms jvms;
	FILE *log;
	struct wire_secret secret;
	uint32_t deadly; /* wire_config_flags for calls that the agent must not make */
	struct rundir rundir;
	struct record_launch launch;
	struct record_attach attach; /* with -p */
	struct child child;
	struct record_files files;
	struct session *session; /* NULL after its end */
	uint64_t end_ns;	 /* monotonic; 0: ends with the program */
	uint64_t foreign_cpu_ns;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* What a shell used that then became this process (exec). At the start. */
static uint64_t foreign_cpu(void)
{
	uint64_t used = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	return used > OWN_START_MS * MS_NS ? used : 0;
}

/* ---- before the start -------------------------------------------------------------------- */

/* The following return -1 to go on, or the exit status. */

/*
 * If a seccomp filter would kill the program for a call of the agent, the agent does without the
 * call.
 */
static int probe_filters(struct record *r)
{
	const struct record_options *o = &r->options;
	int perf = o->no_watch && !o->nevents ? 0 : probe_kills(PROBE_PERF_EVENT_OPEN);
	int readv = probe_kills(PROBE_PROCESS_VM_READV);
	int timer = o->nevents ? probe_kills(PROBE_TIMER_CREATE) : 0;
	int pages = o->needs.nodes ? probe_kills(PROBE_MOVE_PAGES) : 0;

	if (perf < 0 || readv < 0 || timer < 0 || pages < 0) {
		say("cannot start a process: %s", strerror(errno));
		return EXIT_RECORD;
	}
	r->deadly = (perf ? WIRE_NO_WATCH | WIRE_NO_PERF : 0u) | (readv ? WIRE_NO_PEEK : 0u) |
		    (timer ? WIRE_NO_TIMER : 0u) | (pages ? WIRE_NO_PAGES : 0u);
	if (perf && !o->quiet)
		say("a seccomp filter kills callers of perf_event_open: %s",
		    o->needs.objects ? "uses are not watched; contents come only from the scan"
		    : o->needs.watches
			    ? "accesses are not watched, so pairs of accesses are not recorded"
			    : "the agent does without it");
	if (readv && !o->quiet)
		say("a seccomp filter kills callers of process_vm_readv: the agent reads "
		    "/proc/self/mem instead, which takes longer");
	return -1;
}

static int open_log(struct record *r)
{
	const char *path = r->options.log_file;

	if (!path)
		return -1;
	r->log = fopen(path, "we");
	if (!r->log) {
		say("cannot open '%s': %s", path, strerror(errno));
		return EXIT_RECORD;
	}
	say_to(r->log);
	return -1;
}

static int open_output(struct record *r)
{
	pid_t pid = r->options.pids ? r->attach.list[0].target.process.pid : 0;
	int status = record_files_open(&r->files, &r->options, pid);

	r->say.output = record_files_name(&r->files);
	return status;
}

static void take_news(const struct session_news *news, void *arg)
{
	struct record *r = arg;

	if (news->kind == SESSION_UNWRITTEN && r->files.many)
		return; /* the next file may be written, which record_files_step tells */
	record_jvms_news(&r->jvms, news);
	record_attach_news(&r->attach, news);
	r->say.output = record_files_name(&r->files);
	record_say_news(news, &r->say);
	if (news->kind == SESSION_UNWRITTEN) /* further JVMs need not wait for an answer */
		rundir_close(&r->rundir);
}

/* Has the session listen where the JVMs will connect. 0, or -1. */
static int listen_for_jvms(struct record *r, const struct wire_config *config)
{
	const struct session_listener l = { .fd = r->rundir.listen_fd, .config = *config };

	return r->options.pids ? record_attach_listen(&r->attach, r->session, config)
			       : session_listen(r->session, &l);
}

int record_get_secret(struct wire_secret *secret, const char *file)
{
	const char *why = file ? secret_share(secret, file) : secret_make(secret);

	if (!why)
		return -1;
	if (file)
		say("--secret-file: cannot use '%s': %s", file, why);
	else
		say("cannot make a secret for hashes of contents: %s", why);
	return EXIT_RECORD;
}

static int open_session(struct record *r)
{
	const struct shm_sizes usual = SHM_SIZES_INIT, exact = SHM_SIZES_EXACT;
	struct session_setup setup = {
		.config = record_options_config(&r->options, r->deadly),
		.secret = r->secret,
		.sizes = r->options.exact ? exact : usual,
		.model = r->files.model,
		.writer = r->files.file.writer,
		.max_size = r->options.max_size,
		.foreign_cpu_ns = r->foreign_cpu_ns,
		.tell = take_news,
		.arg = r,
	};

	r->session = session_new(&setup);
	if (r->session && listen_for_jvms(r, &setup.config) == 0 &&
	    record_files_begin(&r->files, r->session,
			       r->options.pids ? r->attach.command : r->options.command) == 0)
		return -1;
	say("out of memory");
	return EXIT_RECORD;
}

/* Finds what is to be recorded. */
static int find(struct record *r)
{
	int status;

	if (!r->options.pids) {
		status = record_launch_find(&r->launch, &r->options);
		return status < 0 ? probe_filters(r) : status;
	}
	status = record_attach_find(&r->attach, &r->options);
	return status < 0 ? record_launch_find_agent(&r->launch) : status;
}

/* Prepares the way of the agent into the program. */
static int pave(struct record *r)
{
	bool attaches = r->options.pids;

	if (child_prepare(&r->child) < 0 || (!attaches && rundir_create(&r->rundir) < 0)) {
		say("cannot make the control socket: %s", strerror(errno));
		return EXIT_RECORD;
	}
	r->child.keeps_hangup = r->options.series;
	if (!attaches)
		return record_launch_plan(&r->launch, &r->options, r->rundir.socket_path);
	int status = record_launch_settle(&r->launch, r->options.verbose);
	return status < 0 ? record_attach_prepare(&r->attach, r->launch.settled.path) : status;
}

static int prepare(struct record *r)
{
	int status = open_log(r);

	if (r->options.secret)
		r->secret = *r->options.secret;
	else if (status < 0)
		status = record_get_secret(&r->secret, r->options.secret_file);
	if (status < 0)
		status = find(r);
	if (status < 0)
		status = pave(r);
	if (status < 0)
		status = open_output(r);
	return status < 0 ? open_session(r) : status;
}

/* ---- the recording ----------------------------------------------------------------------- */

/* Reports why nothing was recorded, if that was not reported yet. */
static void say_none(const struct record *r)
{
	if (r->say.refused || r->jvms.nforeign || r->jvms.nbare ||
	    r->launch.plan.how == LAUNCH_WITHOUT || r->options.pids)
		return;
	say(r->launch.plan.how == LAUNCH_AGENTPATH
		    ? "no JVM was started by this command: nothing was recorded"
		    : "no JVM was started by this command, or JAVA_TOOL_OPTIONS did not "
		      "reach it (a daemon that ran already, sudo, a script that unsets it): "
		      "nothing was recorded; 'ojx record -p PID' records a JVM that runs");
}

/* How the JVMs were left that go on. */
static void say_left(const struct record *r)
{
	if (r->files.renew && r->options.verbose)
		say("to make room in its tables, the agent leaves the JVM and begins anew");
	else if (r->options.pids && !r->files.renew)
		record_attach_say_left(&r->attach);
	else if (!r->options.pids)
		record_jvms_say_left(&r->jvms);
}

/*
 * Ends the recording; the program may go on. `wait_status`: -1 if it still runs. Whether all of it
 * is in the file.
 */
static bool finish(struct record *r, int wait_status)
{
	uint64_t deadline = now_ns() + (r->options.pids ? DETACH_MS : GRACE_MS) * (uint64_t)MS_NS;

	record_jvms_end(&r->jvms);
	session_stop(r->session);
	rundir_close(&r->rundir);
	session_step(r->session);
	while (session_live(r->session) > 0 && now_ns() < deadline) {
		session_wait(r->session, r->child.signal_fd, GRACE_STEP_MS);
		child_step(&r->child);
		session_step(r->session);
	}
	bool written = session_finish(r->session, wait_status) == 0;
	bool any = session_total(r->session) > 0, last = session_has_any(r->session);
	if (record_files_close(&r->files, r->session, last) < 0 && written) {
		say("cannot write '%s': %s", record_files_name(&r->files), strerror(errno));
		written = false;
	}
	r->say.output = record_files_name(&r->files);
	session_free(r->session);
	r->session = NULL;
	if (!any)
		say_none(r);
	if (!r->options.quiet)
		record_jvms_say_piped(&r->jvms);
	if (last && written && !r->options.quiet)
		record_say_summary(&r->say, r->files.model, r->files.bytes);
	if (any && !r->options.quiet)
		say_left(r);
	return written;
}

static int start(struct record *r)
{
	const struct record_options *o = &r->options;
	const struct child_command command = {
		.argv = r->launch.plan.argv,
		.tool_options = r->launch.plan.tool_options,
		.stdout_to_stderr = strcmp(o->output, "-") == 0,
	};
	bool exec_failed;

	if (child_start(&r->child, &command, &exec_failed) == 0) {
		if (o->duration_ns)
			r->end_ns = now_ns() + o->delay_ns + o->duration_ns;
		return -1;
	}
	say("cannot run '%s': %s", o->command[0], strerror(errno));
	if (!exec_failed)
		return EXIT_RECORD;
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static bool is_over(const struct record *r)
{
	return r->end_ns && now_ns() >= r->end_ns;
}

/* Milliseconds until the recording's end, or the file's; -1 if none is set. */
static int ms_left(const struct record *r, uint64_t now)
{
	int file = record_files_ms(&r->files);

	if (!r->end_ns)
		return file;
	uint64_t left = now >= r->end_ns ? 0 : (r->end_ns - now) / MS_NS + 1;
	int ms = left < INT_MAX ? (int)left : INT_MAX;
	return file >= 0 && file < ms ? file : ms;
}

/* Takes what has come, and begins the next file if it is time. */
static void step(struct record *r)
{
	session_step(r->session);
	r->files.asked |= child_take_hangup(&r->child);
	record_files_step(&r->files, r->session);
}

static void loop(struct record *r)
{
	uint64_t start = now_ns();

	if (r->launch.plan.how == LAUNCH_ENVIRONMENT)
		r->jvms.socket = r->rundir.socket_path;
	while (!r->child.exited) {
		uint64_t now = now_ns();
		int ms = record_jvms_look(&r->jvms, r->child.pid, now - start);
		int left = ms_left(r, now);
		session_wait(r->session, r->child.signal_fd, left >= 0 && left < ms ? left : ms);
		/* the child's end first: a session step after it sees everything that was sent */
		child_step(&r->child);
		step(r);
		if (!r->child.exited && is_over(r)) {
			finish(r, -1);
			child_wait(&r->child);
			return;
		}
	}
	finish(r, r->child.status);
}

/*
 * Attaches, and records until a signal comes, the time is over, or all JVMs have ended. Returns the
 * exit status: 0 if a recording was made and all of it is in the file.
 */
static int record_running(struct record *r)
{
	const struct record_options *o = &r->options;

	record_attach_begin(&r->attach, now_ns());
	for (;;) {
		uint64_t now = now_ns();
		bool attaching = record_attach_step(&r->attach, now);
		if (!attaching && !r->end_ns && o->duration_ns)
			r->end_ns = now + o->delay_ns + o->duration_ns;
		if (!attaching && session_live(r->session) == 0)
			break;
		session_wait(r->session, r->child.signal_fd,
			     attaching ? ATTACH_STEP_MS : ms_left(r, now));
		child_step(&r->child);
		step(r);
		if (r->child.last_signal || is_over(r) || r->files.renew)
			break;
	}
	bool any = session_total(r->session) > 0;
	r->attach.stopping = true;
	if (!finish(r, -1) || !any)
		return EXIT_RECORD;
	return r->files.renew ? RECORD_RENEW : 0;
}

static void release(struct record *r)
{
	session_free(r->session);
	record_files_release(&r->files);
	record_launch_release(&r->launch);
	record_attach_release(&r->attach);
	rundir_remove(&r->rundir);
	child_release(&r->child);
	record_say_release(&r->say);
	say_to(NULL);
	if (r->log)
		fclose(r->log);
}

int record_run(const struct record_options *options)
{
	struct record r = {
		.options = *options,
		.rundir.listen_fd = -1,
		.child.signal_fd = -1,
		.foreign_cpu_ns = foreign_cpu(),
	};

	r.say = (struct record_say){ .verbose = r.options.verbose,
				     .paced = r.options.nevents && !r.options.governed,
				     .quiet = r.options.quiet,
				     .output = r.options.output,
				     .budget = r.options.budget,
				     .needs = r.options.needs };
	int status = prepare(&r);
	if (status < 0)
		status = r.options.pids ? record_running(&r) : start(&r);
	if (status < 0)
		loop(&r);
	struct child child = r.child;
	release(&r);
	return status < 0 ? child_exit_status(&child) : status;
}
