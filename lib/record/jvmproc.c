/* SPDX-License-Identifier: Apache-2.0 */
/* jvmproc.c - see jvmproc.h. */
#define _GNU_SOURCE
#include "record/jvmproc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/jvmargs.h"

enum {
	MAX_DEPTH = 64,	       /* of nested processes */
	MAX_STRINGS = 8 << 20, /* Linux permits arguments of 6 MiB to a new process */
	FIRST_STRINGS = 1 << 12,
};

static FILE *open_file(pid_t pid, const char *name)
{
	char path[NAME_MAX + 64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* ---- one process ------------------------------------------------------------------------- */

#define IS_EXITING 4u /* PF_EXITING, a flag of the kernel's */

uint64_t jvmproc_start(const char *stat)
{
	char state;
	unsigned flags;
	unsigned long long start;
	/* the name, in parentheses, can contain anything; the flags are field 9, the start 22 */
	const char *end = strrchr(stat, ')');

	if (!end || sscanf(end + 1,
			   " %c %*s %*s %*s %*s %*s %u %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
			   "%*s %*s %llu",
			   &state, &flags, &start) != 3)
		return 0;
	return state == 'Z' || state == 'X' || flags & IS_EXITING ? 0 : start;
}

static uint64_t start_of(pid_t pid)
{
	char stat[1024];
	FILE *in = open_file(pid, "stat");

	if (!in)
		return 0;
	stat[fread(stat, 1, sizeof stat - 1, in)] = '\0';
	fclose(in);
	return jvmproc_start(stat);
}

struct jvmproc jvmproc_of(pid_t pid)
{
	return (struct jvmproc){ pid, start_of(pid) };
}

bool jvmproc_runs(const struct jvmproc *p)
{
	return p->start && start_of(p->pid) == p->start;
}

/* ---- what it runs ------------------------------------------------------------------------ */

char *jvmproc_strings(pid_t pid, const char *name, size_t *len)
{
	FILE *in = open_file(pid, name);
	size_t room = FIRST_STRINGS, n = 0;
	char *text = in ? malloc(room + 1) : NULL;

	while (text && (n += fread(text + n, 1, room - n, in)) == room && room < MAX_STRINGS) {
		char *more = realloc(text, 2 * room + 1);
		if (!more) {
			free(text);
			text = NULL;
			break;
		}
		text = more;
		room *= 2;
	}
	if (text)
		text[n] = '\0';
	if (in)
		fclose(in);
	*len = text ? n : 0;
	return text;
}

/* Reads the launcher's arguments. */
static char *read_main(const char *at, const char *end, const struct process_paths *place)
{
	struct jvmargs j = { .place = *place };

	for (; at < end && !j.main; at += strlen(at) + 1)
		jvmargs_add(&j, at);
	return j.main;
}

static char *read_name(pid_t pid)
{
	char name[64] = "";
	FILE *in = open_file(pid, "comm");

	if (in && fgets(name, sizeof name, in))
		name[strcspn(name, "\n")] = '\0';
	if (in)
		fclose(in);
	return name[0] ? strdup(name) : NULL;
}

/* Reads a link; false if it cannot be read or is too long. */
static bool read_link(pid_t pid, const char *name, char to[PATH_MAX])
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	ssize_t n = readlink(path, to, PATH_MAX);
	if (n < 0 || n == PATH_MAX)
		return false;
	to[n] = '\0';
	return true;
}

/*
 * Whose rights count for files that the process names. The command line is the process's own, and a
 * program that changes its user has a command line that another user chose.
 */
static enum paths_rights find_reader(pid_t pid, uid_t *uid, gid_t *gid)
{
	char line[256];
	unsigned u[4] = { 0 }, g[4] = { 0 };
	int users = 0, groups = 0;

	if (geteuid() != 0)
		return PATHS_OURS;
	FILE *in = open_file(pid, "status");
	while (in && groups < 4 && fgets(line, sizeof line, in)) {
		if (strncmp(line, "Uid:", 4) == 0)
			users = sscanf(line, "Uid: %u %u %u %u", u, u + 1, u + 2, u + 3);
		else if (users)
			groups = sscanf(line, "Gid: %u %u %u %u", g, g + 1, g + 2, g + 3);
	}
	if (in)
		fclose(in);
	if (users < 4 || groups < 4 || u[0] != u[1] || u[0] != u[2] || u[0] != u[3] ||
	    g[0] != g[1] || g[0] != g[2] || g[0] != g[3])
		return PATHS_NOBODY;
	*uid = u[0];
	*gid = g[0];
	return PATHS_ITS_USER;
}

bool jvmproc_shares_files(pid_t pid)
{
	size_t ours, theirs;
	char *a = jvmproc_strings(getpid(), "mountinfo", &ours);
	char *b = jvmproc_strings(pid, "mountinfo", &theirs);
	bool same = a && b && ours > 0 && ours == theirs && memcmp(a, b, ours) == 0;

	free(a);
	free(b);
	return same;
}

void jvmproc_find_place(struct jvmproc_place *p, pid_t pid)
{
	char root[PATH_MAX] = "";

	*p = (struct jvmproc_place){ .root = "" };
	snprintf(p->root, sizeof p->root, "/proc/%d/root", (int)pid);
	if (access(p->root, F_OK) < 0 && errno == EACCES && jvmproc_shares_files(pid))
		strcpy(p->root, "/");
	p->place = (struct process_paths){ .root = p->root, .dir = p->dir };
	p->place.reader = find_reader(pid, &p->place.uid, &p->place.gid);
	if (!read_link(pid, "cwd", p->dir) || !read_link(pid, "root", root))
		p->dir[0] = '\0';
	/* of a root directory in our file system the links tell where it lies there */
	size_t len = strlen(root);
	if (len > 1 && strncmp(p->dir, root, len) == 0 && (!p->dir[len] || p->dir[len] == '/'))
		memmove(p->dir, p->dir + len, strlen(p->dir + len) + 1);
}

char *jvmproc_program(pid_t pid)
{
	struct jvmproc_place place;
	size_t len;
	char *main = NULL, *first = jvmproc_strings(pid, "cmdline", &len);

	if (len > 0 && strcmp(basename(first), "java") == 0) {
		jvmproc_find_place(&place, pid);
		main = read_main(first + strlen(first) + 1, first + len, &place.place);
	}
	free(first);
	return main;
}

char *jvmproc_main(pid_t pid, bool is_jvm)
{
	char *main = is_jvm ? jvmproc_program(pid) : NULL;

	return main ? main : read_name(pid);
}

/* The process chooses the text: its last string may lack the NUL, and others may be empty. */
const char *jvmproc_variable(const char *text, size_t len, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text; at && at < text + len; at += strlen(at) + 1)
		if (strncmp(at, name, n) == 0 && at[n] == '=')
			return at + n + 1;
	return NULL;
}

