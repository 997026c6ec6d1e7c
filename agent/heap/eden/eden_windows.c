/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden_windows.c - see eden_windows.h. All of this runs on the VM thread, in pauses, except
 * eden_windows_offer and the functions of the start.
 *
 * JVMTI reports a pause that only marks (G1) like a collection. It leaves eden as it is, and the
 * next pause would find the same objects again. So the copies of such a pause are dropped.
 *
 * Windows must not overlap: else an object in two of them would count as two equal ones. The reader
 * cuts each at the first object of the next one (eden_send.c).
 */
#include "heap/eden/eden_windows.h"

#include <math.h>
#include <string.h>

#include "core/cost.h"
#include "core/link.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "heap/collections.h"
#include "heap/deep.h"
#include "heap/eden/eden_walk.h"
#include "hotspot/eden.h"
#include "hotspot/mark_word.h"
#include "hotspot/metadata/klassname.h"

#define OFFERS	     1024u    /* sampled objects of an epoch that windows are chosen from */
#define MIN_AGE_NS   1000000u /* younger objects may be under construction */
#define PAUSE_MAX_NS 300000u  /* most time in one pause */
#define UNFINISHED   1024u    /* bytes below where a thread allocates: may be under construction */
#define BY_KERNEL    8u	      /* so many windows are copied by the kernel, which cannot fault */
/*
 * Windows per second for each percent of budget at the start, and the time until it is half of
 * that.
 */
#define RATE	10.0
#define HALF_NS 60e9
#define SAVED	30.0  /* for each percent of budget: windows that may be saved up, */
#define MOST	256.0 /* at most */
/* A pause that leads to no window makes the next ones wait, twice as long each time. */
#define WAIT_NS	 20000000ull
#define FAILURES 8u /* in a row, after which no more windows are taken */

/* A sampled object, as far as windows need it. */
struct eden_windows_sample {
	uintptr_t at; /* in `epoch` */
	uint64_t epoch, size;
	double spacing, weight;
	uint32_t context; /* 0: not known */
};

/* A sampled object. The writer makes `turn` odd while it writes. */
struct offer {
	_Atomic uint32_t turn;
	struct eden_windows_sample sample;
	uint64_t time;
};

static struct eden_window *windows;
static struct offer *offers;
static struct eden_windows_sample chosen[OFFERS];
static uint32_t nchosen;
static _Atomic uint32_t noffers;   /* of the epoch */
static _Atomic uint64_t allocated; /* bytes since the start, estimated from samples */
static uint64_t before_pause;	   /* `allocated` at the last pause */
static uint64_t before_windows;	   /* `allocated` at the last pause with windows */
static uint64_t undone_windows;	   /* before_windows as it was before this pause */
static uint64_t random_state, last_ns;
static uint32_t pauses, copied, collections;
static double tokens, undone_tokens, most_tokens;
static uint64_t not_before;
static uint32_t failures; /* in a row */
static _Atomic bool on;
static struct {
	const char *_Atomic why;
	uint32_t threads; /* number of threads, if that is the reason; else 0 */
} ended;

/* ---- start ------------------------------------------------------------------------------- */

static bool make(JNIEnv *jni, const struct vmstructs *vm, const char **why)
{
	unsigned char *room = memory_new(EDEN_WINDOWS, EDEN_ROOM);

	*why = "with --exact";
	if (alloc_exact())
		return false;
	if (!eden_init(vm, why))
		return false;
	*why = "out of memory";
	windows = memory_new(EDEN_WINDOWS, sizeof *windows);
	offers = memory_new(OFFERS, sizeof *offers);
	if (!room || !windows || !offers)
		return false;
	for (uint32_t i = 0; i < EDEN_WINDOWS; i++)
		windows[i].copy = room + (size_t)i * EDEN_ROOM;
	*why = "references cannot be followed";
	if (!deep_pause() && !deep_init(jni))
		return false;
	if (!ojx.scan_on)
		mark_word_measure(jni);
	klassname_init(vm, jni);
	*why = "the VM's tables lack something";
	if (!heap_time_init(vm) || !eden_walk_init(jni))
		return false;
	*why = "known objects were not found where they are";
	return eden_walk_check(jni, why);
}

