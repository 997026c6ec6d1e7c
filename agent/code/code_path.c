/* SPDX-License-Identifier: Apache-2.0 */
/* code_path.c - see code_path.h. */
#include "code/code_path.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "code/loop_accesses.h"
#include "code/symbolic_registers.h"
#include "core/peek.h"

#define STEPS 24    /* most instructions from the interrupted one on */
#define REACH 30000 /* most bytes from a jump to its target */
#define INSNS CODE_BYTES

/* Consecutive instructions. */
struct block {
	size_t n;
	struct step {
		uint64_t address;
		struct insn insn;
	} step[INSNS];
};

/* The interrupted code, and the target of its one jump. */
struct code_path {
	struct block near, far;
	const struct step *jump; /* NULL: none */
	uint8_t far_bytes[CODE_FAR];
};

/* State of the path from one instruction on. */
struct way {
	const struct code_path *route;
	const struct block *block;
	size_t from, at;
	size_t skip, after; /* skip..after-1 of the near block are jumped over */
	uint8_t step;
	bool cut; /* it goes on behind the known code */
	struct symbolic_registers forms;
	struct next_access *to;
};

/* ---- accesses -------------------------------------------------------------------------- */

/* The slot of the next access of a kind; NULL if there are enough of them. */
static struct next_access_operand *room(struct next_access *to, enum insn_kind kind)
{
	struct next_access_operand *a = kind == INSN_LOAD ? to->load : to->store;

	if (kind == INSN_UPDATE)
		return NULL;
	for (int i = 0; i < NEXT_ACCESS_ACCESSES; i++)
		if (!a[i].size)
			return &a[i];
	return NULL;
}

/* Records the operand if it may access the heap. Not a masked one, whose bytes are unknown. */
static void add_operand(const struct way *way, const struct step *step, uint8_t i)
{
	const struct insn_access *op = &step->insn.access[i];
	struct next_access_operand *a = room(way->to, op->kind), taken;
	struct symbolic_value address;
	uint64_t from = way->route->near.step[way->from].address;

	if (!a || !next_access_operand_counts(op) || op->masked ||
	    !symbolic_registers_address(&way->forms, &op->mem, &address))
		return;
	taken = (struct next_access_operand){
		.size = op->size,
		.end = (int16_t)(step->address + step->insn.len - from),
		.insn_len = step->insn.len,
		.floating = step->insn.floating,
		.step = way->step,
	};
	if (next_access_operand_encode(&taken, &address, op->mem.base))
		*a = taken;
}

/* ---- the way --------------------------------------------------------------------------- */

/* Whether the code never continues with the next instruction. */
static bool leaves(const struct insn *insn)
{
	return insn->flow != INSN_NEXT && insn->flow != INSN_BRANCH;
}

/* The target of a jump; 0 if it is none, or jumps to an address in a register or in memory. */
static uint64_t target(const struct step *s)
{
	bool jumps = s->insn.flow == INSN_JUMP || s->insn.flow == INSN_BRANCH;

	if (!jumps || !s->insn.direct)
		return 0;
	return s->address + s->insn.len + (uint64_t)(int64_t)s->insn.target;
}

/* Computes the registers after the path so far, without the instructions that are jumped over. */
static void begin_again(struct way *way)
{
	symbolic_registers_begin(&way->forms);
	for (size_t i = way->from; i < way->at; i++)
		if (i < way->skip || i >= way->after)
			symbolic_registers_apply(&way->forms, &way->block->step[i].insn);
}

/*
 * Whether an earlier conditional jump of the path leads just behind this instruction: the
 * interpreter's checks jump over the code that throws the exception. If not, the path ends.
 */
