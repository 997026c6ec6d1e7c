/* SPDX-License-Identifier: Apache-2.0 */
/* alloc_interval.c - see alloc_interval.h. */
#include "heap/alloc_interval.h"

#include <math.h>

#include "core/link.h"
#include "core/session.h"
#include "core/trace.h"
#include "hotspot/versions.h"

#define ADDRESS_BITS 16
#define REPEATS	     100 /* threads with an old address: fewer do little harm, */
#define SHARE	     10	 /* or if there are so many samples for each */

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

	if (atomic_fetch_or_explicit(&met[hash / 64], bit, memory_order_relaxed) & bit)
		atomic_fetch_add_explicit(&repeats, 1, memory_order_relaxed);
}

static const char *init(const struct part_start *start)
{
	(void)start;
	counts_always = version_has(VERSION_COUNTS_ALWAYS);
	return NULL;
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

/* Tells the user once if there are many threads with the address of an earlier one. */
static void serve(const struct part_turn *turn)
{
	uint64_t n = atomic_load_explicit(&repeats, memory_order_relaxed);

	(void)turn;
	if (alloc_exact() || ojx.config.flags & WIRE_NO_OBJECTS)
		return; /* no figure depends on sampling */
	if (n >= REPEATS &&
	    n * SHARE > atomic_load_explicit(&ojx.shm->status.sampled, memory_order_relaxed))
		link_note("many short threads: HotSpot samples those alike that have one address "
			  "one after another, so the amounts that they make can be wrong by a "
			  "factor");
}

#define DEFAULT (512u << 10) /* bytes, HotSpot's interval */
#define FIRST	(64u << 10)  /* of a recording within a budget */

static _Atomic uint64_t interval = DEFAULT;
static uint64_t unseen = DEFAULT; /* used by threads that are older than the agent */
static __thread bool ignored;	  /* the thread's allocations are the agent's */

/*
 * Only from a thread attached to the VM: otherwise JVMTI does nothing. False on failure; then the
 * old interval stays in force.
 */
static bool set_interval(uint64_t bytes)
{
	if ((*ojx.jvmti)->SetHeapSamplingInterval(ojx.jvmti, (jint)bytes) != JVMTI_ERROR_NONE)
		return false;
	atomic_store_explicit(&interval, bytes, memory_order_relaxed);
	atomic_store_explicit(&ojx.shm->status.interval, bytes, memory_order_relaxed);
	trace("interval: an allocation is sampled every %llu bytes", (unsigned long long)bytes);
	return true;
}

/* Sets the interval that the recording begins with. */
static bool set_first_interval(void)
{
	return set_interval(alloc_exact() ? 0 : ojx.config.interval ? ojx.config.interval : FIRST);
}

void alloc_interval_at_load(void)
{
	if (set_first_interval())
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

/* ---- within the budget --------------------------------------------------------------------- */

#define INTERVAL_MIN (16u << 10)
#define INTERVAL_MAX (64u << 20)
#define STEADY	     2.0 /* the interval's largest factor of change within STEADY_NS */
#define STEADY_NS    1000000000u
#define SOON_NS	     100000000u /* instead, in a young recording or if too much is spent */
#define TOO_MUCH     2.0	/* in debt, so many times the affordable cost is too much */

/*
 * As near to an interval as it may come now, lest weights vary much: with larger steps, sixty
 * snapshots of a line once told as much as three.
 */
static double steadily(double next, bool soon)
{
	static double base;
	static uint64_t since;
	uint64_t now = now_ns();

	if (!since || now - since > (soon ? SOON_NS : STEADY_NS)) {
		base = (double)alloc_interval();
		since = now;
	}
	return fmin(fmax(next, base / STEADY), base * STEADY);
}

/*
 * Moves the interval so that callbacks cost what they may per ns; small differences are left alone.
 */
static void budget(const struct part_budget *b)
{
	double now = (double)alloc_interval();
	double wanted = b->bytes * b->sample_ns / fmax(b->callbacks, 1e-9);

	if (b->first) {
		set_first_interval();
		return;
	}
	if (ojx.config.interval || alloc_exact() || (wanted > 0.9 * now && wanted < 1.1 * now))
		return;
	bool too_much = b->debt > 0 && wanted > TOO_MUCH * now;
	double next =
		steadily(fmin(fmax(wanted, INTERVAL_MIN), INTERVAL_MAX), too_much || b->young);
	if (next != now)
		set_interval((uint64_t)next);
}

static void cost(struct part_cost *c)
{
	c->interval = (double)alloc_interval();
}

/* Gives the VM's sampler back. */
static void release(JNIEnv *jni)
{
	(void)jni;
	alloc_give_back();
}

const struct part alloc_interval_part = {
	.name = "sampling interval",
	.init = init,
	.serve = serve,
	.release = release,
	.cost = cost,
	.budget = budget,
};
