/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - see progress.h. */
#define _GNU_SOURCE 1 /* sched_getaffinity */

#include "base/progress.h"

#include <sched.h>
#include <unistd.h>

size_t processors_allowed(void)
{
	cpu_set_t set;
	/* fails if the machine has more processors than cpu_set_t has bits */
	long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
							     : sysconf(_SC_NPROCESSORS_ONLN);

	return n > 1 ? (size_t)n : 1;
}
