/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_lines.c - see lifetime_lines.h. */
#include "analyse/lifetime/lifetime_lines.h"

#include <stdlib.h>

#include "analyse/lifetime/lifetime_uses.h"
#include "base/numbering.h"
#include "model/line_key.h"

#define NO_GROUP UINT32_MAX

/* On the way: of each context of the model its group, or NO_GROUP. */
struct making {
	struct lifetime_lines *to;
	const struct model *m;
	const struct life_store *store;
	uint32_t *group_of;
	bool counting; /* the first time lives are only counted */
};

/* ---- groups -------------------------------------------------------------------------------- */

static void join(struct lifetime_group *g, const struct model_context *c, bool is_new)
{
	if (is_new || c->bytes > g->context->bytes)
		g->context = c;
	g->objects += c->objects;
	g->bytes += c->bytes;
}

static int find_groups(struct making *k, const struct findings_options *options,
		       struct callstack_hasher *h, struct numbering *numbers)
{
	for (size_t i = 0; i < model_ncontexts(k->m); i++) {
		const struct model_context *c = model_context(k->m, i);
		struct callstack_hash key;
		bool is_new;
		k->group_of[i] = NO_GROUP;
		const struct life_census *census = life_store_census(k->store, c->jvm);
		if (!census || !line_key_wanted(c, options))
			continue;
		if (line_key(h, c, &key) < 0)
			return -1;
		const XXH128_hash_t hash = { key.low, key.high };
		if (numbering_of(numbers, hash, &k->group_of[i], &is_new) < 0)
			return -1;
		struct lifetime_group *g = &k->to->group[k->group_of[i]];
		join(g, c, is_new);
		g->hash = key;
		g->census = census;
	}
	k->to->ngroups = numbers->n;
	return 0;
}

/* ---- lives --------------------------------------------------------------------------------- */

static void add(struct making *k, const struct model_context *c, const struct life *l, double scale)
{
	uint32_t group = k->group_of[c->number];
	struct lifetime_group *g = group == NO_GROUP ? NULL : &k->to->group[group];
	bool ended = l->dead.ns > 0;

	if (!g || l->outside || l->birth.ns > g->census->now.ns ||
	    (ended && l->dead.ns > g->census->now.ns))
		return;
	if (!k->counting)
		g->known[g->n] = (struct lifetime_known){
			.birth = l->birth,
			.before = l->before,
			.alive = l->alive,
			.end = ended ? l->dead : g->census->now,
			.weight = l->weight * scale,
			.size = (double)l->size,
			.ticket = l->ticket,
			.ended = ended,
		};
	g->n++;
}

static void add_next_use(struct making *k, const struct life_context *c,
			 const struct life_next_use *u)
{
	uint32_t group = k->group_of[c->context->number];
	struct lifetime_group *g = group == NO_GROUP ? NULL : &k->to->group[group];

	if (!g || u->outside)
		return;
	if (!k->counting)
		g->use[g->nuses] = (struct lifetime_next_use){
			.birth = u->birth_ns,
			.start = u->start_ns,
			.end = u->end_ns,
			.ticket = u->ticket,
			.weight = u->weight * life_context_scale(c),
			.size = (double)u->size,
			.chance = 1 / life_context_scale(c),
			.outcome = u->outcome,
			.flags = u->flags,
		};
	g->nuses++;
}

static void add_all(struct making *k)
{
	for (uint32_t i = 0; i < k->store->contexts.n; i++) {
		const struct life_context *c =
			(const struct life_context *)k->store->contexts.entry[i];
		for (uint32_t n = 0; n < c->n; n++)
			add(k, c->context, &c->life[n], life_context_scale(c));
		for (uint32_t n = 0; n < c->nnext_uses; n++)
			add_next_use(k, c, &c->next_use[n]);
	}
	for (uint32_t j = 0; j < k->store->njvms; j++) {
		const struct life_census *census = life_store_census(k->store, j);
		for (uint32_t n = 0; census && n < census->n; n++)
			add(k, census->living[n].context, &census->living[n].life, 1);
	}
}

/* Gives each group its part of the vector. Groups without lives are dropped. */
static int make_room(struct making *k)
{
	struct lifetime_lines *to = k->to;

	for (size_t i = 0; i < to->ngroups; i++) {
		to->n += to->group[i].n;
		to->nuses += to->group[i].nuses;
	}
	to->known = calloc(to->n ? to->n : 1, sizeof *to->known);
	to->use = calloc(to->nuses ? to->nuses : 1, sizeof *to->use);
	if (!to->known || !to->use)
		return -1;
	for (size_t i = 0, first = 0, first_use = 0; i < to->ngroups; i++) {
		struct lifetime_group *g = &to->group[i];
		g->known = to->known + first;
		g->use = to->use + first_use;
		first += g->n;
		first_use += g->nuses;
		g->n = g->nuses = 0;
	}
	return 0;
}

static void drop_empty(struct lifetime_lines *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < lines->ngroups; i++)
		if (lines->group[i].n)
			lines->group[n++] = lines->group[i];
	lines->ngroups = n;
}

static int make(struct making *k, const struct findings_options *options)
{
	struct callstack_hasher hasher;
	struct numbering numbers = NUMBERING_INIT;

	callstack_hasher_begin(&hasher, k->m);
	int result = find_groups(k, options, &hasher, &numbers);
	callstack_hasher_end(&hasher);
	numbering_release(&numbers);
	if (result < 0)
		return -1;
	k->counting = true;
	add_all(k);
	if (make_room(k) < 0)
		return -1;
	k->counting = false;
	add_all(k);
	for (size_t i = 0; i < k->to->ngroups; i++) {
		struct lifetime_group *g = &k->to->group[i];
		lifetime_uses_join(g->use, g->nuses, g->known, g->n);
	}
	drop_empty(k->to);
	return 0;
}

int lifetime_lines_make(struct lifetime_lines *lines, const struct model *m,
			const struct findings_options *options)
{
	size_t n = model_ncontexts(m);
	struct making k = { .to = lines, .m = m, .store = life_store_of(m) };

	*lines = (struct lifetime_lines){ .n = 0 };
	if (!k.store)
		return 0;
	lines->group = calloc(n ? n : 1, sizeof *lines->group);
	k.group_of = calloc(n ? n : 1, sizeof *k.group_of);
	int result = lines->group && k.group_of ? make(&k, options) : -1;
	free(k.group_of);
	return result;
}

void lifetime_lines_release(struct lifetime_lines *lines)
{
	free(lines->known);
	free(lines->use);
	free(lines->group);
	*lines = (struct lifetime_lines){ .n = 0 };
}
