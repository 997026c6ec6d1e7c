/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentcopy.h - the copies of the agent in one directory, a subdirectory for each content.
 */
#ifndef OJX_AGENTCOPY_H
#define OJX_AGENTCOPY_H

#include <stddef.h>

/*
 * The path of the copy of this content below `base`, which is made where it is missing or is not as
 * it should be. malloc'ed; NULL with errno: EPERM where others could write to it, EACCES where code
 * cannot be run from there.
 */
char *agentcopy_get(const char *base, const void *content, size_t size);

/*
 * Removes copies that were not asked for in the last `seconds`, unless `path` is in them or a
 * process names them in its environment or its arguments. What cannot be removed stays.
 */
void agentcopy_clean(const char *path, unsigned seconds);

#endif
