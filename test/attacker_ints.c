/* SPDX-License-Identifier: Apache-2.0 */
/* attacker_ints.c - see attacker.h: all ints, with all contents of objects that hold one. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "attacker.h"

/* Whether the class has one int and nothing else. */
static bool is_int(const struct class *c)
{
	return !c->element_size && c->nfields == 1 && c->field_size[0] == 4 && !c->reference[0];
}

enum { PIECE = 1 << 20, BLOCK = 1 << 10, FILTER = 1 << 18, THREADS = 2 };

/* The contents of a class with one int, or of arrays of one. */
struct prey {
	const struct class *class;
	bool array;
	uint64_t *list; /* a hash table; 0: free */
	size_t mask;
	unsigned char filter[FILTER / 8]; /* a bit for each end of a hash in it: most have none */
};

/* All ints are tried for all prey at once, by some threads, a piece at a time. */
struct hunt {
	const struct wire_secret *key;
	struct prey *prey;
	size_t n;
	uint64_t ints;
	_Atomic uint64_t next;
};

static void prey_add(struct prey *p, uint64_t hash)
{
	size_t at = hash & p->mask;

	while (p->list[at] && p->list[at] != hash)
		at = (at + 1) & p->mask;
	p->list[at] = hash;
	p->filter[hash % FILTER / 8] |= (unsigned char)(1 << hash % 8);
}

static bool prey_has(const struct prey *p, uint64_t hash)
{
	if (!(p->filter[hash % FILTER / 8] >> hash % 8 & 1))
		return false;
	for (size_t i = hash & p->mask; p->list[i]; i = (i + 1) & p->mask)
		if (p->list[i] == hash)
			return true;
	return false;
}

static bool is_prey(const struct recording *r, const struct hash *h, const struct prey *p)
{
	return h->kind == CONTENT && &r->classes[h->class] == p->class &&
	       h->array_length == (p->array ? 1 : 0);
}

/* False if nothing of the class is in the recording. */
static bool prey_fill(struct prey *p, const struct recording *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += is_prey(r, &r->list[i], p);
	for (p->mask = 1; p->mask < 2 * n;)
		p->mask = 2 * p->mask + 1;
	p->list = need(calloc(p->mask + 1, sizeof *p->list));
	for (size_t i = 0; i < r->n; i++)
		if (is_prey(r, &r->list[i], p))
			prey_add(p, r->list[i].hash);
	return n > 0;
}

/* Tries the ints from `v` on. The loops are such that the compiler can do several at once. */
static void hunt_block(const struct hunt *t, uint64_t v)
{
	uint64_t inner[2][BLOCK], hash[BLOCK];

	for (uint64_t i = 0; i < BLOCK; i++) {
		uint64_t value = v + i;
		inner[0][i] = XXH3_64bits(&value, 8);
		inner[1][i] = XXH3_64bits(&value, 4);
	}
	for (const struct prey *p = t->prey; p < t->prey + t->n; p++) {
		const uint64_t *from = inner[p->array];
		if (t->key)
			for (uint64_t i = 0; i < BLOCK; i++)
				hash[i] = wire_secret_hash(t->key, from[i], p->class->salt);
		for (uint64_t i = 0; i < BLOCK; i++)
			if (prey_has(p, t->key ? hash[i] : from[i]))
				printf("int: %" PRIu64 " by content in %s\n", v + i,
				       p->class->signature);
	}
}

static void *hunt_some(void *arg)
{
	struct hunt *t = arg;
	uint64_t from;

	/* relaxed: nothing else is shared that changes */
	while ((from = atomic_fetch_add_explicit(&t->next, PIECE, memory_order_relaxed)) < t->ints)
		for (uint64_t v = from; v < from + PIECE && v < t->ints; v += BLOCK)
			hunt_block(t, v);
	return NULL;
}

void guess_ints(const struct recording *r, const struct wire_secret *key, uint64_t ints)
{
	struct hunt t = { .key = key, .ints = ints };
	pthread_t threads[THREADS];

	for (uint32_t id = 1; id < IDS; id++) {
		const struct class *c = &r->classes[id];
		bool array = c->signature && strcmp(c->signature, "[I") == 0;
		if (!array && !(c->signature && is_int(c)))
			continue;
		t.prey = need(realloc(t.prey, (t.n + 1) * sizeof *t.prey));
		t.prey[t.n] = (struct prey){ .class = c, .array = array };
		if (prey_fill(&t.prey[t.n], r))
			t.n++;
		else
			free(t.prey[t.n].list);
	}
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, hunt_some, &t) != 0)
			exit(2);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	while (t.n > 0)
		free(t.prey[--t.n].list);
	free(t.prey);
}
