/* SPDX-License-Identifier: Apache-2.0 */
/* insn.c - one instruction; see insn.h. */
#define _GNU_SOURCE

#include "insn/insn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "insn/insn_private.h"

/* ---- describes what an instruction does to memory. See insn.h. */

static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
				     "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip" };
static const char *const kinds[] = {
	[INSN_LOAD] = "load", [INSN_STORE] = "store", [INSN_UPDATE] = "update"
};

static void put_bytes(char *to, size_t room, const uint8_t *code, size_t len)
{
	size_t at = 0;

	if (room)
		*to = '\0';
	for (size_t i = 0; i < len && at + 4 < room; i++)
		at += (size_t)snprintf(to + at, room - at, "%s%02x", i ? " " : "", code[i]);
}

static void put_mem(char *to, size_t room, const struct insn_mem *m)
{
	bool negative = m->disp < 0;
	uint64_t disp = negative ? -(uint64_t)m->disp : (uint64_t)m->disp;
	bool base = m->base <= INSN_RIP, index = m->index < INSN_REGISTERS;
	char scaled[16] = "", number[32] = "";

	if (index)
		snprintf(scaled, sizeof scaled, "%s%s*%u", base ? " + " : "", names[m->index],
			 m->scale);
	if (disp || (!base && !index))
		snprintf(number, sizeof number, "%s0x%" PRIx64,
			 negative	 ? " - "
			 : base || index ? " + "
					 : "",
			 disp);
	snprintf(to, room, "[%s%s%s]", base ? names[m->base] : "", scaled, number);
}

void insn_text(char *to, size_t room, const uint8_t *code, size_t len)
{
	struct insn insn;
	char mem[64];

	if (!insn_decode(code, len, &insn) || insn.len != len || insn.accesses != 1) {
		put_bytes(to, room, code, len);
		return;
	}
	const struct insn_access *a = &insn.access[0];
	put_mem(mem, sizeof mem, &a->mem);
	snprintf(to, room, "%u-byte %s%s %s %s%s", a->size, a->masked ? "masked " : "",
		 kinds[a->kind],
		 a->kind == INSN_STORE	? "to"
		 : a->kind == INSN_LOAD ? "from"
					: "of",
		 a->mem.segment ? "thread-local " : "", mem);
}

/* Register numbers of a signal context, in the order of the machine's encoding. */
static const int greg[INSN_REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					  REG_R12, REG_R13, REG_R14, REG_R15 };

void insn_registers(const void *ucontext, uint64_t to[INSN_REGISTERS])
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	for (int i = 0; i < INSN_REGISTERS; i++)
		to[i] = (uint64_t)r[greg[i]];
}

/* ---- vectors --------------------------------------------------------------------------- */

/* Whether an element can be broadcast. */
static bool broadcasts(const struct insn_reader *r, const struct insn_row *row)
{
	return row->size == FULL || row->size == HALF || row->size == QUARTER ||
	       row->size == HALF_OR_FULL || (row->size == PACKED && r->pp < 2);
}

/* Compilers keep general registers in vector registers if they have too few. */
static void move_low_part(const struct insn_reader *r, struct insn *insn)
{
	bool to = r->opcode == 0x6e;

	insn->result = to ? INSN_TO_VECTOR : INSN_FROM_VECTOR;
	insn->to = to ? r->reg : r->rm;
	insn->from = to ? r->rm : r->reg;
	insn->width = r->rex & 8 ? 8 : 4;
	insn->vectors = to ? (uint16_t)(1u << r->reg) : 0;
}

static void find_vectors(const struct insn_reader *r, struct insn *insn)
{
	bool low = r->map == MAP_0F && r->pp == 1 && (r->opcode == 0x6e || r->opcode == 0x7e);

	if (low && r->mod == 3 && r->enc != ENC_EVEX) {
		move_low_part(r, insn);
		return;
	}
	insn->vectors = (uint16_t)(1u << (r->reg & 15));
	if (r->mod == 3)
		insn->vectors |= (uint16_t)(1u << (r->rm & 15));
	if (r->enc != ENC_LEGACY)
		insn->vectors |= (uint16_t)(1u << (r->vvvv & 15));
}

/* Reads the instruction of a row, whose opcode has been read. */
static void read_vector(struct insn_reader *r, const struct insn_row *row, struct insn *insn)
{
	bool only_register =
		row->operand == NO_MEMORY || (row->flags & REGISTER_SSE && r->enc != ENC_EVEX);

	insn->vectors = UINT16_MAX;
	if (row->flags & NO_MODRM)
		return;
	insn_modrm(r);
	find_vectors(r, insn);
	if (r->mod != 3 && (only_register || (r->broadcast && !broadcasts(r, row))))
		r->bad = true;
	/*
	 * with a register operand, the broadcast bit selects rounding, and the length bits are free
	 */
	if (r->vector > 64 && !(r->mod == 3 && r->broadcast) && row->size != SCALAR)
		r->bad = true;
	if (r->mod != 3 && !r->bad) {
		uint8_t size = insn_vector_size(r, row);
		if (r->enc == ENC_EVEX && r->short_disp)
			r->mem.disp *= size;
		r->masked = r->masked || (row->flags & MASKED_VEX);
		insn_operand(r, insn, (enum insn_operand)row->operand, size);
		bool scalar = row->size != PACKED || r->pp >= 2;
		insn->floating = row->flags & NUMBER && scalar ? size : 0;
	}
	if (row->flags & IMM8)
		insn_immediate(r, 1);
	insn_writes(r, insn, row->flags);
	if (r->enc == ENC_LEGACY && r->lock)
		r->bad = true;
}

/* ---- one instruction ------------------------------------------------------------------- */

static bool whole(const struct insn_reader *r, const struct insn *insn)
{
	bool lockable = insn->accesses == 1 && insn->access[0].kind == INSN_UPDATE;

	return !r->bad && r->at <= INSN_LONGEST && (!r->lock || lockable);
}

bool insn_decode(const uint8_t *code, size_t len, struct insn *insn)
{
	struct insn_reader r = { .code = code, .room = len < INSN_LONGEST ? len : INSN_LONGEST };
	const struct insn_row *row;

	memset(insn, 0, sizeof *insn);
	insn_opcode(&r);
	if (!r.bad && (r.enc != ENC_LEGACY || !insn_integer(&r, insn))) {
		row = insn_vector_row(&r);
		if (row)
			read_vector(&r, row, insn);
		else
			r.bad = true;
	}
	if (!whole(&r, insn)) {
		memset(insn, 0, sizeof *insn);
		return false;
	}
	insn->len = (uint8_t)r.at;
	return true;
}
