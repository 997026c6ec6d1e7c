/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.c - finds the instruction before the trap's, by decoding backwards.
 *
 * Of all byte strings that end where the trap was reported and decode to one instruction, those count whose memory operand,
 * computed from the registers after the trap, overlaps the watched bytes; the longest of them is the instruction.
 * A load that overwrites its own address register fits no operand: where nothing else fits, that is it.
 *
 * Compiled code comes and goes. The table keeps the instruction's bytes, and an entry whose bytes are no longer
 * there is no answer. Entries are written by the service thread alone, under a sequence number, so that a
 * handler never sees half of one.
 */
#define _GNU_SOURCE
#include "decode.h"

#include <capstone/capstone.h>
#include <string.h>
#include <ucontext.h>

#include "peek.h"

#define SLOTS	  8192u
#define PROBES	  8
#define REQUESTS  64
#define LONGEST	  15 /* bytes of an x86 instruction */
#define PAGE	  4096
#define REGISTERS 16

struct entry {
	_Atomic uint32_t sequence; /* odd: being written */
	uint8_t kind, len;
	uint8_t bytes[LONGEST];
	_Atomic uint64_t ip; /* 0: free */
};

enum request_state { REQUEST_FREE, REQUEST_FILLING, REQUEST_READY };

struct request {
	_Atomic uint32_t state;
	uint32_t size;
	uint64_t ip, address;
	uint64_t registers[REGISTERS];
	uint8_t bytes[LONGEST]; /* before ip */
	uint8_t valid;		/* how many of them, the last ones, could be read */
};

static struct entry table[SLOTS];
static struct request requests[REQUESTS];
static _Atomic uint32_t waiting;

/* Context register numbers in the order of the machine's encoding. */
static const int greg[REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				     REG_RSI, REG_RDI, REG_R8,	REG_R9,	 REG_R10, REG_R11,
				     REG_R12, REG_R13, REG_R14, REG_R15 };
static const x86_reg capstone_reg[REGISTERS] = {
	X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX, X86_REG_RSP, X86_REG_RBP,
	X86_REG_RSI, X86_REG_RDI, X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
	X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15
};

/* ---- in the handler -------------------------------------------------------------------- */

/* [handler] Copies the bytes before ip, as many as can be read; returns their number. */
static uint8_t code_before(uint64_t ip, uint8_t bytes[LONGEST])
{
	if (ip % PAGE >= LONGEST) { /* on the page that is being executed */
		memcpy(bytes, (const void *)(ip - LONGEST), LONGEST);
		return LONGEST;
	}
	if (peek(ip - LONGEST, bytes, LONGEST))
		return LONGEST;
	uint8_t n = (uint8_t)(ip % PAGE);
	memcpy(bytes + LONGEST - n, (const void *)(ip - n), n);
	return n;
}

static uint32_t slot_of(uint64_t ip)
{
	uint64_t state = ip;
	return (uint32_t)random_next(&state) & (SLOTS - 1);
}

/* [handler] The table's answer, if its instruction is still there. */
static enum access_kind look_up(uint64_t ip, const uint8_t bytes[LONGEST])
{
	uint32_t start = slot_of(ip);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct entry *e = &table[(start + i) & (SLOTS - 1)];
		uint32_t before = atomic_load_explicit(&e->sequence, memory_order_acquire);
		if (atomic_load_explicit(&e->ip, memory_order_relaxed) != ip || before & 1)
			continue;
		enum access_kind kind = e->kind;
		bool same = e->len <= LONGEST && memcmp(bytes + LONGEST - e->len,
							e->bytes + LONGEST - e->len, e->len) == 0;
		atomic_thread_fence(memory_order_acquire);
		if (atomic_load_explicit(&e->sequence, memory_order_relaxed) == before && same)
			return kind;
	}
	return ACCESS_UNKNOWN;
}

