/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - see clock.h. */
#define _GNU_SOURCE

#include "perf/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/link.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "hotspot/metadata/layout.h"
#include "perf/breakpoint.h"
#include "perf/signals.h"
#include "perf/tickcost.h"

/*
 * ---- a timer of a thread's CPU time for systems without perf_event_open: a POSIX timer that
 * signals this thread. It differs from perf's in two ways. It comes with the kernel's tick
 * (usually every 4 ms), so there may be fewer signals than requested. And it may interrupt a
 * system call, which then fails with EINTR if it is not restarted; HotSpot and the JDK can
 * handle that. Makes the system calls directly: for some kinds of timers libc would start a
 * thread.
 */

#define HANDLE 0x40000000 /* above the handles of perf events */

/* glibc's headers lack the name */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/*
 * Creates a stopped timer of thread `tid`. Returns a handle that differs from those of perf
 * events, or -1 with errno.
 */
static int cputimer_open(int32_t tid, uint64_t data)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNALS_NUMBER };
	int id = -1;

	event.sigev_value.sival_ptr =
		(void *)(uintptr_t)data; /* NOLINT(performance-no-int-to-ptr) */
	event.sigev_notify_thread_id = tid;
	if (ojx.config.flags & WIRE_NO_TIMER || !seccomp_permits_now()) {
		errno = EPERM;
		return -1;
	}
	if (syscall(SYS_timer_create, thread_clock(tid), &event, &id) != 0)
		return -1;
	if (id >= 0 && id < HANDLE)
		return HANDLE | id;
	syscall(SYS_timer_delete, id);
	errno = EMFILE;
	return -1;
}

static void cputimer_close(int handle)
{
	if (seccomp_permits_now()) /* otherwise it stays, stopped, until the process ends */
		syscall(SYS_timer_delete, handle & ~HANDLE);
}

/* [handler] Whether this is such a handle. */
static bool cputimer_is(int handle)
{
	return handle >= HANDLE;
}

/*
 * [handler] Requests one signal, with the timer's data, after `ns` of the thread's CPU time from
 * now; 0: none.
 */
static void cputimer_set(int handle, uint64_t ns)
{
	const struct itimerspec when = {
		.it_value = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) },
	};

	if (seccomp_permits())
		syscall(SYS_timer_settime, handle & ~HANDLE, 0, &when, NULL);
}

#define SECOND_NS 1000000000u
#define SAME	  4 /* ticks with one period: changing it costs a third of a tick */

static bool perf_works, used;
static _Atomic uint32_t times_now = 1;

/* ---- the timer ------------------------------------------------------------------------- */

void clock_init(void)
{
	bool perf = !(ojx.config.flags & WIRE_NO_PERF);

	used = true;
	int event = perf ? breakpoint_open_timer(0, SECOND_NS) : -1;
	perf_works = event >= 0;
	if (perf_works)
		breakpoint_close(event);
	else
		link_note("accesses are sampled by POSIX timers, up to a tick late "
			  "(perf_event_open: %s)",
			  perf ? strerror(errno) : "must not be called");
}

void clock_measure(void)
{
	if (used)
		tickcost_measure(perf_works);
}

bool clock_governed(void)
{
	return used && ojx.config.flags & WIRE_GOVERNED;
}

uint32_t clock_times(void)
{
	return atomic_load_explicit(&times_now, memory_order_relaxed);
}

void clock_set_times(uint32_t times)
{
	atomic_store_explicit(&times_now, times, memory_order_relaxed);
}

/* [handler] */
static uint64_t mean_period(uint32_t event)
{
	const struct wire_event *e = &ojx.config.event[event];
	return e->period ? e->period : SECOND_NS / e->hz;
}

/* [handler] Draws the next period, and notes its factor. */
static uint64_t period(struct thread *t, uint32_t event)
{
	uint32_t times = clock_times();
	uint64_t ns = mean_period(event) * times;

	t->clock_times[event] = (uint8_t)times;
	t->clock_again[event] = SAME;
	return ns / 2 + random_below(&t->sample_random, ns);
}

int clock_open(struct thread *t, uint32_t event)
{
	int timer = perf_works ? breakpoint_open_timer(t->tid, period(t, event)) : -1;

	if (timer < 0)
		timer = cputimer_open(t->tid, signals_timer_data(event));
	if (timer < 0)
		link_note("accesses are not sampled in some threads (timer_create: %s)",
			  strerror(errno));
	return timer;
}

void clock_start(uint32_t event, int timer)
{
	if (cputimer_is(timer))
		cputimer_set(timer, mean_period(event));
	else
		breakpoint_start_timer(timer);
}

void clock_stop(int timer)
{
	if (cputimer_is(timer))
		cputimer_set(timer, 0);
	else
		breakpoint_disarm(timer);
}

void clock_close(struct thread *t, uint32_t event, int timer)
{
	(void)event;
	(void)t;
	if (cputimer_is(timer))
		cputimer_close(timer);
	else
		breakpoint_close(timer);
}

/* [handler] Requests the next signal. Perf's timer repeats by itself. */
static void go_on(struct thread *t, uint32_t event)
{
	int timer = atomic_load_explicit(&t->sampler[event], memory_order_relaxed);

	if (timer < 0 || !atomic_load_explicit(&ojx.sampling_on, memory_order_relaxed))
		return;
	if (cputimer_is(timer))
		cputimer_set(timer, period(t, event));
	else if (--t->clock_again[event] == 0 || t->clock_times[event] != clock_times())
		breakpoint_set_period(timer, period(t, event));
}

/* ---- accesses -------------------------------------------------------------------------- */

