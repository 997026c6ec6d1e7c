/* SPDX-License-Identifier: Apache-2.0 */
/* jvmargs.c - see jvmargs.h. */
#define _GNU_SOURCE

#include "record/jvmargs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/javaname.h"
#include "record/credentials.h"

#define MOST_BYTES (1u << 20)

/* ---- options ----------------------------------------------------------------------------- */

static bool next_option(const char **from, char *to)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *p = *from + strspn(*from, blanks);
	bool any = *p != '\0';
	char quote = 0;

	for (; *p && (quote || !strchr(blanks, *p)); p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		else
			*to++ = *p;
	}
	*to = '\0';
	*from = p;
	return any;
}

/* ---- argument files ---------------------------------------------------------------------- */

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/*
 * Writes what a backslash in quotes stands for; *p is behind it. A continued line loses its
 * indentation.
 */
static char *put_escaped(const char **p, char *to)
{
	static const char names[] = "nrtf", chars[] = "\n\r\t\f";
	const char *name = strchr(names, **p);

	if (ends_line(**p)) {
		*p += strspn(*p, " \t\n\r\f");
		return to;
	}
	if (**p)
		*to++ = name ? chars[name - names] : **p;
	*p += **p != '\0';
	return to;
}

static bool next_argument(const char **from, char *to)
{
	const char *p = *from;
	char *start = to, quote = 0;
	bool any = false; /* "" is a word, too */

	while (*p && !(ends_line(*p) && any) && (quote || !any || !strchr(" \t\f", *p))) {
		char c = *p++;
		if (quote && c == '\\') {
			to = put_escaped(&p, to);
		} else if (quote && c == quote) {
			quote = 0;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			any = true;
		} else if (!quote && c == '#') {
			/* the launcher drops text that stands directly before '#' */
			p += strcspn(p, "\n\r");
			to = start;
			any = false;
		} else if (any || !strchr(" \t\f\n\r", c)) {
			*to++ = c;
			any = true;
		}
	}
	*to = '\0';
	*from = p;
	return any;
}

bool jvmargs_next(const char **from, char *to, enum jvmargs_rule rule)
{
	return rule == JVMARGS_ARGFILE ? next_argument(from, to) : next_option(from, to);
}

/* ---- files ------------------------------------------------------------------------------- */

/* Reads at most `room` bytes; -1 with errno. */
static ssize_t read_all(int fd, char *to, size_t room)
{
	size_t got = 0;

	while (got < room) {
		ssize_t n = read(fd, to + got, room - got);
		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		got += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)got;
}

