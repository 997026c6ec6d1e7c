/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmargs.h - the arguments of a java launcher: which of them are the JVM's, and what it runs.
 *
 * Argument files (@file) are read where the launcher reads them; their content counts as arguments.
 */
#ifndef OJX_JVMARGS_H
#define OJX_JVMARGS_H

#include <stdbool.h>

/* Zeros but for what the caller sets. */
struct jvmargs {
	void (*see)(const char *option, void *arg); /* an option of the JVM; NULL: none is wanted */
	void *arg;
	const char *dir; /* of relative paths; NULL: the current directory */
	char *main;	 /* class, jar or module; NULL until it is known */
	bool takes_next; /* the next argument is the value of an option */
	bool no_files;	 /* --disable-@files */
};

/* Takes the next argument behind argv[0]. What comes behind the main class is the program's, and is
 * not looked at. */
void jvmargs_add(struct jvmargs *j, const char *argument);

/* The same of all options in an environment variable's value (NULL: none), as JDK_JAVA_OPTIONS. */
void jvmargs_add_text(struct jvmargs *j, const char *text);

/* Frees `main`. */
void jvmargs_release(struct jvmargs *j);

#endif