/* [handler] A string instruction traps with ip still on itself; one side of it is meant. */
static enum access_kind string_access(const greg_t *r, uintptr_t address)
{
	const uint8_t *code = (const uint8_t *)r[REG_RIP];
	if (*code != 0xf3)
		return ACCESS_UNKNOWN;
	uint8_t op = code[1] >= 0x48 && code[1] <= 0x4f ? code[2] : code[1];
	if (op == 0xaa || op == 0xab)
		return ACCESS_STORE;
	if (op != 0xa4 && op != 0xa5)
		return ACCESS_UNKNOWN;
	uint64_t to_target = (uint64_t)r[REG_RDI] - address,
		 to_source = (uint64_t)r[REG_RSI] - address;
	return to_target < to_source ? ACCESS_STORE : ACCESS_LOAD;
}

/* [handler] Hands an instruction to the service thread, unless it is waiting already. */
static void ask(const greg_t *r, uintptr_t address, uint32_t size, const uint8_t *bytes,
		uint8_t valid)
{
	uint64_t ip = (uint64_t)r[REG_RIP];

	for (uint32_t i = 0; i < REQUESTS; i++)
		if (atomic_load(&requests[i].state) == REQUEST_READY && requests[i].ip == ip)
			return;
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *q = &requests[i];
		uint32_t free = REQUEST_FREE;
		if (!atomic_compare_exchange_strong(&q->state, &free, REQUEST_FILLING))
			continue;
		q->ip = ip;
		q->address = address;
		q->size = size;
		q->valid = valid;
		memcpy(q->bytes, bytes, LONGEST);
		for (int g = 0; g < REGISTERS; g++)
			q->registers[g] = (uint64_t)r[greg[g]];
		atomic_store(&q->state, REQUEST_READY);
		atomic_fetch_add(&waiting, 1);
		return;
	}
}

enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size)
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
	uint8_t bytes[LONGEST] = { 0 };
	enum access_kind kind = string_access(r, address);

	if (kind != ACCESS_UNKNOWN)
		return kind;
	uint8_t valid = code_before((uint64_t)r[REG_RIP], bytes);
	kind = look_up((uint64_t)r[REG_RIP], bytes);
	if (kind == ACCESS_UNKNOWN)
		ask(r, address, size, bytes, valid);
	return kind;
}

/* ---- on the service thread ------------------------------------------------------------- */

/* What one decoding of the bytes is worth. */
enum fit {
	FIT_NONE,
	FIT_CLOBBERED, /* a load into its own address register */
	FIT_OVERLAP,   /* its operand covers the watched bytes */
};

static bool register_value(const struct request *q, x86_reg reg, uint64_t *value)
{
	*value = 0;
	if (reg == X86_REG_INVALID)
		return true;
	if (reg == X86_REG_RIP) {
		*value = q->ip;
		return true;
	}
	for (int i = 0; i < REGISTERS; i++)
		if (capstone_reg[i] == reg) {
			*value = q->registers[i];
			return true;
		}
	return false;
}

static bool overlaps(const struct request *q, const cs_x86_op *op)
{
	uint64_t base, index;

	if (!register_value(q, op->mem.base, &base) || !register_value(q, op->mem.index, &index) ||
	    op->mem.segment != X86_REG_INVALID)
		return false;
	uint64_t at = base + index * (uint64_t)op->mem.scale + (uint64_t)op->mem.disp;
	return at < q->address + q->size && q->address < at + (op->size ? op->size : 1);
}

/* Registers of different widths share a number in `regs_access`; names differ. */
static bool writes_register(csh cs, const cs_insn *insn, x86_reg reg)
{
	cs_regs read, written;
	uint8_t nread = 0, nwritten = 0;

	if (reg == X86_REG_INVALID ||
	    cs_regs_access(cs, insn, read, &nread, written, &nwritten) != CS_ERR_OK)
		return false;
	const char *wide = cs_reg_name(cs, reg);
	for (uint8_t i = 0; i < nwritten; i++) {
		const char *name = cs_reg_name(cs, written[i]);
		/* rax is written by eax too; r8 by r8d */
		if (wide && name &&
		    (strcmp(name, wide) == 0 ||
		     (name[0] == 'e' && strcmp(name + 1, wide + 1) == 0) ||
		     (wide[0] == 'r' && strncmp(name, wide, strlen(wide)) == 0)))
			return true;
	}
	return false;
}

