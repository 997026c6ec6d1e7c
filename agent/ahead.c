/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - see ahead.h. One decoding answers for each instruction that it meets, not only for the one
 * that was interrupted: in a loop the interrupts come everywhere. How code goes on is a guess (route.h); who watches the
 * address learns whether it was right.
 */
#define _GNU_SOURCE
#include "ahead.h"

#include <string.h>

#include "codetable.h"
#include "insn.h"
#include "route.h"

#define REQUESTS  64
#define PAGE	  4096
#define HEAP_BASE 12 /* the base of the heap, if references are compressed with one, is in r12 */

enum request_state { REQUEST_FREE, REQUEST_FILLING, REQUEST_READY };

struct request {
	_Atomic uint32_t state;
	uint32_t len;
	uint64_t ip;
	uint8_t bytes[CODE_BYTES];
};

_Static_assert(sizeof(struct ahead) <= CODE_ANSWER, "the answer does not fit");

static struct code_table table;
static struct request requests[REQUESTS];
static _Atomic uint32_t waiting;

/* ---- in the handler -------------------------------------------------------------------- */

static uint64_t ip_of(const void *ucontext)
{
	return (uint64_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RIP];
}

/* [handler] */
static void ask(uint64_t ip)
{
	for (uint32_t i = 0; i < REQUESTS; i++)
		if (atomic_load(&requests[i].state) == REQUEST_READY && requests[i].ip == ip)
			return;
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *q = &requests[i];
		uint32_t free = REQUEST_FREE;
		if (!atomic_compare_exchange_strong(&q->state, &free, REQUEST_FILLING))
			continue;
		q->ip = ip;
		q->len = CODE_BYTES;
		if (!code_read(ip, ip, q->bytes, q->len)) {
			q->len = PAGE - (uint32_t)(ip % PAGE);
			memcpy(q->bytes, (const void *)ip, q->len);
		}
		atomic_store(&q->state, REQUEST_READY);
		atomic_fetch_add(&waiting, 1);
		return;
	}
}

bool ahead_find(const void *ucontext, struct ahead *to)
{
	uint64_t ip = ip_of(ucontext);

	if (code_table_find(&table, ip, true, to, sizeof *to))
		return true;
	ask(ip);
	return false;
}

bool ahead_at(uint64_t ip, struct ahead *to)
{
	if (code_table_find(&table, ip, false, to, sizeof *to))
		return true;
	ask(ip);
	return false;
}

/* Whether an access is one of the first instruction. */
static bool at_once(const struct ahead_access *a)
{
	return a->size && a->end == a->insn_len;
}

const struct ahead_access *ahead_first(const struct ahead *ahead, uint8_t *kind)
{
	bool load = at_once(&ahead->load[0]) && *kind != ACCESS_STORE;
	bool store = at_once(&ahead->store[0]) && *kind != ACCESS_LOAD;

	if (load == store || at_once(load ? &ahead->load[1] : &ahead->store[1]))
		return NULL;
	*kind = load ? ACCESS_LOAD : ACCESS_STORE;
	return load ? &ahead->load[0] : &ahead->store[0];
}

bool ahead_plain_base(const struct ahead_access *a)
{
	return a->base < INSN_REGISTERS && a->index == INSN_NONE;
}

uintptr_t ahead_address(const void *ucontext, const struct ahead_access *a)
{
	uint64_t registers[INSN_REGISTERS];

	insn_registers(ucontext, registers);
	uint64_t base = a->base < INSN_REGISTERS ? registers[a->base] : 0;
	uint64_t index = a->index < INSN_REGISTERS ? registers[a->index] : 0;
	uint64_t third = a->third < INSN_REGISTERS ? registers[a->third] : 0;
	return base + index * a->scale + third * a->third_scale + (uint64_t)(int64_t)a->disp;
}

uintptr_t ahead_object(const void *ucontext, const struct ahead_access *a)
{
	uint64_t registers[INSN_REGISTERS];

	insn_registers(ucontext, registers);
	uint64_t base = a->base < INSN_REGISTERS ? registers[a->base] : 0;
	uint64_t index = a->index < INSN_REGISTERS ? registers[a->index] : 0;
	return a->base == HEAP_BASE && index ? base + index * a->scale : base;
}

/* ---- on the service thread ------------------------------------------------------------- */

void ahead_serve(void)
{
	csh cs;

	if (atomic_load(&waiting) == 0 || !(cs = insn_decoder()))
		return;
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *q = &requests[i];
		if (atomic_load(&q->state) != REQUEST_READY)
			continue;
		route_answer(cs, &table, q->ip, q->bytes, q->len);
		atomic_fetch_sub(&waiting, 1);
		atomic_store(&q->state, REQUEST_FREE);
	}
}
