/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmargs.h - splits texts into options, as the JVM and its launcher do, and parses the arguments
 * of a launcher: the JVM's options, and what it runs.
 *
 * Argument files (@file) are read where the launcher reads them; their content counts as arguments.
 */
#ifndef OJX_JVMARGS_H
#define OJX_JVMARGS_H

#include <stdbool.h>
#include <sys/types.h>

/* How a text is split. */
enum jvmargs_rule {
	/* environment variables and files of VM options: quotes protect, nothing escapes */
	JVMARGS_OPTIONS,
	/*
	 * @argfiles of the launcher: comments; escapes in quotes; a quote ends at the end of the
	 * line
	 */
	JVMARGS_ARGFILE,
};

/*
 * Writes the next word of *from to `to`, which has room for strlen(*from) + 1 bytes, and moves
 * *from behind it. False if there is none.
 */
bool jvmargs_next(const char **from, char *to, enum jvmargs_rule rule);

/* ---- files of a process ------------------------------------------------------------------- */

/* Whose rights count where a file is read. */
enum paths_rights {
	PATHS_OURS,
	PATHS_ITS_USER, /* what root reads for others they could not read otherwise */
	PATHS_NOBODY,	/* none is read: which user's would count is not clear */
};

/* Where the paths of a process lead; NULL: where ours do. */
struct process_paths {
	const char *root; /* its root directory, as seen from here, such as /proc/PID/root */
	/* its working directory, as seen from its root directory; empty: unknown */
	const char *dir;
	enum paths_rights reader;
	uid_t uid; /* its user, for PATHS_ITS_USER */
	gid_t gid;
};

/*
 * Reads the text of a file of options, at most 1 MiB: malloc'ed, NUL-terminated. NULL with errno;
 * EINVAL if it is not a regular file. The process must have one thread, or the reader be
 * PATHS_OURS.
 */
char *process_file_read(const struct process_paths *place, const char *path);

/* Opens such a file for reading; -1 with errno. */
int process_file_open(const struct process_paths *place, const char *path);

/* ---- arguments ---------------------------------------------------------------------------- */

/* Zeroed, except what the caller sets. */
struct jvmargs {
	/* called for each option of the JVM; NULL: not wanted */
	void (*see)(const char *option, void *arg);
	void *arg;
	struct process_paths place; /* where argument files are looked for */
	char *main;		    /* class, jar or module; NULL until known */
	bool takes_next;	    /* the next argument is the value of an option */
	bool no_files;		    /* --disable-@files */
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
	struct process_paths place; /* where files are looked for */
};

/* An option, and those in the file that it names. */
void jvmoptions_add(const struct jvmoptions *o, const char *option);

/*
 * All options in the value of an environment variable such as JAVA_TOOL_OPTIONS (NULL: none), which
 * the JVM itself reads.
 */
void jvmoptions_add_text(const struct jvmoptions *o, const char *text);

#endif
