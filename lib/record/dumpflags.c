/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dumpflags.c - see dumpflags.h. The options that exclude agents were found with JDK 11, 17, 21 and
 * 25.
 */
#define _GNU_SOURCE
#include "record/dumpflags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/jvmargs.h"

enum kind {
	ALONE,	/* no option reverts it */
	SWITCH, /* +NAME, -NAME */
	NAMED,	/* NAME=FILE */
	CREATE, /* NAME=create; other values run a program */
};

static const struct {
	enum kind kind;
	const char *name;
} flags[] = {
	{ ALONE, "-Xshare:dump" },
	{ SWITCH, "DumpSharedSpaces" },
	{ SWITCH, "RecordDynamicDumpInfo" },
	/* it exits only if there is no valid archive yet, which is unknown here */
	{ SWITCH, "AutoCreateSharedArchive" },
	{ NAMED, "ArchiveClassesAtExit" },
	/*
	 * AOTMode=record and AOTCacheOutput work with an agent; the JVM that creates drops or
	 * refuses it
	 */
	{ CREATE, "AOTMode" },
};

enum { NFLAGS = sizeof flags / sizeof flags[0] };

struct search {
	char *found[NFLAGS]; /* the option, if it is in force */
};

/* 1: the option sets this flag; 0: it reverts it; -1: it is another option. */
static int reads(int i, const char *option)
{
	static const char xx[] = "-XX:";
	size_t len = strlen(flags[i].name);

	if (flags[i].kind == ALONE)
		return strcmp(option, flags[i].name) == 0 ? 1 : -1;
	if (strncmp(option, xx, sizeof xx - 1) != 0)
		return -1;
	option += sizeof xx - 1;
	if (flags[i].kind == SWITCH)
		return (*option != '+' && *option != '-') || strcmp(option + 1, flags[i].name) != 0
			       ? -1
			       : *option == '+';
	if (strncmp(option, flags[i].name, len) != 0 || option[len] != '=')
		return -1;
	option += len + 1;
	return flags[i].kind == CREATE ? strcmp(option, "create") == 0 : *option != '\0';
}

/* One option; those in files come one by one. */
static void note(const char *option, void *arg)
{
	struct search *s = arg;

	for (int i = 0; i < NFLAGS; i++) {
		int on = reads(i, option);
		if (on < 0)
			continue;
		free(s->found[i]);
		s->found[i] = on ? strdup(option) : NULL;
	}
}

static void see(const char *option, void *arg)
{
	const struct jvmoptions all = { .see = note, .arg = arg };

	jvmoptions_add(&all, option);
}

static bool is_java(const char *word)
{
	const char *slash = strrchr(word, '/');

	return strcmp(slash ? slash + 1 : word, "java") == 0;
}

/* The value of JDK_JAVA_OPTIONS or the like. In the launcher's variable, options may name files. */
static void see_launcher_text(struct search *s, const char *text)
{
	struct jvmargs j = { .see = see, .arg = s };

	jvmargs_add_text(&j, text);
	jvmargs_release(&j);
}

/* A word of a command that is not a launcher. Words that follow a `java` are its arguments. */
static void see_word(struct search *s, struct jvmargs *j, bool *behind_java, const char *word)
{
	const char *set = strstr(word, "_OPTIONS=");

	if (is_java(word)) {
		jvmargs_release(j);
		*j = (struct jvmargs){ .see = see, .arg = s };
		*behind_java = true;
	} else if (*behind_java) {
		jvmargs_add(j, word);
	} else if (set) { /* an argument of `env` */
		see_launcher_text(s, set + sizeof "_OPTIONS=" - 1);
	} else {
		see(strncmp(word, "-J", 2) == 0 ? word + 2 : word, s); /* -J: of JDK tools */
	}
}

/* An argument can be a shell command line. */
static void see_command(struct search *s, char *const *argv)
{
	struct jvmargs j = { .see = see, .arg = s };
	bool behind_java = false;

	for (; *argv; argv++) {
		const char *at = *argv;
		char *word = malloc(strlen(at) + 1);
		while (word && jvmargs_next(&at, word, JVMARGS_OPTIONS))
			see_word(s, &j, &behind_java, word);
		free(word);
	}
	jvmargs_release(&j);
}

char *dumpflags_find(char *const *argv, bool is_launcher)
{
	struct search s = { .found = { NULL } };
	const struct jvmoptions all = { .see = note, .arg = &s };
	struct jvmargs j = { .see = see, .arg = &s };
	char *first = NULL;

	jvmoptions_add_text(&all, getenv("JAVA_TOOL_OPTIONS"));
	jvmargs_add_text(&j, getenv("JDK_JAVA_OPTIONS"));
	if (is_launcher) /* the arguments follow those of the variable */
		while (*++argv)
			jvmargs_add(&j, *argv);
	else
		see_command(&s, argv);
	jvmargs_release(&j);
	jvmoptions_add_text(&all, getenv("_JAVA_OPTIONS"));
	for (int i = 0; i < NFLAGS; i++) {
		if (first)
			free(s.found[i]);
		else
			first = s.found[i];
	}
	return first;
}
