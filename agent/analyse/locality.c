/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.c - see locality.h.
 *
 * To find the node of a page, the kernel may take a lock, so the handler does not ask. Samples wait
 * for the service thread, which queries many pages at once. Pages rarely move within a tenth of a
 * second.
 *
 * If an object is not followed, the class word in its header tells its class. The sampler guesses
 * where the header is, so it is read through the kernel.
 */
#define _GNU_SOURCE
#include "analyse/locality.h"

#include <sched.h>
#include <string.h>

#include "analyse/deferred_samples.h"
#include "analyse/numa.h"
#include "analyse/uses.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "heap/follow.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/klassname.h"
#include "hotspot/metadata/layout.h"
#include "perf/sampler.h"

#define WAITING	 2048u
#define TOGETHER 256u /* pages per query */
#define WORDS	 (1u << 14)
#define PROBES	 32u

enum { SLOT_EMPTY, SLOT_FILLING, SLOT_FULL };

/* A sample that waits for the node of its page. */
struct waiting {
	_Atomic uint32_t state;
	uintptr_t address;
	struct wire_access access;
};

static struct waiting *waiting; /* NULL: nodes are not queried */
static _Atomic uint32_t cursor;
static struct numa nodes;

/* Class words and their classes. Only the service thread adds entries; nobody removes them. */
static struct {
	_Atomic uint64_t word;
	uint32_t class_id;
} words[WORDS];
static uint32_t learned; /* classes up to here are in `words` */

/* ---- classes --------------------------------------------------------------------------- */

/* [handler] */
static uint32_t word_slot(uint64_t word)
{
	return (uint32_t)random_next(&word) % WORDS;
}

/* [handler] The class of the object at `object`; 0 if unknown. */
static uint32_t class_at(uintptr_t object)
{
	unsigned char header[16];

	if (!object || !peek(object, header, sizeof header))
		return 0;
	uint64_t word = layout_klass(header);
	for (uint32_t i = 0, at = word_slot(word); i < PROBES; i++, at = (at + 1) % WORDS) {
		uint64_t there = atomic_load_explicit(&words[at].word, memory_order_acquire);
		if (!there)
			break;
		if (there == word)
			return words[at].class_id;
	}
	return klassname_of(word);
}

static void learn(const struct klass *k, uint64_t word)
{
	for (uint32_t i = 0, at = word_slot(word); i < PROBES; i++, at = (at + 1) % WORDS) {
		uint64_t there = atomic_load_explicit(&words[at].word, memory_order_acquire);
		if (there == word) { /* perhaps of a class that was unloaded */
			words[at].class_id = k->id;
			return;
		}
		if (there)
			continue;
		words[at].class_id = k->id;
		atomic_store_explicit(&words[at].word, word, memory_order_release);
		return;
	}
}

/* Classes get consecutive ids, and their words soon after. */
static void learn_classes(void)
{
	const struct klass *k;

	for (uint32_t id = learned + 1; (k = class_by_id(id)); id++) {
		uint64_t word = atomic_load_explicit(&k->word, memory_order_acquire);
		if (word) {
			learn(k, word);
			klassname_learn(word);
		}
		if (word && id == learned + 1)
			learned = id;
	}
}

/* ---- samples --------------------------------------------------------------------------- */

/*
 * [handler][service thread] Finds the object of an access. `epoch`: of the sample; if it has
 * passed, the object is unknown.
 */
static void find_object(const struct access *a, uint64_t epoch, struct accessed *to)
{
	bool current = epoch != UINT64_MAX && epoch_is(epoch);

	*to = (struct accessed){ .found = FOLLOW_UNKNOWN };
	if (current)
		to->found = follow_find(a->address, epoch, &to->object);
	if (to->found == FOLLOW_FOUND) {
		to->class_id = to->object.class_id;
		to->offset = to->object.offset;
		return;
	}
	uint32_t class_id = current ? class_at(a->object) : 0;
	if (class_id && epoch_is(epoch)) {
		to->class_id = class_id;
		to->offset = a->address - a->object;
	}
}

/*
 * [handler][service thread] Fills in the object. An object that is followed only for its uses is
 * not reported as followed.
 */
static void place(struct wire_access *rec, const struct accessed *to)
{
	rec->class_id = to->class_id;
	rec->offset = to->offset;
	if (to->found == FOLLOW_UNKNOWN)
		rec->flags |= WIRE_ACCESS_UNPLACED;
	if (to->found != FOLLOW_FOUND || to->object.size < ojx.config.min_size)
		return;
	rec->context = to->object.context;
	rec->hit = follow_hit(to->object.ref, 1 + rec->left_out);
	rec->weight = to->object.weight;
}