const char *eden_windows_init(const struct part_start *start)
{
	const char *why;

	if (!(ojx.config.flags & WIRE_WINDOWS))
		return PART_UNASKED;
	random_state = ojx.config.seed ^ 0x717d0;
	tokens = most_tokens = fmin(MOST, SAVED * ojx.config.budget);
	if (!make(start->jni, start->vm, &why)) {
		link_note("equal objects of all classes are not looked for: %s", why);
		return why;
	}
	atomic_store_explicit(&on, true, memory_order_release);
	return NULL;
}

bool eden_windows_wanted(void)
{
	return atomic_load_explicit(&on, memory_order_acquire);
}

void eden_windows_stop(void)
{
	atomic_store_explicit(&on, false, memory_order_release);
}

/* [pause] Ends the taking of windows. The service thread sends the note. */
static void end(const char *why, uint32_t threads)
{
	ended.threads = threads;
	atomic_store_explicit(&ended.why, why, memory_order_release);
	eden_windows_stop();
}

void eden_windows_tell_end(void)
{
	const char *why = atomic_exchange_explicit(&ended.why, NULL, memory_order_acq_rel);

	if (why && ended.threads)
		link_note("equal objects of all classes are not looked for any more: %u or more "
			  "threads %s",
			  ended.threads, why);
	else if (why)
		link_note("equal objects of all classes are not looked for any more: %s", why);
}

struct eden_window *eden_windows_get(uint32_t i)
{
	return &windows[i];
}

/* ---- samples ----------------------------------------------------------------------------- */

