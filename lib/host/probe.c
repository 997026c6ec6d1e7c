/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe.c - see probe.h.
 *
 * The child is created by clone without an exit signal, not by fork. So nobody can mistake its
 * SIGCHLD for another child's, and its status is kept even if SIGCHLD is ignored. It makes only
 * system calls, the last of them _exit.
 */
#define _GNU_SOURCE
#include "host/probe.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Opens a breakpoint as the agent does; it is disabled and never hit. */
static void try_perf_event_open(void)
{
	static uint64_t somewhere;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof attr,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = (uintptr_t)&somewhere,
		.bp_len = sizeof somewhere,
		.sample_period = 1,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void try_process_vm_readv(void)
{
	char from = 0, to;
	struct iovec local = { &to, 1 }, remote = { &from, 1 };

	process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

/* Makes a timer as the agent does; it is the child's own and ends with it. */
static void try_timer_create(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_NONE };
	int id;

	syscall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &id);
}

static void try_move_pages(void)
{
	void *page = &page;
	int node;

	syscall(SYS_move_pages, 0, 1ul, &page, NULL, &node, 0);
}

static _Noreturn void try_call(enum probe_call call)
{
	const struct rlimit no_core = { 0, 0 };

	/* the limit does not apply to cores that are piped to a program */
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_DUMPABLE, 0);
	signal(SIGSYS, SIG_DFL); /* another program would not have our handler */
	switch (call) {
	case PROBE_PERF_EVENT_OPEN:
		try_perf_event_open();
		break;
	case PROBE_PROCESS_VM_READV:
		try_process_vm_readv();
		break;
	case PROBE_TIMER_CREATE:
		try_timer_create();
		break;
	case PROBE_MOVE_PAGES:
		try_move_pages();
		break;
	}
	_exit(0);
}

int probe_kills(enum probe_call call)
{
	int status;
	pid_t waited;
	pid_t pid = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, 0);

	if (pid < 0)
		return -1;
	if (pid == 0)
		try_call(call);
	do
		waited = waitpid(pid, &status, __WCLONE);
	while (waited < 0 && errno == EINTR);
	if (waited < 0)
		return -1;
	return WIFSIGNALED(status);
}
