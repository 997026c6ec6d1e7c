/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.c - `ojx record`: starts a program with the agent in its JVMs and writes what they send
 * to ojx.data.
 *
 * The program's streams, signals, terminal and exit status stay its own: ojx exits as the program
 * did. Only where ojx itself fails before the program has started it exits with 125, as env does;
 * 126 and 127 tell that the program could not be run. When the output can no longer be written,
 * that is said, and the program goes on: its status stands.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "../lib/analysis.h"
#include "../lib/launch.h"
#include "../lib/probe.h"
#include "../lib/rundir.h"
#include "../lib/session.h"
#include "child.h"
#include "cmd.h"
#include "options.h"
#include "record_say.h"
#include "say.h"

#define MS_NS	  1000000u
#define SECOND_NS 1000000000u

enum {
	GRACE_MS = 200, /* for JVMs that are asked to stop */
	GRACE_STEP_MS = 5,
};

struct record_options {
	const char *output, *class_glob, *log_file, *events;
	bool verbose, quiet, children, exact, values, no_watch, no_scan;
	double budget, frequency, tolerance;
	struct analysis_needs needs; /* of the events */
	uint64_t interval, delay_ns, duration_ns;
	int max_stack, seed;
	char **command;
};

struct record {
	struct record_options options;
	struct record_say say;
	FILE *log;
	char *program;	 /* the command's file */
	char *agent;	 /* libojx-agent.so */
	uint32_t deadly; /* wire_config_flags: what the agent must not try */
	struct rundir rundir;
	struct launch launch;
	struct child child;
	struct model *model;
	struct datafile_writer *writer;
	struct session *session; /* NULL once it is over */
	uint64_t end_ns;	 /* monotonic; 0: when the program ends */
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* ---- options ----------------------------------------------------------------------------- */

static const char about[] =
	"Runs COMMAND and records which objects its Java program creates and uses. COMMAND is "
	"java, or anything that starts a JVM (mvn, gradle, a script).";

static const char notes[] =
	"The program keeps its streams, its signals and its exit status, which ojx passes on.\n"
	"125: ojx itself failed; 126, 127: COMMAND could not be run, or was not found.\n"
	"A java command gets the agent by -agentpath. Anything else gets it by\n"
	"JAVA_TOOL_OPTIONS, which every JVM announces: 'Picked up JAVA_TOOL_OPTIONS: ...'.\n";

/* What -e takes, for --help; allocated. */
static char *list_events(void)
{
	char *list = NULL;
	size_t len;
	FILE *out = open_memstream(&list, &len);

	if (!out)
		return NULL;
	fputs("what to look for, separated by commas:", out);
	for (const struct analysis *a = analyses; a->name; a++)
		fprintf(out, "\n- %s: %s", a->name, a->help);
	fclose(out);
	return list;
}

static int check_events(struct record_options *o)
{
	size_t len;
	const char *bad = analysis_parse(o->events, &o->needs, &len);

	if (bad)
		say("--event: '%.*s' is nothing to look for (see 'ojx record --help')", (int)len,
		    bad);
	else if (o->needs.waste && o->no_watch)
		say("--event: '%s' needs watches: there is no --no-watch with it", o->events);
	else if (o->exact && !o->needs.objects)
		say("--exact counts objects: there is no --event without 'replica' with it");
	else
		return -1;
	return EXIT_RECORD;
}

/* Returns the exit status to end with, or -1 to go on. */
static int parse_options(struct record_options *o, int argc, char **argv)
{
	char *events = list_events();
	const struct option_row rows[] = {
		OPT_STRING('o', "output", "FILE", &o->output,
			   "write the recording to FILE (default " OJX_DATA "); an existing one "
			   "becomes FILE.old; with '-' it goes to standard output, and what the "
			   "program writes there goes to standard error"),
		OPT_BOOL('v', "verbose", &o->verbose, "tell what happens"),
		OPT_BOOL('q', "quiet", &o->quiet, "say nothing but errors"),
		OPT_STRING('e', "event", "LIST", &o->events, events ? events : "what to look for"),
		OPT_DOUBLE(
			'F', "freq", "HZ", &o->frequency, 1, 10000,
			"sample so many accesses to memory in a second of each thread's CPU time, "
			"for those that need it (default 200)"),
		OPT_DOUBLE(0, "fp-tolerance", "PERCENT", &o->tolerance, 0, 100,
			   "floating-point values that differ by no more are the same to silent "
			   "stores and loads (default 1)"),
		OPT_DOUBLE(0, "budget", "PERCENT", &o->budget, 0.01, 100,
			   "what the recording may cost of the program's CPU time (default 2)"),
		OPT_SIZE(0, "interval", "BYTES", &o->interval, 0, 1 << 30,
			 "sample one allocation per BYTES on average; 0 (default): as many as the "
			 "budget allows"),
		OPT_BOOL(0, "exact", &o->exact,
			 "count every allocation, whatever it costs: for small programs and tests; "
			 "the budget is then that of looks and watches alone"),
		OPT_BOOL(0, "values", &o->values,
			 "keep the texts of strings, each cut to 64 bytes: they can be secret"),
		OPT_INT(0, "max-stack", "N", &o->max_stack, 1, WIRE_MAX_STACK,
			"keep N frames of a stack (default 128)"),
		OPT_TIME('D', "delay", "MS", &o->delay_ns, OPT_MS, 0, 86400e3,
			 "begin so long after a JVM's start"),
		OPT_TIME(0, "duration", "S", &o->duration_ns, OPT_S, 0.001, 30 * 86400,
			 "record for so long (after the delay); the program goes on"),
		OPT_BOOL(0, "children", &o->children,
			 "a java command's child processes, too: by JAVA_TOOL_OPTIONS"),
		OPT_STRING(0, "class", "GLOB", &o->class_glob,
			   "only objects of classes that match, such as 'com.acme.*' or 'byte[]'"),
		OPT_BOOL(0, "no-watch", &o->no_watch, "do not watch uses (debug registers)"),
		OPT_BOOL(0, "no-scan", &o->no_scan, "do not scan objects before collections"),
		OPT_STRING(0, "log-file", "FILE", &o->log_file,
			   "write ojx's own messages to FILE, not to standard error"),
		OPT_INT(0, "seed", "N", &o->seed, 0, INT_MAX,
			"of the random choices (for tests); 0 (default): a new one each time"),
		OPT_END,
	};
	const struct option_command command = { "record", "[OPTION]... [--] COMMAND [ARG]...",
						about, rows, notes };

	int first = options_parse(&command, argc, argv);
	free(events);
	if (first < 0)
		return first == OPTIONS_HELP ? 0 : EXIT_RECORD;
	o->command = argv + first;
	if (first == argc) {
		say("no command to record (see 'ojx record --help')");
		return EXIT_RECORD;
	}
	if (o->class_glob && strlen(o->class_glob) >= WIRE_GLOB) {
		say("--class: '%.40s...' is longer than %d characters", o->class_glob,
		    WIRE_GLOB - 1);
		return EXIT_RECORD;
	}
	if (o->exact && o->interval) {
		say("--exact counts every allocation: there is no --interval with it");
		return EXIT_RECORD;
	}
	if (o->values && o->no_scan) {
		say("--values are seen by the scan: there is no --no-scan with it");
		return EXIT_RECORD;
	}
	if (strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO)) {
		say("--output: a recording is not written to a terminal");
		return EXIT_RECORD;
	}
	return check_events(o);
}

