/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cputimer.c - see cputimer.h. Makes the system calls directly: for some kinds of timers libc would
 * start a thread.
 */
#define _GNU_SOURCE
#include "perf/cputimer.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/seccomp.h"
#include "core/thread.h"
#include "perf/signals.h"

#define HANDLE 0x40000000 /* above the handles of perf events */

/* glibc's headers lack the name */
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

int cputimer_open(int32_t tid, uint64_t data)
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

void cputimer_close(int handle)
{
	if (seccomp_permits_now()) /* otherwise it stays, stopped, until the process ends */
		syscall(SYS_timer_delete, handle & ~HANDLE);
}

bool cputimer_is(int handle)
{
	return handle >= HANDLE;
}

void cputimer_set(int handle, uint64_t ns)
{
	const struct itimerspec when = {
		.it_value = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) },
	};

	if (seccomp_permits())
		syscall(SYS_timer_settime, handle & ~HANDLE, 0, &when, NULL);
}
