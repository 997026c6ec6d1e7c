/* SPDX-License-Identifier: Apache-2.0 */
/* processors.h - the number of processors for worker threads. */
#ifndef OJX_PROCESSORS_H
#define OJX_PROCESSORS_H

#include <stddef.h>

/*
 * Number of processors that this thread may run on, at least 1. taskset or a container's cpuset can
 * make them fewer than the machine has.
 */
size_t processors_allowed(void);

#endif
