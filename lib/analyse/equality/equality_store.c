/* SPDX-License-Identifier: Apache-2.0 */
/* equality_store.c - see equality_store.h. */
#include "analyse/equality/equality_store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "model/context_groups.h"

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

#define MAX_SCALE  1e12 /* most objects that one may stand for */
#define ROUNDS	   32	/* of forgetting by hash */
#define FIRST_ROOM 256

/* ---- contents ------------------------------------------------------------------------------ */

static uint64_t hash_of(uint32_t jvm, uint32_t class_id, uint64_t key)
{
	return key ^ (((uint64_t)jvm << 32 | class_id) * 0x9e3779b97f4a7c15u);
}

/* Where a hash is, or would be. */
static uint32_t *slot_of(const struct equality_store *store, uint64_t hash)
{
	uint32_t i = (uint32_t)idmap_hash(hash) & store->slots_mask;

	while (store->slots[i] && store->contents[store->slots[i] - 1].hash != hash)
		i = (i + 1) & store->slots_mask;
	return &store->slots[i];
}

/* Rebuilds the table of slots, large enough to be at most half full. -1 if out of memory. */
static int place_all(struct equality_store *store)
{
	uint32_t n = 1024;

	while (n < 4 * store->ncontents)
		n *= 2;
	uint32_t *slots = calloc(n, sizeof *slots);
	if (!slots)
		return -1;
	free(store->slots);
	store->slots = slots;
	store->slots_mask = n - 1;
	for (uint32_t i = 0; i < store->ncontents; i++)
		*slot_of(store, store->contents[i].hash) = i + 1;
	return 0;
}

/*
 * Whether a content stays when the store forgets. Of the contents that `few` windows or less have,
 * each round halves those that stay, by their hash. A recording can be forged such that all hashes
 * stay; so after ROUNDS rounds none of them does. If `few` is 0, every other content of the table
 * stays.
 */
static bool stays(const struct equality_content *c, uint32_t i, uint32_t rounds, uint32_t few)
{
	if (!few)
		return i % 2 == 0;
	return c->found.clusters > few ||
	       (rounds < ROUNDS && !(idmap_hash(~c->hash) & ((1ull << rounds) - 1)));
}

/*
 * Forgets contents that were seen in `few` windows or less; 0: contents of any number of windows.
 */
static void forget_some(struct equality_store *store, uint32_t few)
{
	uint32_t n = 0;

	store->rounds++;
	for (uint32_t i = 0; i < store->ncontents; i++) {
		const struct equality_content *c = &store->contents[i];
		struct recurrence_whole *all = &store->classes[c->class_at].all;
		double weight = recurrence_weight(&c->found);
		if (stays(c, i, store->rounds, few)) {
			store->contents[n++] = *c;
			continue;
		}
		all->forgotten += weight;
		all->forgotten_most = fmax(all->forgotten_most, weight);
	}
	for (uint32_t i = 0; i < store->nclasses; i++)
		store->classes[i].all.rounds++;
	store->ncontents = n;
}

/* Forgets until at least a quarter of the room is free. -1 if out of memory. */
static int forget(struct equality_store *store)
{
	/* in the end `few` overflows to 0, and any content may be forgotten */
	for (uint32_t few = 1; store->ncontents > EQUALITY_CONTENTS / 4 * 3; few *= 2)
		forget_some(store, few);
	return place_all(store);
}

/* The content with a hash, new or not. NULL: out of memory. */
static struct equality_content *content_of(struct equality_store *store, uint64_t hash,
					   uint32_t class_at)
{
	if (2 * store->ncontents >= store->slots_mask && place_all(store) < 0)
		return NULL;
	uint32_t *slot = slot_of(store, hash);
	if (*slot)
		return &store->contents[*slot - 1];
	if (store->ncontents >= EQUALITY_CONTENTS) {
		if (forget(store) < 0)
			return NULL;
		slot = slot_of(store, hash);
	}
	if (!GROW(store->contents, store->ncontents, store->contents_room, FIRST_ROOM))
		return NULL;
	struct equality_content *content = &store->contents[store->ncontents];
	*content = (struct equality_content){ .hash = hash, .class_at = class_at };
	*slot = ++store->ncontents;
	return content;
}

const struct equality_content *equality_store_find(const struct equality_store *store,
						   uint64_t hash)
{
	uint32_t at = store->slots ? *slot_of(store, hash) : 0;

	return at ? &store->contents[at - 1] : NULL;
}

/* ---- classes ------------------------------------------------------------------------------- */

