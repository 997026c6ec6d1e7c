/* SPDX-License-Identifier: Apache-2.0 */
/* record_options.c - the options of `ojx record`: their help, and what their words stand for. */
#define _GNU_SOURCE
#include "record.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "common_options.h"
#include "host/machine.h"
#include "host/sampling.h"
#include "options.h"
#include "say.h"

#define MS_NS 1000000u

enum { MAX_ROWS = 60 };

static const char about[] =
	"Runs COMMAND and records which objects its Java program creates and uses. COMMAND is "
	"java, or anything that starts a JVM (mvn, gradle, a script). With -p: records a JVM that "
	"runs already.";

static const char notes[] =
	"The program keeps its streams, its signals and its exit status, which ojx passes on.\n"
	"125: ojx itself failed; 126, 127: COMMAND could not be run, or was not found.\n"
	"A java command gets the agent by -agentpath. Anything else gets it by\n"
	"JAVA_TOOL_OPTIONS, which every JVM announces: 'Picked up JAVA_TOOL_OPTIONS: ...'.\n";

/* Lists the arguments of -e, for --help. */
static void put_events(FILE *out, bool with_help)
{
	(void)with_help;
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++)
			fprintf(out, "\n- %s: %s", e->name, e->help);
	fputs("\n- any event that samples accesses, by its name in perf and libpfm4, such as "
	      "page-faults or MEM_LOAD_RETIRED.L3_MISS:pp (see 'ojx list')",
	      out);
}

/* Their names. */
static void put_event_names(FILE *out, bool with_help)
{
	const char *comma = "";

	(void)with_help;
	for (int i = 0; analyses[i]; i++)
		for (const struct analysis_event *e = analyses[i]->events; e->name; e++) {
			fprintf(out, "%s%s", comma, e->name);
			comma = ", ";
		}
}

/* Lists the arguments of --sampler. */
static void put_samplers(FILE *out, bool with_help)
{
	(void)with_help;
	for (const struct sampling_row *s = sampling_rows; s->name; s++)
		fprintf(out, "\n- %s: %s", s->name, s->help);
}

static int check_events(struct record_options *o)
{
	int status = record_sampler_choose(o);

	if (status >= 0)
		return status;
	if (o->needs.watches && o->no_watch)
		say("--event: '%s' needs watches and excludes --no-watch", o->events);
	else if (o->exact && !o->needs.allocations)
		say("--exact counts objects: --event must include 'replica'");
	else
		return -1;
	return EXIT_RECORD;
}

/*
 * The rows of another command that takes these options: its own rows, then those with other names.
 */
static void merge_rows(struct option_row *all, size_t room, const struct option_row *own,
		       const struct option_row *rows)
{
	size_t n = 0, nown = 0;

	for (; own && own[nown].long_name && n + 1 < room; nown++)
		all[n++] = own[nown];
	for (; rows->long_name && n + 1 < room; rows++) {
		size_t i = 0;
		while (i < nown && strcmp(own[i].long_name, rows->long_name) != 0)
			i++;
		if (i == nown)
			all[n++] = *rows;
	}
	all[n] = (struct option_row)OPT_END;
}

static int check_options(struct record_options *o)
{
	if (o->class_glob && strlen(o->class_glob) >= WIRE_GLOB) {
		say("--class: '%.40s...' is longer than %d characters", o->class_glob,
		    WIRE_GLOB - 1);
		return EXIT_RECORD;
	}
	if (o->exact && o->interval) {
		say("--exact counts every allocation and excludes --interval");
		return EXIT_RECORD;
	}
	int labels = record_labels_check(o);
	if (labels >= 0)
		return labels;
	int push = record_push_check(o);
	if (push >= 0)
		return push;
	if (o->values && o->no_scan) {
		say("--values needs the scan and excludes --no-scan");
		return EXIT_RECORD;
	}
	if (strcmp(o->output, "-") == 0 && isatty(STDOUT_FILENO)) {
		say("--output: a recording is not written to a terminal");
		return EXIT_RECORD;
	}
	int events = check_events(o);
	return events < 0 ? record_files_check(o) : events;
}

