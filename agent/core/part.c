/* SPDX-License-Identifier: Apache-2.0 */
/*
 * part.c - see part.h. Loops over the table.
 *
 * A row counts from the end of its own start on: collections come while others still start.
 */
#include "core/part.h"

#include "core/trace.h"

/* The functions of a column that are called for each allocation, without the gaps. */
struct consumers {
	void (*call[PARTS_MOST])(struct allocation *a);
	_Atomic uint32_t n; /* released after `call` is filled in, acquired before it is read */
};

const char PART_UNASKED[] = "not asked for";

static const struct part *const *parts;
static uint32_t nparts;
/* A bit for each part that works. Released after its start, acquired by who calls it. */
static _Atomic uint32_t working;
static struct consumers sampled, kept;

/* [pause] */
static bool works(uint32_t i)
{
	return atomic_load_explicit(&working, memory_order_acquire) >> i & 1;
}

static const char *start_part(const struct part *p, const struct part_start *start)
{
	if (p->of_objects && !start->layout)
		return "the layout of objects is not known";
	return p->init ? p->init(start) : NULL;
}

static void add_consumer(struct consumers *to, void (*call)(struct allocation *a))
{
	uint32_t n = atomic_load_explicit(&to->n, memory_order_relaxed);

	if (!call)
		return;
	to->call[n] = call;
	atomic_store_explicit(&to->n, n + 1, memory_order_release);
}

void parts_init(const struct part *const *table, uint32_t n, const struct part_start *start)
{
	parts = table;
	nparts = n;
	for (uint32_t i = 0; i < nparts; i++) {
		const struct part *p = parts[i];
		const char *why = start_part(p, start);
		trace("part %s: %s", p->name, why ? why : "works");
		if (why)
			continue;
		atomic_fetch_or_explicit(&working, 1u << i, memory_order_release);
		add_consumer(&sampled, p->sampled);
		add_consumer(&kept, p->kept);
	}
}

void parts_begin(const struct part_turn *turn)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->begin)
			parts[i]->begin(turn);
}

void parts_loaded(jclass type)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->loaded)
			parts[i]->loaded(type);
}

/* ---- in the allocation callback ------------------------------------------------------------ */

static void tell_consumers(const struct consumers *of, struct allocation *a)
{
	uint32_t n = atomic_load_explicit(&of->n, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		of->call[i](a);
}

void parts_sampled(struct allocation *a)
{
	tell_consumers(&sampled, a);
}

void parts_kept(struct allocation *a)
{
	tell_consumers(&kept, a);
}

/* ---- in pauses ----------------------------------------------------------------------------- */

void parts_gc_start(void)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->gc_start)
			parts[i]->gc_start();
}

void parts_gc_finish(uint64_t epoch)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->gc_finish)
			parts[i]->gc_finish(epoch);
}

/* ---- the slow work ------------------------------------------------------------------------- */

void parts_serve(const struct part_turn *turn)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->serve)
			parts[i]->serve(turn);
}

/* Asks all: some count what has come since they were last asked. */
bool parts_are_urgent(void)
{
	bool urgent = false;

	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->is_urgent)
			urgent |= parts[i]->is_urgent();
	return urgent;
}

void parts_hurry(const struct part_turn *turn)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->hurry)
			parts[i]->hurry(turn);
}

void parts_end(const struct part_turn *turn)
{
	for (uint32_t i = nparts; i > 0; i--)
		if (parts[i - 1]->end)
			parts[i - 1]->end(turn);
}

void parts_release(JNIEnv *jni)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (parts[i]->release)
			parts[i]->release(jni);
}

/* ---- the budget ---------------------------------------------------------------------------- */

struct part_cost parts_cost(void)
{
	struct part_cost cost = { .tick_times = 1 };

	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->cost)
			parts[i]->cost(&cost);
	return cost;
}

void parts_budget(const struct part_budget *budget)
{
	for (uint32_t i = 0; i < nparts; i++)
		if (works(i) && parts[i]->budget)
			parts[i]->budget(budget);
}
