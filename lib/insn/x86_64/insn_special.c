/* SPDX-License-Identifier: Apache-2.0 */
/* insn_special.c - jumps and calls, string instructions, special moves. See insn_private.h. */
#include "insn/x86_64/insn_private.h"

/* ---- rows of the opcode map 0F 38: vector instructions and BMI. See insn_private.h. */

#define M   MAP_0F38
#define LV  (ENC_LEGACY | ENC_VEX)
#define LVE (ENC_LEGACY | ENC_VEX | ENC_EVEX)
#define VE  (ENC_VEX | ENC_EVEX)
#define LE  (ENC_LEGACY | ENC_EVEX)
#define LG  ENC_LEGACY
#define VX  ENC_VEX
#define EV  ENC_EVEX
#define NP  PP_NONE

const struct insn_row insn_rows_0f38[] = {
	/* map, first, last, prefixes, encodings, operand, size, element, flags */
	{ M, 0x00, 0x00, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x01, 0x03, PP_66, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x04, 0x04, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x05, 0x0a, PP_66, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x0b, 0x0b, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x0c, 0x0c, PP_66, VE, LOAD, FULL, 4, 0 },
	{ M, 0x0d, 0x0d, PP_66, VE, LOAD, FULL, 8, 0 },
	{ M, 0x0e, 0x0f, PP_66, VX, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x10, 0x10, PP_66, LE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x10, 0x10, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x11, 0x11, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x11, 0x11, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x12, 0x12, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x12, 0x12, PP_F3, EV, STORE, EIGHTH_MEM, 0, 0 },
	{ M, 0x13, 0x13, PP_66, VE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x13, 0x13, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x14, 0x14, PP_66, LE, LOAD, FULL, BY_W, 0 },
	{ M, 0x14, 0x14, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x15, 0x15, PP_66, LE, LOAD, FULL, BY_W, 0 },
	{ M, 0x15, 0x15, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x16, 0x16, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x17, 0x17, PP_66, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x18, 0x18, PP_66, VE, LOAD, SIZE_4, 0, 0 },
	{ M, 0x19, 0x19, PP_66, VE, LOAD, SIZE_8, 0, 0 },
	{ M, 0x1a, 0x1a, PP_66, VE, LOAD, SIZE_16, 0, 0 },
	{ M, 0x1b, 0x1b, PP_66, EV, LOAD, SIZE_32, 0, 0 },
	{ M, 0x1c, 0x1d, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x1e, 0x1e, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x1f, 0x1f, PP_66, EV, LOAD, FULL, 8, 0 },
	{ M, 0x20, 0x20, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x20, 0x20, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x21, 0x21, PP_66, LVE, LOAD, QUART_MEM, 0, 0 },
	{ M, 0x21, 0x21, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x22, 0x22, PP_66, LVE, LOAD, EIGHTH_MEM, 0, 0 },
	{ M, 0x22, 0x22, PP_F3, EV, STORE, EIGHTH_MEM, 0, 0 },
	{ M, 0x23, 0x23, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x23, 0x23, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x24, 0x24, PP_66, LVE, LOAD, QUART_MEM, 0, 0 },
	{ M, 0x24, 0x24, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x25, 0x25, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x25, 0x25, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x26, 0x26, PP_66 | PP_F3, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x27, 0x27, PP_66 | PP_F3, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x28, 0x29, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0x28, 0x29, PP_F3, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x2a, 0x2a, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x2a, 0x2a, PP_F3, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x2b, 0x2b, PP_66, LVE, LOAD, FULL, 4, 0 },
	{ M, 0x2c, 0x2c, PP_66, VX, LOAD, FULL_MEM, 0, MASKED_VEX },
	{ M, 0x2c, 0x2c, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x2d, 0x2d, PP_66, VX, LOAD, FULL_MEM, 0, MASKED_VEX },
	{ M, 0x2d, 0x2d, PP_66, EV, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x2e, 0x2f, PP_66, VX, STORE, FULL_MEM, 0, MASKED_VEX },
	{ M, 0x30, 0x30, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x30, 0x30, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x31, 0x31, PP_66, LVE, LOAD, QUART_MEM, 0, 0 },
	{ M, 0x31, 0x31, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x32, 0x32, PP_66, LVE, LOAD, EIGHTH_MEM, 0, 0 },
	{ M, 0x32, 0x32, PP_F3, EV, STORE, EIGHTH_MEM, 0, 0 },
	{ M, 0x33, 0x33, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x33, 0x33, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x34, 0x34, PP_66, LVE, LOAD, QUART_MEM, 0, 0 },
	{ M, 0x34, 0x34, PP_F3, EV, STORE, QUART_MEM, 0, 0 },
	{ M, 0x35, 0x35, PP_66, LVE, LOAD, HALF_MEM, 0, 0 },
	{ M, 0x35, 0x35, PP_F3, EV, STORE, HALF_MEM, 0, 0 },
	{ M, 0x36, 0x36, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x37, 0x37, PP_66, LVE, LOAD, FULL, 8, 0 },
	{ M, 0x38, 0x38, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x38, 0x38, PP_F3, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x39, 0x39, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0x39, 0x39, PP_F3, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x3a, 0x3a, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x3a, 0x3a, PP_F3, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x3b, 0x3b, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0x3c, 0x3c, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x3d, 0x3d, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0x3e, 0x3e, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x3f, 0x40, PP_66, LVE, LOAD, FULL, BY_W, 0 },
	{ M, 0x41, 0x41, PP_66, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x42, 0x42, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x43, 0x43, PP_66, EV, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x44, 0x44, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x45, 0x47, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x4c, 0x4c, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x4d, 0x4d, PP_66, EV, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x4e, 0x4e, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x4f, 0x4f, PP_66, EV, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x50, 0x51, PP_66, VE, LOAD, FULL, 4, 0 },
	{ M, 0x50, 0x51, NP | PP_F3 | PP_F2, VX, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x52, 0x52, PP_66, VE, LOAD, FULL, 4, 0 },
	{ M, 0x52, 0x52, PP_F3, EV, LOAD, FULL, 4, 0 },
	{ M, 0x53, 0x53, PP_66, VE, LOAD, FULL, 4, 0 },
	{ M, 0x54, 0x54, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x55, 0x55, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x58, 0x58, PP_66, VE, LOAD, SIZE_4, 0, 0 },
	{ M, 0x59, 0x59, PP_66, VE, LOAD, SIZE_8, 0, 0 },
	{ M, 0x5a, 0x5a, PP_66, VE, LOAD, SIZE_16, 0, 0 },
	{ M, 0x5b, 0x5b, PP_66, EV, LOAD, SIZE_32, 0, 0 },
	/* expand and compress: the size depends on the mask */
	{ M, 0x62, 0x63, PP_66, EV, HIDDEN, 0, 0, 0 },
	{ M, 0x64, 0x65, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x66, 0x66, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x68, 0x68, PP_F2, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x70, 0x70, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x71, 0x71, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x72, 0x72, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x72, 0x72, PP_F3 | PP_F2, EV, LOAD, FULL, 4, 0 },
	{ M, 0x73, 0x73, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x75, 0x75, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x76, 0x77, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x78, 0x78, PP_66, VE, LOAD, SIZE_1, 0, 0 },
	{ M, 0x79, 0x79, PP_66, VE, LOAD, SIZE_2, 0, 0 },
	{ M, 0x7a, 0x7c, PP_66, EV, NO_MEMORY, 0, 0, 0 },
	{ M, 0x7d, 0x7d, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x7e, 0x7f, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0x83, 0x83, PP_66, EV, LOAD, FULL, 8, 0 },
	{ M, 0x88, 0x8b, PP_66, EV, HIDDEN, 0, 0, 0 },
	{ M, 0x8c, 0x8c, PP_66, VX, LOAD, FULL_MEM, 0, MASKED_VEX },
	{ M, 0x8d, 0x8d, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0x8e, 0x8e, PP_66, VX, STORE, FULL_MEM, 0, MASKED_VEX },
	{ M, 0x8f, 0x8f, PP_66, EV, LOAD, FULL_MEM, 0, 0 },
	/* gathers */
	{ M, 0x90, 0x93, PP_66, VE, HIDDEN, 0, 0, 0 },
	/* fused multiply-add */
	{ M, 0x96, 0x98, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x99, 0x99, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x9a, 0x9a, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x9b, 0x9b, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x9c, 0x9c, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x9d, 0x9d, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0x9e, 0x9e, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0x9f, 0x9f, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	/* scatters */
	{ M, 0xa0, 0xa3, PP_66, EV, HIDDEN, 0, 0, 0 },
	{ M, 0xa6, 0xa8, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xa9, 0xa9, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xaa, 0xaa, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xab, 0xab, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xac, 0xac, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xad, 0xad, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xae, 0xae, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xaf, 0xaf, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xb4, 0xb5, PP_66, VE, LOAD, FULL, 8, 0 },
	{ M, 0xb6, 0xb8, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xb9, 0xb9, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xba, 0xba, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xbb, 0xbb, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xbc, 0xbc, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xbd, 0xbd, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xbe, 0xbe, PP_66, VE, LOAD, FULL, BY_W, 0 },
	{ M, 0xbf, 0xbf, PP_66, VE, LOAD, SCALAR, BY_W, NUMBER },
	{ M, 0xc4, 0xc4, PP_66, EV, LOAD, FULL, BY_W, 0 },
	{ M, 0xc8, 0xcd, NP, LG, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xcf, 0xcf, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xdb, 0xdb, PP_66, LV, LOAD, FULL_MEM, 0, 0 },
	{ M, 0xdc, 0xdf, PP_66, LVE, LOAD, FULL_MEM, 0, 0 },
	/* BMI */
	{ M, 0xf2, 0xf2, NP, VX, LOAD, SIZE_Y, 0, WRITES_REG },
	{ M, 0xf3, 0xf3, NP, VX, LOAD, SIZE_Y, 0, WRITES_VVVV },
	{ M, 0xf5, 0xf5, NP | PP_F3 | PP_F2, VX, LOAD, SIZE_Y, 0, WRITES_REG },
	{ M, 0xf6, 0xf6, PP_F2, VX, LOAD, SIZE_Y, 0, WRITES_REG | WRITES_VVVV },
	{ M, 0xf7, 0xf7, PP_ALL, VX, LOAD, SIZE_Y, 0, WRITES_REG },
};

const size_t insn_nrows_0f38 = sizeof insn_rows_0f38 / sizeof *insn_rows_0f38;

#define RSI 6
#define RDI 7

/* ---- jumps ----------------------------------------------------------------------------- */

static void jump(struct insn_reader *r, struct insn *insn, enum insn_flow flow, unsigned bytes)
{
	/* with a 16-bit operand size, processors disagree on the length */
	if (r->opsize && bytes == 4)
		r->bad = true;
	insn->flow = flow;
	insn->direct = true;
	insn->target = (int32_t)insn_immediate(r, bytes);
}

static void leaves(struct insn_reader *r, struct insn *insn, unsigned immediate)
{
	insn_immediate(r, immediate);
	insn->flow = INSN_LEAVES;
}

static bool flow_one(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode;

	if (op >= 0x70 && op <= 0x7f) {
		jump(r, insn, INSN_BRANCH, 1);
	} else if (op >= 0xe0 && op <= 0xe3) {
		insn_writes(r, insn, op == 0xe3 ? 0 : WRITES_RCX);
		jump(r, insn, INSN_BRANCH, 1);
	} else if (op == 0xe8) {
		jump(r, insn, INSN_CALL, 4);
		insn_writes(r, insn, WRITES_ALL);
	} else if (op == 0xe9 || op == 0xeb) {
		jump(r, insn, INSN_JUMP, op == 0xe9 ? 4 : 1);
	} else if (op == 0xc2 || op == 0xca) {
		leaves(r, insn, 2);
	} else if (op == 0xc3 || op == 0xcb || op == 0xcc || op == 0xcf || op == 0xf1 ||
		   op == 0xf4) {
		leaves(r, insn, 0);
	} else if (op == 0xcd) {
		leaves(r, insn, 1);
	} else {
		return false;
	}
	return true;
}

static bool flow_0f(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode;

	if (op >= 0x80 && op <= 0x8f) {
		jump(r, insn, INSN_BRANCH, 4);
	} else if (op == 0x0b) {
		leaves(r, insn, 0);
	} else if (op == 0x05) {
		/* returns to the next instruction, with rax, rcx and r11 changed */
		insn->flow = INSN_CALL;
		insn_writes(r, insn, WRITES_ALL);
	} else {
		return false;
	}
	return true;
}

/* ---- strings --------------------------------------------------------------------------- */

static void string_operand(const struct insn_reader *r, struct insn *insn, uint8_t base,
			   enum insn_kind kind)
{
	uint8_t size = r->opcode & 1 ? insn_width(r) : 1;

	if (r->addr32) {
		insn->unknown = true;
		return;
	}
	insn->access[insn->accesses++] = (struct insn_access){
		.mem = { .base = base, .index = INSN_NONE, .segment = r->segment && base == RSI },
		.kind = kind,
		.size = size,
	};
	insn->written |= (1u << base);
}

/* movs, cmps, stos, lods, scas */
static bool string(struct insn_reader *r, struct insn *insn)
{
	switch (r->opcode | 1) {
	case 0xa5:
		string_operand(r, insn, RDI, INSN_STORE);
		string_operand(r, insn, RSI, INSN_LOAD);
		break;
	case 0xa7:
		string_operand(r, insn, RDI, INSN_LOAD);
		string_operand(r, insn, RSI, INSN_LOAD);
		break;
	case 0xab:
		string_operand(r, insn, RDI, INSN_STORE);
		break;
	case 0xad:
		string_operand(r, insn, RSI, INSN_LOAD);
		insn_writes(r, insn, WRITES_RAX);
		break;
	case 0xaf:
		string_operand(r, insn, RDI, INSN_LOAD);
		break;
	default:
		return false;
	}
	insn->string = true;
	insn_writes(r, insn, r->rep || r->repne ? WRITES_RCX : 0);
	return true;
}

/* ---- moves ----------------------------------------------------------------------------- */

/* Moves of rax from or to an absolute address. */
static void absolute(struct insn_reader *r, struct insn *insn)
{
	bool store = r->opcode >= 0xa2;

	r->mem = (struct insn_mem){ .base = INSN_NONE, .index = INSN_NONE, .segment = r->segment };
	r->mem.disp = insn_immediate(r, r->addr32 ? 4 : 8);
	insn_operand(r, insn, store ? STORE : LOAD, r->opcode & 1 ? insn_width(r) : 1);
	insn_writes(r, insn, store ? 0 : WRITES_RAX);
}

/* The register that the opcode encodes. */
static uint8_t in_opcode(const struct insn_reader *r)
{
	return (uint8_t)((r->opcode & 7) | (r->rex & 1 ? 8 : 0));
}

static void move_number(struct insn_reader *r, struct insn *insn)
{
	uint8_t to = in_opcode(r);
	bool byte = r->opcode < 0xb8;

	insn->imm = insn_immediate(r, byte ? 1 : insn_width(r));
	insn->written = (1u << (byte && !r->has_rex ? to & 3 : to));
	if (!byte)
		insn_result_is(r, insn, INSN_MOVE, to, INSN_NONE);
}

/* xchg with rax (pause and nop are forms of it); bswap; pop. */
static bool one_register(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode, number = in_opcode(r);

	if (r->map == MAP_0F && op >= 0xc8 && op <= 0xcf)
		insn->written = (1u << number);
	else if (r->map == MAP_ONE && op >= 0x90 && op <= 0x97)
		insn->written = number ? (1u << number | 1) : 0;
	else if (r->map == MAP_ONE && op >= 0x58 && op <= 0x5f)
		insn->written = (1u << number | 1u << 4);
	else
		return false;
	return true;
}

/* 0F 38 F0, F1, F6, F9: movbe, crc32, adcx and adox, movdiri. */
static bool odd_moves(struct insn_reader *r, struct insn *insn)
{
	const uint8_t width = insn_width(r);
	struct insn_row row = { .operand = LOAD, .size = SIZE_V, .flags = WRITES_REG };

	if (r->opcode == 0xf6 && (r->pp == 1 || r->pp == 2)) {
		row.size = SIZE_Y;
	} else if ((r->opcode | 1) == 0xf1 && r->repne) {
		row.size = r->opcode & 1 ? SIZE_V : SIZE_1;
	} else if ((r->opcode | 1) == 0xf1 && !r->rep) {
		row.operand = r->opcode & 1 ? STORE : LOAD;
		row.flags = r->opcode & 1 ? 0 : WRITES_REG;
	} else if (r->opcode == 0xf9 && r->pp == 0) {
		row = (struct insn_row){ .operand = STORE, .size = width == 8 ? SIZE_8 : SIZE_4 };
	} else {
		return false;
	}
	insn_modrm(r);
	insn_use_row(r, insn, &row);
	return true;
}

/* ---------------------------------------------------------------------------------------- */

bool insn_special(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode;

	if (r->map == MAP_0F38)
		return odd_moves(r, insn);
	if (r->map == MAP_0F)
		return flow_0f(r, insn) || one_register(r, insn);
	if (r->map != MAP_ONE)
		return false;
	if (op >= 0xa0 && op <= 0xa3) {
		absolute(r, insn);
	} else if (op >= 0xb0 && op <= 0xbf) {
		move_number(r, insn);
	} else {
		return flow_one(r, insn) || string(r, insn) || one_register(r, insn);
	}
	return true;
}
