/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a64_memory.c - loads and stores. Each instruction accesses one range of bytes: what a pair of
 * registers or a structure of vectors takes is one access.
 */
#include "insn/aarch64/a64_private.h"

#define SIMD 26 /* the bit that selects vector registers */
#define LOAD 22 /* the bit that tells a load from a store, in most forms */

/* How the base register changes. */
enum writing { KEEPS, BEFORE, AFTER };

static void access_is(struct insn *insn, enum insn_kind kind, uint32_t size, uint8_t base)
{
	insn->accesses = 1;
	insn->access[0] = (struct insn_access){
		.mem = { .base = base, .index = INSN_NONE },
		.kind = kind,
		.size = (uint8_t)size,
	};
}

static void stores(struct insn *insn, uint32_t code, uint8_t reg)
{
	insn->stored_vectors = a64_bit(code, SIMD);
	insn->stored[insn->stored[0] == INSN_NONE ? 0 : 1] = reg;
}

/* The register that is loaded or stored. */
static void transfers(struct insn *insn, uint32_t code, uint8_t reg)
{
	if (insn->access[0].kind == INSN_STORE)
		stores(insn, code, reg);
	if (insn->access[0].kind != INSN_LOAD)
		return;
	if (a64_bit(code, SIMD))
		insn->vectors |= 1u << reg;
	else
		a64_writes(insn, reg);
}

/* A load into one general register, which gets `width` bytes. */
static void reads(struct insn *insn, uint8_t to, uint8_t width)
{
	if (to == 31)
		return;
	insn->result = INSN_READ;
	insn->to = to;
	insn->from = INSN_NONE;
	insn->width = width;
}

/* The base register with a number; it may be changed by that. */
static void addresses(struct insn *insn, int64_t disp, enum writing writing)
{
	struct insn_mem *mem = &insn->access[0].mem;

	mem->disp = writing == AFTER ? 0 : disp;
	if (writing == KEEPS)
		return;
	insn->written |= 1u << mem->base;
	if (insn->result != INSN_OTHER || insn->access[0].kind == INSN_LOAD)
		return;
	insn->result = INSN_LEA;
	insn->to = mem->base;
	insn->width = 8;
	insn->lea = (struct insn_mem){ .base = mem->base, .index = INSN_NONE, .disp = disp };
}

/* ---- exclusive, ordered, compare and swap ------------------------------------------------ */

static bool exclusive(uint32_t code, struct insn *insn)
{
	uint32_t size = 1u << a64_bits(code, 30, 2);
	bool load = a64_bit(code, LOAD), ordered = a64_bit(code, 23), two = a64_bit(code, 21);
	uint8_t status = a64_rm(code), rt = a64_rd(code), rn = a64_rn(code);

	if (two && (ordered || size < 4)) {
		/* CAS; CASP, of two registers, has its size in bit 30 */
		uint32_t each = ordered ? size : a64_bit(code, 30) ? 8 : 4;
		if (a64_bits(code, 10, 5) != 31 || (!ordered && status & 1))
			return false;
		access_is(insn, INSN_UPDATE, ordered ? each : 2 * each, rn);
		a64_writes(insn, status);
		if (!ordered)
			a64_writes(insn, status + 1);
		return true;
	}
	access_is(insn, load ? INSN_LOAD : INSN_STORE, two ? 2 * size : size, rn);
	transfers(insn, code, rt);
	if (two)
		transfers(insn, code, (uint8_t)a64_bits(code, 10, 5));
	else if (load)
		reads(insn, rt, size == 8 ? 8 : 4);
	if (!load && !ordered)
		a64_writes(insn, status);
	return true;
}

bool insn_aarch64_exclusive(uint32_t code)
{
	bool pair = a64_bit(code, 21);

	return (code & 0x3f800000) == 0x08000000 && (!pair || a64_bit(code, 31));
}

/* ---- one register ------------------------------------------------------------------------ */

