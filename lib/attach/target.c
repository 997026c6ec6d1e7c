/* SPDX-License-Identifier: Apache-2.0 */
/* target.c - see target.h. */
#define _GNU_SOURCE

#include "attach/target.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sort.h"
#include "record/credentials.h"
#include "record/jvmargs.h"
#include "record/launch.h"

static int by_pid(const void *a, const void *b)
{
	const struct target *x = a, *y = b;

	return ORDER(x->process.pid, y->process.pid);
}

struct jvms *jvms_find(void)
{
	struct jvms *j = calloc(1, sizeof *j);
	DIR *proc = j ? opendir("/proc") : NULL;

	for (struct dirent *e; proc && j->n < JVMS_MOST && (e = readdir(proc));) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		struct target *t = &j->jvm[j->n];
		target_read(t, (pid_t)strtol(e->d_name, NULL, 10));
		if (target_is_jvm(t))
			j->n++;
		else
			target_release(t);
	}
	if (proc)
		closedir(proc);
	if (j)
		qsort(j->jvm, j->n, sizeof *j->jvm, by_pid);
	return j;
}

void jvms_free(struct jvms *j)
{
	for (size_t i = 0; j && i < j->n; i++)
		target_release(&j->jvm[i]);
	free(j);
}

bool jvms_match(const struct target *t, const char *pattern)
{
	if (!t->main)
		return false;
	if (strpbrk(pattern, "*?["))
		return fnmatch(pattern, t->main, 0) == 0 ||
		       fnmatch(pattern, basename(t->main), 0) == 0;
	return strstr(t->main, pattern) != NULL;
}

enum { PROC_PATH = 64 };

static char *proc_path(char to[PROC_PATH], pid_t pid, const char *name)
{
	snprintf(to, PROC_PATH, "/proc/%d/%s", (int)pid, name);
	return to;
}

static FILE *open_proc(const struct target *t, const char *name)
{
	char path[PROC_PATH];

	return fopen(proc_path(path, t->process.pid, name), "re");
}

/* ---- status ------------------------------------------------------------------------------ */

/* The value of a line "KEY:\tVALUE"; NULL if it is another. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0 || line[len] != ':')
		return NULL;
	return line + len + 1 + strspn(line + len + 1, " \t");
}

/* The last number of a line: of NSpid that of the innermost namespace. */
static pid_t last_number(const char *text)
{
	long n = 0;
	char *end;

	for (;; text = end) {
		long next = strtol(text, &end, 10);
		if (end == text)
			return (pid_t)n;
		n = next;
	}
}

static void read_line(struct target *t, const char *line)
{
	unsigned id;
	const char *v;

	if ((v = value_of(line, "State")))
		t->state = *v;
	else if ((v = value_of(line, "Uid")) && sscanf(v, "%*u %u", &id) == 1)
		t->uid = id;
	else if ((v = value_of(line, "Gid")) && sscanf(v, "%*u %u", &id) == 1)
		t->gid = id;
	else if ((v = value_of(line, "NSpid")))
		t->inner_pid = last_number(v);
	else if ((v = value_of(line, "SigCgt")))
		t->caught = strtoull(v, NULL, 16);
	else if ((v = value_of(line, "Seccomp")))
		t->seccomp_mode = atoi(v);
	else if ((v = value_of(line, "Seccomp_filters")))
		t->seccomp_filters = atoi(v);
}

static void read_status(struct target *t)
{
	char line[512];
	FILE *in = open_proc(t, "status");

	while (in && fgets(line, sizeof line, in))
		read_line(t, line);
	if (in)
		fclose(in);
	t->zombie = t->state == 'Z' || t->state == 'X';
}

/* ---- program ----------------------------------------------------------------------------- */