bool jvmproc_has_variable(pid_t pid, const char *name, const char *text)
{
	size_t len;
	char *all = jvmproc_strings(pid, "environ", &len);
	const char *value = jvmproc_variable(all, len, name);
	/* also of a process that is just being started */
	bool has = len == 0 || (value && strstr(value, text));

	free(all);
	return has;
}

/* ---- those below a process --------------------------------------------------------------- */

struct search {
	bool (*see)(const struct jvmproc *p, uid_t uid, void *arg);
	void *arg;
};

/* Reads the effective user; false if the process is gone. *named: its name is `java`. */
static bool read_status(pid_t pid, uid_t *uid, bool *named)
{
	char line[256];
	unsigned id;
	bool found = false;
	FILE *in = open_file(pid, "status");

	*named = false;
	while (in && !found && fgets(line, sizeof line, in)) {
		*named |= strcmp(line, "Name:\tjava\n") == 0;
		found = sscanf(line, "Uid: %*u %u", &id) == 1;
	}
	if (in)
		fclose(in);
	*uid = found ? id : 0;
	return found;
}

/*
 * Whether a program has libjvm.so mapped. Only root can see this of other users' programs.
 */
static bool has_libjvm(pid_t pid)
{
	char *line = NULL;
	size_t room = 0;
	bool found = false;
	FILE *in = open_file(pid, "maps");

	while (in && !found && getline(&line, &room, in) > 0)
		found = strstr(line, "/libjvm.so") != NULL;
	if (in)
		fclose(in);
	free(line);
	return found;
}

static bool see_process(const struct search *s, pid_t pid)
{
	uid_t uid;
	bool named;

	if (!read_status(pid, &uid, &named) || (!named && (uid == geteuid() || !has_libjvm(pid))))
		return false;
	struct jvmproc p = jvmproc_of(pid);
	return p.start && s->see(&p, uid, s->arg);
}

static bool see_tree(const struct search *s, pid_t pid, int depth);

/* Looks at the children that one thread of the process started. */
static bool see_children(const struct search *s, pid_t pid, const char *thread, int depth)
{
	char name[NAME_MAX + 32];
	int child;
	bool enough = false;

	snprintf(name, sizeof name, "task/%s/children", thread);
	FILE *in = open_file(pid, name);
	while (in && !enough && fscanf(in, "%d", &child) == 1)
		enough = see_tree(s, child, depth);
	if (in)
		fclose(in);
	return enough;
}

static bool see_tree(const struct search *s, pid_t pid, int depth)
{
	char path[64];

	if (depth == MAX_DEPTH || see_process(s, pid))
		return depth < MAX_DEPTH;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *threads = opendir(path);
	bool enough = false;
	for (struct dirent *e; threads && !enough && (e = readdir(threads));)
		enough = isdigit((unsigned char)e->d_name[0]) &&
			 see_children(s, pid, e->d_name, depth + 1);
	if (threads)
		closedir(threads);
	return enough;
}

void jvmproc_below(pid_t below, bool (*see)(const struct jvmproc *p, uid_t uid, void *arg),
		   void *arg)
{
	const struct search s = { see, arg };

	see_tree(&s, below, 0);
}
