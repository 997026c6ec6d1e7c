/* SPDX-License-Identifier: Apache-2.0 */
/* select_jvms.c - see select_jvms.h. */
#include "select_jvms.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "attach/target.h"
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
