/* SPDX-License-Identifier: Apache-2.0 */
/* route.c - see route.h. */
#include "route.h"

#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "peek.h"

#define STEPS  24 /* instructions looked at from an interrupted one on */
#define RSP    4
#define THREAD 15    /* compiled code and the interpreter keep the thread in r15 */
#define REACH  30000 /* bytes, from a jump to where it goes */
#define INSNS  CODE_BYTES

/* Code that follows on itself. */
struct block {
	cs_insn *insn;
	size_t n;
	uint32_t written[INSNS]; /* registers, by instruction */
};

/* The code that was interrupted, and where its one jump leads. */
struct route {
	csh cs;
	struct block near, far;
	const cs_insn *jump; /* NULL: there is none */
	uint8_t far_bytes[CODE_FAR];
};

/* The way from one instruction on. */
struct way {
	const struct route *route;
	const struct block *block;
	size_t from, at;
	size_t skip, after; /* skip..after-1 of the near block are jumped over */
	uint8_t step;
	bool cut; /* it goes on behind the code that was read */
	struct forms forms;
	struct ahead *to;
};

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

/* ---- accesses -------------------------------------------------------------------------- */

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

static uint8_t number_of(int term)
{
	return term == FORMS_SPILLED ? INSN_SPILLED : (uint8_t)term;
}

/*
 * The address as an access has it: three registers at most, the first of them as it is, which should be the one that the
 * operand itself calls its base.
 */
static bool encode(struct ahead_access *a, const struct forms *forms, const struct form *form,
		   int base)
{
	int16_t factor[FORMS_TERMS];

	if (form->add != (int32_t)form->add || form->factor[RSP] || form->factor[THREAD])
		return false;
	memcpy(factor, form->factor, sizeof factor);
	for (int i = 0; i < FORMS_TERMS && (base >= INSN_REGISTERS || factor[base] != 1); i++)
		if (factor[i] == 1)
			base = i;
	a->base = a->index = a->third = INSN_NONE;
	a->disp = (int32_t)form->add;
	a->spill = factor[FORMS_SPILLED] ? (uint8_t)(forms->spill / 8) : 0;
	if (base < FORMS_TERMS && factor[base] == 1) {
		a->base = number_of(base);
		factor[base] = 0;
	}
	for (int i = 0; i < FORMS_TERMS; i++) {
		if (!factor[i])
			continue;
		bool first = a->index == INSN_NONE;
		if (factor[i] < 0 || (!first && a->third != INSN_NONE))
			return false;
		*(first ? &a->index : &a->third) = number_of(i);
		*(first ? &a->scale : &a->third_scale) = (uint8_t)factor[i];
	}
	return true;
}

/* Notes the operand if it can be one of the heap. */
static void take(const struct way *way, const cs_insn *insn, uint8_t i)
{
	const cs_x86_op *op = &insn->detail->x86.operands[i];
	struct ahead_access *a = room(way->to, insn_access(insn, i)), taken;
	int base = insn_register(op->mem.base);
	struct form address;
	uint64_t from = way->route->near.insn[way->from].address;

	if (!a || base == RSP || base == THREAD || op->mem.segment != X86_REG_INVALID ||
	    op->size == 0 || op->size > 64 || !forms_address(&way->forms, &op->mem, &address))
		return;
	taken = (struct ahead_access){
		.size = op->size,
		.end = (int16_t)(insn->address + insn->size - from),
		.insn_len = (uint8_t)insn->size,
		.floating = floating(insn),
		.step = way->step,
	};
	if (encode(&taken, &way->forms, &address, base))
		*a = taken;
}

/* ---- the way --------------------------------------------------------------------------- */

/* Whether the next instruction is another one for sure. */
static bool leaves(csh cs, const cs_insn *insn)
{
	return insn->id == X86_INS_JMP || cs_insn_group(cs, insn, CS_GRP_CALL) ||
	       cs_insn_group(cs, insn, CS_GRP_RET) || cs_insn_group(cs, insn, CS_GRP_INT);
}

/* Where a jump goes; 0 where it is none, or goes to what a register says. */
static uint64_t target(csh cs, const cs_insn *insn)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (!cs_insn_group(cs, insn, CS_GRP_JUMP) || x86->op_count != 1 ||
	    x86->operands[0].type != X86_OP_IMM)
		return 0;
	return (uint64_t)x86->operands[0].imm;
}

