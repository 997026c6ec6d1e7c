/* SPDX-License-Identifier: Apache-2.0 */
/* equality_classes.c - see equality_classes.h. */
#include "analyse/equality/equality_classes.h"

#include <math.h>
#include <stdlib.h>

#include "model/line_groups.h"

/* ---- classes ------------------------------------------------------------------------------- */

static void add(struct equality_class *to, const struct equality_class *c)
{
	for (int g = 0; g < RECURRENCE_GROUPS; g++) {
		to->all.weight[g] += c->all.weight[g];
		to->all.bytes[g] += c->all.bytes[g];
	}
	to->all.objects += c->all.objects;
	to->all.unknown += c->all.unknown;
	to->all.forgotten += c->all.forgotten;
	to->all.forgotten_most = fmax(to->all.forgotten_most, c->all.forgotten_most);
	to->all.rounds = c->all.rounds > to->all.rounds ? c->all.rounds : to->all.rounds;
	to->windows += c->windows;
	to->addresses += c->addresses;
	to->hashed += c->hashed;
	to->locked += c->locked;
}

static struct equality_group *group_of(const struct equality_classes *c, uint64_t key)
{
	uintptr_t at = (uintptr_t)idmap_get(&c->by_key, key);

	return at ? &c->group[at - 1] : NULL;
}

/* Classes of one name are one, whoever loaded them. `of`: the number of each one's group. */
static int join_classes(struct equality_classes *c, const struct equality_store *store,
			uint32_t *of)
{
	for (uint32_t i = 0; i < store->nclasses; i++) {
		const struct equality_class *class = &store->classes[i];
		uint64_t key = line_class_key(class->class, class->jvm);
		struct equality_group *g = group_of(c, key);
		if (!g) {
			g = &c->group[c->n++];
			g->key = key;
			g->sum.class = class->class;
			g->sum.jvm = class->jvm;
			if (idmap_put(&c->by_key, key, (void *)(uintptr_t)c->n) < 0)
				return -1;
		}
		add(&g->sum, class);
		of[i] = (uint32_t)(g - c->group);
	}
	return 0;
}

struct equality_group *equality_classes_of(const struct equality_classes *c,
					   const struct model_context *context)
{
	return group_of(c, line_class_key(context->class, context->jvm));
}

static void add_contexts(struct equality_classes *c, const struct model *m,
			 const struct findings_options *options)
{
	for (size_t i = 0; i < findings_ncontexts(options, m); i++) {
		const struct model_context *context = findings_context(options, m, i);
		struct equality_group *g = equality_classes_of(c, context);
		if (!g)
			continue;
		g->wanted = true;
		g->objects += context->objects;
		g->bytes += context->bytes;
		if (context->class && context->class->nfields)
			g->sum.class = context->class; /* its fields are known */
		for (size_t k = 0; k < context->nsnapshots; k++) {
			g->looked_twice |= (context->snapshots[k]->flags & WIRE_TWICE) != 0;
			g->changed |= (context->snapshots[k]->flags & WIRE_CHANGED) != 0;
		}
	}
	for (size_t i = 0; i < c->n; i++)
		c->group[i].wanted |= !options->contexts;
}

/* ---- contents ------------------------------------------------------------------------------ */

static uint32_t number_of(const struct equality_store *store, const struct recurrence_content *c)
{
	return (uint32_t)((const struct equality_content *)c - store->contents);
}

/* Gives each group its part of the vector of all contents, and sorts it. */
static void list_contents(struct equality_classes *c, const struct equality_store *store,
			  const uint32_t *of)
{
	size_t first = 0;

	for (uint32_t i = 0; i < store->ncontents; i++)
		c->group[of[store->contents[i].class_at]].ncontents++;
	for (size_t i = 0; i < c->n; i++) {
		c->group[i].contents = c->contents + first;
		first += c->group[i].ncontents;
		c->group[i].ncontents = 0;
	}
	for (uint32_t i = 0; i < store->ncontents; i++) {
		struct equality_group *g = &c->group[of[store->contents[i].class_at]];
		g->contents[g->ncontents++] = &store->contents[i].found;
	}
	for (size_t i = 0; i < c->n; i++) {
		struct equality_group *g = &c->group[i];
		qsort(g->contents, g->ncontents, sizeof *g->contents, recurrence_compare);
		for (size_t k = 0; k < g->ncontents; k++)
			c->rank[number_of(store, g->contents[k])] = (uint32_t)k;
	}
}

int equality_classes_make(struct equality_classes *c, const struct model *m,
			  const struct equality_store *store,
			  const struct findings_options *options)
{
	size_t n = store->nclasses + 1, contents = store->ncontents + 1;
	uint32_t *of = calloc(n, sizeof *of);
	int result = -1;

	*c = (struct equality_classes){ .group = calloc(n, sizeof *c->group),
					.contents = calloc(contents, sizeof *c->contents),
					.rank = calloc(contents, sizeof *c->rank) };
	if (of && c->group && c->contents && c->rank)
		result = join_classes(c, store, of);
	if (result == 0) {
		add_contexts(c, m, options);
		list_contents(c, store, of);
	}
	free(of);
	return result;
}

void equality_classes_release(struct equality_classes *c)
{
	idmap_release(&c->by_key);
	free(c->contents);
	free(c->rank);
	free(c->group);
}
