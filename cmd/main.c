/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - the table of commands, and their common parts: help, an error for unknown commands, and
 * one check that standard output was written completely.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "say.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help; /* one line */
};

static int cmd_help(int argc, char **argv);

static const struct command commands[] = {
	{ "record", cmd_record, "run a program and record its objects" },
	{ "report", cmd_report, "show what a recording tells" },
	{ "annotate", cmd_annotate, "show source lines with what they make and use" },
	{ "top", cmd_top, "show live what a program creates" },
	{ "diff", cmd_diff, "compare two recordings" },
	{ "merge", cmd_merge, "write many recordings into one" },
	{ "push", cmd_push, "send what recordings tell to an OpenTelemetry receiver" },
	{ "heap", cmd_heap, "show which objects of a heap dump are copies" },
	{ "list", cmd_list, "show what can be recorded on this machine" },
	{ "doctor", cmd_doctor, "check whether ojx can record here, and say what to do" },
	{ "dump", cmd_dump, "print the records of a recording as text" },
	{ "help", cmd_help, "show this overview, or a command's options" },
	{ "version", cmd_version, "show the version" },
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[NCOMMANDS + 1];

	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i].name;
	names[NCOMMANDS] = NULL;
	const char *similar = say_similar(name, names);
	const char *what = name[0] == '-' ? "option" : "command";
	if (similar)
		say("unknown %s '%s', did you mean '%s'?", what, name, similar);
	else
		say("unknown %s '%s' (see 'ojx help')", what, name);
	return EXIT_USAGE;
}

static void print_overview(FILE *out)
{
	fputs("Usage: ojx COMMAND [OPTION]... [ARG]...\n\n"
	      "Finds objects with equal content that a Java program creates again and again.\n\n",
	      out);
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("\nBegin with:\n\n"
	      "  ojx record -- java -jar app.jar\n"
	      "  ojx report\n\n"
	      "'ojx COMMAND --help' shows the options of a command.\n",
	      out);
}

static int cmd_help(int argc, char **argv)
{
	char *help[] = { NULL, (char[]){ "--help" }, NULL };

	if (argc < 2 || argv[1][0] == '-') {
		print_overview(stdout);
		return 0;
	}
	const struct command *cmd = find_command(argv[1]);
	if (!cmd)
		return unknown_command(argv[1]);
	if (cmd->run == cmd_help) {
		print_overview(stdout);
		return 0;
	}
	help[0] = argv[1];
	return cmd->run(2, help);
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	const char *name = argv[1];
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		return cmd_version(argc - 1, argv + 1);
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return cmd_help(argc - 1, argv + 1);
	const struct command *cmd = find_command(name);
	if (!cmd)
		return unknown_command(name);
	return cmd->run(argc - 1, argv + 1);
}

/*
 * Gives a closed standard stream a descriptor that fails, so that no file of ours gets its number
 * and is written to by accident. A program that we start finds the stream closed as before.
 */
static void occupy_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", O_CLOEXEC | (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

int main(int argc, char **argv)
{
	occupy_standard_streams();
	int status = dispatch(argc, argv);
	int failed = ferror(stdout);

	/* a full disk shows at the last write; a reader that has left (head) is not an error */
	errno = 0;
	if ((fclose(stdout) != 0 || failed) && errno != EPIPE) {
		say("cannot write to standard output: %s", errno ? strerror(errno) : "error");
		return status ? status : EXIT_ERROR;
	}
	return status;
}
