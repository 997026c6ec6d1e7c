/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h - work on all objects, on all processors. */
#ifndef OJX_PARALLEL_H
#define OJX_PARALLEL_H

#include <stdint.h>

/* Works on the objects from `from` to, but not with, `to`, while others do on others. */
typedef void parallel_fn(void *arg, uint32_t from, uint32_t to);

/* Calls `work` until it has had all objects up to `n`, a part at a time. */
void parallel(uint32_t n, parallel_fn *work, void *arg);

#endif
