/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmargs.h - parses the arguments of a java launcher: the JVM's options, and what it runs.
 *
 * Argument files (@file) are read where the launcher reads them; their content counts as arguments.
 */
#ifndef OJX_JVMARGS_H
#define OJX_JVMARGS_H

#include <stdbool.h>

#include "record/words.h"

/* Zeroed, except what the caller sets. */
struct jvmargs {
	/* called for each option of the JVM; NULL: not wanted */
	void (*see)(const char *option, void *arg);
	void *arg;
	struct words_place place; /* where argument files are looked for */
	char *main;		  /* class, jar or module; NULL until known */
	bool takes_next;	  /* the next argument is the value of an option */
	bool no_files;		  /* --disable-@files */
};

/*
 * Adds the next argument behind argv[0]. Arguments behind the main class belong to the program and
 * are ignored.
 */
void jvmargs_add(struct jvmargs *j, const char *argument);

/*
 * Adds all options in the value of an environment variable such as JDK_JAVA_OPTIONS (NULL: none).
 */
void jvmargs_add_text(struct jvmargs *j, const char *text);

/* Frees `main`. */
void jvmargs_release(struct jvmargs *j);

/*
 * ---- the options of a JVM, with those in files that options name (-XX:VMOptionsFile=,
 * -XX:Flags=).
 */

struct jvmoptions {
	void (*see)(const char *option, void *arg); /* called for each option */
	void *arg;
	struct words_place place; /* where files are looked for */
};

/* An option, and those in the file that it names. */
void jvmoptions_add(const struct jvmoptions *o, const char *option);

/*
 * All options in the value of an environment variable such as JAVA_TOOL_OPTIONS (NULL: none), which
 * the JVM itself reads.
 */
void jvmoptions_add_text(const struct jvmoptions *o, const char *text);

#endif
