/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_access.c - see next_access.h. One decoding answers for all of its instructions, not only for
 * the interrupted one: in a loop the interrupts come everywhere. The path of the code is a guess
 * (code_path.h); a watch on the address finds out whether it was right.
 */
#define _GNU_SOURCE
#include "code/next_access.h"

#include <string.h>

#include "arch/arch.h"
#include "code/code_path.h"
#include "code/codetable.h"
#include "code/loop_accesses.h"

/*
 * ---- hands code that handlers could not look up to the service thread, which decodes it.
 *
 * The queue is bounded. A request that finds it full is dropped; the handler asks again when it
 * meets the code again.
 */

#define CODE_REQUESTS 64

struct code_request {
	_Atomic uint32_t state;
	uint64_t ip;		   /* address of the code */
	uint8_t len;		   /* bytes of the code at ip */
	uint8_t bytes[CODE_BYTES]; /* the first `len` are valid */
};

struct code_queue {
	struct code_request requests[CODE_REQUESTS];
	_Atomic uint32_t waiting;
};

enum request_state { REQUEST_FREE, REQUEST_FILLING, REQUEST_READY };

/*
 * [handler] Begins a request for ip, which the caller fills in and sends. NULL if one is waiting
 * already, or the queue is full.
 */
static struct code_request *code_queue_begin(struct code_queue *queue, uint64_t ip)
{
	for (uint32_t i = 0; i < CODE_REQUESTS; i++)
		if (atomic_load_explicit(&queue->requests[i].state, memory_order_acquire) ==
			    REQUEST_READY &&
		    queue->requests[i].ip == ip)
			return NULL;
	for (uint32_t i = 0; i < CODE_REQUESTS; i++) {
		struct code_request *q = &queue->requests[i];
		uint32_t free = REQUEST_FREE;
		if (!atomic_compare_exchange_strong_explicit(&q->state, &free, REQUEST_FILLING,
							     memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		q->ip = ip;
		return q;
	}
	return NULL;
}

/* [handler] */
static void code_queue_send(struct code_queue *queue, struct code_request *q)
{
	atomic_store_explicit(&q->state, REQUEST_READY, memory_order_release);
	atomic_fetch_add_explicit(&queue->waiting, 1, memory_order_relaxed);
}

/* Service thread: calls `answer` for each waiting request, which is freed afterwards. */
static void code_queue_serve(struct code_queue *queue, void (*answer)(const struct code_request *q))
{
	if (atomic_load_explicit(&queue->waiting, memory_order_relaxed) == 0)
		return;
	for (uint32_t i = 0; i < CODE_REQUESTS; i++) {
		struct code_request *q = &queue->requests[i];
		if (atomic_load_explicit(&q->state, memory_order_acquire) != REQUEST_READY)
			continue;
		answer(q);
		atomic_fetch_sub_explicit(&queue->waiting, 1, memory_order_relaxed);
		atomic_store_explicit(&q->state, REQUEST_FREE, memory_order_release);
	}
}

/* ---- answers ------------------------------------------------------------------------------ */

#define PAGE 4096

_Static_assert(sizeof(struct next_access) <= CODE_ANSWER, "the answer does not fit");

static struct code_table table;
static struct code_queue queue;

/* ---- in the handler -------------------------------------------------------------------- */

void next_access_state_of(const void *ucontext, struct next_access_state *to)
{
	to->ip = arch_pc(ucontext);
	arch_registers(ucontext, to->registers);
	arch_vectors(ucontext, to->vectors);
	to->frame = (const uint64_t *)to->registers[ARCH_STACK_POINTER];
	to->words = NEXT_ACCESS_WORDS;
}

uint8_t next_access_save_code(uint64_t ip, uint8_t bytes[CODE_BYTES])
{
	if (code_read(ip, ip, bytes, CODE_BYTES))
		return CODE_BYTES;
	uint8_t len = (uint8_t)(PAGE - ip % PAGE);
	memcpy(bytes, (const void *)ip, len);
	return len;
}

/* [handler] */
static void ask(uint64_t ip)
{
	struct code_request *q = code_queue_begin(&queue, ip);

	if (!q)
		return;
	q->len = next_access_save_code(ip, q->bytes);
	code_queue_send(&queue, q);
}

bool next_access_find(const void *ucontext, struct next_access *to)
{
	uint64_t ip = arch_pc(ucontext);

	if (code_table_find(&table, ip, true, to, sizeof *to))
		return true;
	ask(ip);
	return false;
}

bool next_access_at(uint64_t ip, struct next_access *to)
{
	if (code_table_find(&table, ip, false, to, sizeof *to))
		return true;
	ask(ip);
	return false;
}

bool next_access_loop(uint64_t ip, bool here, struct loop_accesses *to)
{
	if (loop_table_find(ip, here, to))
		return true;
	if (here)
		ask(ip);
	return false;
}

/* [handler] Whether it is an access of the first instruction. */
static bool at_once(const struct next_access_operand *a)
{
	return a->size && a->step == 0;
}

const struct next_access_operand *next_access_first(const struct next_access *ahead, uint8_t *kind)
{
	bool load = at_once(&ahead->load[0]) && *kind != ACCESS_STORE;
	bool store = at_once(&ahead->store[0]) && *kind != ACCESS_LOAD;

	if (load == store || at_once(load ? &ahead->load[1] : &ahead->store[1]))
		return NULL;
	*kind = load ? ACCESS_LOAD : ACCESS_STORE;
	return load ? &ahead->load[0] : &ahead->store[0];
}

bool next_access_plain_base(const struct next_access_operand *a)
{
	return a->base < ARCH_REGISTERS && a->index == INSN_NONE && a->third == INSN_NONE;
}

/* [handler] The value of a term: a register, or a word of the frame. */
static uint64_t term(const struct next_access_operand *a, const struct next_access_state *s,
		     uint8_t number)
{
	if (number < ARCH_REGISTERS)
		return s->registers[number];
	if (number != INSN_SPILLED)
		return 0;
	return a->spill < NEXT_ACCESS_WORDS ? s->frame[a->spill]
					    : s->vectors[a->spill - NEXT_ACCESS_WORDS];
}

/* [handler] Whether the word of the frame that the address depends on, if any, is readable. */
static bool can_add(const struct next_access_operand *a, const struct next_access_state *s)
{
	bool spilled =
		a->base == INSN_SPILLED || a->index == INSN_SPILLED || a->third == INSN_SPILLED;

	return !spilled || a->spill < s->words || a->spill >= NEXT_ACCESS_WORDS;
}

uintptr_t next_access_address(const struct next_access_state *s,
			      const struct next_access_operand *a)
{
	if (!can_add(a, s))
		return 0;
	uint64_t base = term(a, s, a->base);
	uint64_t index = term(a, s, a->index);
	uint64_t third = term(a, s, a->third);
	return base + index * a->scale + third * a->third_scale + (uint64_t)(int64_t)a->disp;
}

uintptr_t next_access_object(const struct next_access_state *s, const struct next_access_operand *a)
{
	if (!can_add(a, s))
		return 0;
	uint64_t base = term(a, s, a->base);
	uint64_t index = term(a, s, a->index);
	return a->base == ARCH_HEAP_BASE && index ? base + index * a->scale : base;
}

/* ---- on the service thread ------------------------------------------------------------- */

static void answer(const struct code_request *q)
{
	code_path_answer(&table, q->ip, q->bytes, q->len);
}

bool next_access_learn(uint64_t ip, const uint8_t *bytes, uint32_t len, struct next_access *to)
{
	if (code_table_find(&table, ip, false, to, sizeof *to))
		return true;
	code_path_answer(&table, ip, bytes, len);
	return code_table_find(&table, ip, false, to, sizeof *to);
}

static void serve(const struct part_turn *turn)
{
	(void)turn;
	code_queue_serve(&queue, answer);
}

const struct part next_access_part = { .name = "code", .serve = serve };
