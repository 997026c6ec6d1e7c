/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.c - see ahead.h. One decoding answers for each instruction that it meets, not only for the one
 * that was interrupted: in a loop the interrupts come everywhere. Conditional jumps are taken to be not taken, or the
 * interpreter's accesses, each behind a check of its own, would hardly be seen; who watches the address learns
 * whether that was right.
 */
#define _GNU_SOURCE
#include "ahead.h"

#include <string.h>

#include "codetable.h"
#include "insn.h"

#define REQUESTS  64
#define PAGE	  4096
#define STEPS	  16 /* instructions looked at from an interrupted one on */
#define RSP	  4
#define HEAP_BASE 12 /* and the base of the heap, if references are compressed with one, in r12 */
#define THREAD	  15 /* compiled code and the interpreter keep the thread in r15 */

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
	return base + index * a->scale + (uint64_t)(int64_t)a->disp;
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

/* Bytes of the floating-point number that an instruction moves or computes with; 0 where it is none. */
static uint8_t floating(const cs_insn *insn)
{
	size_t len = strlen(insn->mnemonic);

	if (len < 4)
		return 0;
	const char *suffix = insn->mnemonic + len - 2;
	bool scalar = strcmp(suffix, "sd") == 0 || strcmp(suffix, "ss") == 0;
	return !scalar ? 0 : suffix[1] == 'd' ? 8 : 4;
}

/* The way through the code from an interrupted instruction, without a part that is jumped over. */
struct way {
	const cs_insn *from, *skip, *after; /* skip..after-1 is not on it */
};

/* Whether nothing on the way to an instruction writes a register of its operand. */
static bool intact(csh cs, const struct way *way, const cs_insn *at, const x86_op_mem *mem)
{
	for (const cs_insn *i = way->from; i < at; i++)
		if (!(i >= way->skip && i < way->after) &&
		    (insn_writes(cs, i, mem->base) || insn_writes(cs, i, mem->index)))
			return false;
	return true;
}

/* Where the next access of a kind goes; NULL where there are enough of them. */
static struct ahead_access *room(struct ahead *to, enum access_kind kind)
{
	struct ahead_access *a = kind == ACCESS_LOAD ? to->load : to->store;

	if (kind != ACCESS_LOAD && kind != ACCESS_STORE)
		return NULL;
	for (int i = 0; i < AHEAD_ACCESSES; i++)
		if (!a[i].size)
			return &a[i];
	return NULL;
}

/* Notes the operand if it can be one of the heap. */
static void take(csh cs, struct ahead *to, const struct way *way, const cs_insn *at, uint8_t i)
{
	const cs_x86_op *op = &at->detail->x86.operands[i];
	struct ahead_access *a = room(to, insn_access(at, i));
	int base = insn_register(op->mem.base), index = insn_register(op->mem.index);

	if (!a || base < 0 || index < 0 || base == RSP || base == THREAD || base == INSN_RIP ||
	    op->mem.segment != X86_REG_INVALID || op->size == 0 || op->size > 64 ||
	    op->mem.disp != (int32_t)op->mem.disp || !intact(cs, way, at, &op->mem))
		return;
	*a = (struct ahead_access){
		.size = op->size,
		.end = (uint8_t)(at->address + at->size - way->from->address),
		.insn_len = (uint8_t)at->size,
		.base = (uint8_t)base,
		.index = (uint8_t)index,
		.scale = (uint8_t)op->mem.scale,
		.floating = floating(at),
		.disp = (int32_t)op->mem.disp,
	};
}

/* Whether the next instruction is another one for sure. A conditional jump is taken to be not taken. */
static bool leaves(csh cs, const cs_insn *insn)
{
	return insn->id == X86_INS_JMP || cs_insn_group(cs, insn, CS_GRP_CALL) ||
	       cs_insn_group(cs, insn, CS_GRP_RET) || cs_insn_group(cs, insn, CS_GRP_INT);
}

/* Where a conditional jump goes; 0 for anything else. */
static uint64_t condition_target(csh cs, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn->id == X86_INS_JMP || !cs_insn_group(cs, insn, CS_GRP_JUMP) ||
	    x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
		return 0;
	return (uint64_t)x86->operands[0].imm;
}

/*
 * The code ends here, unless a conditional jump on the way leads just behind: the interpreter's checks jump over what
 * throws the exception.
 */
static bool jumped_over(csh cs, struct way *way, const cs_insn *at)
{
	for (const cs_insn *i = way->from; i < at && !way->skip; i++)
		if (condition_target(cs, i) == at->address + at->size) {
			way->skip = i + 1;
			way->after = at + 1;
			return true;
		}
	return false;
}

/* What comes from `from` on. Returns how many bytes of code the answer rests on. */
static uint8_t look(csh cs, const cs_insn *from, const cs_insn *end, struct ahead *to)
{
	struct way way = { .from = from };
	uint8_t len = 0;

	memset(to, 0, sizeof *to);
	for (const cs_insn *at = from; at < end && at < from + STEPS; at++) {
		len = (uint8_t)(at->address + at->size - from->address);
		for (uint8_t i = 0; i < at->detail->x86.op_count; i++)
			if (insn_touches(at, i))
				take(cs, to, &way, at, i);
		if (leaves(cs, at) && !jumped_over(cs, &way, at))
			break;
	}
	return len;
}

static void answer(csh cs, const struct request *q)
{
	cs_insn *insn = NULL;
	size_t n = cs_disasm(cs, q->bytes, q->len, q->ip, 0, &insn);
	struct ahead ahead;

	for (size_t i = 0; i < n; i++) {
		uint8_t len = look(cs, &insn[i], insn + n, &ahead);
		code_table_put(&table, insn[i].address, q->bytes + (insn[i].address - q->ip), 0,
			       len, &ahead, sizeof ahead);
	}
	if (n)
		cs_free(insn, n);
}

void ahead_serve(void)
{
	csh cs;

	if (atomic_load(&waiting) == 0 || !(cs = insn_decoder()))
		return;
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *q = &requests[i];
		if (atomic_load(&q->state) != REQUEST_READY)
			continue;
		answer(cs, q);
		atomic_fetch_sub(&waiting, 1);
		atomic_store(&q->state, REQUEST_FREE);
	}
}
