/* SPDX-License-Identifier: Apache-2.0 */
/* breakpoint.c - see breakpoint.h. */
#define _GNU_SOURCE
#include "perf/breakpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "core/handshake.h"
#include "core/seccomp.h"
#include "core/state.h"

#define SHARE_OF_LIMIT 8 /* the agent takes at most 1/8 of RLIMIT_NOFILE, and at most MOST */
#define MOST	       ((int)WIRE_MOST_EVENTS)

/* Values of an entry without a descriptor. */
enum { FREE = 0, TAKEN = -1 };

static struct {
	_Atomic int fd; /* + 1 */
	_Atomic uint64_t id;
} events[MOST];
static _Atomic int open_now;

/* ---- descriptors ----------------------------------------------------------------------- */

/* [handler] The descriptor of an event; -1 if it no longer belongs to the event. */
static int descriptor(int event)
{
	uint64_t id = 0;
	int fd = event >= 0 && event < MOST
			 ? atomic_load_explicit(&events[event].fd, memory_order_acquire) - 1
			 : -1;

	return fd >= 0 && ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 &&
			       id == atomic_load_explicit(&events[event].id, memory_order_acquire)
		       ? fd
		       : -1;
}

/* [handler] */
static int control(int event, unsigned long request, void *argument)
{
	int fd = descriptor(event);

	return fd < 0 ? -1 : ioctl(fd, request, argument);
}

/*
 * [handler] Makes the event send the agent's signal, with the descriptor's number, to the thread.
 */
static bool signal_thread(int fd, int32_t tid)
{
	struct f_owner_ex owner = { F_OWNER_TID, tid ? tid : gettid() };

	return fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, SIGNALS_NUMBER) == 0 &&
	       fcntl(fd, F_SETFL, O_RDWR | O_ASYNC) == 0;
}

/* [handler] */
static int open_descriptor(struct perf_event_attr *attr, int32_t tid, uint64_t *id)
{
	attr->disabled = 1;
	int fd = (int)syscall(SYS_perf_event_open, attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -1;
	fd = descriptor_move_up(fd);
	if (ioctl(fd, PERF_EVENT_IOC_ID, id) == 0 && signal_thread(fd, tid))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* [handler] Takes a free entry; -1 if there is none. */
static int take_entry(void)
{
	for (int i = 0; i < MOST; i++) {
		int there = FREE;
		if (atomic_load_explicit(&events[i].fd, memory_order_relaxed) == FREE &&
		    atomic_compare_exchange_strong_explicit(&events[i].fd, &there, TAKEN,
							    memory_order_acq_rel,
							    memory_order_acquire))
			return i;
	}
	return -1;
}

/* [handler] */
static void free_entry(int event)
{
	atomic_store_explicit(&events[event].fd, FREE, memory_order_release);
	atomic_fetch_sub_explicit(&open_now, 1, memory_order_relaxed);
}

/* [handler] */
static int open_disabled(struct perf_event_attr *attr, int32_t tid)
{
	struct rlimit limit = { .rlim_cur = MOST };
	uint64_t id;

	if (!seccomp_permits_now()) {
		errno = EPERM;
		return -1;
	}
	/* threads can end unnoticed; then another process may have the number */
	if (tid && syscall(SYS_tgkill, getpid(), tid, 0) != 0)
		return -1;
	getrlimit(RLIMIT_NOFILE, &limit);
	rlim_t share = limit.rlim_cur / SHARE_OF_LIMIT;
	int most = (int)(share < MOST ? share : MOST);
	int event = atomic_fetch_add_explicit(&open_now, 1, memory_order_relaxed) < most
			    ? take_entry()
			    : -1;
	if (event < 0) {
		atomic_fetch_sub_explicit(&open_now, 1, memory_order_relaxed);
		limit_reached(WIRE_LIMIT_DESCRIPTORS);
		errno = EMFILE;
		return -1;
	}
	int fd = open_descriptor(attr, tid, &id);
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE)
			limit_reached(WIRE_LIMIT_DESCRIPTORS);
		free_entry(event);
		return -1;
	}
	atomic_store_explicit(&events[event].id, id, memory_order_release);
	atomic_store_explicit(&events[event].fd, fd + 1, memory_order_release);
	return event;
}

void breakpoint_close(int event)
{
	int fd = descriptor(event);

	free_entry(event);
	if (fd < 0)
		return;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0); /* a child of the program may hold a copy */
	close(fd);
}

/* [handler] */
int breakpoint_count(void)
{
	return atomic_load_explicit(&open_now, memory_order_relaxed);
}

bool breakpoint_has(int event, int fd)
{
	return event >= 0 && event < MOST && fd >= 0 &&
	       atomic_load_explicit(&events[event].fd, memory_order_relaxed) == fd + 1;
}

void *breakpoint_map(int event, size_t size)
{
	int fd = descriptor(event);
	void *p = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* ---- kinds of events ------------------------------------------------------------------- */

/* [handler] */
static struct perf_event_attr attributes(uintptr_t address, uint32_t len)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(struct perf_event_attr),
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = address,
		.bp_len = len,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

int breakpoint_open(int32_t tid)
{
	static uint64_t somewhere; /* any valid address */
	struct perf_event_attr attr = attributes((uintptr_t)&somewhere, 8);

	return open_disabled(&attr, tid);
}

int breakpoint_open_timer(int32_t tid, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return open_disabled(&attr, tid);
}

int breakpoint_open_event(int32_t tid, struct perf_event_attr *attr)
{
	return open_disabled(attr, tid);
}

/* ---- what they are told ---------------------------------------------------------------- */

void breakpoint_start_timer(int event)
{
	control(event, PERF_EVENT_IOC_ENABLE, NULL);
}

void breakpoint_set_period(int event, uint64_t period)
{
	control(event, PERF_EVENT_IOC_PERIOD, &period);
}

bool breakpoint_arm(int event, uintptr_t address, uint32_t len, bool stores_only)
{
	struct perf_event_attr attr = attributes(address, len);
	if (stores_only)
		attr.bp_type = HW_BREAKPOINT_W;
	if (ARCH_TRAPS_BEFORE)
		breakpoint_set_period(event, 1); /* an earlier watch may have been let pass */
	return control(event, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) == 0;
}

void breakpoint_pass(int event)
{
	breakpoint_set_period(event, 2);
}

void breakpoint_disarm(int event)
{
	control(event, PERF_EVENT_IOC_DISABLE, NULL);
}