/* -p excludes what needs the start of the JVM. */
static int check_pids(const struct record_options *o)
{
	if (o->command[0])
		say("--pid names a JVM that runs already and excludes a command ('%s')",
		    o->command[0]);
	else if (o->exact)
		say("--pid excludes --exact: what a thread allocates in the buffer that it has at "
		    "that time is not seen");
	else if (o->children)
		say("--pid excludes --children, which is for a command");
	else
		return -1;
	return EXIT_RECORD;
}

/* What else --wait and --attach need, and what they exclude. */
static int check_found(const struct record_options *o)
{
	if (o->wait && !o->pids)
		say("--wait needs --pid, a pattern of the JVMs to wait for");
	else if (o->attach && o->pids)
		say("--attach is for the JVMs of a command and excludes --pid");
	else if (o->attach && (o->exact || o->children))
		say("--attach excludes %s: the command is not started with the agent",
		    o->exact ? "--exact" : "--children");
	else
		return -1;
	return EXIT_RECORD;
}

static int lack_command(const struct record_command *as)
{
	if (as && as->may_lack_command)
		return -1;
	say("no command to record, and no --pid (see 'ojx record --help')");
	return EXIT_RECORD;
}

/* The files, and which of them stay. */
#define OPT_FILES(o)                                                                               \
	OPT_STRING('o', "output", "FILE", &o->output,                                              \
		   "write the recording to FILE (default " OJX_DATA                                \
		   "); an existing file becomes FILE.old; '-' is standard output, and the "        \
		   "program's standard output then goes to standard error"),                       \
		OPT_STRING(                                                                        \
			0, "rotate", "WHEN", &o->rotate,                                           \
			"end the file and begin the next each WHEN, a time (30s, 10m, 1h, 1d) or " \
			"a size (64k, 16M, 1G), and on SIGHUP; -o then is a pattern with the "     \
			"time, such as 'app-%Y%m%dT%H%M%S-%p.data', and a file that is being "     \
			"written ends in .part"),                                                  \
		OPT_TIME(0, "keep", "TIME", &o->keep_ns, OPT_S, 1, 3660 * 86400.0,                 \
			 "with --rotate: delete recordings of that pattern that ended longer ago " \
			 "than TIME, such as 24h or 7d"),                                          \
		OPT_SIZE(0, "keep-size", "BYTES", &o->keep_bytes, 1 << 20, 1e15,                   \
			 "with --rotate: delete the oldest recordings of that pattern when all "   \
			 "together have more than BYTES")

/* JVMs that ojx finds itself. */
#define OPT_FOUND(o)                                                                               \
	OPT_BOOL(0, "wait", &o->wait,                                                              \
		 "with --pid: record each JVM that matches, those that run and those that "        \
		 "appear later, each into files of its own, until SIGTERM or Ctrl-C"),             \
		OPT_BOOL(                                                                          \
			0, "attach", &o->attach,                                                   \
			"run COMMAND untouched, and attach to the JVMs that it starts, each into " \
			"files of its own: for scripts that JAVA_TOOL_OPTIONS disturbs")

/* What is for many recordings. */
#define OPT_FLEET(o)                                                                              \
	OPT_LIST(0, "label", "LABEL", &o->label,                                                  \
		 "name the recording among others by NAME=VALUE, such as version=1.2; may "       \
		 "be repeated. ojx finds host, container, pod, namespace, service, version "      \
		 "and start itself; a label that is given replaces that, and 'host=' "            \
		 "leaves it out"),                                                                \
		OPT_STRING(                                                                       \
			0, "push", "URL", &o->push,                                               \
			"send what the recording tells, when it is whole, to a receiver of "      \
			"OpenTelemetry's profiles, such as http://localhost:4318, as 'ojx push' " \
			"does")

