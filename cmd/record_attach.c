/* SPDX-License-Identifier: Apache-2.0 */
/* record_attach.c - the JVMs that `ojx record -p` attaches to. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/obstacles.h"
#include "cmd.h"
#include "jvms.h"
#include "say.h"

#define SECOND_NS 1000000000u
#define LIMIT_NS  (30u * (uint64_t)SECOND_NS) /* a JVM's full collection can take so long */
#define JOIN_NS	  (5u * (uint64_t)SECOND_NS)
#define START_NS  (10u * (uint64_t)SECOND_NS) /* a JVM is still starting for so long at most */
#define AGAIN_NS  (SECOND_NS / 10)

/* ---- finding ----------------------------------------------------------------------------- */

static const char *name_of(const struct record_target *t)
{
	return t->target.main ? t->target.main : "?";
}

static bool has(const struct record_attach *a, pid_t pid)
{
	for (unsigned i = 0; i < a->n; i++)
		if (a->list[i].target.process.pid == pid)
			return true;
	return false;
}

/* Whether there is nothing to say of its failure. */
static bool is_gone(const struct record_target *t)
{
	return t->found && !jvmproc_runs(&t->target.process);
}

static int add(struct record_attach *a, pid_t pid)
{
	struct check_result r;

	if (has(a, pid))
		return -1;
	if (a->n == RECORD_TARGETS) {
		say("--pid: at most %d processes can be recorded at a time", RECORD_TARGETS);
		return EXIT_RECORD;
	}
	struct record_target *t = &a->list[a->n++];
	*t = (struct record_target){ .hotspot.dir = -1, .hotspot.fd = -1, .found = a->found };
	target_read(&t->target, pid);
	if (!obstacles_find(&t->target, true, &r))
		return -1;
	if (is_gone(t))
		return EXIT_RECORD;
	say("pid %d%s%s%s %s: %s", (int)pid, t->target.main ? " (" : "",
	    t->target.main ? t->target.main : "", t->target.main ? ")" : "", r.found, r.advice);
	return EXIT_RECORD;
}

/* Reads the command line, as the recording keeps it. NULL if out of memory. */
static char **read_command(pid_t pid)
{
	size_t len, n = 0;
	char *all = jvmproc_strings(pid, "cmdline", &len);

	for (char *at = all; at < all + len; at += strlen(at) + 1)
		n++;
	char **argv = calloc(n + 1, sizeof *argv);
	n = 0;
	for (char *at = all; argv && at < all + len; at += strlen(at) + 1)
		if (!(argv[n++] = strdup(at)))
			break;
	free(all);
	return argv;
}

int record_attach_find(struct record_attach *a, const struct record_options *o)
{
	pid_t pids[RECORD_TARGETS];
	size_t n = RECORD_TARGETS;
	int status = select_jvms(o->pids, pids, &n);

	a->found = o->renews;

	for (size_t i = 0; status < 0 && i < n; i++)
		status = add(a, pids[i]);
	if (status >= 0)
		return status;
	a->command = read_command(a->list[0].target.process.pid);
	if (a->command)
		return -1;
	say("out of memory");
	return EXIT_RECORD;
}

/* ---- preparing --------------------------------------------------------------------------- */

int record_attach_prepare(struct record_attach *a, const char *agent)
{
	char why[PLACE_WHY];

	for (unsigned i = 0; i < a->n; i++) {
		struct record_target *t = &a->list[i];
		if (place_make(&t->place, &t->target, agent, why) == 0)
			continue;
		if (!is_gone(t))
			say("pid %d (%s): %s", (int)t->target.process.pid, name_of(t), why);
		return EXIT_RECORD;
	}
	return -1;
}

/*
 * What its filters do to callers cannot be known from outside, and some kill: then the agent does
 * without all calls that a filter may kill for.
 */
static void allow_for_filters(struct wire_config *config, const struct target *t)
{
	config->seccomp_mode = t->seccomp_mode;
	config->seccomp_filters = t->seccomp_filters;
	if (t->seccomp_mode > 0)
		config->flags |=
			WIRE_NO_WATCH | WIRE_NO_PERF | WIRE_NO_PEEK | WIRE_NO_TIMER | WIRE_NO_PAGES;
}

int record_attach_listen(const struct record_attach *a, struct session *s,
			 const struct wire_config *config)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct record_target *t = &a->list[i];
		struct session_listener l = { .fd = t->place.listen_fd,
					      .who = { t->target.process.pid, t->target.uid },
					      .config = *config };
		allow_for_filters(&l.config, &t->target);
		if (t->target.seccomp_mode > 0)
			say("pid %d has a seccomp filter, which may kill it for calls of the "
			    "agent: it does without them, so there are no watches and no samples "
			    "of accesses; contents are read through /proc/self/mem",
			    (int)t->target.process.pid);
		if (session_listen(s, &l) < 0)
			return -1;
	}
	return 0;
}