/* [handler] Leaves a sample to the service thread. */
static void leave(const struct wire_access *rec, uintptr_t address)
{
	for (uint32_t i = 0; i < PROBES; i++) {
		struct waiting *w =
			&waiting[atomic_fetch_add_explicit(&cursor, 1, memory_order_relaxed) %
				 WAITING];
		uint32_t empty = SLOT_EMPTY;
		if (!atomic_compare_exchange_strong_explicit(&w->state, &empty, SLOT_FILLING,
							     memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		w->access = *rec;
		w->address = address;
		atomic_store_explicit(&w->state, SLOT_FULL, memory_order_release);
		return;
	}
	limit_reached(WIRE_LIMIT_WAITING);
}

/* [handler][service thread] */
static void send(struct link_ring *ring, const struct wire_access *from)
{
	struct wire_access *rec = link_reserve(ring, WIRE_ACCESS, sizeof *rec);

	if (!rec)
		return;
	rec->rec.thread = from->rec.thread;
	memcpy(&rec->rec + 1, &from->rec + 1, sizeof *rec - sizeof rec->rec);
	link_commit(ring);
}

/* [handler][service thread] */
static void sample(struct link_ring *ring, const struct access *a, const struct accessed *to,
		   uint32_t stack, uint16_t thread)
{
	struct wire_access rec = {
		.rec.thread = thread,
		.data_src = a->data_src,
		.latency = a->latency,
		.stack = stack,
		.flags = a->flags,
		.bytes = a->size,
		.cpu_node = WIRE_NO_NODE,
		.page_node = WIRE_NO_NODE,
		.left_out = a->left_out,
	};

	place(&rec, to);
	if (nodes.n)
		rec.cpu_node = numa_of_cpu(&nodes, a->cpu >= 0 ? a->cpu : sched_getcpu());
	if (waiting) {
		leave(&rec, a->address);
		return;
	}
	if (nodes.n == 1)
		rec.page_node = rec.cpu_node;
	send(ring, &rec);
}

/* [handler] Takes a sample of running Java code: the first of `n` accesses counts. */
static void take_sample(struct thread *t, const struct access *a, unsigned n)
{
	uint64_t epoch = epoch_now();
	uint32_t stack = 0;
	struct accessed to;

	(void)n;
	find_object(a, epoch, &to);
	if (ojx.config.flags & WIRE_LOCALITY) {
		stack = access_stack(t, a);
		sample(&t->ring, a, &to, stack, thread_number(t));
	}
	if (ojx.config.flags & WIRE_USES)
		uses_sample(t, a, epoch, &to, stack);
}

/* Service thread: handles a deferred sample. */
static void sample_late(struct link_ring *ring, const struct access *a,
			const struct deferred_sample *late)
{
	static uint64_t random; /* of the service thread */
	/*
	 * Collections do not wait for this thread, so it can read an object only through the
	 * kernel.
	 */
	uint64_t epoch = peek_works() ? late->epoch : UINT64_MAX;
	struct accessed to;

	find_object(a, epoch, &to);
	sample(ring, a, &to, late->stack, late->thread);
	if (ojx.config.flags & WIRE_USES && late->on)
		uses_late(late->on, &random, a, late->epoch, &to);
}

/* ---- on the service thread ------------------------------------------------------------- */

/* Sends samples with the nodes of their pages. */
static void finish(struct link_ring *ring, struct waiting *const *some, size_t n)
{
	void *pages[TOGETHER];
	int16_t node[TOGETHER];
	const uintptr_t page = 4096;

	for (size_t i = 0; i < n; i++) {
		pages[i] = (void *)(some[i]->address & ~(page - 1));
		node[i] = WIRE_NO_NODE;
	}
	bool may = !(ojx.config.flags & WIRE_NO_PAGES) && seccomp_permits_now();
	if (n > 0 && (!may || !numa_of_pages(numa_ask_kernel, n, pages, node)))
		link_note("move_pages is not permitted, as in many containers: the nodes of pages "
			  "are unknown");
	for (size_t i = 0; i < n; i++) {
		some[i]->access.page_node = node[i];
		send(ring, &some[i]->access);
		atomic_store_explicit(&some[i]->state, SLOT_EMPTY, memory_order_release);
	}
}

static void ask_nodes(struct link_ring *ring)
{
	struct waiting *some[TOGETHER];
	size_t n = 0;

	for (uint32_t i = 0; i < WAITING; i++) {
		if (atomic_load_explicit(&waiting[i].state, memory_order_acquire) != SLOT_FULL)
			continue;
		some[n++] = &waiting[i];
		if (n == TOGETHER) {
			finish(ring, some, n);
			n = 0;
		}
	}
	finish(ring, some, n);
}

static unsigned late; /* deferred samples that the last call has resolved */

static void hurry(const struct part_turn *turn)
{
	late = deferred_samples_serve(turn->ring);
}

/* Where some came late, others will. */
static bool is_urgent(void)
{
	return late > 0;
}

static void serve(const struct part_turn *turn)
{
	hurry(turn);
	learn_classes();
	if (waiting)
		ask_nodes(turn->ring);
}

static void find_nodes(void)
{
	numa_read(&nodes, NODES_ROOT);
	if (nodes.n > 1)
		waiting = memory_new(WAITING, sizeof *waiting);
	else
		link_note("this machine has one NUMA node: all of its memory is local to every "
			  "processor");
}

static const char *init(const struct part_start *start)
{
	static const struct sampler_user user = { take_sample, NULL },
					 by_time = { take_sample, deferred_samples_keep };
	bool timed = ojx.config.flags & WIRE_LOCALITY;

	if (!(ojx.config.flags & FOLLOW_FLAGS))
		return PART_UNASKED;
	klassname_init(start->vm, start->jni);
	if (timed)
		deferred_samples_init(sample_late);
	if (ojx.config.flags & WIRE_NUMA)
		find_nodes();
	sampler_add_user(timed ? &by_time : &user);
	return NULL;
}

const struct part locality_part = {
	.name = "objects of accesses",
	.of_objects = true,
	.init = init,
	.serve = serve,
	.is_urgent = is_urgent,
	.hurry = hurry,
};
