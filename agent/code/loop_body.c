/* SPDX-License-Identifier: Apache-2.0 */
/* loop_body.c - see loop_body.h. */
#include "code/loop_body.h"

#include <string.h>

#include "arch/arch.h"
#include "core/peek.h"

#define PAGE   4096
#define WINDOW (2 * LOOP_BYTES)

/* ---- the code -------------------------------------------------------------------------- */

void loop_code_read(struct loop_code *c, uint64_t ip)
{
	uint64_t end;

	c->base = ip - LOOP_BYTES;
	c->n = 0;
	c->low = c->high = LOOP_BYTES;
	memset(c->index, 0xff, sizeof c->index);
	/* page by page, from that of `ip` on in both directions */
	for (uint64_t at = ip; at < c->base + WINDOW; at = end) {
		end = (at / PAGE + 1) * PAGE;
		end = end < c->base + WINDOW ? end : c->base + WINDOW;
		if (!peek(at, c->bytes + (at - c->base), end - at))
			break;
		c->high = (uint32_t)(end - c->base);
	}
	for (end = ip; end > c->base; end = c->base + c->low) {
		uint64_t at = (end - 1) / PAGE * PAGE;
		at = at > c->base ? at : c->base;
		if (!peek(at, c->bytes + (at - c->base), end - at))
			break;
		c->low = (uint32_t)(at - c->base);
	}
}

int16_t loop_code_at(struct loop_code *c, uint64_t address)
{
	uint64_t at = address - c->base;

	if (address < c->base + c->low || at >= c->high)
		return LOOP_NONE;
	if (c->index[at] != LOOP_NONE || c->n == LOOP_INSNS)
		return c->index[at];
	struct loop_step *s = &c->step[c->n];
	if (!arch_decode(c->bytes + at, c->high - at, &s->insn))
		return LOOP_NONE;
	s->at = (uint32_t)at;
	s->linked = false;
	return c->index[at] = (int16_t)c->n++;
}

/* Finds the instructions that may follow. Behind a call, or a jump to somewhere, is nothing. */
static void link_step(struct loop_code *c, struct loop_step *s)
{
	const struct insn *insn = &s->insn;
	uint64_t next = c->base + s->at + insn->len;
	bool falls = insn->flow == INSN_NEXT || insn->flow == INSN_BRANCH;
	bool jumps = insn->flow == INSN_JUMP || insn->flow == INSN_BRANCH;

	if (s->linked)
		return;
	s->linked = true;
	s->next[0] = falls ? loop_code_at(c, next) : LOOP_NONE;
	s->next[1] = jumps && insn->direct ? loop_code_at(c, next + (uint64_t)(int64_t)insn->target)
					   : LOOP_NONE;
}

/* ---- cycles ---------------------------------------------------------------------------- */

struct set {
	bool has[LOOP_INSNS];
};

/* All instructions that the code can reach from `from` without passing `without`. */
static void reach(struct loop_code *c, int16_t from, int16_t without, struct set *to)
{
	int16_t todo[LOOP_INSNS];
	uint32_t n = 0;

	memset(to, 0, sizeof *to);
	to->has[from] = true;
	todo[n++] = from;
	while (n) {
		struct loop_step *s = &c->step[todo[--n]];
		link_step(c, s);
		for (int k = 0; k < 2; k++) {
			int16_t next = s->next[k];
			if (next == LOOP_NONE || next == without || to->has[next])
				continue;
			to->has[next] = true;
			todo[n++] = next;
		}
	}
}

static bool leads_into(const struct loop_step *s, const struct set *set)
{
	return (s->next[0] != LOOP_NONE && set->has[s->next[0]]) ||
	       (s->next[1] != LOOP_NONE && set->has[s->next[1]]);
}

/*
 * The instructions that are on a way from `ip` to `ip` that does not pass `without`. False if there
 * is no such way.
 */
static bool cycle(struct loop_code *c, int16_t ip, int16_t without, struct set *to)
{
	struct set from;
	bool more = true;

	reach(c, ip, without, &from);
	memset(to, 0, sizeof *to);
	to->has[ip] = true;
	while (more) {
		more = false;
		for (int i = (int)c->n - 1; i >= 0; i--) {
			if (!from.has[i] || to->has[i] || !leads_into(&c->step[i], to))
				continue;
			to->has[i] = more = true;
		}
	}
	return leads_into(&c->step[ip], to);
}

