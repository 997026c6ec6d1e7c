/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_launch.c - how `ojx record` starts its command, and the JVMs of that command as processes.
 */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "host/machine.h"
#include "record/dumpflags.h"
#include "record/launch.h"
#include "say.h"

#define MS_NS 1000000u

enum {
	SOON_MS = 20,	     /* a JVM that prints its version takes twice as long */
	SOON_FOR_MS = 10000, /* each search costs some system calls per process */
	LATER_MS = 1000,
	RARELY_MS = 5000, /* another JVM is being recorded */
	/* a pause is so many times as long as a search took, for systems with very many threads */
	SOON_REST = 20,
	LATER_REST = 500,
	LINE = 1024,
};

/*
 * Whether the JVM was asked for something such as its version, and its standard error is a pipe
 * that is not ours, which a script may read.
 */
static bool announces_into_pipe(pid_t pid)
{
	char path[64];
	struct stat theirs, ours;

	snprintf(path, sizeof path, "/proc/%d/fd/2", (int)pid);
	if (stat(path, &theirs) < 0 || !S_ISFIFO(theirs.st_mode) ||
	    (fstat(STDERR_FILENO, &ours) == 0 && ours.st_dev == theirs.st_dev &&
	     ours.st_ino == theirs.st_ino))
		return false;
	char *program = jvmproc_program(pid);
	free(program);
	return !program;
}

void record_jvms_news(struct record_jvms *r, const struct session_news *news)
{
	if (r->ended)
		return;
	if (news->kind == SESSION_WAITING) {
		if (r->socket && !r->piped && announces_into_pipe(news->pid))
			r->piped = news->pid;
	} else if (news->kind == SESSION_JOINED) {
		r->any = true;
		if (r->njoined < RECORD_JVMS)
			r->joined[r->njoined++] = jvmproc_of(news->pid);
	} else if (news->kind == SESSION_LEFT) {
		for (unsigned i = 0; i < r->njoined; i++)
			if (r->joined[i].pid == news->pid) {
				r->joined[i] = r->joined[--r->njoined];
				return;
			}
	}
}

/* CPU time of this process. */
static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000u * MS_NS + (uint64_t)t.tv_nsec;
}

void record_jvms_say_piped(const struct record_jvms *r)
{
	if (r->piped)
		say("pid %d, a JVM that was asked for its version, announced JAVA_TOOL_OPTIONS "
		    "into a pipe: the script that read it may have done something else than "
		    "without ojx; 'ojx record -p PID' records a JVM that runs already",
		    (int)r->piped);
}

/* ---- those that are not recorded ----------------------------------------------------------- */

/* A JVM of our user: whether it has our agent from its environment. */
static void see_own(struct record_jvms *r, const struct jvmproc *p)
{
	for (unsigned i = 0; i < r->nbare; i++)
		if (r->bare[i].pid == p->pid && r->bare[i].start == p->start)
			return;
	if (!r->socket || r->nbare == RECORD_FOREIGN ||
	    jvmproc_has_variable(p->pid, "JAVA_TOOL_OPTIONS", r->socket))
		return;
	char *program = jvmproc_program(p->pid);
	if (program) {
		r->bare[r->nbare++] = *p;
		say("pid %d (%s) is not recorded: JAVA_TOOL_OPTIONS did not reach it, as some "
		    "start scripts unset it; while it runs, 'ojx record -p %d' records it",
		    (int)p->pid, program, (int)p->pid);
	}
	free(program);
}

static bool is_told(const struct record_jvms *r, uid_t uid)
{
	for (unsigned i = 0; i < r->nforeign; i++)
		if (r->foreign[i] == uid)
			return true;
	return r->nforeign == RECORD_FOREIGN;
}

static bool see_jvm(const struct jvmproc *p, uid_t uid, void *arg)
{
	struct record_jvms *r = arg;
	char theirs[USERS_NAME], ours[USERS_NAME];

	for (unsigned i = 0; i < r->njoined; i++)
		if (r->joined[i].pid == p->pid)
			return false;
	if (uid == geteuid()) {
		see_own(r, p);
	} else if (!is_told(r, uid)) {
		r->foreign[r->nforeign++] = uid;
		say("pid %d: a JVM of user '%s' is not recorded, only those of '%s' are: run ojx "
		    "as that user",
		    (int)p->pid, users_name(uid, theirs), users_name(geteuid(), ours));
	}
	return r->nforeign == RECORD_FOREIGN && (!r->socket || r->nbare == RECORD_FOREIGN);
}