static struct wire_config make_config(const struct record_options *o, uint32_t deadly)
{
	struct wire_config config = {
		.budget = o->budget,
		.interval = o->interval,
		.seed = (uint64_t)o->seed,
		.max_stack = (uint32_t)o->max_stack,
		.delay_ms = (uint32_t)(o->delay_ns / MS_NS),
		.flags = (o->no_watch ? WIRE_NO_WATCH : 0u) | (o->no_scan ? WIRE_NO_SCAN : 0u) |
			 (o->exact ? WIRE_EXACT : 0u) | (o->values ? WIRE_VALUES : 0u) |
			 (o->needs.objects ? 0u : WIRE_NO_OBJECTS) | deadly,
		.waste = o->needs.waste,
		.sample_us = o->needs.waste ? (uint32_t)(1e6 / o->frequency) : 0,
		.tolerance = o->tolerance / 100,
	};

	if (config.seed == 0 &&
	    getrandom(&config.seed, sizeof config.seed, 0) != sizeof config.seed)
		config.seed = now_ns();
	if (o->class_glob)
		memcpy(config.class_glob, o->class_glob, strlen(o->class_glob) + 1);
	return config;
}

/* ---- before the start -------------------------------------------------------------------- */

/* The following return -1 to go on, or the exit status to end with. */

