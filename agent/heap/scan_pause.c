/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_pause.c - see scan_pause.h. Snapshots of objects that were allocated since the last
 * collection, within a share of the time.
 */
#include "heap/scan_pause.h"

#include "core/cost.h"
#include "core/memory.h"
#include "heap/deep.h"
#include "heap/fates.h"
#include "heap/pending_objects.h"

#define STEP		 317u /* coprime to ENTRIES */
#define REFILL_SHARE	 0.25 /* part of it for second looks at how full objects are */
#define PAUSE_DEEP_SHARE 0.6  /* part of a pause's time in which references are followed, too */
#define PAUSE_RUN	 8u   /* objects copied at once in a pause, whose time may end in between */
#define PAUSE_COPY_MAX	 (64u << 10)
#define PAUSE_MIN_AGE_NS 1000000u /* younger objects may be under construction */
#define PAUSE_MAX_NS	 500000u  /* most time in one pause: those of Soot grew by 0.6 to 0.8 ms */

static _Atomic uint64_t share_ppm;
static unsigned char *pause_copy;
static uint64_t pause_random;

bool scan_pause_init(void)
{
	pause_random = ojx.config.seed ^ 0x5ca9;
	pause_copy = memory_new(1, PAUSE_COPY_MAX);
	return pause_copy != NULL;
}

void scan_pause_share(double share)
{
	atomic_store_explicit(&share_ppm, (uint64_t)(share * 1e6), memory_order_relaxed);
}

/* [pause] Whether objects are read through the kernel even in a pause. */
static bool copies(void)
{
	return atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed);
}

/* State of a pause. */
struct pause {
	uint64_t start, deadline, youngest;
	uint64_t epoch; /* ends now; entries of other epochs are stale */
	struct batch *open[BATCHES];
	uint32_t length[BATCHES], nopen;
	struct copy_run run;
	struct snapshot_how how;
};

/* [pause] Takes the snapshot of one entry, if it is in state `from` and old enough. */
static void pause_entry(struct pause *p, struct entry *e, uint32_t from, bool copy)
{
	/* a second snapshot in the same pause would be useless */
	bool now = from == ENTRY_SNAPPED && e->flags & WIRE_IN_PAUSE;

	if (e->time > p->youngest || now || !entry_claim(e, from))
		return;
	if (!copy) {
		entry_snapshot(e, (const unsigned char *)e->object, &p->how);
		if (atomic_load_explicit(&e->state, memory_order_relaxed) == ENTRY_SNAPPED &&
		    entry_fills(e))
			fates_ask(e);
		return;
	}
	if (p->run.n < PAUSE_RUN && run_add(&p->run, e, pause_copy, PAUSE_COPY_MAX))
		return;
	run_finish(&p->run, &p->how);
	if (!run_add(&p->run, e, pause_copy, PAUSE_COPY_MAX))
		atomic_store_explicit(&e->state, ENTRY_GONE, memory_order_release);
}

/* [pause] Prefetches an object whose snapshot comes soon. */
static void pause_prefetch(struct batch *b, uint32_t i, uint32_t from)
{
	struct entry *e = &b->entries[i];

	if (atomic_load_explicit(&e->state, memory_order_relaxed) == from)
		__builtin_prefetch((const void *)e->object);
}

/*
 * [pause] Looks once more how full an object is, which takes a tenth of a snapshot (a quarter where
 * it is an array of 32 to 64 KiB, which takes 11 us), so that it is known how those ended that are
 * dead now.
 */
static void pause_refill(struct pause *p, struct entry *e, uint32_t from, bool copy)
{
	(void)copy;
	if (!entry_fills(e) || !entry_claim(e, from))
		return;
	if (entry_refill(e, (const unsigned char *)e->object, &p->how))
		fates_ask(e);
}

/*
 * [pause] Takes one entry of each batch in turn while there is time. It begins at a random entry
 * and goes on in steps of the golden section. So wherever it stops, the taken and the skipped
 * entries are spread evenly over the epoch.
 */
