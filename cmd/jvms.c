/* SPDX-License-Identifier: Apache-2.0 */
/* jvms.c - see jvms.h. */
#define _GNU_SOURCE
#include "jvms.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "attach/live_dump.h"
#include "attach/obstacles.h"
#include "attach/target.h"
#include "base/units.h"
#include "cmd.h"
#include "say.h"

/* The pid in `word`; 0 if it is a pattern, -1 if it is no possible pid. */
static pid_t pid_in(const char *word)
{
	if (strspn(word, "0123456789") != strlen(word))
		return 0;
	long pid = strtol(word, NULL, 10); /* LONG_MAX if there are too many digits */
	return pid < 1 || pid > INT_MAX ? -1 : (pid_t)pid;
}

static void say_candidates(const struct jvms *all, const char *pattern)
{
	for (size_t i = 0; i < all->n; i++)
		if (!pattern || jvms_match(&all->jvm[i], pattern))
			say("-p %d: %s", (int)all->jvm[i].process.pid,
			    all->jvm[i].main ? all->jvm[i].main : "?");
}

/* The one JVM that matches; -1 after a message. */
static pid_t match(const char *pattern)
{
	struct jvms *all = jvms_find();
	pid_t pid = 0;
	size_t found = 0;

	if (!all) {
		say("out of memory");
		return -1;
	}
	for (size_t i = 0; i < all->n; i++)
		if (jvms_match(&all->jvm[i], pattern)) {
			pid = all->jvm[i].process.pid;
			found++;
		}
	if (found > 1) {
		say("--pid: '%s' matches %zu JVMs:", pattern, found);
		say_candidates(all, pattern);
	} else if (found == 0 && all->n > 0) {
		say("--pid: no JVM matches '%s'; there are:", pattern);
		say_candidates(all, NULL);
	} else if (found == 0) {
		say("--pid: no JVM matches '%s': none runs that ojx can see", pattern);
	}
	jvms_free(all);
	return found == 1 ? pid : -1;
}

static int add_word(const char *word, pid_t *pids, size_t room, size_t *n)
{
	pid_t pid = pid_in(word);

	if (!*word || pid < 0) {
		say("--pid: '%s' is no process id", word);
		return EXIT_RECORD;
	}
	if (*n == room) {
		say("--pid: more than %zu process%s", room, room == 1 ? "" : "es");
		return EXIT_RECORD;
	}
	if (pid == 0)
		pid = match(word);
	if (pid < 0)
		return EXIT_RECORD;
	pids[(*n)++] = pid;
	return -1;
}

int select_jvms(const char *list, pid_t *pids, size_t *n)
{
	size_t room = *n;
	int status = -1;

	*n = 0;
	for (const char *at = list; status < 0; at++) {
		size_t len = strcspn(at, ",");
		char *word = strndup(at, len);
		if (!word) {
			say("out of memory");
			return EXIT_RECORD;
		}
		status = add_word(word, pids, room, n);
		free(word);
		at += len;
		if (!*at)
			break;
	}
	return status;
}

/* ---- a heap dump: signals that end ojx --------------------------------------------------- */

enum { STEP_US = 20000 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGPIPE };
enum { ENDINGS = sizeof endings / sizeof endings[0] };

static volatile sig_atomic_t ended_by; /* the signal that came; 0: none */

static void note_signal(int number)
{
	ended_by = number;
}

static void hold_signals(struct sigaction old[ENDINGS])
{
	struct sigaction note = { .sa_handler = note_signal };

	for (int i = 0; i < ENDINGS; i++) {
		sigaction(endings[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(endings[i], &note, NULL);
	}
}

/* The signal that came takes effect now. */
static void let_signals(const struct sigaction old[ENDINGS])
{
	for (int i = 0; i < ENDINGS; i++)
		sigaction(endings[i], &old[i], NULL);
	if (ended_by)
		raise(ended_by);
}

/* ---- a heap dump: the JVM, and its file -------------------------------------------------- */

/* The one JVM. -1 after an error message. */
static int find(struct target *t, const char *who)
{
	struct check_result r;
	pid_t pid;
	size_t n = 1;

	if (select_jvms(who, &pid, &n) >= 0)
		return -1;
	target_read(t, pid);
	if (!obstacles_find(t, false, &r))
		return 0;
	say("pid %d%s%s%s %s: %s", (int)pid, t->main ? " (" : "", t->main ? t->main : "",
	    t->main ? ")" : "", r.found, r.advice);
	target_release(t);
	return -1;
}

/* Waits until the dump is written; an open one, or -1 after an error message. */
static int await(struct live_dump *d, const char *name)
{
	enum hotspot_state state;

	while ((state = live_dump_step(d, now_ns())) < HOTSPOT_DONE && !ended_by)
		usleep(STEP_US);
	if (state == HOTSPOT_FAILED)
		return say_error("%s wrote no heap dump: %s", name, d->hotspot.answer);
	if (state != HOTSPOT_DONE)
		return -1;
	int fd = live_dump_open(d);
	return fd < 0 ? say_error("the heap dump of %s cannot be read: %s", name, strerror(errno))
		      : fd;
}

static int dump(const struct target *t, bool all, const char *name)
{
	char why[LIVE_DUMP_WHY], trigger[HOTSPOT_NAME];
	struct live_dump d;
	int fd = -1;

	if (live_dump_begin(&d, t, all, now_ns(), why) == 0)
		fd = await(&d, name);
	else
		say("%s: %s", name, why);
	memcpy(trigger, d.hotspot.trigger, sizeof trigger);
	if (!live_dump_remove(&d))
		say("'" HOTSPOT_TMP "/%s' stays: without it pid %d would print its threads once it "
		    "handles SIGQUIT",
		    trigger, (int)t->process.pid);
	return fd;
}

static void say_dumped(int fd, const char *name, uint64_t began)
{
	char size[UNITS_TEXT];
	struct stat st;

	if (fstat(fd, &st) == 0)
		say_summary("heap: %s wrote a dump of %s, and stood still for %.1f s at most", name,
			    units_bytes(size, (double)st.st_size),
			    (double)(now_ns() - began) / 1e9);
}

int heap_pid_dump(const char *who, bool all, bool quiet, char name[HEAP_PID_NAME])
{
	struct sigaction old[ENDINGS];
	struct target t;

	if (find(&t, who) < 0)
		return -1;
	snprintf(name, HEAP_PID_NAME, "pid %d (%.120s)", (int)t.process.pid, t.main ? t.main : "?");
	uint64_t began = now_ns();
	hold_signals(old);
	int fd = dump(&t, all, name);
	let_signals(old); /* nothing of the dump is left in a file system */
	if (fd >= 0 && !quiet)
		say_dumped(fd, name, began);
	target_release(&t);
	return fd;
}
