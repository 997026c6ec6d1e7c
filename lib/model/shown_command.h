/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shown_command.h - what a report shows of a command line.
 *
 * Reports leave the machine: they become pages of builds and comments of pull requests. Passwords
 * stand in values of -D, in arguments of programs and of agents. So a report has the program, what
 * a JVM runs, and the options of the JVM that matter for memory; their values are numbers.
 */
#ifndef OJX_SHOWN_COMMAND_H
#define OJX_SHOWN_COMMAND_H

#include <stddef.h>

struct shown_command {
	const char *const *word; /* each the end of an argument, or all of it */
	size_t n;
	size_t left_out; /* arguments that are not among them */
	/* main class, jar, source file or module; of another command the program; NULL: unknown */
	const char *program;
};

/*
 * Chooses among the arguments. `word` has room for `argc` words. What is behind an argument file is
 * left out except for options: the file may name the main class, and the program's first arguments.
 */
struct shown_command shown_command(const char *const *argv, size_t argc, const char **word);

/* What is left out: "argument" or "arguments". */
const char *shown_command_noun(const struct shown_command *c);

#endif
