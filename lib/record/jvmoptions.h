/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmoptions.h - the options of a JVM, with those in files that options name (-XX:VMOptionsFile=,
 * -XX:Flags=).
 */
#ifndef OJX_JVMOPTIONS_H
#define OJX_JVMOPTIONS_H

#include "record/words.h"

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
