/* SPDX-License-Identifier: Apache-2.0 */
/* processors.h - how many threads of work there are to be. */
#ifndef OJX_PROCESSORS_H
#define OJX_PROCESSORS_H

#include <stddef.h>

/* Processors that this thread may run on, 1 or more: fewer than there are under taskset, or in a
 * container's cpuset. */
size_t processors_allowed(void);

#endif