static char *read_text(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return NULL;
	size_t room = st.st_size < MOST_BYTES ? (size_t)st.st_size : MOST_BYTES;
	char *text = malloc(room + 1);
	ssize_t n = text ? read_all(fd, text, room) : -1;
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

/* Opens the file below `root`; -1 with errno. */
static int open_below(int root, const char *path)
{
	int found = rootfile_find(root, path, 0);
	/* the content of a pipe is for the command to read */
	int fd = found < 0 ? -1 : rootfile_open(found), saved = errno;

	if (found >= 0)
		close(found);
	errno = saved;
	return fd;
}

/* The same with the rights of the user of the place. */
static int open_as(const struct process_paths *place, int root, const char *path)
{
	struct credentials old;

	if (place->reader == PATHS_OURS)
		return open_below(root, path);
	if (place->reader == PATHS_NOBODY) {
		errno = EPERM;
		return -1;
	}
	if (credentials_become(&old, place->uid, place->gid) < 0)
		return -1;
	int fd = open_below(root, path);
	credentials_return(&old);
	return fd;
}

int process_file_open(const struct process_paths *place, const char *path)
{
	/* the root directory of another user's process is root's to find */
	int root = place->root ? open(place->root, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;

	if (place->root && root < 0)
		return -1;
	int fd = open_as(place, root, path), saved = errno;
	if (place->root)
		close(root);
	errno = saved;
	return fd;
}

char *process_file_read(const struct process_paths *place, const char *path)
{
	char *whole = NULL, *text = NULL;

	if (path[0] != '/' && place->dir && !place->dir[0]) {
		errno = ENOENT;
		return NULL;
	}
	if (path[0] != '/' && place->dir && asprintf(&whole, "%s/%s", place->dir, path) < 0)
		return NULL;
	int fd = process_file_open(place, whole ? whole : path);
	if (fd >= 0)
		text = read_text(fd);
	int saved = errno;
	free(whole);
	if (fd >= 0)
		close(fd);
	errno = saved;
	return text;
}

static const char vm_options[] = "-XX:VMOptionsFile=", flags_file[] = "-XX:Flags=";

/* The value of -XX:NAME=VALUE; NULL if it is another option. */
static const char *value_of(const char *option, const char *name)
{
	size_t len = strlen(name);

	return strncmp(option, name, len) == 0 ? option + len : NULL;
}

/* Files cannot name further files. */
static void add_options_file(const struct jvmoptions *o, const char *path, const char *prefix)
{
	char *text = process_file_read(&o->place, path);
	size_t room = text ? strlen(text) + 1 : 0;
	char *option = text ? malloc(strlen(prefix) + room) : NULL;
	const char *at = text;

	while (option) {
		char *end = stpcpy(option, prefix);
		if (!jvmargs_next(&at, end, JVMARGS_OPTIONS))
			break;
		if (!value_of(option, vm_options) && !value_of(option, flags_file))
			o->see(option, o->arg);
	}
	free(option);
	free(text);
}

void jvmoptions_add(const struct jvmoptions *o, const char *option)
{
	const char *options = value_of(option, vm_options), *flags = value_of(option, flags_file);

	if (options)
		add_options_file(o, options, "");
	else if (flags)
		add_options_file(o, flags, "-XX:");
	o->see(option, o->arg);
}

void jvmoptions_add_text(const struct jvmoptions *o, const char *text)
{
	char *word = text ? malloc(strlen(text) + 1) : NULL;

	while (word && jvmargs_next(&text, word, JVMARGS_OPTIONS))
		jvmoptions_add(o, word);
	free(word);
}

/* Adds an argument that names no file. */
static void add_plain(struct jvmargs *j, const char *argument)
{
	static const char module[] = "--module=";

	if (j->main)
		return;
	if (j->takes_next)
		j->takes_next = false;
	else if (argument[0] != '-')
		j->main = strdup(argument);
	else if (strncmp(argument, module, sizeof module - 1) == 0)
		j->main = strdup(argument + sizeof module - 1);
	else if (strcmp(argument, "--disable-@files") == 0)
		j->no_files = true;
	else if (javaoption_takes_next(argument))
		j->takes_next = true;
	else if (j->see)
		j->see(argument, j->arg);
}

/* If the file is missing, the launcher ends with an error, so there is nothing to add. */
static void add_file(struct jvmargs *j, const char *path)
{
	char *text = process_file_read(&j->place, path);
	char *word = text ? malloc(strlen(text) + 1) : NULL;
	const char *at = text;

	while (word && jvmargs_next(&at, word, JVMARGS_ARGFILE))
		add_plain(j, word);
	free(word);
	free(text);
}

void jvmargs_add(struct jvmargs *j, const char *argument)
{
	if (j->main)
		return;
	if (argument[0] != '@' || j->no_files)
		add_plain(j, argument);
	else if (argument[1] == '@')
		add_plain(j, argument + 1);
	else
		add_file(j, argument + 1);
}

void jvmargs_add_text(struct jvmargs *j, const char *text)
{
	char *word = text ? malloc(strlen(text) + 1) : NULL;

	while (word && jvmargs_next(&text, word, JVMARGS_OPTIONS))
		jvmargs_add(j, word);
	free(word);
}

void jvmargs_release(struct jvmargs *j)
{
	free(j->main);
	j->main = NULL;
}
