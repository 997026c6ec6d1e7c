/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.c - see allowance.h. */
#include "perf/allowance.h"

#include <stdatomic.h>

#define BUCKET_NS 20000000ll /* most that can be saved up for a burst of watches */

static _Atomic int64_t allowance;

void watch_grant(uint64_t ns)
{
	int64_t now = atomic_fetch_add(&allowance, (int64_t)ns) + (int64_t)ns;
	if (now > BUCKET_NS)
		atomic_fetch_sub(&allowance, now - BUCKET_NS);
}

bool watch_affordable(void)
{
	return atomic_load_explicit(&allowance, memory_order_relaxed) > 0;
}

bool watch_saved(void)
{
	return atomic_load_explicit(&allowance, memory_order_relaxed) > BUCKET_NS / 8;
}

void watch_charge(uint64_t ns)
{
	atomic_fetch_sub_explicit(&allowance, (int64_t)ns, memory_order_relaxed);
}
