/* SPDX-License-Identifier: Apache-2.0 */
/*
 * obstacles.c - see obstacles.h.
 *
 * Attaching to a JVM that is not prepared for it can harm it: SIGQUIT ends a JVM that does not
 * handle it, prints a dump of threads in one that does not look for the trigger file, and takes
 * effect at some later time in one that is stopped.
 */
#define _GNU_SOURCE

#include "attach/obstacles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "attach/hotspot.h"
#include "host/machine.h"
#include "record/jvmargs.h"

enum { MOST_BYTES = 256 << 20 };

/* Whether it has a function that the JVM calls when it loads an agent: its name is in the file. */
static bool is_agent(const struct process_paths *place, const char *path)
{
	static const char load[] = "Agent_OnLoad", attach[] = "Agent_OnAttach";
	int fd = process_file_open(place, path);
	struct stat st;
	bool found = false;

	if (fd < 0)
		return false;
	size_t size = fstat(fd, &st) == 0 && st.st_size < MOST_BYTES ? (size_t)st.st_size : 0;
	char *text = size ? malloc(size) : NULL;
	ssize_t n = text ? pread(fd, text, size, 0) : -1;
	if (n > 0)
		found = memmem(text, (size_t)n, load, sizeof load) ||
			memmem(text, (size_t)n, attach, sizeof attach);
	free(text);
	close(fd);
	return found;
}

/* Length of the path of the JDK's libraries: of HOME/lib/ in HOME/lib/server/libjvm.so. */
static size_t jdk_len(const char *libjvm)
{
	size_t len = strlen(libjvm);

	for (int up = 0; up < 2; up++)
		while (len > 0 && libjvm[--len] != '/')
			continue;
	return len + 1;
}

char *other_agents_find(const struct target *t)
{
	static const char library[] = ".so", own[] = "libojx-agent.so";
	struct jvmproc_place place;
	char *line = NULL, *found = NULL, *last = NULL, path[64];
	size_t room = 0, jdk = t->libjvm ? jdk_len(t->libjvm) : 0;

	if (!t->libjvm)
		return NULL;
	jvmproc_find_place(&place, t->process.pid);
	snprintf(path, sizeof path, "/proc/%d/maps", (int)t->process.pid);
	FILE *in = fopen(path, "re");
	while (in && !found && getline(&line, &room, in) > 0) {
		char *file = strchr(line, '/');
		if (!file)
			continue;
		file[strcspn(file, "\n")] = '\0';
		/* each has several mappings, one behind the other */
		if (!strstr(file, library) || strncmp(file, t->libjvm, jdk) == 0 ||
		    strstr(file, own) || (last && strcmp(file, last) == 0))
			continue;
		free(last);
		last = strdup(file);
		if (is_agent(&place.place, file))
			found = strdup(file);
	}
	if (in)
		fclose(in);
	free(last);
	free(line);
	return found;
}

enum { OLDEST_JDK = 11 };

#define FAIL(r, ...)                                                 \
	do {                                                         \
		(r)->state = CHECK_FAILED;                           \
		snprintf((r)->found, sizeof(r)->found, __VA_ARGS__); \
	} while (0)
#define ADVISE(r, ...) snprintf((r)->advice, sizeof(r)->advice, __VA_ARGS__)

static void check_process(const struct target *t, struct check_result *r)
{
	if (t->zombie) {
		FAIL(r, "has ended, and waits for its parent (a zombie)");
		ADVISE(r, "see 'ojx list jvms'");
	} else if (!t->process.start) {
		FAIL(r, "does not exist");
		ADVISE(r, "see 'ojx list jvms'");
	} else {
		snprintf(r->found, sizeof r->found, "%s", t->main ? t->main : "?");
	}
}

static void check_user(const struct target *t, struct check_result *r)
{
	char name[USERS_NAME];

	snprintf(r->found, sizeof r->found, "%s", users_name(t->uid, name));
	if (t->uid == geteuid() || geteuid() == 0)
		return;
	FAIL(r, "belongs to user '%s'", name);
	ADVISE(r, "run ojx as that user, or as root");
}

static void check_memory(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "can be looked into");
	if (t->hidden)
		snprintf(r->found, sizeof r->found,
			 "cannot be looked into: it has more rights than ojx");
	if (!t->unseen || t->hidden)
		return;
	FAIL(r, "cannot be looked into: %s", strerror(t->unseen));
	ADVISE(r, geteuid() == 0 ? "ojx lacks rights over it, such as the capability SYS_PTRACE"
				 : "it has more rights than ojx, or is not dumpable: run ojx as "
				   "root");
}

