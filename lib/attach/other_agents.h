/* SPDX-License-Identifier: Apache-2.0 */
/*
 * other_agents.h - agents of others in a JVM that runs. One agent only can have the allocation
 * sampler; whether one has it cannot be seen from outside.
 */
#ifndef OJX_OTHER_AGENTS_H
#define OJX_OTHER_AGENTS_H

#include "attach/target.h"

/*
 * The path of a library that the JVM has loaded and that is an agent, neither of the JDK nor ojx's.
 * malloc'ed; NULL if none is seen.
 */
char *other_agents_find(const struct target *t);

#endif
