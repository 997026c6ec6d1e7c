/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd.h - the commands of ojx.
 *
 * To add one: write cmd/NAME.c with `int cmd_NAME(int argc, char **argv)`, declare it here, add its
 * row to the table in cmd/main.c, describe it in ojx.1. A command gets argv[0] = its own name,
 * parses its options with cmd/options.h, writes its result to standard output and its messages with
 * cmd/say.h, and returns the exit status. It need not flush or check standard output: main does
 * that for all commands.
 */
#ifndef OJX_CMD_H
#define OJX_CMD_H

#ifndef OJX_VERSION /* defined by the Makefile */
#define OJX_VERSION "unknown"
#endif

enum {
	EXIT_ERROR = 1,
	EXIT_USAGE = 2,
	EXIT_CONDITION = 3, /* --fail-if: a condition holds */
	EXIT_RECORD = 125,  /* of record and similar commands: ojx itself failed, not the program */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

#define OJX_DATA     "ojx.data" /* default of -o and -i */
#define OJX_DATA_OLD OJX_DATA ".old"

int cmd_annotate(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_heap(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_push(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_version(int argc, char **argv);

#endif
