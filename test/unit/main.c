/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - all unit tests in one program. Each test_GROUP.c has a function `int unit_GROUP(void)`,
 * which runs its tests and returns the number that failed. make lists the groups in unit_groups.h.
 *
 *	unit		print the names of all groups, one a line
 *	unit GROUP	run this group; each group gets a process of its own from test/run
 */
#include <stdio.h>
#include <string.h>

#define GROUP(name) int unit_##name(void);
#include "unit_groups.h"
#undef GROUP

static const struct group {
	const char *name;
	int (*run)(void);
} groups[] = {
#define GROUP(name) { #name, unit_##name },
#include "unit_groups.h"
#undef GROUP
};

enum { NGROUPS = sizeof groups / sizeof groups[0] };

int main(int argc, char **argv)
{
	if (argc > 2) {
		fputs("usage: unit [GROUP]\n", stderr);
		return 2;
	}
	for (size_t i = 0; i < NGROUPS; i++) {
		if (argc == 1)
			puts(groups[i].name);
		else if (strcmp(groups[i].name, argv[1]) == 0)
			return groups[i].run() ? 1 : 0;
	}
	if (argc == 1)
		return 0;
	fprintf(stderr, "unit: no group is called '%s'\n", argv[1]);
	return 2;
}
