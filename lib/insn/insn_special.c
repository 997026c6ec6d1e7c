/* SPDX-License-Identifier: Apache-2.0 */
/* insn_special.c - jumps and calls, string instructions, special moves. See insn_private.h. */
#include "insn/insn_private.h"

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
	insn->written |= (uint16_t)(1u << base);
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
	insn->written = (uint16_t)(1u << (byte && !r->has_rex ? to & 3 : to));
	if (!byte)
		insn_result_is(r, insn, INSN_MOVE, to, INSN_NONE);
}

/* xchg with rax (pause and nop are forms of it); bswap; pop. */
static bool one_register(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode, number = in_opcode(r);

	if (r->map == MAP_0F && op >= 0xc8 && op <= 0xcf)
		insn->written = (uint16_t)(1u << number);
	else if (r->map == MAP_ONE && op >= 0x90 && op <= 0x97)
		insn->written = number ? (uint16_t)(1u << number | 1) : 0;
	else if (r->map == MAP_ONE && op >= 0x58 && op <= 0x5f)
		insn->written = (uint16_t)(1u << number | 1u << 4);
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
