/* SPDX-License-Identifier: Apache-2.0 */
/* newcomers.c - see newcomers.h. */
#define _GNU_SOURCE

#define XXH_INLINE_ALL
#include "attach/newcomers.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/grow.h"
#include "base/sort.h"

/* What is known of a process. */
struct known {
	pid_t pid;
	ino_t inode;		   /* of its folder, since numbers of processes come again */
	uint64_t program;	   /* a hash */
	uint64_t since_ns, age_ns; /* when it was first seen; how old it was the last time */
};

struct known_list {
	struct known *list; /* ordered by pid */
	size_t n, room;
};

struct newcomers {
	struct known_list before;
};

struct newcomers *newcomers_new(void)
{
	return calloc(1, sizeof(struct newcomers));
}

void newcomers_forget(struct newcomers *n)
{
	free(n->before.list);
	n->before = (struct known_list){ .n = 0 };
}

void newcomers_free(struct newcomers *n)
{
	if (n)
		newcomers_forget(n);
	free(n);
}

static int by_pid(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return ORDER(x->pid, y->pid);
}

/* The path of its program; of what may not be looked into, and of kernel threads, the name. */
static uint64_t program_of(int proc, const char *pid)
{
	char path[NAME_MAX + 8], text[PATH_MAX];

	snprintf(path, sizeof path, "%s/exe", pid);
	ssize_t n = readlinkat(proc, path, text, sizeof text);
	if (n < 0) {
		snprintf(path, sizeof path, "%s/comm", pid);
		int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
		n = fd < 0 ? 0 : read(fd, text, sizeof text);
		if (fd >= 0)
			close(fd);
	}
	return XXH3_64bits(text, n < 0 ? 0 : (size_t)n);
}

/* Takes what was known of it, if it was. */
static bool was_known(const struct known_list *before, struct known *k)
{
	const struct known *old =
		before->n ? bsearch(k, before->list, before->n, sizeof *k, by_pid) : NULL;

	if (!old || old->inode != k->inode || old->program != k->program)
		return false;
	k->since_ns = old->since_ns;
	k->age_ns = old->age_ns;
	return true;
}

void newcomers_look(struct newcomers *n, uint64_t now_ns, uint64_t settled_ns,
		    void (*see)(const struct target *t, void *arg), void *arg)
{
	struct known_list now = { .n = 0 };
	DIR *proc = opendir("/proc");
	struct stat st;

	for (struct dirent *e; proc && (e = readdir(proc));) {
		if (!isdigit((unsigned char)e->d_name[0]) ||
		    fstatat(dirfd(proc), e->d_name, &st, 0) < 0)
			continue;
		struct known k = { .pid = (pid_t)strtol(e->d_name, NULL, 10),
				   .inode = st.st_ino,
				   .program = program_of(dirfd(proc), e->d_name),
				   .since_ns = now_ns };
		bool again = was_known(&n->before, &k);
		uint64_t age = now_ns - k.since_ns;
		again = again && (k.age_ns >= settled_ns || age < 2 * k.age_ns);
		if (!again)
			k.age_ns = age;
		if (GROW(now.list, now.n, now.room, 64)) /* else it is new once more */
			now.list[now.n++] = k;
		if (again)
			continue;
		struct target t;
		target_read(&t, k.pid);
		see(&t, arg);
		target_release(&t);
	}
	if (!proc)
		return;
	closedir(proc);
	if (now.n)
		qsort(now.list, now.n, sizeof *now.list, by_pid);
	newcomers_forget(n);
	n->before = now;
}
