/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode_trap.c - finds the instruction before a trap. It decodes the code forwards from many
 * starts before the trap.
 *
 * x86 code that is decoded from a wrong start falls into step after a few instructions; in unrolled
 * loops wrong decodings may persist. So the code is decoded from each of its bytes. A candidate is
 * an instruction with which enough decodings end. The right one is the candidate whose operand,
 * computed from the registers after the trap, overlaps the watched bytes. A load that overwrites
 * its own address register no longer has such an operand; then the register must hold the value in
 * memory. In all other cases the access is unknown.
 */
#include "arch/decode_trap.h"

#include <string.h>

#define STRING_STEP 4096 /* most bytes that a repeated instruction may be ahead of the trap */
#define COUNTER	    1	 /* rcx, which such an instruction counts down */
#define ENOUGH	    16u	 /* one decoding in so many must end with the instruction, plus one */

/* ---- which instruction ----------------------------------------------------------------- */

/*
 * [handler] Decodes the code from each of its bytes except the last ones. votes[i]: the number of
 * decodings in which the last instruction begins at byte i. Returns how many votes the true one
 * must have: wrong decodings mostly end at something that is not understood, but some come through.
 */
static unsigned read_all(const struct decode_trap *trap, uint8_t votes[DECODE_WINDOW])
{
	uint8_t starts = trap->len > ARCH_INSN_LONGEST ? trap->len - ARCH_INSN_LONGEST : trap->len;
	uint8_t readings[DECODE_WINDOW + 1] = { 0 };
	struct insn insn;

	memset(votes, 0, DECODE_WINDOW);
	for (uint8_t i = 0; i < trap->len; i++) {
		readings[i] += i < starts;
		if (!readings[i] || !arch_decode(trap->code + i, trap->len - i, &insn))
			continue;
		readings[i + insn.len] += readings[i];
		if (i + insn.len == trap->len)
			votes[i] = readings[i];
	}
	return starts / ENOUGH + 1;
}

/* ---- what it did ----------------------------------------------------------------------- */

/* [handler] */
static uint64_t value_of(const struct decode_trap *trap, uint8_t number)
{
	return number < ARCH_REGISTERS ? trap->registers[number] : number == INSN_PC ? trap->ip : 0;
}

/* [handler] Whether the operand overlaps the watched bytes. */
static bool overlaps(const struct decode_trap *trap, const struct insn *insn,
		     const struct insn_access *a)
{
	uint64_t at = value_of(trap, a->mem.base) + value_of(trap, a->mem.index) * a->mem.scale +
		      (uint64_t)a->mem.disp;

	if (a->mem.segment)
		return false;
	if (insn->string)
		at -= a->size;
	return at < trap->address + trap->size && trap->address < at + a->size;
}

/* [handler] Whether the instruction overwrites a register of its operand's address. */
static bool clobbered(const struct insn *insn, const struct insn_mem *m)
{
	uint32_t address = (m->base < ARCH_REGISTERS ? 1u << m->base : 0) |
			   (m->index < ARCH_REGISTERS ? 1u << m->index : 0);

	return !insn->string && insn->written & address;
}

/* [handler] Whether a load has left the value of one of its possible places in its register. */
static bool loaded(const struct decode_trap *trap, const struct insn *insn)
{
	const struct insn_access *a = &insn->access[0];
	uint64_t from = trap->address & ~UINT64_C(7);

	if (insn->result != INSN_READ || a->size > 8 || !trap->readable)
		return false;
	for (unsigned at = 0; at < 8; at += a->size) {
		bool overlap = from + at < trap->address + trap->size &&
			       trap->address < from + at + a->size;
		if (overlap && memcmp(trap->memory + at, &trap->registers[insn->to], a->size) == 0)
			return true;
	}
	return false;
}

enum access_kind decode_kind(enum insn_kind kind)
{
	return kind == INSN_LOAD ? ACCESS_LOAD : kind == INSN_STORE ? ACCESS_STORE : ACCESS_OTHER;
}

/*
 * [handler] What an instruction did to the watched bytes. At least one of a string instruction's
 * two operands is elsewhere.
 */
static enum access_kind judge(const struct decode_trap *trap, const struct insn *insn)
{
	enum access_kind kind = ACCESS_UNKNOWN;

	for (uint8_t i = 0; i < insn->accesses; i++) {
		if (!overlaps(trap, insn, &insn->access[i]))
			continue;
		if (kind != ACCESS_UNKNOWN)
			return kind == decode_kind(insn->access[i].kind) ? kind : ACCESS_UNKNOWN;
		kind = decode_kind(insn->access[i].kind);
	}
	return kind;
}

/*
 * [handler] Whether `mask` selects the colours that are bad for a store in generational ZGC. A
 * program hardly contains such a number.
 */
