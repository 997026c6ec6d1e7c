/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_read.c - reads prefixes, opcode, ModRM, SIB, displacement and immediate of an instruction;
 * finds and applies rows.
 */
#include "insn/x86_64/insn_private.h"

#define REX_W 8
#define REX_R 4
#define REX_X 2
#define REX_B 1

uint8_t insn_byte(struct insn_reader *r)
{
	if (r->at >= r->room) {
		r->bad = true;
		return 0;
	}
	return r->code[r->at++];
}

int64_t insn_immediate(struct insn_reader *r, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)insn_byte(r) << (8 * i);
	if (bytes == 0 || bytes >= 8)
		return (int64_t)v;
	unsigned unused = 64 - 8 * bytes;
	return (int64_t)(v << unused) >> unused;
}

/* ---- prefixes -------------------------------------------------------------------------- */

/* Reads legacy prefixes and REX; returns the byte behind them. */
static uint8_t prefixes(struct insn_reader *r)
{
	for (;;) {
		uint8_t b = insn_byte(r);
		switch (r->bad ? 0 : b) {
		case 0x66:
			r->opsize = true;
			break;
		case 0x67:
			r->addr32 = true;
			break;
		case 0x64:
		case 0x65:
			r->segment = true;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e: /* no effect in 64-bit mode */
			break;
		case 0xf0:
			r->lock = true;
			break;
		case 0xf2:
			r->repne = true;
			break;
		case 0xf3:
			r->rep = true;
			break;
		default:
			if (b >> 4 != 4)
				return b;
			r->rex = b & 15;
			r->has_rex = true;
			return insn_byte(r);
		}
	}
}

/* Which of 66, F3 and F2 selects the opcode, as a bit number of insn_row.pp. */
static uint8_t mandatory(const struct insn_reader *r)
{
	return r->repne ? 3 : r->rep ? 2 : r->opsize ? 1 : 0;
}

/* Reads an opcode without VEX and EVEX; `b` is its first byte. */
static void read_legacy(struct insn_reader *r, uint8_t b)
{
	r->enc = ENC_LEGACY;
	r->map = MAP_ONE;
	r->pp = mandatory(r);
	r->vector = 16;
	r->opcode = b;
	if (b != 0x0f)
		return;
	r->map = MAP_0F;
	r->opcode = b = insn_byte(r);
	if (b != 0x38 && b != 0x3a)
		return;
	r->map = b == 0x38 ? MAP_0F38 : MAP_0F3A;
	r->opcode = insn_byte(r);
}

static void read_vex(struct insn_reader *r, uint8_t first)
{
	uint8_t b = insn_byte(r);

	r->enc = ENC_VEX;
	r->rex = b & 0x80 ? 0 : REX_R;
	r->map = MAP_0F;
	if (first == 0xc4) {
		r->rex |= (b & 0x40 ? 0 : REX_X) | (b & 0x20 ? 0 : REX_B);
		r->map = b & 31;
		b = insn_byte(r);
		r->rex |= b & 0x80 ? REX_W : 0;
	}
	r->vvvv = (~b >> 3) & 15;
	r->vector = b & 4 ? 32 : 16;
	r->pp = b & 3;
	r->bad = r->bad || r->map < MAP_0F || r->map > MAP_0F3A;
	r->opcode = insn_byte(r);
}

static void read_evex(struct insn_reader *r)
{
	uint8_t p0 = insn_byte(r), p1 = insn_byte(r), p2 = insn_byte(r);
	uint8_t length = p2 >> 5 & 3;

	r->enc = ENC_EVEX;
	r->rex = (p0 & 0x80 ? 0 : REX_R) | (p0 & 0x40 ? 0 : REX_X) | (p0 & 0x20 ? 0 : REX_B) |
		 (p1 & 0x80 ? REX_W : 0);
	r->map = p0 & 7;
	r->pp = p1 & 3;
	r->vvvv = (~p1 >> 3) & 15;
	r->broadcast = p2 & 0x10;
	r->masked = p2 & 7;
	r->vector = (uint16_t)(16 << length);
	/* the two fixed bits are registers 16 to 31 with APX; zeroing needs a mask */
	if (p0 & 8 || !(p1 & 4) || (p2 & 0x80 && !r->masked))
		r->bad = true;
	r->opcode = insn_byte(r);
}

void insn_opcode(struct insn_reader *r)
{
	uint8_t b = prefixes(r);
	bool vector = b == 0xc4 || b == 0xc5 || b == 0x62;

	if (r->bad)
		return;
	/* none of these prefixes may precede them; 0xd5 is a prefix of APX */
	if (vector && (r->opsize || r->lock || r->rep || r->repne || r->has_rex))
		r->bad = true;
	else if (b == 0x62)
		read_evex(r);
	else if (vector)
		read_vex(r, b);
	else
		read_legacy(r, b);
}

/* ---- the operand in memory ------------------------------------------------------------- */

static void read_sib(struct insn_reader *r, unsigned *disp)
{
	uint8_t sib = insn_byte(r);
	uint8_t index = (uint8_t)((sib >> 3 & 7) | (r->rex & REX_X ? 8 : 0));

	if (index != 4) {
		r->mem.index = index;
		r->mem.scale = (uint8_t)(1 << (sib >> 6));
	}
	r->mem.base = (uint8_t)((sib & 7) | (r->rex & REX_B ? 8 : 0));
	if ((sib & 7) == 5 && r->mod == 0) {
		r->mem.base = INSN_NONE;
		*disp = 4;
	}
}

