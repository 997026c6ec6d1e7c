/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop_table.c - see loop_table.h. Only the service thread writes entries, under a sequence number,
 * so that a handler never sees half of one.
 */
#define XXH_INLINE_ALL
#include "code/loop_table.h"

#include <string.h>

#include <xxhash.h>

#include "code/codetable.h"
#include "core/peek.h"

#define SLOTS  1024u
#define PROBES 4

struct loop_entry {
	_Atomic uint32_t sequence; /* odd: being written */
	uint32_t len;		   /* bytes of the body */
	uint64_t from, hash;	   /* address and hash of its code */
	struct loop_accesses accesses;
	_Atomic uint64_t ip; /* 0: free */
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
		uint32_t before = atomic_load_explicit(&e->sequence, memory_order_acquire);
		if (atomic_load_explicit(&e->ip, memory_order_relaxed) != ip || before & 1)
			continue;
		uint64_t from = e->from, hash = e->hash;
		uint32_t len = e->len;
		*to = e->accesses;
		atomic_thread_fence(memory_order_acquire);
		return atomic_load_explicit(&e->sequence, memory_order_relaxed) == before &&
		       same_code(ip, here, from, len, hash);
	}
	return false;
}

static void put(uint64_t ip, const struct loop_search *s, const struct loop_accesses *accesses)
{
	struct loop_entry *e = slot(ip, 0);

	for (uint32_t i = 0; i < PROBES; i++) {
		struct loop_entry *there = slot(ip, i);
		uint64_t at = atomic_load(&there->ip);
		if (at == ip || at == 0) {
			e = there;
			break;
		}
	}
	atomic_fetch_add(&e->sequence, 1);
	atomic_thread_fence(memory_order_release);
	e->from = s->body.from;
	e->len = s->body.len;
	e->hash = XXH3_64bits(s->code.bytes + (s->body.from - s->code.base), s->body.len);
	e->accesses = *accesses;
	atomic_store_explicit(&e->ip, ip, memory_order_relaxed);
	atomic_fetch_add_explicit(&e->sequence, 1, memory_order_release);
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
