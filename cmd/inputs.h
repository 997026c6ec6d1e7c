/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inputs.h - the recordings that a command reads, as they are named: files, directories of
 * recordings (*.data), and patterns that the shell did not expand.
 */
#ifndef OJX_INPUTS_H
#define OJX_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

struct input_file {
	char *path;
	bool named; /* by itself, and not found in a directory or by a pattern */
};

struct inputs {
	struct input_file *file;
	size_t n, room;
	char *name; /* what messages call all of them */
};

/*
 * Finds the files. 0, or -1 after a message: there is none in a directory, or by a pattern. A file
 * that is named is not looked for. Release in any case.
 */
int inputs_find(struct inputs *to, const char *const *names, size_t n);
void inputs_release(struct inputs *in);

/* Whether an output would overwrite one of them. */
bool inputs_have(const struct inputs *in, const char *output);

#endif
