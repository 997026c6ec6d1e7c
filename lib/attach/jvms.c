/* SPDX-License-Identifier: Apache-2.0 */
/* jvms.c - see jvms.h. */
#define _GNU_SOURCE
#include "attach/jvms.h"

#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

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
