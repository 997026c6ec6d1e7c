/* SPDX-License-Identifier: Apache-2.0 */
/* alloc_interval.c - see alloc_interval.h. */
#include "heap/alloc_interval.h"

#define DEFAULT (512u << 10) /* bytes, HotSpot's interval */
#define FIRST	(64u << 10)  /* of a recording within a budget */

static _Atomic uint64_t interval = DEFAULT;
static uint64_t unseen = DEFAULT; /* used by threads that are older than the agent */
static __thread bool ignored;	  /* the thread's allocations are the agent's */

bool alloc_set_interval(uint64_t bytes)
{
	if ((*ojx.jvmti)->SetHeapSamplingInterval(ojx.jvmti, (jint)bytes) != JVMTI_ERROR_NONE)
		return false;
	atomic_store(&interval, bytes);
	atomic_store(&ojx.shm->status.interval, bytes);
	return true;
}

bool alloc_set_first_interval(void)
{
	return alloc_set_interval(alloc_exact()		? 0
				  : ojx.config.interval ? ojx.config.interval
							: FIRST);
}

void alloc_interval_at_load(void)
{
	if (alloc_set_first_interval())
		unseen = alloc_interval();
}

uint64_t alloc_interval_unseen(void)
{
	return unseen;
}

void alloc_give_back(void)
{
	const jvmtiCapabilities sampler = { .can_generate_sampled_object_alloc_events = 1 };

	(*ojx.jvmti)->SetHeapSamplingInterval(ojx.jvmti, DEFAULT);
	(*ojx.jvmti)->RelinquishCapabilities(ojx.jvmti, &sampler);
}

uint64_t alloc_interval(void)
{
	return atomic_load_explicit(&interval, memory_order_relaxed);
}

void alloc_ignore(bool on)
{
	ignored = on;
}

bool alloc_ignored(void)
{
	return ignored;
}
