/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.c - finds the instruction before the trap's, by decoding backwards.
 *
 * Of all byte strings that end where the trap was reported and decode to one instruction, those count whose memory operand,
 * computed from the registers after the trap, overlaps the watched bytes; the longest of them is the instruction.
 * A load that overwrites its own address register fits no operand: where nothing else fits, that is it.
 */
#define _GNU_SOURCE
#include "decode.h"

#include <string.h>

#include "codequeue.h"
#include "insn.h"

#define PAGE 4096

struct answer {
	enum access_kind kind;
	uint8_t len;
};

static struct code_table table;
static struct code_queue queue;

/* ---- in the handler -------------------------------------------------------------------- */

/* [handler] Copies the bytes before ip, as many as can be read; returns their number. */
static uint8_t code_before(uint64_t ip, uint8_t bytes[INSN_LONGEST])
{
	if (code_read(ip, ip - INSN_LONGEST, bytes, INSN_LONGEST))
		return INSN_LONGEST;
	uint8_t n = (uint8_t)(ip % PAGE);
	memcpy(bytes, (const void *)(ip - n), n);
	return n;
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
static void ask(const void *ucontext, uint64_t ip, uintptr_t address, uint32_t size)
{
	struct code_request *q = code_queue_begin(&queue, ip);

	if (!q)
		return;
	q->address = address;
	q->size = size;
	q->len = code_before(ip, q->bytes);
	insn_registers(ucontext, q->registers);
	code_queue_send(&queue, q);
}

enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size, uint8_t *len)
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
	uint64_t ip = (uint64_t)r[REG_RIP];
	struct answer answer = { .kind = string_access(r, address) };

	if (answer.kind == ACCESS_UNKNOWN &&
	    !code_table_find(&table, ip, true, &answer, sizeof answer)) {
		ask(ucontext, ip, address, size);
		answer = (struct answer){ .kind = ACCESS_UNKNOWN };
	}
	if (len)
		*len = answer.len;
	return answer.kind;
}

enum access_kind decode_known(uint64_t ip, uint8_t *len)
{
	struct answer answer = { .kind = ACCESS_UNKNOWN };

	if (!code_table_find(&table, ip, false, &answer, sizeof answer))
		answer = (struct answer){ .kind = ACCESS_UNKNOWN };
	*len = answer.len;
	return answer.kind;
}

/* ---- on the service thread ------------------------------------------------------------- */

/* What one decoding of the bytes is worth. */
enum fit {
	FIT_NONE,
	FIT_CLOBBERED, /* a load into its own address register */
	FIT_OVERLAP,   /* its operand covers the watched bytes */
};

static bool register_value(const struct code_request *q, x86_reg reg, uint64_t *value)
{
	int number = insn_register(reg);

	*value = number < 0 || number == INSN_NONE ? 0
		 : number == INSN_RIP		   ? q->ip
						   : q->registers[number];
	return number >= 0;
}

static bool overlaps(const struct code_request *q, const cs_x86_op *op)
{
	uint64_t base, index;

	if (!register_value(q, op->mem.base, &base) || !register_value(q, op->mem.index, &index) ||
	    op->mem.segment != X86_REG_INVALID)
		return false;
	uint64_t at = base + index * (uint64_t)op->mem.scale + (uint64_t)op->mem.disp;
	return at < q->address + q->size && q->address < at + (op->size ? op->size : 1);
}

static enum fit judge(csh cs, const struct code_request *q, const cs_insn *insn,
		      enum access_kind *kind)
{
	const cs_x86 *x86 = &insn->detail->x86;

	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];
		if (!insn_touches(insn, i))
			continue;
		*kind = insn_access(insn, i);
		if (overlaps(q, op))
			return FIT_OVERLAP;
		if (*kind == ACCESS_LOAD &&
		    (insn_writes(cs, insn, op->mem.base) || insn_writes(cs, insn, op->mem.index)))
			return FIT_CLOBBERED;
	}
	return FIT_NONE;
}

/* The best decoding; its length goes to *len. */
static enum access_kind decode(csh cs, const struct code_request *q, uint8_t *len)
{
	enum access_kind best = ACCESS_OTHER;
	enum fit best_fit = FIT_NONE;

	*len = q->len;
	for (uint8_t n = q->len; n > 0 && best_fit != FIT_OVERLAP; n--) {
		cs_insn *insn = NULL;
		enum access_kind kind = ACCESS_OTHER;
		size_t count = cs_disasm(cs, q->bytes + q->len - n, n, q->ip - n, 1, &insn);
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

static void serve(csh cs, const struct code_request *q)
{
	struct answer answer;

	answer.kind = decode(cs, q, &answer.len);
	const struct code_basis basis = { .bytes = q->bytes + q->len - answer.len,
					  .before = answer.len,
					  .len = answer.len };
	code_table_put(&table, q->ip, &basis, &answer, sizeof answer);
}

void decode_serve(void)
{
	code_queue_serve(&queue, serve);
}
