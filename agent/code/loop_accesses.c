/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop_accesses.c - see loop_accesses.h. Addresses are followed over the rest of the iteration, and
 * over two whole ones: an address that is known in both is known in each.
 */
#define XXH_INLINE_ALL

#include "code/loop_accesses.h"

#include <string.h>
#include <xxhash.h>

#include "arch/arch.h"
#include "code/codetable.h"
#include "code/symbolic_registers.h"
#include "core/peek.h"

/* ---- the table of loops ------------------------------------------------------------------ */

#define SLOTS  1024u
#define PROBES 4

struct loop_entry {
	struct code_turn turn;
	uint32_t len;	     /* bytes of the body */
	uint64_t from, hash; /* address and hash of its code */
	struct loop_accesses accesses;
};

static struct loop_entry entries[SLOTS];

/* [handler] */
static struct loop_entry *slot(uint64_t ip, uint32_t probe)
{
	uint64_t state = ip;

	return &entries[((uint32_t)random_next(&state) + probe) & (SLOTS - 1)];
}

/* [handler] Whether the code is what it was. */
static bool same_code(uint64_t ip, bool here, uint64_t from, uint32_t len, uint64_t hash)
{
	uint8_t now[LOOP_BYTES];

	if (len > sizeof now)
		return false;
	bool read = here ? code_read(ip, from, now, len) : peek(from, now, len);
	return read && XXH3_64bits(now, len) == hash;
}

bool loop_table_find(uint64_t ip, bool here, struct loop_accesses *to)
{
	for (uint32_t i = 0; i < PROBES; i++) {
		const struct loop_entry *e = slot(ip, i);
		uint32_t before;
		if (!code_turn_begin(&e->turn, ip, &before))
			continue;
		uint64_t from = e->from, hash = e->hash;
		uint32_t len = e->len;
		*to = e->accesses;
		return code_turn_end(&e->turn, before) && same_code(ip, here, from, len, hash);
	}
	return false;
}

static void put(uint64_t ip, const struct loop_search *s, const struct loop_accesses *accesses)
{
	struct loop_entry *e = slot(ip, 0);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct loop_entry *there = slot(ip, i);
		if (code_turn_suits(&there->turn, ip)) {
			e = there;
			break;
		}
	}
	code_turn_write(&e->turn);
	e->from = s->body.from;
	e->len = s->body.len;
	e->hash = XXH3_64bits(s->code.bytes + (s->body.from - s->code.base), s->body.len);
	e->accesses = *accesses;
	code_turn_wrote(&e->turn, ip);
}

void loop_table_begin(struct loop_search *s, uint64_t ip)
{
	loop_code_read(&s->code, ip);
	s->body.n = 0;
}

/* Finds the accesses of the loop around `ip`. True if the addresses of all can be told. */
static bool find(struct loop_search *s, uint64_t ip, bool inner, struct loop_accesses *to)
{
	return loop_body_find(&s->code, ip, inner, &s->body) &&
	       loop_accesses_find(&s->code, &s->body, ip, to) && to->all_loads && to->all_stores;
}

bool loop_table_answer(struct loop_search *s, uint64_t ip)
{
	static struct loop_accesses accesses;
	int16_t at = loop_code_at(&s->code, ip);
	bool known = at != LOOP_NONE && s->body.n && s->body.has[at];

	accesses.all_loads = accesses.all_stores = false;
	if (known)
		loop_accesses_find(&s->code, &s->body, ip, &accesses);
	/* a loop around it may have set the registers of addresses */
	else if (!find(s, ip, false, &accesses) && !find(s, ip, true, &accesses))
		find(s, ip, false, &accesses);
	if (!s->body.n || (!accesses.all_loads && !accesses.all_stores))
		return false;
	put(ip, s, &accesses);
	return true;
}

/* An address as it is found on the way. */
struct found {
	bool met;
	bool poll; /* of a safepoint, not of the heap */
	struct symbolic_value address;
};

/* The registers before each instruction of the body, on all ways to it. */
struct walk {
	const struct loop_code *code;
	const struct loop_body *body;
	bool reached[LOOP_INSNS], again; /* by index; the header in the next iteration */
	struct symbolic_registers before[LOOP_INSNS], next;
};

/* Whether the operand is one of those that are drawn. */
static bool counts(const struct insn_access *a)
{
	return a->kind != INSN_UPDATE && next_access_operand_counts(a);
}

static uint32_t count(const struct insn *insn)
{
	uint32_t n = 0;

	for (uint8_t k = 0; k < insn->accesses; k++)
		n += counts(&insn->access[k]);
	return n;
}

/* Whether it reads where a word of the JVM's thread points to. */
static bool polls(const struct symbolic_registers *now, const struct insn_access *a)
{
	return a->kind == INSN_LOAD && a->mem.base < ARCH_REGISTERS && a->mem.index == INSN_NONE &&
	       now->of_thread & 1u << a->mem.base;
}