/* `random`: 64 random bits. */
static void keep(const struct eden_windows_sample *s, uint64_t random)
{
	uint32_t n = atomic_fetch_add_explicit(&noffers, 1, memory_order_relaxed);
	uint64_t i = n < OFFERS ? n : random_below(&random, (uint64_t)n + 1);

	atomic_fetch_add_explicit(&allocated, (uint64_t)(s->weight * (double)s->size),
				  memory_order_relaxed);
	if (i >= OFFERS)
		return;
	struct offer *o = &offers[i];
	uint32_t turn = atomic_load_explicit(&o->turn, memory_order_relaxed);
	if (turn & 1 ||
	    !atomic_compare_exchange_strong_explicit(&o->turn, &turn, turn + 1,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	o->sample = *s;
	o->time = now_ns();
	atomic_store_explicit(&o->turn, turn + 2, memory_order_release);
}

/*
 * Keeps a uniform sample of an epoch's sampled objects. Windows begin behind all of them, also
 * behind those that are only counted or of a class that is not wanted.
 */
void eden_windows_offer(struct allocation *a)
{
	struct eden_windows_sample s = { .at = handle_address(a->object),
					 .epoch = epoch_now(),
					 .size = a->size,
					 .spacing = a->spacing,
					 .weight = a->weight,
					 .context = a->context };

	/* the address was read between the two: */
	if (eden_windows_wanted() && s.epoch != UINT64_MAX && epoch_is(s.epoch))
		keep(&s, random_next(&a->thread->random));
}

/*
 * [pause] Reads an offer. False if a thread is writing it, it is of another epoch, or it is too
 * young.
 */
static bool read_offer(struct offer *o, uint64_t epoch, uint64_t youngest,
		       struct eden_windows_sample *to)
{
	uint32_t turn = atomic_load_explicit(&o->turn, memory_order_acquire);
	uint64_t time = o->time;

	*to = o->sample;
	atomic_thread_fence(memory_order_acquire);
	return !(turn & 1) && turn == atomic_load_explicit(&o->turn, memory_order_relaxed) &&
	       to->epoch == epoch && time <= youngest && to->spacing > 0;
}

/* [pause] A number in [0, 1). */
static double chance(void)
{
	return (double)(random_next(&random_state) >> 11) * 0x1p-53;
}

/*
 * [pause] Lists the samples of the epoch, thinned to the widest spacing that any of them had, so
 * that all bytes have the same chance. Returns that spacing; 0 if there are no samples.
 */
static double list_samples(uint64_t epoch, uint64_t youngest)
{
	double rarest = 0;
	uint32_t n = 0;

	nchosen = 0;
	for (uint32_t i = 0; i < OFFERS; i++) {
		if (!read_offer(&offers[i], epoch, youngest, &chosen[nchosen]))
			continue;
		rarest = fmax(rarest, chosen[nchosen].spacing);
		nchosen++;
	}
	for (uint32_t i = 0; i < nchosen; i++)
		if (chance() * rarest < chosen[i].spacing)
			chosen[n++] = chosen[i];
	nchosen = n;
	return rarest;
}

/* ---- copies ------------------------------------------------------------------------------ */

/* [pause] */
static bool copy_bytes(struct eden_window *w)
{
	if (copied >= BY_KERNEL) {
		memcpy(w->copy, (const void *)w->at, w->bytes);
		return true;
	}
	copied++;
	if (peek(w->at, w->copy, w->bytes))
		return true;
	if (peek_works_now()) /* if not, eden_begin will tell */
		end("memory of eden could not be read", 0);
	return false;
}

/*
 * [pause] The last sample point in a sampled object, as its distance from the object's end.
 * Large objects can hold several.
 */
static double last_point(const struct eden_windows_sample *s)
{
	double size = (double)s->size;

	return fmin(size, -s->spacing * log1p(chance() * expm1(-size / s->spacing)));
}

/* [pause] Fills a window; false if there is nothing to copy. */
static bool fill_window(struct eden_window *w, const struct eden_windows_sample *s)
{
	bool open, large = s->size > EDEN_LARGE;
	uintptr_t end = s->at + s->size, from = large ? end : s->at;
	double point = last_point(s);
	uintptr_t until = end + EDEN_REACH - (uintptr_t)fmin(point, EDEN_REACH);
	uintptr_t limit = eden_end(from, &open);

	if (open)
		limit = limit > UNFINISHED ? limit - UNFINISHED : 0;
	if (limit > until + EDEN_LARGE)
		limit = until + EDEN_LARGE;
	if (limit <= end || until <= end || limit - from > EDEN_ROOM)
		return false;
	w->at = from;
	w->first = end;
	w->until = until < limit ? until : limit;
	w->bytes = (uint32_t)(limit - from);
	w->context = large ? 0 : s->context;
	w->pause = pauses;
	return copy_bytes(w);
}

/* [pause] How many windows may be taken. They become rarer with time, so that what is sent does not
 * grow without bounds. */
static uint32_t affordable(uint64_t now)
{
	double age = (double)(now - ojx.start_ns);
	double rate = RATE * ojx.config.budget / (1 + age / HALF_NS);
	double passed = last_ns ? (double)(now - last_ns) / 1e9 : 0;

	last_ns = now;
	tokens = fmin(most_tokens, tokens + rate * passed);
	return tokens < nchosen ? (uint32_t)tokens : nchosen;
}

/* [pause] The next free window from number *i on; NULL if there is none. */
static struct eden_window *next_free(uint32_t *i)
{
	while (*i < EDEN_WINDOWS) {
		struct eden_window *w = &windows[(*i)++];
		if (atomic_load_explicit(&w->state, memory_order_acquire) == EDEN_FREE)
			return w;
	}
	return NULL;
}

/*
 * [pause] Whether half of the windows are free. If fewer are, because many wait for room in the
 * ring, this pause takes none: each of its few windows would stand for too many objects.
 */
static bool enough_free(void)
{
	uint32_t n = 0, at = 0;

	while (n < EDEN_WINDOWS / 2 && next_free(&at))
		n++;
	return n == EDEN_WINDOWS / 2;
}

/* [pause] Takes windows of `n` samples at random. Returns how many it tried. */
static uint32_t take_some(uint32_t n, uint64_t deadline)
{
	uint32_t tried = 0, at = 0;

	while (tried < n && now_ns() < deadline) {
		struct eden_window *w = next_free(&at);
		if (!w)
			break;
		uint32_t j = tried + (uint32_t)random_below(&random_state, nchosen - tried);
		struct eden_windows_sample s = chosen[j];
		chosen[j] = chosen[tried];
		chosen[tried++] = s;
		if (fill_window(w, &s))
			atomic_store_explicit(&w->state, EDEN_TAKEN, memory_order_release);
	}
	return tried;
}

/* [pause] Notes that this pause led to no window. If that goes on, the attempts only cost time. */
static void count_failure(enum eden_found found, uint32_t threads)
{
	static const char *const why[] = {
		[EDEN_KNOWN] = "take too long to read in a pause",
		[EDEN_LATE] = "take too long to read in a pause",
		[EDEN_UNREADABLE] = "the kernel does not let us read memory",
		[EDEN_ODD] = "the VM's threads or its eden are not understood",
	};

	not_before = now_ns() + (WAIT_NS << failures);
	if (++failures == FAILURES)
		end(why[found], found == EDEN_KNOWN || found == EDEN_LATE ? threads : 0);
}

/* [pause] Takes n windows at most. Returns how many it tried. */
static uint32_t try_some(uint32_t n, uint64_t now)
{
	uint64_t deadline = now + pause_allowed(PAUSE_MAX_NS);
	uint32_t threads, tried = 0;

	if (!n || now < not_before || !enough_free())
		return 0;
	enum eden_found found = eden_begin(deadline, &threads);
	if (found == EDEN_KNOWN) {
		pauses++;
		tried = take_some(n, deadline);
	}
	if (tried)
		failures = 0;
	else
		count_failure(found, threads);
	return tried;
}

/*
 * [pause] Sets the scale of the windows taken. `rate`: sample points per byte whose windows were
 * tried.
 */
static void give_scale(double rate, uint64_t of_epoch, uint64_t of_all)
{
	/* the next pause that takes windows stands for those before it that took none */
	double factor = of_epoch > 0 ? (double)of_all / (double)of_epoch : 1;
	double scale = factor / -expm1(-rate * EDEN_REACH);

	for (uint32_t i = 0; i < EDEN_WINDOWS; i++)
		if (atomic_load_explicit(&windows[i].state, memory_order_acquire) == EDEN_TAKEN)
			windows[i].scale = scale;
}

void eden_windows_gc_start(void)
{
	uint64_t now = now_ns(), epoch = epoch_now(),
		 bytes = atomic_load_explicit(&allocated, memory_order_relaxed);

	if (!eden_windows_wanted() || !atomic_load_explicit(&ojx.live, memory_order_acquire) ||
	    epoch == UINT64_MAX)
		return;
	uint32_t total = atomic_exchange_explicit(&noffers, 0, memory_order_relaxed);
	collections = heap_time_vm_collections();
	double rarest = list_samples(epoch, now - MIN_AGE_NS);
	uint32_t tried = try_some(affordable(now), now);
	undone_windows = before_windows;
	undone_tokens = tokens;
	if (tried > 0) {
		double share = (double)tried / nchosen;
		double kept = total > OFFERS ? (double)OFFERS / total : 1;
		give_scale(share * kept / rarest, bytes - before_pause, bytes - before_windows);
		before_windows = bytes;
		tokens -= tried;
	}
	before_pause = bytes;
}

void eden_windows_gc_finish(uint64_t epoch)
{
	bool collected = heap_time_vm_collections() != collections;

	(void)epoch;
	if (!eden_windows_wanted())
		return;
	if (!collected) {
		before_windows = undone_windows;
		tokens = undone_tokens;
	}
	for (uint32_t i = 0; i < EDEN_WINDOWS; i++)
		if (atomic_load_explicit(&windows[i].state, memory_order_acquire) == EDEN_TAKEN)
			atomic_store_explicit(&windows[i].state, collected ? EDEN_FULL : EDEN_FREE,
					      memory_order_release);
}
