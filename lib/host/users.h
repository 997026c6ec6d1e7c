/* SPDX-License-Identifier: Apache-2.0 */
/* users.h - names of users. */
#ifndef OJX_USERS_H
#define OJX_USERS_H

#include <sys/types.h>

enum { USERS_NAME = 32 };

/*
 * Returns `name`, which gets a user's name, or number. Searches only local users: a directory
 * service could be slow.
 */
const char *users_name(uid_t uid, char name[USERS_NAME]);

#endif