static void check_jvm(const struct target *t, struct check_result *r)
{
	if (t->openj9) {
		FAIL(r, "is OpenJ9");
		ADVISE(r, "ojx records HotSpot, such as OpenJDK's builds");
	} else if (t->hidden) {
		snprintf(r->found, sizeof r->found, "HotSpot, by its threads");
	} else if (!t->libjvm) {
		FAIL(r, "is not a JVM: it has no libjvm.so");
		ADVISE(r, "see 'ojx list jvms'");
	} else {
		snprintf(r->found, sizeof r->found, "%.500s", t->libjvm);
	}
}

static void check_program(const struct target *t, struct check_result *r)
{
	int own = target_machine("/proc/self/exe");

	snprintf(r->found, sizeof r->found, "as ojx's");
	if (t->machine && own && t->machine != own) {
		FAIL(r, "is a program for another processor");
		ADVISE(r, "use an ojx that is built for it");
	}
}

static void check_version(const struct target *t, struct check_result *r)
{
	int feature = jdk_feature(t->version);

	snprintf(r->found, sizeof r->found, "%s", t->version[0] ? t->version : "unknown");
	if (!feature || feature >= OLDEST_JDK)
		return;
	FAIL(r, "runs JDK %s", t->version);
	ADVISE(r, "ojx records JDK %d and later", OLDEST_JDK);
}

static void check_running(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "running");
	if (t->state == 'T') {
		FAIL(r, "is stopped");
		ADVISE(r, "let it go on: kill -CONT %d", (int)t->process.pid);
	} else if (t->state == 't') {
		FAIL(r, "is held by a debugger");
		ADVISE(r, "let it go on there");
	}
}

static void check_options(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "permit it");
	if (!t->options.no_attach)
		return;
	FAIL(r, "was started with -XX:+DisableAttachMechanism");
	ADVISE(r, "start it without this option");
}

static void check_agents(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "permitted");
	if (!t->options.no_agents)
		return;
	FAIL(r, "was started with -XX:-EnableDynamicAgentLoading");
	ADVISE(r, "start it without this option, or by 'ojx record -- java ...'");
}

static void check_tmp(const struct target *t, struct check_result *r)
{
	struct statvfs fs;
	int dir = target_open_dir(t, HOTSPOT_TMP);

	snprintf(r->found, sizeof r->found, "can be written to");
	if (dir < 0) {
		FAIL(r, "has no " HOTSPOT_TMP ", where JVMs listen");
		ADVISE(r, "give its container one, such as a tmpfs");
	} else if (fstatvfs(dir, &fs) == 0 && fs.f_flag & ST_RDONLY) {
		FAIL(r, "cannot write to its " HOTSPOT_TMP ", where JVMs listen: it is read-only");
		ADVISE(r, "give its container a " HOTSPOT_TMP " of its own, such as a tmpfs");
	}
	if (dir >= 0)
		close(dir);
}

/*
 * A JVM that is killed leaves its socket behind. A later JVM with this pid removes it when it
 * starts, but it cannot if it runs as another user.
 */
static void check_socket(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "can listen");
	if (hotspot_listens(t) || errno != EPERM)
		return;
	FAIL(r, "cannot listen, as " HOTSPOT_TMP "/.java_pid%d is not its user's socket",
	     (int)t->inner_pid);
	ADVISE(r, "remove this file; a JVM that was killed may have left it");
}

static void check_signal(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "handles SIGQUIT");
	/* with -Xrs the handler is the program's own */
	if (t->caught >> (SIGQUIT - 1) & 1 && t->dispatches && !t->options.no_signals)
		return;
	if (hotspot_listens(t)) {
		snprintf(r->found, sizeof r->found, "listens already");
		return;
	}
	FAIL(r, t->options.no_signals
			? "does not listen and was started with -Xrs: SIGQUIT would end it"
			: "does not handle SIGQUIT, which would end it: it starts, or shuts down");
	ADVISE(r, t->options.no_signals ? "start it without -Xrs, or by 'ojx record -- java ...'"
					: "try again");
}

const struct obstacle obstacles[] = {
	{ "process", false, check_process },
	{ "user", false, check_user },
	{ "memory", false, check_memory },
	{ "JVM", false, check_jvm },
	{ "program", true, check_program },
	{ "JDK", true, check_version },
	{ "state", false, check_running },
	{ "options", false, check_options },
	{ "agents", true, check_agents },
	{ HOTSPOT_TMP, false, check_tmp },
	{ "socket", false, check_socket },
	{ "signal", false, check_signal },
	{ NULL, false, NULL },
};

bool obstacles_find(const struct target *t, bool agent, struct check_result *r)
{
	for (const struct obstacle *o = obstacles; o->name; o++) {
		if (o->agent && !agent)
			continue;
		*r = (struct check_result){ .state = CHECK_OK };
		o->check(t, r);
		if (r->state == CHECK_FAILED)
			return true;
	}
	return false;
}