static void count_in(const struct loop_code *c, const struct set *set, uint16_t in[LOOP_INSNS])
{
	memset(in, 0, LOOP_INSNS * sizeof *in);
	for (uint32_t i = 0; i < c->n; i++)
		for (int k = 0; k < 2 && set->has[i]; k++)
			if (c->step[i].next[k] != LOOP_NONE)
				in[c->step[i].next[k]]++;
}

/*
 * Orders the set from the header on, each instruction before those that follow it. Returns how many
 * could be: all, if each cycle passes the header.
 */
static uint32_t order(const struct loop_code *c, const struct set *set, int16_t header,
		      const uint16_t in_all[LOOP_INSNS], int16_t to[LOOP_INSNS])
{
	uint16_t in[LOOP_INSNS];
	uint32_t n = 0;

	memcpy(in, in_all, sizeof in);
	to[n++] = header;
	for (uint32_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++) {
			int16_t next = c->step[to[i]].next[k];
			if (next != LOOP_NONE && next != header && set->has[next] &&
			    --in[next] == 0)
				to[n++] = next;
		}
	return n;
}

static uint32_t size_of(const struct loop_code *c, const struct set *set)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		n += set->has[i];
	return n;
}

/*
 * Finds a header: an instruction that is on each cycle of the set. It is `ip`, unless that is on an
 * arm of the loop; or a place where ways meet. Writes the order; false if there is none.
 */
static bool find_header(const struct loop_code *c, const struct set *set, int16_t ip,
			struct loop_body *to)
{
	uint16_t in[LOOP_INSNS];

	count_in(c, set, in);
	to->n = size_of(c, set);
	if (order(c, set, ip, in, to->order) == to->n)
		return true;
	for (uint32_t i = 0; i < c->n; i++)
		if (set->has[i] && in[i] > 1 && order(c, set, (int16_t)i, in, to->order) == to->n)
			return true;
	to->n = 0;
	return false;
}

/* Where the rest of a set leads into a part of it; LOOP_NONE if to several instructions. */
static int16_t entry_of(const struct loop_code *c, const struct set *all, const struct set *part)
{
	int16_t entry = LOOP_NONE;

	for (uint32_t i = 0; i < c->n; i++)
		for (int k = 0; k < 2 && all->has[i] && !part->has[i]; k++) {
			int16_t next = c->step[i].next[k];
			if (next == LOOP_NONE || !part->has[next] || next == entry)
				continue;
			if (entry != LOOP_NONE)
				return LOOP_NONE;
			entry = next;
		}
	return entry;
}

/*
 * Cuts the loops around the inner loop, by leaving out a jump. What is left around `ip` is a loop
 * if the rest leads to its header only: else an arm, or a loop in it, has been cut. Keeps the
 * largest.
 */
static bool find_inner(struct loop_code *c, struct set *set, int16_t ip, struct loop_body *to)
{
	struct set all = *set, inner;
	uint16_t in[LOOP_INSNS];

	to->n = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		bool jump = all.has[i] && c->step[i].insn.flow != INSN_NEXT;
		if (!jump || (int16_t)i == ip || !cycle(c, ip, (int16_t)i, &inner))
			continue;
		uint32_t n = size_of(c, &inner);
		int16_t header = n > to->n ? entry_of(c, &all, &inner) : LOOP_NONE;
		int16_t by[LOOP_INSNS];
		if (header == LOOP_NONE)
			continue;
		count_in(c, &inner, in);
		if (order(c, &inner, header, in, by) != n)
			continue;
		to->n = n;
		memcpy(to->order, by, sizeof by);
		*set = inner;
	}
	return to->n > 0;
}

/* The code that holds all of the body. False if that is too long. */
static bool find_extent(const struct loop_code *c, struct loop_body *to)
{
	uint32_t low = WINDOW, high = 0;

	for (uint32_t i = 0; i < to->n; i++) {
		const struct loop_step *s = &c->step[to->order[i]];
		low = s->at < low ? s->at : low;
		high = s->at + s->insn.len > high ? s->at + s->insn.len : high;
	}
	to->from = c->base + low;
	to->len = high - low;
	return to->len <= LOOP_BYTES;
}

bool loop_body_find(struct loop_code *c, uint64_t ip, bool inner, struct loop_body *to)
{
	int16_t at = loop_code_at(c, ip);
	struct set set;

	to->n = 0;
	if (at == LOOP_NONE || !cycle(c, at, LOOP_NONE, &set) || c->n == LOOP_INSNS)
		return false;
	bool is = inner ? find_inner(c, &set, at, to) : find_header(c, &set, at, to);
	if (!is || !find_extent(c, to)) {
		to->n = 0;
		return false;
	}
	memcpy(to->has, set.has, sizeof to->has);
	return true;
}
