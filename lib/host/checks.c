/* SPDX-License-Identifier: Apache-2.0 */
/* checks.c - see checks.h. */
#include "host/checks.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "host/machine.h"
#include "host/processor.h"
#include "record/launch.h"
#include "record/rundir.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

enum {
	MOST_PARANOID = 2, /* at this level users can still watch their own processes */
	FEW_FILES = 1024,  /* the agent takes an eighth of them */
};

const char *check_state_name(enum check_state s)
{
	static const char *const names[] = { "ok", "lacking", "failed" };

	return names[s];
}

#define SAY(to, ...) snprintf((to), sizeof(to), __VA_ARGS__)

/* ---- perf events ------------------------------------------------------------------------- */

static void check_kernel(struct check_result *r)
{
	struct utsname name;

	uname(&name); /* below `setarch i686` it names another processor */
	SAY(r->found, "%s %s, %s", name.sysname, name.release, OJX_ARCH);
	if (!machine_watches(name.release)) {
		r->state = CHECK_LACKING;
		SAY(r->advice, "the watch needs Linux %d.%d or later; the scan stands in for it",
		    MACHINE_WATCH_MAJOR, MACHINE_WATCH_MINOR);
	}
}

void check_perf_error(struct check_result *r, int error)
{
	long paranoid = machine_number(PARANOID);
	const char *inside =
		machine_in_container()
			? "in a container: run it with --cap-add PERFMON, or with a "
			  "seccomp profile that permits perf_event_open"
			: "if this is a container: --cap-add PERFMON, or a seccomp profile "
			  "that permits perf_event_open";

	r->state = CHECK_LACKING;
	if (error == MACHINE_KILLS) {
		SAY(r->found, "a seccomp filter kills callers of perf_event_open");
		SAY(r->advice, "permit it (SystemCallFilter=perf_event_open of systemd, the "
			       "container's seccomp profile); until then the scan stands in");
	} else if (error == MACHINE_OLD_KERNEL) {
		SAY(r->found, "the kernel is older than Linux %d.%d", MACHINE_WATCH_MAJOR,
		    MACHINE_WATCH_MINOR);
		SAY(r->advice, "use a newer one; until then the scan stands in");
	} else if ((error == EACCES || error == EPERM) && paranoid > MOST_PARANOID) {
		SAY(r->found, "not permitted: kernel.perf_event_paranoid is %ld", paranoid);
		SAY(r->advice,
		    "sysctl kernel.perf_event_paranoid=%d, or give CAP_PERFMON; until "
		    "then the scan stands in",
		    MOST_PARANOID);
	} else if (error == EACCES || error == EPERM) {
		SAY(r->found,
		    "not permitted, though kernel.perf_event_paranoid is %ld: a seccomp filter or "
		    "another policy forbids it",
		    paranoid);
		SAY(r->advice, "%s; until then the scan stands in", inside);
	} else if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV) {
		SAY(r->found, "the machine has none, like most virtual machines");
		SAY(r->advice, "use a machine that has one");
	} else {
		SAY(r->found, "perf_event_open: %s", strerror(error));
		SAY(r->advice, "the scan stands in");
	}
}

static void check_perf(struct check_result *r)
{
	int error = machine_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);

	if (error)
		check_perf_error(r, error);
	else
		SAY(r->found, "permitted; kernel.perf_event_paranoid is %ld",
		    machine_number(PARANOID));
}

static void check_registers(struct check_result *r)
{
	struct machine_breakpoints b;

	machine_breakpoints(&b);
	if (b.slots == 0) {
		check_perf_error(r, b.error);
		return;
	}
	SAY(r->found, "%d for each thread; %d of them signalled an access", b.slots, b.traps);
	if (b.traps < b.slots || b.slots < processor_registers) {
		r->state = CHECK_LACKING;
		SAY(r->advice,
		    b.traps ? "others are in use (a debugger, another perf): there are fewer "
			      "watches"
			    : "the virtual machine does not pass their traps on: the scan "
			      "stands in");
	}
}

static void check_pmu(struct check_result *r)
{
	int error = machine_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	if (!error) {
		SAY(r->found, "counts cycles");
		return;
	}
	check_perf_error(r, error);
	SAY(r->advice, "nothing: no analysis needs it");
}

/* ---- processes --------------------------------------------------------------------------- */

static void check_seccomp(struct check_result *r)
{
	static const char *const modes[] = { "no filter", "strict mode", "a filter is in force" };
	long mode = machine_status("Seccomp"), no_new = machine_status("NoNewPrivs");

	SAY(r->found, "%s%s", mode >= 0 && mode <= 2 ? modes[mode] : "the kernel does not tell",
	    no_new > 0 ? "; no_new_privs is set" : "");
}

static void check_readv(struct check_result *r)
{
	int error = machine_readv();

	SAY(r->found, "process_vm_readv on itself");
	if (!error)
		return;
	r->state = CHECK_LACKING;
	if (error == MACHINE_KILLS)
		SAY(r->found, "a seccomp filter kills callers of process_vm_readv");
	else
		SAY(r->found, "process_vm_readv on itself: %s", strerror(error));
	SAY(r->advice, "permit it in the seccomp profile (in a container: --cap-add SYS_PTRACE); "
		       "until then the agent reads /proc/self/mem, which takes longer");
}

static void check_memory(struct check_result *r)
{
	int error = machine_memfd();

	SAY(r->found, "memfd");
	if (!error)
		return;
	r->state = CHECK_FAILED;
	SAY(r->found, "memfd: %s", strerror(error));
	SAY(r->advice, "the kernel needs CONFIG_MEMFD_CREATE and free memory");
}

static void check_socket(struct check_result *r)
{
	struct rundir d;

	if (rundir_create(&d) == 0) {
		SAY(r->found, "a socket in %s", d.dir);
		*strrchr(r->found, '/') = '\0'; /* the directory itself is removed in a moment */
		rundir_remove(&d);
		return;
	}
	r->state = CHECK_FAILED;
	SAY(r->found, "no socket: %s", strerror(errno));
	SAY(r->advice,
	    "one of $XDG_RUNTIME_DIR, $TMPDIR and /tmp must be writable and have a short path; no "
	    "directory on it may be another user's, or writable for others without being sticky");
}

static void check_files(struct check_result *r)
{
	struct rlimit limit = { 0 };

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur == RLIM_INFINITY)
		SAY(r->found, "no limit");
	else
		SAY(r->found, "%llu", (unsigned long long)limit.rlim_cur);
	if (limit.rlim_cur < FEW_FILES) {
		r->state = CHECK_LACKING;
		SAY(r->advice, "ulimit -n %d: watches use up to an eighth of them", FEW_FILES);
	}
}

static void check_agent(struct check_result *r)
{
	char tried[2][4096];
	char *agent = launch_find_agent(tried);

	if (agent) {
		SAY(r->found, "%s", agent);
		free(agent);
		return;
	}
	r->state = CHECK_FAILED;
	SAY(r->found, "neither %.200s nor %.200s can be read", tried[0], tried[1]);
	SAY(r->advice, "build or install ojx again");
}

/* ---- the table --------------------------------------------------------------------------- */

const struct check checks[] = {
	{ "kernel", check_kernel },
	{ "perf events", check_perf },
	{ "debug registers", check_registers },
	{ "PMU", check_pmu },
	{ "seccomp", check_seccomp },
	{ "reading memory", check_readv },
	{ "shared memory", check_memory },
	{ "control socket", check_socket },
	{ "open files", check_files },
	{ "agent", check_agent },
	{ NULL, NULL },
};