/* The number of a class, new or not. -1: out of memory, or there are too many. */
static int64_t class_at(struct model *m, struct equality_store *store, struct jvm *j, uint32_t id)
{
	uint64_t key = (uint64_t)model_jvm_index(j) << 32 | id;
	uintptr_t found = (uintptr_t)idmap_get(&store->class_at, key);

	if (found)
		return (int64_t)found - 1;
	const struct model_class *class = model_class_of(m, j, id);
	if (!class || store->nclasses >= EQUALITY_CLASSES)
		return -1;
	if (!GROW(store->classes, store->nclasses, store->classes_room, FIRST_ROOM) ||
	    idmap_put(&store->class_at, key, (void *)(uintptr_t)(store->nclasses + 1)) < 0)
		return -1;
	store->classes[store->nclasses] =
		(struct equality_class){ .class = class, .jvm = model_jvm_index(j) };
	return store->nclasses++;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool sane(const struct wire_window *w, const struct wire_window_content *c)
{
	if (w->rec.len != sizeof *w + (uint64_t)w->ncontents * sizeof *c || !(w->scale >= 1) ||
	    w->scale > MAX_SCALE || !w->window)
		return false;
	for (uint32_t i = 0; i < w->ncontents; i++)
		if (!c[i].objects || c[i].bytes > MODEL_MAX_COUNT || c[i].hashed > c[i].objects ||
		    c[i].locked > c[i].objects)
			return false;
	return true;
}

static void count_class(struct equality_class *class, const struct wire_window *w,
			const struct wire_window_content *c)
{
	double weight = w->scale * c->objects;
	uint32_t group = w->window % RECURRENCE_GROUPS;

	class->windows += class->last != w->window;
	class->last = w->window;
	class->all.weight[group] += weight;
	class->all.bytes[group] += w->scale * (double)c->bytes;
	class->all.objects += c->objects;
	class->all.unknown += c->key ? 0 : weight;
	class->addresses += c->key && c->flags & WIRE_WINDOW_ADDRESSES ? weight : 0;
	class->hashed += c->hashed;
	class->locked += c->locked;
}

/* False if out of memory, or there is no room for it. */
static bool count_content(struct model *m, struct equality_store *store, struct jvm *j,
			  const struct wire_window *w, const struct wire_window_content *c)
{
	int64_t at = c->class_id ? class_at(m, store, j, c->class_id) : -1;

	store->objects += c->objects;
	if (at < 0)
		return !c->class_id || store->nclasses >= EQUALITY_CLASSES;
	count_class(&store->classes[at], w, c);
	if (!c->key)
		return true;
	uint64_t hash = hash_of(model_jvm_index(j), c->class_id, c->key);
	struct equality_content *content = content_of(store, hash, (uint32_t)at);
	if (!content)
		return false;
	content->found.clusters += content->last != w->window;
	content->last = w->window;
	content->found.weight[w->window % RECURRENCE_GROUPS] += (float)(w->scale * c->objects);
	content->found.size = (float)c->bytes / (float)c->objects;
	content->found.local = c->flags & WIRE_WINDOW_ADDRESSES;
	return true;
}

/* Keeps a uniform sample of the sampled objects of a context. */
static bool keep_own(struct model *m, struct equality_store *store, struct jvm *j,
		     const struct wire_window *w)
{
	const struct sums_key key = { .jvm = model_jvm_index(j), .id = { w->context } };
	struct equality_own *own = (struct equality_own *)model_sums_find(&store->own, &key);

	if (!own && store->own.n >= EQUALITY_CONTEXTS)
		return true;
	if (!own) {
		const struct model_context *context = model_context_of(m, j, w->context);
		own = (struct equality_own *)model_sums_add(&store->own, &key, sizeof *own);
		if (!context || !own)
			return false;
		own->context = context;
	}
	uint32_t i = own->n < EQUALITY_OWN ? own->n++
					   : (uint32_t)(idmap_hash(w->window) % (own->seen + 1));
	own->seen++;
	if (i < EQUALITY_OWN) {
		own->hash[i] = w->own ? hash_of(key.jvm, w->own_class, w->own) : 0;
		own->near[i] = w->near > 0;
	}
	return true;
}

static enum model_fed take_window(struct model *m, void *of, struct jvm *j,
				  const struct wire_rec *rec)
{
	const struct wire_window *w = (const struct wire_window *)rec;
	const struct wire_window_content *c = (const struct wire_window_content *)(w + 1);
	struct equality_store *store = of;
	uint64_t number = (uint64_t)model_jvm_index(j) << 32 | w->window;

	if (!sane(w, c))
		return model_bad();
	if (model_is_closed(m))
		return MODEL_DROPPED;
	store->windows += store->last_window != number;
	store->last_window = number;
	for (uint32_t i = 0; i < w->ncontents; i++)
		if (!count_content(m, store, j, w, &c[i]))
			return MODEL_BAD;
	if (w->own_class && w->context && !keep_own(m, store, j, w))
		return MODEL_BAD;
	return MODEL_KEEP;
}

const struct analysis_record equality_records[] = {
	{ WIRE_WINDOW, sizeof(struct wire_window), false, .take = take_window,
	  .room = { .until_closed = true } },
	{ .type = 0 },
};

/* ---- what is there ------------------------------------------------------------------------- */

void equality_store_release(void *of)
{
	struct equality_store *store = of;

	free(store->classes);
	free(store->contents);
	free(store->slots);
	idmap_release(&store->class_at);
	model_sums_release(&store->own);
}

const struct equality_store *equality_store_of(const struct model *m)
{
	return model_store(m, equality_records);
}