/* Registers after the way's instructions so far, but for those that are jumped over. */
static void begin_again(struct way *way)
{
	forms_begin(&way->forms);
	for (size_t i = way->from; i < way->at; i++)
		if (i < way->skip || i >= way->after)
			forms_apply(&way->forms, &way->block->insn[i], way->block->written[i]);
}

/*
 * The code ends here, unless a conditional jump on the way leads just behind: the interpreter's checks jump over what
 * throws the exception.
 */
static bool jumped_over(struct way *way)
{
	const struct block *b = way->block;
	const cs_insn *at = &b->insn[way->at];

	for (size_t i = way->from; b == &way->route->near && i < way->at && !way->after; i++)
		if (b->insn[i].id != X86_INS_JMP &&
		    target(way->route->cs, &b->insn[i]) == at->address + at->size) {
			way->skip = i + 1;
			way->after = way->at + 1;
			begin_again(way);
			return true;
		}
	return false;
}

/* Goes on by one instruction; false where it is not known which that is. */
static bool go_on(struct way *way)
{
	const cs_insn *insn = &way->block->insn[way->at];

	way->step++;
	if (insn == way->route->jump) {
		way->block = &way->route->far;
		way->at = 0;
		return way->block->n > 0;
	}
	if (leaves(way->route->cs, insn)) {
		if (!jumped_over(way))
			return false;
	} else {
		forms_apply(&way->forms, insn, way->block->written[way->at]);
	}
	if (++way->at < way->block->n)
		return true;
	way->cut = way->block == &way->route->near;
	return false;
}

/* What comes from instruction `from` on, and which bytes that rests on. False where too little of the code is known. */
static bool look(const struct route *r, size_t from, struct ahead *to, struct code_basis *basis)
{
	struct way way = { .route = r, .block = &r->near, .from = from, .at = from, .to = to };
	uint64_t start = r->near.insn[from].address;

	memset(to, 0, sizeof *to);
	forms_begin(&way.forms);
	do {
		const cs_insn *insn = &way.block->insn[way.at];
		uint64_t end = insn->address + insn->size;
		if (way.block == &r->near)
			basis->len = (uint8_t)(end - start);
		else
			basis->far_len = (uint8_t)(end - r->far.insn->address);
		for (uint8_t i = 0; i < insn->detail->x86.op_count; i++)
			if (insn_touches(insn, i))
				take(&way, insn, i);
	} while (way.step < STEPS && go_on(&way));
	if (basis->far_len)
		basis->far = (int32_t)(int64_t)(r->far.insn->address - start);
	return !way.cut;
}

/* ---- code ------------------------------------------------------------------------------ */

static void decode_block(csh cs, struct block *b, uint64_t ip, const uint8_t *bytes, size_t len)
{
	b->insn = NULL;
	b->n = cs_disasm(cs, bytes, len, ip, INSNS, &b->insn);
	for (size_t i = 0; i < b->n; i++)
		b->written[i] = insn_written(cs, &b->insn[i]);
}

/* The first jump backwards, or unconditional one, and the code that it leads to. */
static void find_jump(struct route *r)
{
	for (size_t i = 0; i < r->near.n && !r->jump; i++) {
		const cs_insn *insn = &r->near.insn[i];
		uint64_t to = target(r->cs, insn);
		bool taken = insn->id == X86_INS_JMP || to < insn->address;
		if (!to || !taken || llabs((int64_t)(to - r->near.insn->address)) > REACH ||
		    !peek(to, r->far_bytes, CODE_FAR))
			continue;
		r->jump = insn;
		decode_block(r->cs, &r->far, to, r->far_bytes, CODE_FAR);
	}
}

void route_answer(csh cs, struct code_table *table, uint64_t ip, const uint8_t *bytes, uint32_t len)
{
	struct route r = { .cs = cs };
	struct ahead ahead;

	decode_block(cs, &r.near, ip, bytes, len);
	find_jump(&r);
	for (size_t i = 0; i < r.near.n; i++) {
		struct code_basis basis = { .bytes = bytes + (r.near.insn[i].address - ip),
					    .far_bytes = r.far_bytes };
		/* an answer that is not whole would keep a better one away, which whoever is interrupted there asks for */
		if (look(&r, i, &ahead, &basis) || i == 0)
			code_table_put(table, r.near.insn[i].address, &basis, &ahead, sizeof ahead);
	}
	if (r.near.n)
		cs_free(r.near.insn, r.near.n);
	if (r.far.n)
		cs_free(r.far.insn, r.far.n);
}
