/* SPDX-License-Identifier: Apache-2.0 */
/* running.c - see running.h. */
#define _GNU_SOURCE
#include "live/running.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sort.h"
#include "file/datafile.h"

enum { MAX_DEPTH = 64 /* of nested processes */ };

/*
 * Reads the file behind a link in /proc, without the suffix that the kernel adds if the file was
 * replaced.
 */
static bool read_exe(const char *path, char exe[4096])
{
	static const char deleted[] = " (deleted)";
	ssize_t n = readlink(path, exe, 4095);

	if (n <= 0)
		return false;
	exe[n] = '\0';
	size_t len = (size_t)n, tail = sizeof deleted - 1;
	if (len > tail && strcmp(exe + len - tail, deleted) == 0)
		exe[len - tail] = '\0';
	return true;
}

/* Whether the process runs a program of our name; another installation's ojx counts, too. */
static bool is_ojx(const char *pid)
{
	char path[300], own[4096], other[4096];

	snprintf(path, sizeof path, "/proc/%s/exe", pid);
	if (!read_exe("/proc/self/exe", own) || !read_exe(path, other))
		return false;
	return strcmp(basename(own), basename(other)) == 0;
}

/* Whether the process has this descriptor open for writing. */
static bool is_written(const char *pid, const char *fd)
{
	char path[600], line[128];
	unsigned flags = O_RDONLY;

	snprintf(path, sizeof path, "/proc/%s/fdinfo/%s", pid, fd);
	FILE *in = fopen(path, "re");
	if (!in)
		return false;
	while (fgets(line, sizeof line, in))
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	fclose(in);
	return (flags & O_ACCMODE) != O_RDONLY;
}

static bool is_recording(const char *path)
{
	char magic[sizeof DATAFILE_MAGIC];
	struct stat st;

	/* check this first: opening a pipe or a device may block or have side effects */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? 0 : read(fd, magic, sizeof magic);
	if (fd >= 0)
		close(fd);
	return n == sizeof magic && memcmp(magic, DATAFILE_MAGIC, sizeof magic) == 0;
}

/* Finds the recording that the process writes. */
static bool find_recording(const char *pid, char path[RUNNING_PATH])
{
	char dir[300];
	bool found = false;

	snprintf(dir, sizeof dir, "/proc/%s/fd", pid);
	DIR *fds = opendir(dir);
	if (!fds)
		return false;
	for (struct dirent *e; !found && (e = readdir(fds));) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		int n = snprintf(path, RUNNING_PATH, "%s/%s", dir, e->d_name);
		found = n < RUNNING_PATH && is_written(pid, e->d_name) && is_recording(path);
	}
	closedir(fds);
	return found;
}

static void read_command(const char *pid, char command[RUNNING_NAME])
{
	char path[300];

	snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
	FILE *in = fopen(path, "re");
	size_t n = in ? fread(command, 1, RUNNING_NAME - 1, in) : 0;
	if (in)
		fclose(in);
	command[n] = '\0';
	while (n > 0 && !command[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		if (!command[i])
			command[i] = ' ';
}

int running_by(pid_t pid, struct running *r)
{
	char name[32];

	snprintf(name, sizeof name, "%d", (int)pid);
	r->pid = pid;
	if (!find_recording(name, r->path))
		return -1;
	read_command(name, r->command);
	return 0;
}

static pid_t parent_of(pid_t pid)
{
	char path[64], stat[512];
	int parent = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *in = fopen(path, "re");
	if (!in)
		return 0;
	size_t n = fread(stat, 1, sizeof stat - 1, in);
	fclose(in);
	stat[n] = '\0';
	/* the name, in parentheses, can contain anything */
	const char *end = strrchr(stat, ')');
	if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
		return 0;
	return parent;
}

static bool same_file(const struct running *a, const struct running *b)
{
	struct stat x, y;

	return stat(a->path, &x) == 0 && stat(b->path, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Whether it is a recorder's child before its exec, which has inherited the open file. */
static bool is_child(const struct running *list, size_t n, size_t i)
{
	pid_t parent = parent_of(list[i].pid);

	for (size_t k = 0; k < n; k++)
		if (list[k].pid == parent)
			return same_file(&list[k], &list[i]);
	return false;
}

static int by_pid(const void *a, const void *b)
{
	const struct running *x = a, *y = b;

	return ORDER(x->pid, y->pid);
}

static size_t leave_out_children(struct running *list, size_t n)
{
	bool child[RUNNING_MAX];
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		child[i] = is_child(list, n, i);
	for (size_t i = 0; i < n; i++)
		if (!child[i])
			list[left++] = list[i];
	qsort(list, left, sizeof *list, by_pid);
	return left;
}

size_t running_find(struct running list[RUNNING_MAX])
{
	DIR *proc = opendir("/proc");
	size_t n = 0;

	if (!proc)
		return 0;
	for (struct dirent *e; n < RUNNING_MAX && (e = readdir(proc));) {
		struct running *r = &list[n];
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		if (pid != getpid() && is_ojx(e->d_name) && running_by(pid, r) == 0)
			n++;
	}
	closedir(proc);
	return leave_out_children(list, n);
}

/* ---- by process ---------------------------------------------------------------------------- */

struct wanted {
	pid_t pid;
	bool found;
};

static int see_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		      void *arg)
{
	struct wanted *w = arg;

	(void)jvm;
	(void)time_ns;
	if (atomic_load_explicit(&rec->type, memory_order_relaxed) == FILE_JVM &&
	    len >= sizeof(struct file_jvm))
		w->found |= ((const struct file_jvm *)rec)->pid == w->pid;
	return 0;
}

static bool tells_of(const struct running *r, pid_t pid)
{
	struct wanted w = { pid, false };
	struct file_header header;
	uint64_t end_ns;

	datafile_read(r->path, &header, &end_ns, see_record, &w);
	return w.found;
}

const struct running *running_of(const struct running *list, size_t n, pid_t pid)
{
	pid_t p = pid;

	for (int depth = 0; p > 1 && depth < MAX_DEPTH; depth++, p = parent_of(p))
		for (size_t i = 0; i < n; i++)
			if (list[i].pid == p)
				return &list[i];
	for (size_t i = 0; i < n; i++)
		if (tells_of(&list[i], pid))
			return &list[i];
	return NULL;
}