/* Load or store, for the memory operand at `i`. */
static enum access_kind operand_kind(const cs_insn *insn, const cs_x86 *x86, uint8_t i)
{
	/* moves are most of all accesses, and their operands' order says it without a table */
	if (strstr(insn->mnemonic, "mov"))
		return i == 0 ? ACCESS_STORE : ACCESS_LOAD;
	switch (x86->operands[i].access) {
	case CS_AC_READ:
		return ACCESS_LOAD;
	case CS_AC_WRITE:
		return ACCESS_STORE;
	case CS_AC_READ | CS_AC_WRITE:
		return ACCESS_OTHER;
	default:
		return i == 0 ? ACCESS_OTHER : ACCESS_LOAD;
	}
}

static enum fit judge(csh cs, const struct request *q, const cs_insn *insn, enum access_kind *kind)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];
		if (op->type != X86_OP_MEM || insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
			continue;
		*kind = operand_kind(insn, x86, i);
		if (overlaps(q, op))
			return FIT_OVERLAP;
		if (*kind == ACCESS_LOAD && (writes_register(cs, insn, op->mem.base) ||
					     writes_register(cs, insn, op->mem.index)))
			return FIT_CLOBBERED;
	}
	return FIT_NONE;
}

/* The best decoding; its length goes to *len. */
static enum access_kind decode(csh cs, const struct request *q, uint8_t *len)
{
	enum access_kind best = ACCESS_OTHER;
	enum fit best_fit = FIT_NONE;

	*len = q->valid;
	for (uint8_t n = q->valid; n > 0 && best_fit != FIT_OVERLAP; n--) {
		cs_insn *insn = NULL;
		enum access_kind kind = ACCESS_OTHER;
		size_t count = cs_disasm(cs, q->bytes + LONGEST - n, n, q->ip - n, 1, &insn);
		enum fit fit = count == 1 && insn->size == n ? judge(cs, q, insn, &kind) : FIT_NONE;
		if (fit > best_fit) {
			best_fit = fit;
			best = kind;
			*len = n;
		}
		if (count)
			cs_free(insn, count);
	}
	return best;
}

/* Writes an answer, over an older one of the same address or the first in reach. */
static void publish(const struct request *q, enum access_kind kind, uint8_t len)
{
	uint32_t start = slot_of(q->ip);
	struct entry *e = &table[start];

	for (uint32_t i = 0; i < PROBES; i++) {
		struct entry *there = &table[(start + i) & (SLOTS - 1)];
		uint64_t ip = atomic_load(&there->ip);
		if (ip == q->ip || ip == 0) {
			e = there;
			break;
		}
	}
	atomic_fetch_add(&e->sequence, 1);
	atomic_thread_fence(memory_order_release);
	e->kind = (uint8_t)kind;
	e->len = len;
	memcpy(e->bytes, q->bytes, LONGEST);
	atomic_store_explicit(&e->ip, q->ip, memory_order_relaxed);
	atomic_fetch_add_explicit(&e->sequence, 1, memory_order_release);
}

void decode_serve(void)
{
	static csh cs; /* kept: opening it is dearer than many decodings */

	if (atomic_load(&waiting) == 0)
		return;
	if (!cs && (cs_open(CS_ARCH_X86, CS_MODE_64, &cs) != CS_ERR_OK ||
		    cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)) {
		cs = 0;
		return;
	}
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *q = &requests[i];
		uint8_t len;
		if (atomic_load(&q->state) != REQUEST_READY)
			continue;
		enum access_kind kind = decode(cs, q, &len);
		publish(q, kind, len);
		atomic_fetch_sub(&waiting, 1);
		atomic_store(&q->state, REQUEST_FREE);
	}
}
