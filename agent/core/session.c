/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - see session.h.
 *
 * The variables are what the dynamic linker mapped writable and left so: all of .data and .bss.
 * Their first values are copied when the first session begins.
 */
#define _GNU_SOURCE
#include "core/session.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"

#define STRIPES 16
#define STEP_NS 1000000
#define RANGES	4

/*
 * Those inside. Threads use different counters, so that they do not wait for one cache line.
 *
 * seq_cst, with `is_open`: who enters counts itself and then looks whether it is open, and
 * session_close() closes and then looks whether somebody is inside. One of the two sees the other.
 */
struct stripe {
	_Alignas(64) _Atomic uint32_t inside;
};

/* A writable part of the library. */
struct range {
	uintptr_t low, zero, high; /* bytes from `zero` on were zero */
	unsigned char *first;	   /* a copy of those before */
};

OUTLIVES_SESSION static struct stripe stripes[STRIPES];
OUTLIVES_SESSION static _Atomic bool is_open;
OUTLIVES_SESSION static _Atomic uint32_t number;
OUTLIVES_SESSION static struct range ranges[RANGES];
OUTLIVES_SESSION static uint32_t nranges;

/* The linker defines them. */
extern char __start_outlives_session[], __stop_outlives_session[];

/* ---- the gate -------------------------------------------------------------------------- */

/* [handler] The counter of the calling thread. */
static _Atomic uint32_t *counter(void)
{
	static __thread char here; /* only its address matters */
	uint64_t hash = (uint64_t)(uintptr_t)&here * 0x9e3779b97f4a7c15u;

	return &stripes[hash >> 60].inside;
}

bool session_enter(void)
{
	atomic_fetch_add_explicit(
		counter(), 1,
		memory_order_seq_cst); /* before the check: either this or session_close sees */
	if (atomic_load_explicit(&is_open, memory_order_seq_cst))
		return true;
	session_leave();
	return false;
}

void session_leave(void)
{
	atomic_fetch_sub_explicit(counter(), 1, memory_order_seq_cst);
}

uint32_t session_number(void)
{
	return atomic_load_explicit(&number, memory_order_relaxed);
}

static bool is_empty(void)
{
	for (int i = 0; i < STRIPES; i++)
		if (atomic_load_explicit(&stripes[i].inside, memory_order_seq_cst))
			return false;
	return true;
}

bool session_close(uint64_t limit_ns)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	uint64_t steps = limit_ns / STEP_NS;

	atomic_store_explicit(&is_open, false, memory_order_seq_cst);
	while (!is_empty() && steps-- > 0)
		nanosleep(&step, NULL);
	return is_empty();
}

/* ---- the variables --------------------------------------------------------------------- */

static uintptr_t page_bytes(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* The end of the part that becomes read-only once it is relocated; `low` if there is none. */
static uintptr_t relocated_end(const struct dl_phdr_info *info, uintptr_t low, uintptr_t high)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t from = info->dlpi_addr + p->p_vaddr, end = from + p->p_memsz;
		if (p->p_type == PT_GNU_RELRO && from >= low && from < high)
			return end & ~(page_bytes() - 1);
	}
	return low;
}

static bool add_range(uintptr_t low, uintptr_t zero, uintptr_t high)
{
	struct range *r = &ranges[nranges];

	if (nranges == RANGES || low > zero)
		return false;
	r->first = malloc(zero - low + 1);
	if (!r->first)
		return false;
	memcpy(r->first, (const void *)low, zero - low);
	r->low = low;
	r->zero = zero;
	r->high = high;
	nranges++;
	return true;
}

/* Finds the library among all loaded ones. Returns 1 once it is found and understood. */
static int take_ranges(struct dl_phdr_info *info, size_t size, void *unused)
{
	uintptr_t self = (uintptr_t)&ranges;
	bool ours = false, good = true;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + p->p_vaddr;
		ours |= p->p_type == PT_LOAD && self >= low && self < low + p->p_memsz;
	}
	for (int i = 0; ours && good && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		uintptr_t from = relocated_end(info, low, low + p->p_memsz);
		if (from < low + p->p_memsz)
			good = add_range(from, low + p->p_filesz, low + p->p_memsz);
	}
	return ours && good && nranges > 0;
}

bool session_open(void)
{
	if (!nranges && dl_iterate_phdr(take_ranges, NULL) != 1) {
		nranges = 0;
		return false;
	}
	atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
	atomic_store_explicit(&is_open, true, memory_order_seq_cst);
	return true;
}

/* Gives whole pages back to the kernel, which gives zeros for them. Locked ones stay. */
static void clear(uintptr_t low, uintptr_t high)
{
	const uintptr_t page = page_bytes();
	uintptr_t first = (low + page - 1) & ~(page - 1);
	uintptr_t end = high & ~(page - 1);

	if (first >= end || madvise((void *)first, end - first, MADV_DONTNEED) < 0) {
		memset((void *)low, 0, high - low);
		return;
	}
	memset((void *)low, 0, first - low);
	memset((void *)end, 0, high - end);
}

/* Copies the first values of [from, to), of which `r` has a copy. */
static void restore(const struct range *r, uintptr_t from, uintptr_t to)
{
	if (from < to)
		memcpy((void *)from, r->first + (from - r->low), to - from);
}

static uintptr_t within(uintptr_t x, uintptr_t low, uintptr_t high)
{
	return x < low ? low : x > high ? high : x;
}

void session_reset(void)
{
	uintptr_t from = (uintptr_t)__start_outlives_session;
	uintptr_t to = (uintptr_t)__stop_outlives_session;

	memory_free_all();
	for (uint32_t i = 0; i < nranges; i++) {
		const struct range *r = &ranges[i];
		restore(r, r->low, within(from, r->low, r->zero));
		restore(r, within(to, r->low, r->zero), r->zero);
		clear(r->zero, r->high);
	}
}