static bool is_colour_mask(uint32_t mask)
{
	return mask >> 16 == 0 && (mask & 15) == 0 &&
	       __builtin_popcount(mask >> 12) == 3 &&	  /* of four bits of the last relocation */
	       __builtin_popcount(mask >> 10 & 3) == 1 && /* marked, old */
	       __builtin_popcount(mask >> 8 & 3) == 1 &&  /* marked, young */
	       (mask >> 6 & 3) == 3 &&			  /* finalizable */
	       __builtin_popcount(mask >> 4 & 3) == 1;	  /* remembered */
}

/*
 * [handler] Whether the instruction is `test dword [...], mask` with such a mask. It begins a store
 * of a reference: the barrier checks the colour of the field. That does not use the object, which
 * may still be under construction.
 */
static bool is_barrier(const uint8_t *code, uint8_t len)
{
	const uint8_t *op = code + ((code[0] & 0xf0) == 0x40); /* a REX prefix */
	uint32_t mask;

	if (len < 6 || op[0] != 0xf7 || (op[1] >> 3 & 7) > 1)
		return false;
	memcpy(&mask, code + len - sizeof mask, sizeof mask);
	return is_colour_mask(mask);
}

/* One decoding of the last instruction. */
struct reading {
	unsigned votes;
	enum access_kind kind;
	uint8_t len;
};

/*
 * [handler] Takes the decoding with more votes. If two differ and have similar votes, the result is
 * unknown.
 */
static void weigh(struct reading *best, const struct reading *other)
{
	const struct reading *more = other->votes > best->votes ? other : best;
	const struct reading *less = more == other ? best : other;
	bool doubtful = less->kind != more->kind && less->votes * 2 > more->votes;
	struct reading result = *more;

	if (best->votes && doubtful)
		result.kind = ACCESS_UNKNOWN;
	*best = result;
}

/* [handler] The instruction that ends at the trap. */
static enum access_kind ended(const struct decode_trap *trap, uint8_t *len)
{
	uint8_t votes[DECODE_WINDOW];
	unsigned enough = read_all(trap, votes), sum = 0;
	struct reading fits = { 0 }, loads = { 0 };
	struct insn insn;

	for (int i = 0; i < trap->len; i++) {
		sum += votes[i];
		if (votes[i] < enough ||
		    !arch_decode(trap->code + i, (size_t)(trap->len - i), &insn))
			continue;
		struct reading r = { .votes = votes[i],
				     .kind = judge(trap, &insn),
				     .len = insn.len };
		if (r.kind == ACCESS_LOAD && is_barrier(trap->code + i, insn.len))
			r.kind = ACCESS_OTHER;
		if (r.kind != ACCESS_UNKNOWN || insn.unknown)
			weigh(&fits, &r);
		else if (insn.accesses == 1 && clobbered(&insn, &insn.access[0].mem) &&
			 loaded(trap, &insn))
			loads = votes[i] > loads.votes ? r : loads;
	}
	*len = 0;
	/* equal values may be chance, so this decoding must be the most likely one */
	if (!fits.votes && loads.votes * 2 > sum) {
		*len = loads.len;
		return ACCESS_LOAD;
	}
	if (fits.kind != ACCESS_UNKNOWN)
		*len = fits.len;
	return fits.kind;
}

/*
 * [handler] A repeated string instruction traps while ip still points to it. Its side whose
 * register is just behind the watched bytes has trapped.
 */
static enum access_kind string_access(const struct decode_trap *trap)
{
	struct insn insn;

	if (!arch_decode(trap->here, trap->here_len, &insn) || !insn.string ||
	    !(insn.written & 1u << COUNTER))
		return ACCESS_UNKNOWN;
	const struct insn_access *best = NULL;
	uint64_t nearest = STRING_STEP;
	for (uint8_t i = 0; i < insn.accesses; i++) {
		uint64_t behind = trap->registers[insn.access[i].mem.base] - trap->address;
		if (behind && behind <= nearest && !insn.access[i].mem.segment) {
			nearest = behind;
			best = &insn.access[i];
		}
	}
	return best ? decode_kind(best->kind) : ACCESS_UNKNOWN;
}

enum access_kind decode_trap(const struct decode_trap *trap, uint8_t *len)
{
	enum access_kind kind = ended(trap, len);

	return kind == ACCESS_UNKNOWN ? string_access(trap) : kind;
}

bool decode_must_end(const void *ucontext)
{
	(void)ucontext;
	return false;
}

bool decode_stored(const void *ucontext, uintptr_t address, uint32_t size, uint64_t *value)
{
	(void)ucontext;
	(void)address;
	(void)size;
	(void)value;
	return false;
}