int record_jvms_look(struct record_jvms *r, pid_t below, uint64_t ns)
{
	bool soon = !r->any && ns < SOON_FOR_MS * (uint64_t)MS_NS;

	if (ns >= r->next_ns) {
		uint64_t cpu = cpu_ns();
		jvmproc_below(below, see_jvm, r);
		uint64_t rest = (cpu_ns() - cpu) * (soon ? SOON_REST : LATER_REST);
		uint64_t pause = (soon ? SOON_MS : r->any ? RARELY_MS : LATER_MS) * (uint64_t)MS_NS;
		r->next_ns = ns + (rest > pause ? rest : pause);
	}
	uint64_t ms = (r->next_ns - ns) / MS_NS + 1;
	return ms < LATER_MS ? (int)ms : LATER_MS;
}

/* ---- those that go on -------------------------------------------------------------------- */

void record_jvms_end(struct record_jvms *r)
{
	r->ended = true;
}

void record_jvms_say_left(const struct record_jvms *r)
{
	char list[LINE];
	size_t len = 0;

	for (unsigned i = 0; i < r->njoined && len < sizeof list; i++) {
		if (!jvmproc_runs(&r->joined[i]))
			continue;
		char *name = jvmproc_main(r->joined[i].pid, true);
		len += (size_t)snprintf(list + len, sizeof list - len, "%s%d (%s)", len ? ", " : "",
					(int)r->joined[i].pid, name ? name : "?");
		free(name);
	}
	if (len)
		say_summary("record: still running, but no longer recorded: pid %s", list);
}

static int find_program(struct record_launch *r, const char *name)
{
	r->program = launch_find(name);
	if (r->program)
		return -1;
	int status = errno == ENOENT || errno == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	say("cannot run '%s': %s", name, strerror(errno));
	return status;
}

int record_launch_find_agent(struct record_launch *r)
{
	char tried[2][4096];

	r->agent = launch_find_agent(tried);
	if (r->agent)
		return -1;
	say("cannot find the agent: neither '%s' nor '%s' can be read; build or install ojx again",
	    tried[0], tried[1]);
	return EXIT_RECORD;
}

int record_launch_find(struct record_launch *r, const struct record_options *o)
{
	int status = find_program(r, o->command[0]);

	return status < 0 ? record_launch_find_agent(r) : status;
}

int record_launch_settle(struct record_launch *r, bool verbose)
{
	if (agentfile_settle(&r->settled, r->agent) < 0) {
		say(errno == EINVAL
			    ? "cannot use the agent '%s': its path has a '=', and no copy can be "
			      "kept in $XDG_CACHE_HOME or ~/.cache"
			    : "cannot use the agent '%s': out of memory",
		    r->agent);
		return EXIT_RECORD;
	}
	if (verbose && r->settled.error)
		say("the agent is used in place, as no copy can be kept in $XDG_CACHE_HOME or "
		    "~/.cache (%s): a JVM that must load it after it was removed will not start",
		    strerror(r->settled.error));
	return -1;
}

static void say_how(const struct record_launch *r, bool children)
{
	if (r->plan.how == LAUNCH_AGENTPATH)
		say("'%s' is a java launcher: it gets the agent by -agentpath", r->program);
	else if (r->plan.how == LAUNCH_ENVIRONMENT)
		say("%s: JVMs get the agent by JAVA_TOOL_OPTIONS, and each says that it picked "
		    "them up",
		    children ? "with --children" : "not a java launcher");
}

/* Whether a JVM of the command would not start with the agent; says why. */
static bool must_do_without(const struct record_launch *r, const struct record_options *o)
{
	char *dump = dumpflags_find(o->command, jvmkind_is_launcher(r->program));
	bool without = dump != NULL;

	if (dump)
		say("%s: a JVM that writes an archive of its classes cannot have an agent: the "
		    "command runs without it, and nothing is recorded",
		    dump);
	free(dump);
	return without;
}

int record_launch_plan(struct record_launch *r, const struct record_options *o,
		       const char *socket_path)
{
	bool without = must_do_without(r, o);
	int status = without ? -1 : record_launch_settle(r, o->verbose);
	const char *agent = without ? NULL : r->settled.path;

	if (status >= 0)
		return status;
	if (launch_plan(&r->plan, o->command, r->program, agent, socket_path, o->children) < 0) {
		say("out of memory");
		return EXIT_RECORD;
	}
	if (o->verbose)
		say_how(r, o->children);
	return -1;
}

void record_launch_release(struct record_launch *r)
{
	launch_release(&r->plan);
	agentfile_release(&r->settled);
	free(r->program);
	free(r->agent);
}