static bool jumped_over(struct way *way)
{
	const struct block *b = way->block;
	const struct step *at = &b->step[way->at];

	for (size_t i = way->from; b == &way->route->near && i < way->at && !way->after; i++)
		if (b->step[i].insn.flow != INSN_JUMP &&
		    target(&b->step[i]) == at->address + at->insn.len) {
			way->skip = i + 1;
			way->after = way->at + 1;
			begin_again(way);
			return true;
		}
	return false;
}

/* Goes to the next instruction; false if it is unknown. */
static bool go_on(struct way *way)
{
	const struct step *s = &way->block->step[way->at];

	way->step++;
	if (s == way->route->jump) {
		way->block = &way->route->far;
		way->at = 0;
		return way->block->n > 0;
	}
	if (leaves(&s->insn)) {
		if (!jumped_over(way))
			return false;
	} else {
		symbolic_registers_apply(&way->forms, &s->insn);
	}
	if (++way->at < way->block->n)
		return true;
	way->cut = way->block == &way->route->near;
	return false;
}

/*
 * Finds the accesses from instruction `from` on, and the bytes of code that they depend on. False
 * if too little of the code is known.
 */
static bool find_accesses(const struct code_path *r, size_t from, struct next_access *to,
			  struct code_basis *basis)
{
	struct way way = { .route = r, .block = &r->near, .from = from, .at = from, .to = to };
	uint64_t start = r->near.step[from].address;

	memset(to, 0, sizeof *to);
	symbolic_registers_begin(&way.forms);
	do {
		const struct step *s = &way.block->step[way.at];
		uint64_t end = s->address + s->insn.len;
		if (way.block == &r->near)
			basis->len = (uint8_t)(end - start);
		else
			basis->far_len = (uint8_t)(end - r->far.step->address);
		for (uint8_t i = 0; i < s->insn.accesses; i++)
			add_operand(&way, s, i);
	} while (way.step < STEPS && go_on(&way));
	if (basis->far_len)
		basis->far = (int32_t)(int64_t)(r->far.step->address - start);
	return !way.cut;
}

/* ---- code ------------------------------------------------------------------------------ */

/* Decodes up to the first instruction that is not understood. */
static void decode_block(struct block *b, uint64_t ip, const uint8_t *bytes, size_t len)
{
	size_t at = 0;

	while (b->n < INSNS && arch_decode(bytes + at, len - at, &b->step[b->n].insn)) {
		b->step[b->n].address = ip + at;
		at += b->step[b->n++].insn.len;
	}
}

/* Finds the first backward or unconditional jump, and decodes its target. */
static void find_jump(struct code_path *r)
{
	for (size_t i = 0; i < r->near.n && !r->jump; i++) {
		const struct step *s = &r->near.step[i];
		uint64_t to = target(s);
		bool taken = s->insn.flow == INSN_JUMP || to < s->address;
		if (!to || !taken || llabs((int64_t)(to - r->near.step->address)) > REACH ||
		    !peek(to, r->far_bytes, CODE_FAR))
			continue;
		r->jump = s;
		decode_block(&r->far, to, r->far_bytes, CODE_FAR);
	}
}

void code_path_answer(struct code_table *table, uint64_t ip, const uint8_t *bytes, uint32_t len)
{
	static struct loop_search search;
	struct code_path r;
	struct next_access ahead;

	r.near.n = r.far.n = 0;
	r.jump = NULL;
	loop_table_begin(&search, ip);
	decode_block(&r.near, ip, bytes, len);
	find_jump(&r);
	for (size_t i = 0; i < r.near.n; i++) {
		struct code_basis basis = { .bytes = bytes + (r.near.step[i].address - ip),
					    .far_bytes = r.far_bytes };
		/*
		 * An incomplete answer would hide a better one, which a later interrupt there will
		 * request.
		 */
		if (!find_accesses(&r, i, &ahead, &basis) && i > 0)
			continue;
		ahead.in_loop = loop_table_answer(&search, r.near.step[i].address);
		code_table_put(table, r.near.step[i].address, &basis, &ahead, sizeof ahead);
	}
}