/* The options of `ojx record`; `events` and `samplers` are the help texts of two of them. */
static void fill_rows(struct option_row to[MAX_ROWS], struct record_options *o, const char *events,
		      const char *samplers)
{
	const struct option_row rows[] = {
		OPT_FILES(o),
		OPT_STRING('p', "pid", "PID", &o->pids,
			   "attach to a JVM that runs already, in place of a COMMAND: a process "
			   "id, or a pattern for its main class or jar; several are separated by "
			   "commas (see 'ojx list jvms'). Ctrl-C ends the recording, and the JVM "
			   "goes on"),
		OPT_FOUND(o),
		OPT_BOOL('v', "verbose", &o->verbose, "report what happens"),
		OPT_BOOL('q', "quiet", &o->quiet, "report only errors"),
		OPT_STRING('e', "event", "LIST", &o->events, events),
		OPT_DOUBLE('F', "freq", "HZ", &o->frequency, 1, 10000,
			   "sample memory accesses HZ times per second of each thread's CPU time "
			   "(default: 200, or fewer if the budget requires it); for analyses that "
			   "need accesses, and for 'replica' to find objects that are used late or "
			   "by other threads"),
		OPT_INT('c', "count", "N", &o->count, 1, INT_MAX,
			"sample every N events (for the clock: nanoseconds); replaces --freq"),
		OPT_STRING(0, "sampler", "NAME", &o->sampler, samplers),
		OPT_DOUBLE(0, "fp-tolerance", "PERCENT", &o->tolerance, 0, 100,
			   "treat floating-point values that differ by at most PERCENT as equal, "
			   "for analyses that compare values (default 1)"),
		OPT_SIZE(0, "min-size", "BYTES", &o->min_size, 0, 1 << 30,
			 "do not follow smaller objects: for sampled accesses it is not known "
			 "where these were allocated (default 1024)"),
		OPT_DOUBLE(
			0, "budget", "PERCENT", &o->budget, 0.01, 100,
			"limit the cost of recording to PERCENT of the program's CPU time (default 2)"),
		OPT_SIZE(
			0, "interval", "BYTES", &o->interval, 0, 1 << 30,
			"sample one allocation per BYTES on average (default 0: as many as the budget allows)"),
		OPT_BOOL(0, "exact", &o->exact,
			 "count every allocation, whatever it costs, for small programs and tests; "
			 "the budget then limits only snapshots and watches"),
		OPT_BOOL(0, "values", &o->values,
			 "keep the texts of strings, cut to 64 bytes; they can be secret"),
		OPT_STRING(0, "secret-file", "FILE", &o->secret_file,
			   "hash contents with the secret in FILE, so that recordings can be "
			   "compared by contents; FILE is made if it is missing (default: a new "
			   "secret, which is nowhere kept)"),
		OPT_SIZE(0, "max-size", "BYTES", &o->max_size, 1 << 20, 1e15,
			 "keep the recording below BYTES (default 64M); a longer recording keeps "
			 "fewer of its snapshots, evenly over its time"),
		OPT_INT(0, "max-stack", "N", &o->max_stack, 1, WIRE_MAX_STACK,
			"keep at most N frames of a stack (default 128)"),
		OPT_TIME(
			'D', "delay", "TIME", &o->delay_ns, OPT_MS, 0, 86400e3,
			"start recording this long after a JVM's start: 500ms, 10s, 2m; without a unit milliseconds"),
		OPT_TIME(0, "duration", "TIME", &o->duration_ns, OPT_S, 0.001, 30 * 86400,
			 "stop recording this long after its start; the program goes on: 500ms, "
			 "10s, 2m; without a unit seconds"),
		OPT_BOOL(0, "children", &o->children,
			 "record child processes of a java command, too, by JAVA_TOOL_OPTIONS"),
		OPT_STRING(
			0, "class", "GLOB", &o->class_glob,
			"record only objects of matching classes, such as 'com.acme.*' or 'byte[]'"),
		OPT_OWN(&o->own, "the recording keeps it, for its reports"),
		OPT_FLEET(o),
		OPT_BOOL(0, "no-watch", &o->no_watch, "do not watch uses (debug registers)"),
		OPT_BOOL(0, "no-scan", &o->no_scan, "do not scan objects before collections"),
		OPT_STRING(0, "log-file", "FILE", &o->log_file,
			   "write ojx's messages to FILE instead of standard error"),
		OPT_INT(0, "seed", "N", &o->seed, 0, INT_MAX,
			"seed of the random choices, for tests (default 0: a new one each time)"),
		OPT_END,
	};

	static_assert(sizeof(rows) <= MAX_ROWS * sizeof(*to), "all rows fit");
	memcpy(to, rows, sizeof(rows));
}