int target_machine(const char *exe)
{
	unsigned char head[EI_NIDENT + 4];
	int fd = open(exe, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);

	if (fd >= 0)
		close(fd);
	if (n != sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
		return 0;
	/* e_type, e_machine: the byte order of other machines does not matter here */
	return head[EI_NIDENT + 2] | head[EI_NIDENT + 3] << 8;
}

/* Takes what a line of the memory map tells. */
static void read_mapping(struct target *t, char *line)
{
	static const char libjvm[] = "/libjvm.so", deleted[] = " (deleted)";
	char *path = strchr(line, '/');

	if (!path)
		return;
	path[strcspn(path, "\n")] = '\0';
	char *end = strstr(path, deleted); /* a JDK that was upgraded meanwhile */
	if (end)
		*end = '\0';
	size_t len = strlen(path), tail = sizeof libjvm - 1;
	if (!t->libjvm && len > tail && strcmp(path + len - tail, libjvm) == 0)
		t->libjvm = strdup(path);
	t->openj9 |= strstr(path, "/libj9vm") != NULL;
}

static void read_map(struct target *t)
{
	char *line = NULL;
	size_t room = 0;

	errno = 0;
	FILE *in = open_proc(t, "maps");
	while (in && getline(&line, &room, in) > 0)
		read_mapping(t, line);
	t->unseen = !in || ferror(in) ? errno : 0;
	if (in)
		fclose(in);
	free(line);
}

/* The JDK is two directories above lib/server/libjvm.so. */
static void read_version(struct target *t)
{
	struct jvmproc_place p;
	char home[PATH_MAX];

	if (!t->libjvm)
		return;
	int n = snprintf(home, sizeof home, "%s", t->libjvm);
	if (n < 0 || (size_t)n >= sizeof home)
		return;
	for (int up = 0; up < 3; up++) {
		char *slash = strrchr(home, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
	jvmproc_find_place(&p, t->process.pid);
	jdk_read_version(&p.place, home, t->version);
}

/*
 * HotSpot starts this thread along with its handler of SIGQUIT; a handler without it is the
 * program's own. The kernel keeps 15 characters of "Signal Dispatcher".
 */
static void find_dispatcher(struct target *t)
{
	char path[PROC_PATH + NAME_MAX], name[32];

	DIR *threads = opendir(proc_path(path, t->process.pid, "task"));
	for (struct dirent *e; threads && !t->dispatches && (e = readdir(threads));) {
		snprintf(path, sizeof path, "/proc/%d/task/%s/comm", (int)t->process.pid,
			 e->d_name);
		FILE *in = e->d_name[0] == '.' ? NULL : fopen(path, "re");
		t->dispatches = in && fgets(name, sizeof name, in) &&
				strcmp(name, "Signal Dispatch\n") == 0;
		if (in)
			fclose(in);
	}
	if (threads)
		closedir(threads);
}

static bool same_namespace(pid_t pid, const char *name)
{
	char path[PROC_PATH], own[PROC_PATH];
	struct stat a, b;

	snprintf(own, sizeof own, "/proc/self/%s", name);
	return stat(own, &a) == 0 && stat(proc_path(path, pid, name), &b) == 0 &&
	       a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/* Who is user 0 in its user namespace. */
static void read_root(struct target *t)
{
	unsigned inner, outer;
	FILE *in = t->same_users ? NULL : open_proc(t, "uid_map");

	while (in && fscanf(in, "%u %u %*u", &inner, &outer) == 2)
		if (inner == 0)
			t->root = outer;
	if (in)
		fclose(in);
}

/* ---- options ----------------------------------------------------------------------------- */

static void see_option(const char *option, void *arg)
{
	struct target_options *o = arg;
	static const char xx[] = "-XX:";

	if (strcmp(option, "-Xrs") == 0)
		o->no_signals = true;
	if (strncmp(option, xx, sizeof xx - 1) != 0)
		return;
	const char *name = option + sizeof xx - 1;
	bool on = *name++ == '+';
	if (strcmp(name, "DisableAttachMechanism") == 0)
		o->no_attach = on;
	else if (strcmp(name, "EnableDynamicAgentLoading") == 0)
		o->no_agents = !on;
	else if (strcmp(name, "ReduceSignalUsage") == 0)
		o->no_signals = on;
}

static void see_launcher_option(const char *option, void *arg)
{
	jvmoptions_add(arg, option);
}

static void read_arguments(const struct target *t, struct jvmargs *j)
{
	size_t len;
	char *all = jvmproc_strings(t->process.pid, "cmdline", &len);

	if (len > 0) /* the first is the program */
		for (char *at = all + strlen(all) + 1; at < all + len; at += strlen(at) + 1)
			jvmargs_add(j, at);
	free(all);
}

/* In the order in which the JVM and its launcher read them: the last one counts. */
static void read_options(struct target *t)
{
	struct jvmproc_place p;
	jvmproc_find_place(&p, t->process.pid);
	struct jvmoptions all = { .see = see_option, .arg = &t->options, .place = p.place };
	struct jvmargs j = { .see = see_launcher_option, .arg = &all, .place = p.place };
	size_t len;
	char *variables = jvmproc_strings(t->process.pid, "environ", &len);

	jvmoptions_add_text(&all, jvmproc_variable(variables, len, "JAVA_TOOL_OPTIONS"));
	jvmargs_add_text(&j, jvmproc_variable(variables, len, "JDK_JAVA_OPTIONS"));
	read_arguments(t, &j);
	jvmoptions_add_text(&all, jvmproc_variable(variables, len, "_JAVA_OPTIONS"));
	jvmargs_release(&j);
	free(variables);
}

/* ---- all of it --------------------------------------------------------------------------- */

void target_read(struct target *t, pid_t pid)
{
	char exe[PROC_PATH];

	*t = (struct target){ .process = jvmproc_of(pid),
			      .inner_pid = pid,
			      .seccomp_mode = -1,
			      .seccomp_filters = -1 };
	read_status(t);
	if (!t->process.start)
		return;
	t->same_users = same_namespace(pid, "ns/user");
	read_root(t);
	read_map(t);
	if (t->libjvm || t->unseen)
		find_dispatcher(t);
	t->hidden = t->unseen && t->dispatches && t->uid == geteuid() && t->inner_pid == pid &&
		    jvmproc_shares_files(pid);
	t->main = jvmproc_main(pid, target_is_jvm(t));
	if (t->libjvm) {
		t->machine = target_machine(proc_path(exe, pid, "exe"));
		read_version(t);
	}
	if (t->libjvm || t->hidden)
		read_options(t);
}

void target_release(struct target *t)
{
	free(t->libjvm);
	free(t->main);
	t->libjvm = t->main = NULL;
}

static bool is_named_java(const struct target *t)
{
	char name[32] = "";
	FILE *in = open_proc(t, "comm");

	if (in && !fgets(name, sizeof name, in))
		name[0] = '\0';
	if (in)
		fclose(in);
	return strcmp(name, "java\n") == 0;
}

bool target_is_jvm(const struct target *t)
{
	return t->process.start && (t->libjvm || t->hidden || (t->unseen && is_named_java(t)));
}

int target_open_dir(const struct target *t, const char *path)
{
	char name[PROC_PATH] = "/";

	if (!t->hidden)
		proc_path(name, t->process.pid, "root");
	int root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	bool same = jvmproc_runs(&t->process); /* and the pid is not a later process's */
	int fd = same ? rootfile_find(root, path, O_DIRECTORY) : -1;
	int saved = same ? errno : ESRCH;
	close(root);
	errno = saved;
	return fd;
}
