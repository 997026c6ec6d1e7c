/* SPDX-License-Identifier: Apache-2.0 */
/* users.c - see users.h. */
#define _GNU_SOURCE
#include "host/users.h"

#include <pwd.h>
#include <stdio.h>

const char *users_name(uid_t uid, char name[USERS_NAME])
{
	FILE *in = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	while (in && (entry = fgetpwent(in)) && entry->pw_uid != uid)
		;
	if (entry)
		snprintf(name, USERS_NAME, "%s", entry->pw_name);
	else
		snprintf(name, USERS_NAME, "%u", (unsigned)uid);
	if (in)
		fclose(in);
	return name;
}