/* Notes the addresses of an instruction. */
static void note(const struct symbolic_registers *now, const struct insn *insn, struct found *to)
{
	for (uint8_t k = 0; k < insn->accesses; k++) {
		if (!counts(&insn->access[k]))
			continue;
		if (!symbolic_registers_address(now, &insn->access[k].mem, &to->address))
			to->address.known = false;
		to->met = true;
		to->poll = polls(now, &insn->access[k]);
		to++;
	}
}

static void arrive(struct symbolic_registers *to, bool *reached,
		   const struct symbolic_registers *now)
{
	if (*reached)
		symbolic_registers_meet(to, now);
	else
		*to = *now;
	*reached = true;
}

/* Goes on from an instruction, with the registers after it, to those that may follow. */
static void go_on(struct walk *w, const struct loop_step *s, const struct symbolic_registers *now)
{
	for (int k = 0; k < 2; k++) {
		int16_t next = s->next[k];
		if (next == LOOP_NONE || !w->body->has[next])
			continue;
		if (next == w->body->order[0])
			arrive(&w->next, &w->again, now);
		else
			arrive(&w->before[next], &w->reached[next], now);
	}
}

/*
 * Goes from the instruction `from` with the registers `now` to the header. Writes the addresses of
 * all accesses that can be reached, and the registers at the header to `now`.
 */
static bool walk(struct walk *w, int16_t from, struct symbolic_registers *now,
		 struct found found[LOOP_ACCESSES])
{
	uint32_t n = 0;

	memset(w->reached, 0, sizeof w->reached);
	w->again = false;
	w->before[from] = *now;
	w->reached[from] = true;
	for (uint32_t i = 0; i < w->body->n; i++) {
		int16_t at = w->body->order[i];
		const struct loop_step *s = &w->code->step[at];
		if (w->reached[at]) {
			struct symbolic_registers after = w->before[at];
			note(&after, &s->insn, &found[n]);
			symbolic_registers_apply(&after, &s->insn);
			go_on(w, s, &after);
		}
		n += count(&s->insn);
	}
	*now = w->next;
	return w->again;
}

/* What an iteration adds to an address; 0 if that is no number. */
static int32_t stride_of(const struct symbolic_value *a, const struct symbolic_value *b)
{
	int64_t by = b->add - a->add;

	if (memcmp(a->factor, b->factor, sizeof a->factor) != 0 || a->spill != b->spill ||
	    by < INT32_MIN || by > INT32_MAX)
		return 0;
	return (int32_t)by;
}

/* Adds an access. False if its address is not known in each iteration. */
static bool add(struct loop_accesses *to, const struct insn *insn, const struct insn_access *a,
		int64_t end, const struct found found[3])
{
	struct loop_access *one = &to->of[to->n];

	if (a->masked || !found[0].address.known || !found[1].address.known ||
	    !found[2].address.known)
		return false;
	*one = (struct loop_access){
		.operand = { .size = a->size,
			     .end = (int16_t)end,
			     .insn_len = insn->len,
			     .floating = insn->floating },
		.stride = stride_of(&found[1].address, &found[2].address),
	};
	if (!next_access_operand_encode(&one->operand, &found[0].address, a->mem.base))
		return false;
	to->store[to->n++] = a->kind == INSN_STORE;
	return true;
}

static void collect(const struct walk *w, uint64_t ip, const struct found found[3][LOOP_ACCESSES],
		    struct loop_accesses *to)
{
	uint32_t n = 0;

	to->n = 0;
	to->all_loads = to->all_stores = true;
	for (uint32_t i = 0; i < w->body->n; i++) {
		const struct loop_step *s = &w->code->step[w->body->order[i]];
		int64_t end = (int64_t)(w->code->base + s->at + s->insn.len - ip);
		if (s->insn.unknown)
			to->all_loads = to->all_stores = false;
		for (uint8_t k = 0; k < s->insn.accesses; k++) {
			const struct insn_access *a = &s->insn.access[k];
			if (!counts(a))
				continue;
			const struct found of[] = { found[0][n], found[1][n], found[2][n] };
			n++;
			if (!of[1].poll && !add(to, &s->insn, a, end, of))
				*(a->kind == INSN_STORE ? &to->all_stores : &to->all_loads) = false;
		}
	}
}

bool loop_accesses_find(const struct loop_code *code, const struct loop_body *body, uint64_t ip,
			struct loop_accesses *to)
{
	static struct found found[3][LOOP_ACCESSES];
	static struct walk w;
	struct symbolic_registers now;
	uint32_t n = 0;

	for (uint32_t i = 0; i < body->n; i++)
		n += count(&code->step[body->order[i]].insn);
	if (n == 0 || n > LOOP_ACCESSES)
		return false;
	memset(found, 0, sizeof found);
	w.code = code;
	w.body = body;
	symbolic_registers_begin(&now);
	if (!walk(&w, code->index[ip - code->base], &now, found[0]) ||
	    !walk(&w, body->order[0], &now, found[1]) || !walk(&w, body->order[0], &now, found[2]))
		return false;
	/* an access before `ip`, or on an arm that is not taken now, comes in the next iteration */
	for (uint32_t i = 0; i < n; i++)
		if (!found[0][i].met)
			found[0][i] = found[1][i];
	collect(&w, ip, found, to);
	return true;
}
