/* SPDX-License-Identifier: Apache-2.0 */
/* version.h - the facts of `ojx version -v`, which `ojx doctor --report` writes as well. */
#ifndef OJX_VERSION_FACTS_H
#define OJX_VERSION_FACTS_H

#include <stdio.h>

/* A line for the version, and one for each fact of this build and this machine. */
void version_put_facts(FILE *out);

#endif