/* ---- attaching --------------------------------------------------------------------------- */

static void say_failed(struct record_target *t, const char *why)
{
	t->failed = true;
	if (is_gone(t))
		return;
	say("cannot attach to pid %d (%s): %s", (int)t->target.process.pid, name_of(t), why);
}

static void ask(struct record_target *t, uint64_t now_ns)
{
	t->again_ns = 0;
	t->request = hotspot_load(t->place.library, t->place.socket_path, LIMIT_NS);
	hotspot_ask(&t->hotspot, &t->target, &t->request, now_ns, LIMIT_NS);
}

void record_attach_begin(struct record_attach *a, uint64_t now_ns)
{
	for (unsigned i = 0; i < a->n; i++) {
		a->list[i].begun_ns = now_ns;
		ask(&a->list[i], now_ns);
	}
}

/*
 * A JVM that has not started completely answers so without calling the agent, which would have told
 * why it refuses. Then it is asked again.
 */
static void failed_to_load(struct record_target *t, uint64_t now_ns)
{
	bool not_called = strcmp(t->hotspot.answer, "return code: -1") == 0;

	if (!not_called) {
		say_failed(t, t->hotspot.answer);
	} else if (now_ns - t->begun_ns > START_NS) {
		say_failed(t, "it does not call the agent: it starts, or shuts down: try again");
	} else {
		hotspot_release(&t->hotspot);
		t->again_ns = now_ns + AGAIN_NS;
	}
}

static void step(struct record_target *t, uint64_t now_ns)
{
	if (t->again_ns) {
		if (now_ns >= t->again_ns)
			ask(t, now_ns);
	} else if (!t->loaded_ns) {
		enum hotspot_state state = hotspot_step(&t->hotspot, now_ns);
		if (state == HOTSPOT_FAILED)
			failed_to_load(t, now_ns);
		else if (state == HOTSPOT_DONE)
			t->loaded_ns = now_ns;
	} else if (now_ns - t->loaded_ns > JOIN_NS) {
		say_failed(t, "it has loaded the agent, which does not connect");
	}
}

bool record_attach_step(struct record_attach *a, uint64_t now_ns)
{
	bool waiting = false;

	for (unsigned i = 0; i < a->n; i++) {
		struct record_target *t = &a->list[i];
		if (!t->failed && (!t->joined || !t->loaded_ns))
			step(t, now_ns);
		waiting |= !t->failed && !t->joined;
	}
	return waiting;
}

void record_attach_news(struct record_attach *a, const struct session_news *news)
{
	a->stopping |= news->kind == SESSION_UNWRITTEN; /* all JVMs are asked to leave */
	for (unsigned i = 0; i < a->n; i++) {
		struct record_target *t = &a->list[i];
		if (t->target.process.pid != news->pid)
			continue;
		if (news->kind == SESSION_JOINED)
			t->joined = true;
		if (news->kind == SESSION_REFUSED) /* which has been said */
			t->failed = true;
		if (news->kind != SESSION_LEFT)
			continue;
		t->left = true;
		t->detached = news->code == WIRE_STOPPED;
		t->ends = !a->stopping;
	}
}

/* ---- the end ----------------------------------------------------------------------------- */

void record_attach_say_left(const struct record_attach *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct record_target *t = &a->list[i];
		int pid = (int)t->target.process.pid;
		if (!t->joined)
			continue;
		if (t->ends || !jvmproc_runs(&t->target.process))
			say_summary("record: pid %d (%s) has ended", pid, name_of(t));
		else if (t->detached)
			say_summary("record: detached from pid %d (%s), which goes on", pid,
				    name_of(t));
		else
			say_summary(
				"record: pid %d (%s) goes on, but has not confirmed that it is not recorded any more",
				pid, name_of(t));
	}
}

void record_attach_release(struct record_attach *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		struct record_target *t = &a->list[i];
		char trigger[HOTSPOT_NAME];
		memcpy(trigger, t->hotspot.trigger, sizeof trigger);
		if (!hotspot_release(&t->hotspot))
			say("'" HOTSPOT_TMP "/%s' stays: without it pid %d would print its "
			    "threads once it gets to the signal",
			    trigger, (int)t->target.process.pid);
		place_remove(&t->place);
		target_release(&t->target);
	}
	for (char **arg = a->command; arg && *arg; arg++)
		free(*arg);
	free(a->command);
	*a = (struct record_attach){ .n = 0 };
}
