/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_lines.c - see lifetime_lines.h. */
#include "analyse/lifetime/lifetime_lines.h"

#include <stdlib.h>

#include "analyse/lifetime/lifetime_uses.h"

struct making {
	struct lifetime_lines *to;
	const struct life_store *store;
	struct line_groups groups;
	bool counting; /* the first time lives are only counted */
};

/* ---- groups -------------------------------------------------------------------------------- */

static bool has_census(const struct model_context *c, const void *store)
{
	return life_store_census(store, c->jvm) != NULL;
}

static int make_groups(struct making *k)
{
	struct lifetime_lines *to = k->to;

	to->group = calloc(k->groups.n ? k->groups.n : 1, sizeof *to->group);
	if (!to->group)
		return -1;
	for (uint32_t i = 0; i < k->groups.n; i++) {
		const struct line_group *line = &k->groups.line[i];
		to->group[i].line = *line;
		to->group[i].census = life_store_census(k->store, line->context->jvm);
	}
	to->ngroups = k->groups.n;
	return 0;
}

static struct lifetime_group *group_of(const struct making *k, const struct model_context *c)
{
	uint32_t line = k->groups.of[c->number];

	return line == LINE_NONE ? NULL : &k->to->group[line];
}

/* ---- lives --------------------------------------------------------------------------------- */

static void add(struct making *k, const struct model_context *c, const struct life *l, double scale)
{
	struct lifetime_group *g = group_of(k, c);
	bool ended = l->dead.ns > 0;

	if (!g || !g->census || l->outside || l->birth.ns > g->census->now.ns ||
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
	struct lifetime_group *g = group_of(k, c->context);

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

static int make(struct making *k)
{
	if (make_groups(k) < 0)
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
	struct making k = { .to = lines, .store = life_store_of(m) };

	*lines = (struct lifetime_lines){ .n = 0 };
	if (!k.store)
		return 0;
	int result = line_groups_make(&k.groups, m, options, has_census, k.store);
	if (result == 0)
		result = make(&k);
	line_groups_release(&k.groups);
	return result;
}

void lifetime_lines_release(struct lifetime_lines *lines)
{
	free(lines->known);
	free(lines->use);
	free(lines->group);
	*lines = (struct lifetime_lines){ .n = 0 };
}