int record_options_parse(struct record_options *o, const struct record_command *as, int argc,
			 char **argv)
{
	char *events = options_list("what to look for, separated by commas:", put_events, true);
	char *samplers = options_list(
		"how to sample accesses, for analyses that need them:", put_samplers, true);
	char *names = options_list("what to look for, separated by commas (default replica): ",
				   put_event_names, false);
	const struct option_brief briefs[] = {
		{ "output",
		  "write to FILE (default " OJX_DATA "; an existing file becomes FILE.old)" },
		{ "pid", "attach to a running JVM, by process id, main class or jar" },
		{ "event", names ? names : "what to look for" },
		{ "budget", "limit the cost to PERCENT of the program's CPU time (default 2)" },
		{ "duration", "stop after TIME, such as 30s or 2m; the program goes on" },
		{ "class", "record only matching classes, such as 'com.acme.*' or 'byte[]'" },
		{ "values", "keep the texts of strings; they can be secret" },
		{ "quiet", "report only errors" },
		{ NULL, NULL },
	};
	struct option_row rows[MAX_ROWS], all[MAX_ROWS];

	fill_rows(rows, o, events ? events : "what to look for",
		  samplers ? samplers : "how to sample accesses");
	struct option_command command = {
		"record", "[OPTION]... {-p PID | [--] COMMAND [ARG]...}", about, rows, notes, false,
		briefs,
	};

	if (as) {
		command = as->shown;
		merge_rows(all, MAX_ROWS, as->shown.rows, rows);
		command.rows = all;
	}

	int first = options_parse(&command, argc, argv);
	free(events);
	free(samplers);
	free(names);
	if (first < 0)
		return first == OPTIONS_HELP ? 0 : EXIT_RECORD;
	o->command = argv + first;
	o->literal = as != NULL;
	int status = check_found(o);
	if (status >= 0)
		return status;
	status = o->pids ? check_pids(o) : first < argc ? -1 : lack_command(as);
	return status < 0 && (o->pids || first < argc) ? check_options(o) : status;
}

struct wire_config record_options_config(const struct record_options *o, uint32_t deadly)
{
	struct wire_config config = {
		.budget = o->budget,
		.interval = o->interval,
		.seed = (uint64_t)o->seed,
		.max_stack = (uint32_t)o->max_stack,
		.delay_ms = (uint32_t)(o->delay_ns / MS_NS),
		.flags = (o->no_watch ? WIRE_NO_WATCH : 0u) | (o->no_scan ? WIRE_NO_SCAN : 0u) |
			 (o->exact ? WIRE_EXACT : 0u) | (o->values ? WIRE_VALUES : 0u) |
			 (o->needs.allocations ? 0u : WIRE_NO_OBJECTS) |
			 (o->needs.objects ? 0u : WIRE_NO_CONTENTS | WIRE_NO_SCAN) |
			 (o->needs.objects && o->nevents && !o->no_watch ? WIRE_USES : 0u) |
			 (o->governed ? WIRE_GOVERNED : 0u) | (o->verbose ? WIRE_VERBOSE : 0u) |
			 deadly,
		.min_size = (uint32_t)o->min_size,
		.nevents = o->nevents,
		.tolerance = o->tolerance / 100,
		.seccomp_mode = (int32_t)machine_status("Seccomp"),
		.seccomp_filters = (int32_t)machine_status("Seccomp_filters"),
	};

	analyses_configure(&config, &o->needs);
	memcpy(config.event, o->event, sizeof config.event);
	if (config.seed == 0 &&
	    getrandom(&config.seed, sizeof config.seed, 0) != sizeof config.seed)
		config.seed = (uint64_t)time(NULL);
	if (o->class_glob)
		memcpy(config.class_glob, o->class_glob, strlen(o->class_glob) + 1);
	return config;
}
