/* SPDX-License-Identifier: Apache-2.0 */
/* agentcopy.h - copies of the agent in one directory, with a subdirectory for each content. */
#ifndef OJX_AGENTCOPY_H
#define OJX_AGENTCOPY_H

#include <stddef.h>

/*
 * Returns the path of the copy of this content below `base`; makes the copy if it is missing or
 * invalid. malloc'ed; NULL with errno: EPERM if others could write to it, EACCES if code there
 * cannot be executed.
 */
char *agentcopy_get(const char *base, const void *content, size_t size);

/*
 * Removes copies that were not used in the last `seconds`, except `path` and copies that a process
 * names in its environment or arguments. Copies that cannot be removed stay.
 */
void agentcopy_clean(const char *path, unsigned seconds);

#endif