/* The two bits beside the size: what is done with how many bytes. False: no such form. */
static bool single(uint32_t code, struct insn *insn)
{
	uint32_t size = a64_bits(code, 30, 2), opc = a64_bits(code, 22, 2);
	uint8_t rt = a64_rd(code), rn = a64_rn(code);

	if (a64_bit(code, SIMD)) {
		if (opc > 1 && size != 0)
			return false;
		uint32_t bytes = opc > 1 ? 16 : 1u << size;
		access_is(insn, opc & 1 ? INSN_LOAD : INSN_STORE, bytes, rn);
		insn->floating = bytes == 4 || bytes == 8 ? (uint8_t)bytes : 0;
		transfers(insn, code, rt);
		return true;
	}
	if (opc == 3 && size > 1)
		return false;
	access_is(insn, opc ? INSN_LOAD : INSN_STORE, 1u << size, rn);
	transfers(insn, code, rt);
	if (opc)
		reads(insn, rt, opc == 2 || size == 3 ? 8 : 4);
	return true;
}

/* Asks for a line of the cache: nothing that a program sees. */
static bool prefetches(uint32_t code)
{
	uint32_t form = a64_bits(code, 10, 2);

	if ((code & 0xfec00000) != 0xf8800000)
		return false;
	return a64_bit(code, 24) || form == (a64_bit(code, 21) ? 2 : 0);
}

static bool atomic(uint32_t code, struct insn *insn)
{
	uint32_t size = 1u << a64_bits(code, 30, 2), which = a64_bits(code, 12, 4);
	uint8_t rt = a64_rd(code);

	if (a64_bit(code, SIMD))
		return false;
	if (which == 12) { /* LDAPR */
		access_is(insn, INSN_LOAD, size, a64_rn(code));
		transfers(insn, code, rt);
		reads(insn, rt, size == 8 ? 8 : 4);
		return true;
	}
	if (which > 8) { /* 64 bytes at once, and what is not known */
		insn->unknown = true;
		insn->written = UINT32_MAX;
		return true;
	}
	access_is(insn, INSN_UPDATE, size, a64_rn(code));
	a64_writes(insn, rt);
	return true;
}

static bool indexed(uint32_t code, struct insn *insn)
{
	uint32_t extend = a64_bits(code, 13, 3);

	if (!(extend & 2) || !single(code, insn))
		return false;
	struct insn_access *a = &insn->access[0];
	a->mem.index = a64_or_none(a64_rm(code));
	a->mem.scale = a->mem.index == INSN_NONE ? 0 : a64_bit(code, 12) ? a->size : 1;
	return true;
}

static bool one_register(uint32_t code, struct insn *insn)
{
	uint32_t form = a64_bits(code, 10, 2);

	if (prefetches(code))
		return true;
	if (a64_bit(code, 24)) {
		if (!single(code, insn))
			return false;
		addresses(insn, (int64_t)a64_bits(code, 10, 12) * insn->access[0].size, KEEPS);
		return true;
	}
	if (a64_bit(code, 21)) {
		if (form == 0)
			return atomic(code, insn);
		if (form == 2)
			return indexed(code, insn);
		insn->unknown = true; /* the address is authenticated */
		insn->written = UINT32_MAX;
		return true;
	}
	if (!single(code, insn))
		return false;
	addresses(insn, a64_signed(code, 12, 9), form == 1 ? AFTER : form == 3 ? BEFORE : KEEPS);
	return true;
}

/* Ordered, with a number: LDAPUR, STLUR. */
static bool ordered(uint32_t code, struct insn *insn)
{
	if (a64_bit(code, SIMD) || !single(code, insn))
		return false;
	addresses(insn, a64_signed(code, 12, 9), KEEPS);
	return true;
}

static bool literal(uint32_t code, struct insn *insn)
{
	uint32_t opc = a64_bits(code, 30, 2);
	bool simd = a64_bit(code, SIMD);
	uint32_t size = simd ? 4u << opc : opc == 1 ? 8 : 4;

	if (opc == 3)
		return !simd; /* a prefetch */
	access_is(insn, INSN_LOAD, size, INSN_PC);
	/* the program counter is that of the next instruction */
	addresses(insn, (int64_t)a64_signed(code, 5, 19) * 4 - INSN_AARCH64_LEN, KEEPS);
	transfers(insn, code, a64_rd(code));
	if (simd)
		insn->floating = size <= 8 ? (uint8_t)size : 0;
	else
		reads(insn, a64_rd(code), opc ? 8 : 4);
	return true;
}

/* ---- pairs, structures ------------------------------------------------------------------- */

