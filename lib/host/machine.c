/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.c - see machine.h. Watches are tried in a child process: they need a signal handler,
 * which must not be installed in a caller.
 */
#define _GNU_SOURCE

#include "host/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire/wire.h"

const char *users_name(uid_t uid, char name[USERS_NAME])
{
	FILE *in = fopen("/etc/passwd", "re");
	const struct passwd *entry = NULL;

	while (in && (entry = fgetpwent(in)) && entry->pw_uid != uid)
		;
	if (entry)
		snprintf(name, USERS_NAME, "%s", entry->pw_name);
	else
		snprintf(name, USERS_NAME, "%u", (unsigned)uid);
	if (in)
		fclose(in);
	return name;
}

/*
 * ---- The child is created by clone without an exit signal, not by fork. So nobody can
 * mistake its SIGCHLD for another child's, and its status is kept even if SIGCHLD is ignored.
 * It makes only system calls, the last of them _exit.
 */

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

enum { MOST_SLOTS = 16 };

/* ---- perf events ------------------------------------------------------------------------- */

static int open_event(struct perf_event_attr *attr)
{
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int try_event(struct perf_event_attr *attr)
{
	if (probe_kills(PROBE_PERF_EVENT_OPEN) > 0)
		return MACHINE_KILLS;
	int fd = open_event(attr);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

int machine_event(uint32_t type, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof attr,
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return try_event(&attr);
}

bool machine_watches(const char *release)
{
	int major, minor;

	return sscanf(release, "%d.%d", &major, &minor) != 2 || major > MACHINE_WATCH_MAJOR ||
	       (major == MACHINE_WATCH_MAJOR && minor >= MACHINE_WATCH_MINOR);
}

static bool kernel_watches(void)
{
	struct utsname name;

	return uname(&name) < 0 || machine_watches(name.release);
}

int machine_sampling(const struct wire_event *e)
{
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof attr,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.sample_period = 1 << 20,
		.sample_type = e->sample_type,
		.precise_ip = e->precise & 3,
		.disabled = 1,
		.exclude_kernel = !e->kernel,
		.exclude_hv = !e->kernel,
	};

	return try_event(&attr);
}

static volatile sig_atomic_t trapped; /* in the child */

/* Ends the watch: on some processors a trap comes before its access, and again until then. */
static void count_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	trapped++;
	ioctl(info->si_fd, PERF_EVENT_IOC_DISABLE, 0);
}

static int open_watch(volatile uint64_t *watched)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof attr,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = (uintptr_t)watched,
		.bp_len = sizeof *watched,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	int fd = open_event(&attr);

	if (fd < 0 || (fcntl(fd, F_SETOWN_EX, &owner) == 0 && fcntl(fd, F_SETSIG, SIGURG) == 0 &&
		       fcntl(fd, F_SETFL, O_RDWR | O_ASYNC) == 0))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Runs in the child. */
static void try_watches(struct machine_breakpoints *b)
{
	static volatile uint64_t watched[MOST_SLOTS];
	struct sigaction action = { .sa_sigaction = count_trap, .sa_flags = SA_SIGINFO };
	uint64_t sum = 0;

	sigaction(SIGURG, &action, NULL);
	while (b->slots < MOST_SLOTS && open_watch(&watched[b->slots]) >= 0)
		b->slots++;
	b->error = b->slots < MOST_SLOTS ? errno : 0;
	for (int i = 0; i < b->slots; i++) {
		int before = trapped;
		sum += watched[i];
		b->traps += trapped > before;
	}
	watched[0] = sum; /* keeps the compiler from removing the loads */
}

void machine_breakpoints(struct machine_breakpoints *b)
{
	int ends[2], status;

	*b = (struct machine_breakpoints){ 0 };
	if (!kernel_watches()) {
		b->error = MACHINE_OLD_KERNEL;
		return;
	}
	if (probe_kills(PROBE_PERF_EVENT_OPEN) > 0) {
		b->error = MACHINE_KILLS;
		return;
	}
	if (pipe(ends) < 0) {
		b->error = errno;
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		try_watches(b);
		_exit(write(ends[1], b, sizeof *b) != sizeof *b);
	}
	int error = errno;
	close(ends[1]);
	if (pid < 0 || read(ends[0], b, sizeof *b) != sizeof *b)
		*b = (struct machine_breakpoints){ .error = pid < 0 ? error : EIO };
	close(ends[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

/* ---- the others -------------------------------------------------------------------------- */

int machine_readv(void)
{
	char from = 1, to = 0;
	struct iovec local = { &to, 1 }, remote = { &from, 1 };

	if (probe_kills(PROBE_PROCESS_VM_READV) > 0)
		return MACHINE_KILLS;
	if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0)
		return errno;
	return to == from ? 0 : EIO;
}

int machine_memfd(void)
{
	size_t size = 1 << 16;
	int fd = memfd_create("ojx", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *mapped = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, (off_t)size) == 0)
		mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int error = mapped == MAP_FAILED ? errno : 0;
	if (!error)
		munmap(mapped, size);
	if (fd >= 0)
		close(fd);
	return error;
}

long machine_number(const char *path)
{
	FILE *f = fopen(path, "re");
	long number;

	if (!f)
		return -1;
	if (fscanf(f, "%ld", &number) != 1)
		number = -1;
	fclose(f);
	return number;
}

long machine_status(const char *key)
{
	FILE *f = fopen("/proc/self/status", "re");
	size_t len = strlen(key);
	char line[256];
	long number = -1;

	while (f && number < 0 && fgets(line, sizeof line, f))
		if (strncmp(line, key, len) == 0 && line[len] == ':')
			number = strtol(line + len + 1, NULL, 10);
	if (f)
		fclose(f);
	return number;
}

int machine_in_container(void)
{
	const char *container = getenv("container"); /* systemd-nspawn, podman, lxc */

	return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
	       (container && *container);
}