/* [handler] */
static struct access access_of(const struct next_access_state *s,
			       const struct next_access_operand *a, enum access_kind kind)
{
	struct access access = {
		.address = next_access_address(s, a),
		.ip = s->ip + (uint64_t)(int64_t)a->end - a->insn_len,
		.end = s->ip + (uint64_t)(int64_t)a->end,
		.object = next_access_object(s, a),
		.cpu = -1,
		.flags = WIRE_ACCESS_TIME |
			 (kind == ACCESS_STORE ? WIRE_ACCESS_STORE : WIRE_ACCESS_LOAD),
		.size = a->size,
		.floating = a->floating,
		.kind = (uint8_t)kind,
	};

	if (!ranges_in_heap(access.object, 1))
		access.object = 0;
	return access;
}

/* [handler] The first of the accesses in the heap; NULL if there is none. */
static const struct next_access_operand *
first_of(const struct next_access_state *s,
	 const struct next_access_operand a[NEXT_ACCESS_ACCESSES])
{
	for (int i = 0; i < NEXT_ACCESS_ACCESSES && a[i].size; i++)
		if (ranges_in_heap(next_access_address(s, &a[i]), a[i].size))
			return &a[i];
	return NULL;
}

/* The accesses of a loop, in the heap, of one kind. */
struct drawn {
	const struct loop_access *access; /* one of them, each as likely; NULL: there is none */
	uint32_t of;
};

/* [handler] */
static struct drawn draw(const struct next_access_state *s, const struct loop_accesses *loop,
			 bool stores, uint64_t *random)
{
	struct drawn d = { .of = 0 };

	for (uint8_t i = 0; i < loop->n; i++) {
		const struct next_access_operand *a = &loop->of[i].operand;
		if (loop->store[i] == stores &&
		    ranges_in_heap(next_access_address(s, a), a->size) &&
		    random_below(random, ++d.of) == 0)
			d.access = &loop->of[i];
	}
	return d;
}

/* [handler] */
static struct access drawn_access(const struct next_access_state *s, const struct drawn *d,
				  enum access_kind kind)
{
	struct access a = access_of(s, &d->access->operand, kind);

	a.drawn = true;
	a.stride = d->access->stride;
	return a;
}

/* [handler] Chooses from the accesses of a loop, of which all are known. */
static unsigned choose_drawn(const struct next_access_state *s, const struct loop_accesses *loop,
			     uint64_t *random, struct access to[SAMPLER_ACCESSES])
{
	struct drawn load = draw(s, loop, false, random), store = draw(s, loop, true, random);
	unsigned n = 0;

	if (store.access && random_below(random, load.of + store.of) < store.of)
		to[n++] = drawn_access(s, &store, ACCESS_STORE);
	if (load.access)
		to[n++] = drawn_access(s, &load, ACCESS_LOAD);
	if (store.access && (n == 0 || to[0].kind != ACCESS_STORE))
		to[n++] = drawn_access(s, &store, ACCESS_STORE);
	return n;
}

/* [handler] Puts a drawn access in the place of the first one, if all of its kind are known. */
static struct access replaced(const struct next_access_state *s, struct access first,
			      const struct loop_accesses *loop, uint64_t *random)
{
	bool store = first.kind == ACCESS_STORE;

	if (!loop || !(store ? loop->all_stores : loop->all_loads))
		return first;
	struct drawn d = draw(s, loop, store, random);
	return d.access ? drawn_access(s, &d, (enum access_kind)first.kind) : first;
}

/* [handler] Chooses the first load and the first store; `loop` may be NULL. */
static unsigned choose_first(const struct next_access_state *s, const struct next_access *ahead,
			     const struct loop_accesses *loop, uint64_t *random,
			     struct access to[SAMPLER_ACCESSES])
{
	const struct next_access_operand *load = first_of(s, ahead->load);
	const struct next_access_operand *store = first_of(s, ahead->store);
	bool store_first = load && store && store->step < load->step;
	unsigned n = 0;

	if (store_first)
		to[n++] = access_of(s, store, ACCESS_STORE);
	if (load)
		to[n++] = access_of(s, load, ACCESS_LOAD);
	if (store && !store_first)
		to[n++] = access_of(s, store, ACCESS_STORE);
	for (unsigned i = 0; i < n; i++)
		to[i] = replaced(s, to[i], loop, random);
	return n;
}

unsigned clock_choose(const struct next_access_state *s, const struct next_access *ahead, bool here,
		      uint64_t *random, struct access to[SAMPLER_ACCESSES])
{
	struct loop_accesses loop;

	if (!ahead->in_loop)
		return choose_first(s, ahead, NULL, random, to);
	if (!next_access_loop(s->ip, here, &loop))
		return SAMPLER_NOT_DECODED;
	if (loop.all_loads && loop.all_stores)
		return choose_drawn(s, &loop, random, to);
	return choose_first(s, ahead, &loop, random, to);
}

unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext,
		    struct access to[SAMPLER_ACCESSES])
{
	struct next_access_state state;
	struct next_access ahead;

	t->left_out = (uint8_t)(t->clock_times[event] - 1);
	go_on(t, event);
	if (!ucontext)
		return 0;
	if (!next_access_find(ucontext, &ahead))
		return SAMPLER_NOT_DECODED;
	next_access_state_of(ucontext, &state);
	unsigned n = clock_choose(&state, &ahead, true, &t->sample_random, to);
	if (n == SAMPLER_NOT_DECODED)
		return n;
	for (unsigned i = 0; i < n; i++) {
		to[i].ucontext = ucontext;
		to[i].left_out = t->left_out;
	}
	return n;
}
