/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.c - see registry.h. Each library has an entry, which it exports. The others find it
 * among the loaded libraries, by its name.
 */
#define _GNU_SOURCE
#include "core/registry.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/session.h"
#include "wire/wire.h"

#define NAME	    "ojx_agent_registry"
#define MAGIC	    0x72786a6fu /* "ojxr" */
#define LIBRARIES   1024
#define STEP_NS	    10000000
#define PATIENCE    50	 /* steps: a tool that was killed a moment ago is not noticed yet */
#define START_FIELD 20	 /* blanks from the end of the name to the time of the start */
#define END_STEPS   1000 /* steps for a recording that is ending */

enum state { FREE, HELD, LEAVING };

/* Libraries of all versions read it: new members go to the end, and none changes its meaning. */
struct entry {
	uint32_t magic;
	uint32_t size; /* bytes */
	_Atomic uint32_t state;
	_Atomic int32_t holder; /* pid of the tool, as this process sees it; 0: unknown */
	_Atomic uint64_t since; /* when that process began, in the kernel's ticks; 0: unknown */
};

OUTLIVES_SESSION __attribute__((visibility("default"))) struct entry ojx_agent_registry = {
	.magic = MAGIC,
	.size = sizeof(struct entry),
};

/* ---- the tool ---------------------------------------------------------------------------- */

/* When a process began, which tells it from a later one with the same pid; 0: unknown. */
static uint64_t start_of(int32_t pid)
{
	char path[32], stat[1024];

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, stat, sizeof stat - 1);
	if (fd >= 0)
		close(fd);
	stat[n > 0 ? n : 0] = '\0';
	char *at = strrchr(stat, ')'); /* the name before it can hold anything */
	for (int i = 0; at && i < START_FIELD; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* The pid of an entry's tool, as registry_claim tells it. */
static int32_t living_holder(struct entry *e)
{
	int32_t pid = atomic_load_explicit(&e->holder, memory_order_acquire);
	uint64_t since =
		e->size >= sizeof *e ? atomic_load_explicit(&e->since, memory_order_acquire) : 0;
	bool gone =
		pid > 0 && (since ? start_of(pid) != since : kill(pid, 0) != 0 && errno == ESRCH);

	return gone ? WIRE_GONE : pid;
}

/* ---- the libraries ----------------------------------------------------------------------- */

struct names {
	char *name[LIBRARIES];
	size_t n;
};

static int take_name(struct dl_phdr_info *info, size_t size, void *to)
{
	struct names *names = to;

	(void)size;
	if (names->n < LIBRARIES && info->dlpi_name && *info->dlpi_name) {
		names->name[names->n] = strdup(info->dlpi_name);
		names->n += names->name[names->n] != NULL;
	}
	return 0;
}

/* Another library's entry that is not free; NULL if there is none. */
static struct entry *find_other(void)
{
	struct names *names = calloc(1, sizeof *names);
	struct entry *found = NULL;

	if (names)
		dl_iterate_phdr(take_name, names);
	for (size_t i = 0; names && i < names->n; i++) {
		/* a library that is loaded stays loaded; nothing is opened here */
		void *dl = dlopen(names->name[i], RTLD_LAZY | RTLD_NOLOAD);
		struct entry *e = dl ? dlsym(dl, NAME) : NULL;
		if (e && e != &ojx_agent_registry && e->magic == MAGIC &&
		    atomic_load_explicit(&e->state, memory_order_seq_cst)) /* see try_claim() */
			found = e;
		if (dl)
			dlclose(dl);
		free(names->name[i]);
	}
	free(names);
	return found;
}

/* Takes the own entry if no other library has the process. Returns who has it; NULL: nobody. */
static struct entry *try_claim(void)
{
	uint32_t is_free = FREE;

	if (!atomic_compare_exchange_strong_explicit(&ojx_agent_registry.state, &is_free, HELD,
						     memory_order_seq_cst, memory_order_acquire))
		return &ojx_agent_registry;
	/* after that, in one order for all, so that of two libraries at least one sees the other */
	struct entry *other = find_other();
	if (other)
		atomic_store_explicit(&ojx_agent_registry.state, FREE, memory_order_release);
	return other;
}

bool registry_claim(bool patient, int32_t *holder)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	struct entry *other = try_claim();

	for (int i = 0; other; i++) {
		bool leaving = atomic_load_explicit(&other->state, memory_order_acquire) != HELD;
		*holder = living_holder(other);
		if (!patient || i >= (leaving ? END_STEPS : PATIENCE))
			return false;
		nanosleep(&step, NULL);
		other = try_claim();
	}
	atomic_store_explicit(&ojx_agent_registry.holder, 0, memory_order_release);
	return true;
}

void registry_set_holder(int32_t pid)
{
	atomic_store_explicit(&ojx_agent_registry.since, pid > 0 ? start_of(pid) : 0,
			      memory_order_release);
	atomic_store_explicit(&ojx_agent_registry.holder, pid, memory_order_release);
}

void registry_set_leaving(void)
{
	atomic_store_explicit(&ojx_agent_registry.state, LEAVING, memory_order_release);
}

void registry_release(void)
{
	atomic_store_explicit(&ojx_agent_registry.state, FREE, memory_order_release);
}