static void pause_pass(struct pause *p, uint32_t from, double part,
		       void (*look)(struct pause *p, struct entry *e, uint32_t from, bool copy))
{
	uint32_t start = (uint32_t)random_below(&pause_random, ENTRIES);
	bool copy = copies();
	uint64_t end = p->start + (uint64_t)(part * (double)(p->deadline - p->start));

	for (uint32_t k = 0; k < ENTRIES && now_ns() < end; k++) {
		uint32_t i = (start + k * STEP) % ENTRIES;
		for (uint32_t b = 0; b < p->nopen && !copy; b++)
			pause_prefetch(p->open[b], (i + STEP) % ENTRIES, from);
		for (uint32_t b = 0; b < p->nopen && now_ns() < end; b++)
			if (i < p->length[b])
				look(p, &p->open[b]->entries[i], from, copy);
	}
	run_finish(&p->run, &p->how);
}

/*
 * [pause] The batches of the epoch that ends. The pause counts as a writer, since the service
 * thread may retire and send a batch meanwhile.
 */
static void pause_open(struct pause *p)
{
	p->nopen = 0;
	for (uint32_t i = 0; i < BATCHES; i++) {
		struct batch *b = pending_objects_batch(i);
		atomic_fetch_add_explicit(&b->writers, 1, memory_order_seq_cst);
		if (atomic_load_explicit(&b->state, memory_order_seq_cst) != BATCH_OPEN ||
		    b->epoch != p->epoch) {
			atomic_fetch_sub_explicit(&b->writers, 1, memory_order_seq_cst);
			continue;
		}
		p->length[p->nopen] = batch_length(b);
		p->open[p->nopen++] = b;
	}
}

/* For the VM thread; too large for its stack. */
static struct pause this_pause;

/* [pause] The collection is over: the batches can be sent. */
void scan_pause_ends(uint64_t epoch)
{
	(void)epoch;
	fates_tell();
	for (uint32_t i = 0; i < this_pause.nopen; i++)
		atomic_fetch_sub_explicit(&this_pause.open[i]->writers, 1, memory_order_seq_cst);
	this_pause.nopen = 0;
}

/* [pause] Takes snapshots of objects allocated since the last collection, within the budget. */
void scan_pause_begins(void)
{
	uint64_t length, share = atomic_load_explicit(&share_ppm, memory_order_relaxed);

	if (!atomic_load_explicit(&ojx.live, memory_order_acquire))
		return;
	this_pause.start = now_ns();
	this_pause.epoch = epoch_now();
	length = this_pause.start - atomic_load_explicit(&ojx.gc_time, memory_order_relaxed);
	uint64_t may = length / 1000000 * share + length % 1000000 * share / 1000000;
	this_pause.deadline =
		this_pause.start + pause_allowed(may < PAUSE_MAX_NS ? may : PAUSE_MAX_NS);
	uint64_t age = length / 8 < PAUSE_MIN_AGE_NS ? length / 8 : PAUSE_MIN_AGE_NS;
	this_pause.youngest = this_pause.start - age;
	this_pause.how = (struct snapshot_how){
		.paused = true,
		.learn = !copies(),
		.deep = deep_pause(),
		.deep_until = this_pause.start +
			      (uint64_t)((double)(this_pause.deadline - this_pause.start) *
					 PAUSE_DEEP_SHARE),
	};
	if (deep_pause())
		deep_begin(deep_pause(), this_pause.epoch);

	fates_begin();
	pause_open(&this_pause);
	if (!copies())
		pause_pass(&this_pause, ENTRY_SNAPPED, REFILL_SHARE, pause_refill);
	pause_pass(&this_pause, ENTRY_READY, 1, pause_entry);
	pause_pass(&this_pause, ENTRY_SNAPPED, 1, pause_entry);
	pending_objects_close();
}
