/* SPDX-License-Identifier: Apache-2.0 */
/* alloc_interval.c - see alloc_interval.h. */
#include "heap/alloc_interval.h"

#include "core/jvm.h"
#include "core/link.h"
#include "core/session.h"

#define COUNTS_ALWAYS 25 /* the first JDK in which the VM does so: JDK-8356372 */
#define ADDRESS_BITS  16
#define REPEATS	      100 /* threads with an old address: fewer do little harm, */
#define SHARE	      10  /* or if there are so many samples for each */

/* How the thread's next point was drawn. It may be reached in a later session. */
static __thread struct {
	double interval;
	bool known;	  /* else the agent did not see the thread begin */
	uint32_t session; /* in which the event was enabled when it was drawn; 0: in none */
} draw;

static bool counts_always; /* the VM counts bytes while the event is disabled, too */
static _Atomic uint64_t met[(1 << ADDRESS_BITS) / 64]; /* a bit for each address, hashed */
static _Atomic uint64_t repeats; /* threads whose address another one had before */

static void note_address(uintptr_t address)
{
	uint64_t hash = (uint64_t)address * 0x9e3779b97f4a7c15u >> (64 - ADDRESS_BITS);
	uint64_t bit = 1ull << (hash % 64);

	if (atomic_fetch_or(&met[hash / 64], bit) & bit)
		atomic_fetch_add(&repeats, 1);
}

void sample_draw_init(void)
{
	counts_always = jvm_version() >= COUNTS_ALWAYS;
}

/* The session to which a point belongs that is drawn now; 0: none. */
static uint32_t session_now(void)
{
	return atomic_load_explicit(&ojx.live, memory_order_relaxed) ? session_number() : 0;
}

void sample_draw_begin(JNIEnv *jni)
{
	draw.session = session_now();
	draw.interval = (double)alloc_interval();
	draw.known = true;
	note_address((uintptr_t)jni); /* the JNIEnv is a part of the VM's thread */
}

bool sample_draw_taken(double *interval)
{
	bool good = !counts_always || alloc_exact() || draw.session == session_number();

	*interval = draw.known ? draw.interval : (double)alloc_interval_unseen();
	draw.interval = (double)alloc_interval();
	draw.known = true;
	draw.session = session_number(); /* the event is enabled */
	return good;
}

void sample_draw_tell(void)
{
	uint64_t n = atomic_load(&repeats);

	if (alloc_exact() || ojx.config.flags & WIRE_NO_OBJECTS)
		return; /* no figure depends on sampling */
	if (n >= REPEATS && n * SHARE > atomic_load(&ojx.shm->status.sampled))
		link_note("many short threads: HotSpot samples those alike that have one address "
			  "one after another, so the amounts that they make can be wrong by a "
			  "factor");
}

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
