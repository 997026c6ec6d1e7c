/* SPDX-License-Identifier: Apache-2.0 */
/* breakpoint.c - perf_event_open for breakpoints and their timers. */
#define _GNU_SOURCE
#include "breakpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHARE_OF_LIMIT 8 /* of RLIMIT_NOFILE is ours: one part in 8, and never more than MOST */
#define MOST	       1024
#define FIRST_FD \
	4096 /* out of the way of programs that count descriptors, where the limit allows */

static _Atomic int open_now;

static struct perf_event_attr attributes(uintptr_t address, uint32_t len, uint64_t data)
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
		.sigtrap = 1,
		.remove_on_exec = 1,
		.sig_data = data,
	};
}

/* Moves a descriptor up; keeps it where it is if that fails. */
static int move_up(int fd, rlim_t limit)
{
	int first = limit > 2 * FIRST_FD ? FIRST_FD : (int)(limit / 2);
	int high = fcntl(fd, F_DUPFD_CLOEXEC, first);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static int open_disabled(struct perf_event_attr *attr, int32_t tid)
{
	struct rlimit limit = { .rlim_cur = MOST };

	getrlimit(RLIMIT_NOFILE, &limit);
	rlim_t share = limit.rlim_cur / SHARE_OF_LIMIT;
	if (atomic_fetch_add(&open_now, 1) >= (int)(share < MOST ? share : MOST)) {
		atomic_fetch_sub(&open_now, 1);
		errno = EMFILE;
		return -1;
	}
	attr->disabled = 1;
	int fd = (int)syscall(SYS_perf_event_open, attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		atomic_fetch_sub(&open_now, 1);
		return -1;
	}
	return move_up(fd, limit.rlim_cur);
}

int breakpoint_open(int32_t tid)
{
	static uint64_t somewhere; /* an address to begin with */
	struct perf_event_attr attr = attributes((uintptr_t)&somewhere, 8, 0);

	/* threads can end without a word; then their number may be another process's, which a trap would end */
	if (tid && syscall(SYS_tgkill, getpid(), tid, 0) != 0)
		return -1;
	return open_disabled(&attr, tid);
}

int breakpoint_open_timer(uint64_t period, uint64_t data)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attr,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = period,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sigtrap = 1,
		.remove_on_exec = 1,
		.sig_data = data,
	};

	return open_disabled(&attr, 0);
}

int breakpoint_open_event(struct perf_event_attr *attr)
{
	attr->sigtrap = 1;
	attr->remove_on_exec = 1;
	return open_disabled(attr, 0);
}

void breakpoint_start_timer(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void breakpoint_set_period(int fd, uint64_t period)
{
	ioctl(fd, PERF_EVENT_IOC_PERIOD, &period);
}

void breakpoint_close(int fd)
{
	close(fd);
	atomic_fetch_sub(&open_now, 1);
}

int breakpoint_count(void)
{
	return atomic_load(&open_now);
}

bool breakpoint_arm(int fd, uintptr_t address, uint32_t len, bool stores_only, uint64_t data)
{
	struct perf_event_attr attr = attributes(address, len, data);
	if (stores_only)
		attr.bp_type = HW_BREAKPOINT_W;
	return ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) == 0;
}

void breakpoint_disarm(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}