void insn_modrm(struct insn_reader *r)
{
	uint8_t b = insn_byte(r);

	r->has_modrm = true;
	r->mod = b >> 6;
	r->reg = (uint8_t)((b >> 3 & 7) | (r->rex & REX_R ? 8 : 0));
	r->rm = (uint8_t)((b & 7) | (r->rex & REX_B ? 8 : 0));
	if (r->mod == 3)
		return;
	unsigned disp = r->mod == 1 ? 1 : r->mod == 2 ? 4 : 0;
	r->mem = (struct insn_mem){ .base = r->rm, .index = INSN_NONE, .segment = r->segment };
	if ((b & 7) == 4) {
		read_sib(r, &disp);
	} else if ((b & 7) == 5 && r->mod == 0) {
		r->mem.base = INSN_PC;
		disp = 4;
	}
	r->short_disp = disp == 1;
	r->mem.disp = insn_immediate(r, disp);
}

void insn_operand(const struct insn_reader *r, struct insn *insn, enum insn_operand operand,
		  uint8_t size)
{
	if (operand == ADDRESS) {
		insn->lea = r->mem;
		return;
	}
	/* 32-bit addresses are truncated, which compilers do not use */
	if (operand == HIDDEN || r->addr32) {
		insn->unknown = true;
		return;
	}
	insn->access[insn->accesses++] = (struct insn_access){
		.mem = r->mem,
		.kind = operand == LOAD	   ? INSN_LOAD
			: operand == STORE ? INSN_STORE
					   : INSN_UPDATE,
		.size = size,
		.masked = r->masked,
	};
}

/* The general register of a number in ModRM; `byte`: of a byte register. */
static uint8_t register_number(const struct insn_reader *r, uint8_t number, bool byte)
{
	return byte && !r->has_rex && r->enc == ENC_LEGACY ? number & 3 : number;
}

void insn_writes(const struct insn_reader *r, struct insn *insn, uint16_t flags)
{
	static const struct {
		uint16_t flag, bits;
	} fixed[] = {
		{ WRITES_RAX, 1 << 0 }, { WRITES_RCX, 1 << 1 },	    { WRITES_RDX, 1 << 2 },
		{ WRITES_RSP, 1 << 4 }, { WRITES_ALL, UINT16_MAX },
	};

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (flags & fixed[i].flag)
			insn->written |= fixed[i].bits;
	if (flags & WRITES_REG)
		insn->written |= (1u << register_number(r, r->reg, (flags & BYTE_REG) != 0));
	if (flags & WRITES_RM && r->mod == 3)
		insn->written |= (1u << register_number(r, r->rm, (flags & BYTE_RM) != 0));
	if (flags & WRITES_VVVV)
		insn->written |= (1u << r->vvvv);
}

/* ---- general operands ------------------------------------------------------------------ */

uint8_t insn_width(const struct insn_reader *r)
{
	return r->rex & 8 ? 8 : r->opsize ? 2 : 4;
}

uint8_t insn_size(const struct insn_reader *r, uint8_t size)
{
	static const uint8_t bytes[] = {
		[SIZE_1] = 1,	[SIZE_2] = 2,	[SIZE_4] = 4,	[SIZE_8] = 8,
		[SIZE_10] = 10, [SIZE_16] = 16, [SIZE_32] = 32,
	};

	if (size == SIZE_V)
		return insn_width(r);
	if (size == SIZE_Y)
		return r->rex & 8 ? 8 : 4;
	if (size == SIZE_V64)
		return r->opsize ? 2 : 8;
	return size < sizeof bytes ? bytes[size] : 0;
}

static unsigned imm_z(const struct insn_reader *r)
{
	return insn_width(r) == 2 ? 2 : 4;
}

void insn_result_is(const struct insn_reader *r, struct insn *insn, enum insn_result what,
		    uint8_t to, uint8_t from)
{
	if (insn_width(r) < 4)
		return;
	insn->result = what;
	insn->to = to;
	insn->from = from;
	insn->width = insn_width(r);
}

const struct insn_row *insn_find_row(const struct insn_reader *r, const struct insn_row *rows,
				     size_t n)
{
	unsigned wanted = (unsigned)r->map << 8 | r->opcode;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (((unsigned)rows[middle].map << 8 | rows[middle].last) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && rows[low].map == r->map && rows[low].first <= r->opcode ? &rows[low]
										  : NULL;
}

void insn_use_row(struct insn_reader *r, struct insn *insn, const struct insn_row *row)
{
	if (r->mod != 3 && row->operand == NO_MEMORY && r->has_modrm)
		r->bad = true;
	if (r->has_modrm && r->mod != 3)
		insn_operand(r, insn, (enum insn_operand)row->operand, insn_size(r, row->size));
	insn_writes(r, insn, row->flags);
	if (row->flags & IMM8)
		insn->imm = insn_immediate(r, 1);
	if (row->flags & IMM_Z)
		insn->imm = insn_immediate(r, imm_z(r));
}
