/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu.c - see pmu.h. The kernel does not tell the instruction. It is looked up as for the clock
 * (next_access.h).
 */
#define _GNU_SOURCE
#include "perf/pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "code/next_access.h"
#include "core/link.h"
#include "core/thread.h"
#include "hotspot/metadata/layout.h"
#include "perf/breakpoint.h"
#include "perf/perfring.h"

/* ---- life ------------------------------------------------------------------------------ */

/*
 * Bytes of the kernel's header, and of the data behind: each sample is taken at once. Set before
 * there is a ring that a handler could read.
 */
static _Atomic size_t page_bytes;

int pmu_open(struct thread *t, uint32_t event)
{
	const struct wire_event *e = &ojx.config.event[event];
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof attr,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.sample_type = e->sample_type & perfring_sample_types,
		.precise_ip = e->precise & 3,
		.exclude_kernel = !e->kernel,
		.exclude_hv = !e->kernel,
	};

	if (e->period) {
		attr.sample_period = e->period;
	} else {
		attr.freq = 1;
		attr.sample_freq = e->hz;
	}
	int handle = breakpoint_open_event(t->tid, &attr);
	if (handle < 0) {
		link_note("accesses are not sampled in some threads (perf_event_open: %s)",
			  strerror(errno));
		return -1;
	}
	atomic_store_explicit(&page_bytes, page, memory_order_relaxed);
	t->sample_ring[event] = breakpoint_map(handle, 2 * page);
	if (t->sample_ring[event])
		return handle;
	link_note(
		"accesses are not sampled in some threads (memory for perf events: %s); allow more "
		"with sysctl kernel.perf_event_mlock_kb or ulimit -l",
		strerror(errno));
	breakpoint_close(handle);
	return -1;
}

void pmu_start(uint32_t event, int handle)
{
	(void)event;
	breakpoint_start_timer(handle);
}

void pmu_close(struct thread *t, uint32_t event, int handle)
{
	void *ring = t->sample_ring[event];

	breakpoint_disarm(handle);
	t->sample_ring[event] = NULL; /* a handler may still run */
	if (ring)
		munmap(ring, 2 * atomic_load_explicit(&page_bytes, memory_order_relaxed));
	breakpoint_close(handle);
}

/* ---- samples --------------------------------------------------------------------------- */

/* [handler] Takes the newest sample: the one of this signal. */
static bool newest_sample(struct thread *t, uint32_t event, struct perfring_sample *to)
{
	struct perf_event_mmap_page *page = t->sample_ring[event];
	uint64_t type = ojx.config.event[event].sample_type & perfring_sample_types;
	struct perfring_counts counts = { 0 };
	const size_t size = atomic_load_explicit(&page_bytes, memory_order_relaxed);
	bool any = false;

	while (page && perfring_next(page, (unsigned char *)page + size, size, type, to, &counts))
		any = true;
	return any;
}

/* [handler] Fills in the properties of the instruction at a->ip. */
static void describe(struct access *a, const struct next_access_operand *insn,
		     enum access_kind kind)
{
	a->end = a->ip + insn->insn_len;
	a->size = insn->size;
	a->floating = insn->floating;
	a->kind = (uint8_t)kind;
}

/* [handler] Load or store, if the processor reports it. */
static enum access_kind told_kind(uint64_t data_src)
{
	union perf_mem_data_src src = { .val = data_src };

	return src.mem_op & PERF_MEM_OP_STORE  ? ACCESS_STORE
	       : src.mem_op & PERF_MEM_OP_LOAD ? ACCESS_LOAD
					       : ACCESS_UNKNOWN;
}

/* [handler] */
static void set_flags(struct access *a, uint16_t flags)
{
	a->flags = flags | (a->kind == ACCESS_LOAD    ? WIRE_ACCESS_LOAD
			    : a->kind == ACCESS_STORE ? WIRE_ACCESS_STORE
						      : 0);
}

/*
 * [handler] The instruction has run, and perhaps some after it, so its registers are not those of
 * the context. But without an index, the base follows from the address.
 */
unsigned pmu_find(struct thread *t, uint32_t event, const void *ucontext,
		  struct access to[SAMPLER_ACCESSES])
{
	struct perfring_sample s;
	const struct next_access_operand *insn;
	struct next_access ahead;

	if (!newest_sample(t, event, &s))
		return 0;
	if (!ucontext || !s.user || !ranges_in_heap(s.address, 1) ||
	    (s.ip && !ranges_in_code(s.ip)))
		return 0;
	struct access a = {
		.address = s.address,
		.ip = s.ip,
		.data_src = s.data_src,
		.latency = s.weight,
		.cpu = s.cpu,
		.kind = (uint8_t)told_kind(s.data_src),
		.past = true,
		.ucontext = ucontext,
	};
	if (s.ip && next_access_at(s.ip, &ahead) && (insn = next_access_first(&ahead, &a.kind))) {
		describe(&a, insn, a.kind);
		if (next_access_plain_base(insn))
			a.object = a.address - (uint64_t)(int64_t)insn->disp;
	}
	if (!ranges_in_heap(a.object, 1))
		a.object = 0;
	set_flags(&a, 0);
	to[0] = a;
	return 1;
}

/* [handler] The instruction at `ip` is about to run again. Finds its access to the missing byte. */
static void explain_fault(struct access *a,
			  const struct next_access_operand of[NEXT_ACCESS_ACCESSES],
			  enum access_kind kind)
{
	struct next_access_state state;

	next_access_state_of(a->ucontext, &state);
	for (int i = 0; i < NEXT_ACCESS_ACCESSES && of[i].size && of[i].step == 0; i++) {
		uintptr_t address = next_access_address(&state, &of[i]);
		if (a->size || a->address - address >= of[i].size)
			continue;
		describe(a, &of[i], kind);
		a->address = address;
		a->object = next_access_object(&state, &of[i]);
	}
}

unsigned pmu_find_fault(struct thread *t, uint32_t event, const void *ucontext,
			struct access to[SAMPLER_ACCESSES])
{
	struct perfring_sample s;
	struct next_access ahead;

	if (!newest_sample(t, event, &s))
		return 0;
	if (!ucontext || (s.ip && s.ip != arch_pc(ucontext)) || !ranges_in_heap(s.address, 1))
		return 0;
	struct access a = {
		.address = s.address,
		.ip = arch_pc(ucontext),
		.cpu = s.cpu,
		.ucontext = ucontext,
	};
	if (next_access_find(ucontext, &ahead)) {
		explain_fault(&a, ahead.load, ACCESS_LOAD);
		explain_fault(&a, ahead.store, ACCESS_STORE);
	}
	if (!ranges_in_heap(a.object, 1))
		a.object = 0;
	set_flags(&a, WIRE_ACCESS_FAULT);
	to[0] = a;
	return 1;
}