static bool pair(uint32_t code, struct insn *insn)
{
	static const enum writing writings[] = { KEEPS, AFTER, KEEPS, BEFORE };
	uint32_t opc = a64_bits(code, 30, 2), each;
	bool simd = a64_bit(code, SIMD), load = a64_bit(code, LOAD);
	enum writing writing = writings[a64_bits(code, 23, 2)];

	if (opc == 3)
		return false;
	if (simd)
		each = 4u << opc;
	else if (opc == 1 && (!load || a64_bits(code, 23, 2) == 0))
		return false; /* tags of memory */
	else
		each = opc == 2 ? 8 : 4;
	access_is(insn, load ? INSN_LOAD : INSN_STORE, 2 * each, a64_rn(code));
	transfers(insn, code, a64_rd(code));
	transfers(insn, code, (uint8_t)a64_bits(code, 10, 5));
	addresses(insn, (int64_t)a64_signed(code, 15, 7) * each, writing);
	return true;
}

/* What a store takes of them is interleaved, and is not told. */
static void vectors_from(struct insn *insn, uint32_t code, unsigned n)
{
	for (unsigned i = 0; i < n && insn->access[0].kind == INSN_LOAD; i++)
		insn->vectors |= 1u << ((a64_rd(code) + i) & 31);
}

/* The address behind a structure: a register, or 31 for the bytes of the structure. */
static void behind(struct insn *insn, uint32_t code)
{
	if (!a64_bit(code, 23))
		return;
	if (a64_rm(code) == 31)
		addresses(insn, insn->access[0].size, AFTER);
	else
		insn->written |= 1u << a64_rn(code);
}

static bool structures(uint32_t code, struct insn *insn)
{
	/* registers by the field `opcode`; 0: no such form */
	static const uint8_t registers[16] = { 4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2 };
	uint32_t n = registers[a64_bits(code, 12, 4)];

	if (!n || (!a64_bit(code, 23) && a64_rm(code)))
		return false;
	access_is(insn, a64_bit(code, LOAD) ? INSN_LOAD : INSN_STORE,
		  n * (a64_bit(code, 30) ? 16 : 8), a64_rn(code));
	vectors_from(insn, code, n);
	behind(insn, code);
	return true;
}

/* One element of each of up to four vectors. */
static bool elements(uint32_t code, struct insn *insn)
{
	uint32_t opcode = a64_bits(code, 13, 3), n = (opcode & 1) * 2 + a64_bit(code, 21) + 1;
	uint32_t scale = opcode >> 1, size = a64_bits(code, 10, 2);

	if (!a64_bit(code, 23) && a64_rm(code))
		return false;
	if (scale == 3) {
		if (!a64_bit(code, LOAD) || a64_bit(code, 12))
			return false;
		scale = size; /* repeated in the whole vector */
	} else if (scale == 1 && size & 1) {
		return false;
	} else if (scale == 2) {
		if (size > 1 || (size == 1 && a64_bit(code, 12)))
			return false;
		scale += size;
	}
	access_is(insn, a64_bit(code, LOAD) ? INSN_LOAD : INSN_STORE, n << scale, a64_rn(code));
	vectors_from(insn, code, n);
	behind(insn, code);
	return true;
}

/* ---- the table --------------------------------------------------------------------------- */

/* Copies and fills memory, stores tags. */
static bool unknown(uint32_t code, struct insn *insn)
{
	(void)code;
	insn->unknown = true;
	insn->written = UINT32_MAX;
	return true;
}

static const struct {
	uint32_t mask, value;
	bool (*read)(uint32_t code, struct insn *insn);
} forms[] = {
	{ 0xbf200000, 0x0c000000, structures },	  { 0xbf000000, 0x0d000000, elements },
	{ 0x3f000000, 0x08000000, exclusive },	  { 0x3f200c00, 0x19000000, ordered },
	{ 0x3f200c00, 0x19000400, unknown },	  { 0xff200000, 0xd9200000, unknown },
	{ 0x3b000000, 0x18000000, literal },	  { 0x3a000000, 0x28000000, pair },
	{ 0x3a000000, 0x38000000, one_register },
};

bool a64_memory(uint32_t code, struct insn *insn)
{
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if ((code & forms[i].mask) == forms[i].value)
			return forms[i].read(code, insn);
	return false;
}