static int find_program(struct record *r)
{
	const char *name = r->options.command[0];

	r->program = launch_find(name);
	if (r->program)
		return -1;
	int status = errno == ENOENT || errno == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	say("cannot run '%s': %s", name, strerror(errno));
	return status;
}

static int find_agent(struct record *r)
{
	char tried[2][4096];

	r->agent = launch_find_agent(tried);
	if (r->agent)
		return -1;
	say("cannot find the agent: neither '%s' nor '%s' can be read; build or install ojx again",
	    tried[0], tried[1]);
	return EXIT_RECORD;
}

/* Where a seccomp filter would kill the program for what the agent tries, the agent does without. */
static int probe_filters(struct record *r)
{
	const struct record_options *o = &r->options;
	int perf = o->no_watch ? 0 : probe_kills(PROBE_PERF_EVENT_OPEN);
	int readv = probe_kills(PROBE_PROCESS_VM_READV);

	if (perf < 0 || readv < 0) {
		say("cannot start a process: %s", strerror(errno));
		return EXIT_RECORD;
	}
	r->deadly = (perf ? WIRE_NO_WATCH : 0u) | (readv ? WIRE_NO_PEEK : 0u);
	if (perf && !o->quiet)
		say("a seccomp filter kills whoever calls perf_event_open: no watch on uses; "
		    "contents come from the scan alone");
	if (readv && !o->quiet)
		say("a seccomp filter kills whoever calls process_vm_readv: the agent does "
		    "without it");
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

static int plan_launch(struct record *r)
{
	const struct record_options *o = &r->options;
	const char *agent = r->agent;

	/* the JVM takes what is behind the first '=' for the agent's options */
	if (strchr(agent, '=') && rundir_link(&r->rundir, agent) == 0)
		agent = r->rundir.link_path;
	if (launch_plan(&r->launch, o->command, r->program, agent, r->rundir.socket_path,
			o->children) < 0) {
		say(errno == EINVAL ? "cannot use the agent '%s': its path has a '='"
				    : "cannot use the agent '%s': out of memory",
		    agent);
		return EXIT_RECORD;
	}
	if (!o->verbose)
		return -1;
	if (r->launch.how == LAUNCH_AGENTPATH)
		say("'%s' is a java launcher: it gets the agent by -agentpath", r->program);
	else
		say("%s: JVMs get the agent by JAVA_TOOL_OPTIONS, and each says that it picked "
		    "them up",
		    o->children ? "with --children" : "not a java launcher");
	return -1;
}

static int open_output(struct record *r)
{
	r->model = model_new();
	if (!r->model) {
		say("out of memory");
		return EXIT_RECORD;
	}
	r->writer = datafile_create(r->options.output);
	if (!r->writer) {
		say("cannot write '%s': %s", r->options.output, strerror(errno));
		return EXIT_RECORD;
	}
	return -1;
}

static int open_session(struct record *r)
{
	const struct shm_sizes usual = SHM_SIZES_INIT, exact = SHM_SIZES_EXACT;
	struct session_setup setup = {
		.listen_fd = r->rundir.listen_fd,
		.config = make_config(&r->options, r->deadly),
		.sizes = r->options.exact ? exact : usual,
		.model = r->model,
		.writer = r->writer,
		.tell = record_say_news,
		.arg = &r->say,
	};

	r->session = session_new(&setup);
	if (r->session && session_command(r->session, r->options.command) == 0)
		return -1;
	say("out of memory");
	return EXIT_RECORD;
}

static int prepare(struct record *r)
{
	int status = open_log(r);

	if (status < 0)
		status = find_program(r);
	if (status < 0)
		status = find_agent(r);
	if (status < 0)
		status = probe_filters(r);
	if (status >= 0)
		return status;
	if (child_prepare(&r->child) < 0 || rundir_create(&r->rundir) < 0) {
		say("cannot make the control socket: %s", strerror(errno));
		return EXIT_RECORD;
	}
	status = plan_launch(r);
	if (status < 0)
		status = open_output(r);
	return status < 0 ? open_session(r) : status;
}

/* ---- the recording ----------------------------------------------------------------------- */

/* Ends the recording; the program may go on. `wait_status`: -1 while it does. */
static void finish(struct record *r, int wait_status)
{
	uint64_t deadline = now_ns() + GRACE_MS * (uint64_t)MS_NS;

	session_stop(r->session);
	rundir_close(&r->rundir);
	session_step(r->session);
	while (session_live(r->session) > 0 && now_ns() < deadline) {
		session_wait(r->session, r->child.signal_fd, GRACE_STEP_MS);
		child_step(&r->child);
		session_step(r->session);
	}
	bool written = session_finish(r->session, wait_status) == 0;
	bool any = session_total(r->session) > 0;
	uint64_t bytes = datafile_size(r->writer);
	if (datafile_close(r->writer) < 0 && written) {
		say("cannot write '%s': %s", r->options.output, strerror(errno));
		written = false;
	}
	r->writer = NULL;
	session_free(r->session);
	r->session = NULL;
	if (!any && r->say.refused == 0)
		say(r->launch.how == LAUNCH_AGENTPATH
			    ? "no JVM was started by this command: nothing was recorded"
			    : "no JVM was started by this command, or JAVA_TOOL_OPTIONS did not "
			      "reach it (a daemon that ran already, sudo): nothing was recorded");
	if (any && written && !r->options.quiet)
		record_say_summary(&r->say, r->model, bytes);
}

static int start(struct record *r)
{
	const struct record_options *o = &r->options;
	const struct child_command command = {
		.argv = r->launch.argv,
		.tool_options = r->launch.tool_options,
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

/* Milliseconds until the recording's end, -1 where none is set. */
static int ms_left(const struct record *r)
{
	uint64_t now = now_ns();

	if (!r->end_ns)
		return -1;
	if (now >= r->end_ns)
		return 0;
	uint64_t ms = (r->end_ns - now) / MS_NS + 1;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

static void loop(struct record *r)
{
	while (!r->child.exited) {
		session_wait(r->session, r->child.signal_fd, ms_left(r));
		/* first the child's end, then the JVMs': a step after it sees all that came */
		child_step(&r->child);
		session_step(r->session);
		if (!r->child.exited && ms_left(r) == 0) {
			finish(r, -1);
			child_wait(&r->child);
			return;
		}
	}
	finish(r, r->child.status);
}

static void release(struct record *r)
{
	session_free(r->session);
	if (r->writer)
		datafile_close(r->writer);
	model_free(r->model);
	launch_release(&r->launch);
	rundir_remove(&r->rundir);
	child_release(&r->child);
	record_say_release(&r->say);
	free(r->program);
	free(r->agent);
	say_to(NULL);
	if (r->log)
		fclose(r->log);
}

int cmd_record(int argc, char **argv)
{
	struct record r = {
		.options = { .output = OJX_DATA,
			     .events = analyses[0].name,
			     .budget = 2,
			     .frequency = 200,
			     .tolerance = 1,
			     .max_stack = 128 },
		.rundir.listen_fd = -1,
		.child.signal_fd = -1,
	};

	int status = parse_options(&r.options, argc, argv);
	if (status >= 0)
		return status;
	r.say = (struct record_say){ .verbose = r.options.verbose,
				     .quiet = r.options.quiet,
				     .output = r.options.output,
				     .budget = r.options.budget };
	status = prepare(&r);
	if (status < 0)
		status = start(&r);
	if (status < 0)
		loop(&r);
	struct child child = r.child;
	release(&r);
	return status < 0 ? child_exit_status(&child) : status;
}
