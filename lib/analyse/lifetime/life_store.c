/* SPDX-License-Identifier: Apache-2.0 */
/* life_store.c - see life_store.h. */
#include "analyse/lifetime/life_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define ALL_TICKETS (1ull << 32)
#define MAX_NS	    (1ull << 60)
#define MAX_BYTES   (1ull << 60)

enum { ROOM = 8 /* elements that a vector has at first */ };

/* ---- records that make no sense ------------------------------------------------------------ */

static bool is_moment(const struct wire_heap_time *t)
{
	return t->ns <= MAX_NS && t->bytes <= MAX_BYTES;
}

static bool sane(const struct wire_life *w)
{
	return w->weight > 0 && w->weight <= MODEL_MAX_WEIGHT && w->size <= MODEL_MAX_COUNT &&
	       is_moment(&w->birth) && is_moment(&w->before) && is_moment(&w->alive) &&
	       is_moment(&w->dead);
}

/* Threads read the three clocks one after the other, so one clock may be ahead of another. */
static struct wire_heap_time not_before(const struct wire_heap_time *a,
					const struct wire_heap_time *b)
{
	return (struct wire_heap_time){
		.ns = a->ns > b->ns ? a->ns : b->ns,
		.bytes = a->bytes > b->bytes ? a->bytes : b->bytes,
		.collections = a->collections > b->collections ? a->collections : b->collections,
	};
}

static void fill(struct life *to, const struct model *m, const struct wire_life *w, bool dead)
{
	*to = (struct life){
		.birth = w->birth,
		.before = not_before(&w->before, &w->birth),
		.size = w->size,
		.weight = w->weight,
		.ticket = w->ticket,
		.outside = model_is_outside(m),
	};
	to->alive = not_before(&w->alive, &to->before);
	if (dead)
		to->dead = not_before(&w->dead, &to->alive);
}

/* ---- the dead ------------------------------------------------------------------------------ */

static struct life_context *context_at(const struct life_store *store, uint32_t i)
{
	return (struct life_context *)store->contexts.entry[i];
}

static void sift_next_uses(struct model *m, struct life_context *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->nnext_uses; i++)
		if (c->next_use[i].ticket < c->threshold)
			c->next_use[n++] = c->next_use[i];
	model_count_evidence(m, 0, (c->nnext_uses - n) * sizeof *c->next_use);
	c->nnext_uses = n;
}

/* Drops what is not below the threshold. */
static void sift(struct model *m, struct life_store *store, struct life_context *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++)
		if (c->life[i].ticket < c->threshold)
			c->life[n++] = c->life[i];
	model_count_evidence(m, 0, (c->n - n) * sizeof *c->life);
	store->n -= c->n - n;
	c->n = n;
	sift_next_uses(m, c);
}

static void thin(struct model *m, struct life_store *store, struct life_context *c)
{
	while (c->n > store->cap || c->nnext_uses > NEXT_USES_CAP) {
		c->threshold /= 2;
		sift(m, store, c);
	}
}

static void thin_all(struct model *m, struct life_store *store)
{
	while (store->n > LIVES_MANY && store->cap > LIVES_LEAST) {
		store->cap /= 2;
		for (uint32_t i = 0; i < store->contexts.n; i++)
			thin(m, store, context_at(store, i));
	}
}

void life_store_thin(struct model *m, void *of)
{
	struct life_store *store = of;
	uint64_t most = ALL_TICKETS >> model_halvings(m);

	for (uint32_t i = 0; i < store->contexts.n; i++) {
		struct life_context *c = context_at(store, i);
		if (c->threshold > most) {
			c->threshold = most > 0 ? most : 1;
			sift(m, store, c);
		}
	}
}

/* NULL: there are too many contexts, or out of memory. */
static struct life_context *context_of(struct model *m, struct life_store *store, struct jvm *j,
				       uint32_t id)
{
	const struct sums_key key = { .jvm = model_jvm_index(j), .id = { id } };
	struct life_context *c = (struct life_context *)model_sums_find(&store->contexts, &key);
	const struct model_context *context = c ? NULL : model_context_of(m, j, id);

	if (!store->cap)
		store->cap = LIVES_CAP;
	if (c || !context)
		return c;
	c = (struct life_context *)model_sums_add(&store->contexts, &key, sizeof *c);
	if (c) {
		c->context = context;
		c->threshold = ALL_TICKETS >> model_halvings(m);
	}
	return c;
}

/*
 * The context that keeps a record with this ticket. NULL: none does, and *fed is what becomes of
 * the record.
 */
static struct life_context *keeper(struct model *m, struct life_store *store, struct jvm *j,
				   uint32_t id, uint32_t ticket, enum model_fed *fed)
{
	*fed = MODEL_DROPPED;
	if (model_is_closed(m))
		return NULL;
	struct life_context *c = context_of(m, store, j, id);
	if (!c)
		*fed = MODEL_BAD;
	return c && ticket < c->threshold ? c : NULL;
}

static enum model_fed take_life(struct model *m, void *of, struct jvm *j,
				const struct wire_rec *rec)
{
	const struct wire_life *w = (const struct wire_life *)rec;
	struct life_store *store = of;
	enum model_fed fed;

	if (!sane(w))
		return model_bad();
	struct life_context *c = keeper(m, store, j, w->context, w->ticket, &fed);
	if (!c)
		return fed;
	if (!GROW(c->life, c->n, c->room, ROOM))
		return MODEL_BAD;
	fill(&c->life[c->n++], m, w, true);
	store->n++;
	model_count_evidence(m, sizeof *c->life, 0);
	thin(m, store, c);
	thin_all(m, store);
	return MODEL_KEEP;
}

/* ---- watches ------------------------------------------------------------------------------- */

static bool sane_next_use(const struct wire_next_use *w)
{
	return w->weight > 0 && w->weight <= MODEL_MAX_WEIGHT && w->size <= MODEL_MAX_COUNT &&
	       w->birth_ns <= MAX_NS && w->start_ns <= MAX_NS && w->end_ns <= MAX_NS &&
	       w->start_ns <= w->end_ns && w->outcome <= WIRE_NEXT_DIED;
}

static enum model_fed take_next_use(struct model *m, void *of, struct jvm *j,
				    const struct wire_rec *rec)
{
	const struct wire_next_use *w = (const struct wire_next_use *)rec;
	struct life_store *store = of;
	enum model_fed fed;

	if (!sane_next_use(w))
		return model_bad();
	struct life_context *c = keeper(m, store, j, w->context, w->ticket, &fed);
	if (!c)
		return fed;
	if (!GROW(c->next_use, c->nnext_uses, c->next_use_room, ROOM))
		return MODEL_BAD;
	c->next_use[c->nnext_uses++] = (struct life_next_use){
		.birth_ns = w->birth_ns,
		.start_ns = w->start_ns,
		.end_ns = w->end_ns,
		.size = w->size,
		.weight = w->weight,
		.ticket = w->ticket,
		.outcome = w->outcome,
		.flags = w->flags,
		.outside = model_is_outside(m),
	};
	model_count_evidence(m, sizeof *c->next_use, 0);
	thin(m, store, c);
	return MODEL_KEEP;
}

/* ---- the living ---------------------------------------------------------------------------- */

/* NULL if out of memory. */
static struct life_census *census_of(struct life_store *store, uint32_t jvm)
{
	return GROW_TO(store->census, store->njvms, jvm) ? &store->census[jvm] : NULL;
}

/*
 * If there are more than CENSUS_MAX objects, one is dropped. take_census then sees that the census
 * lacks some, and does not use it.
 */
static enum model_fed take_living(struct model *m, void *of, struct jvm *j,
				  const struct wire_rec *rec)
{
	const struct wire_life *w = (const struct wire_life *)rec;

	if (!sane(w))
		return model_bad();
	struct life_census *census = census_of(of, model_jvm_index(j));
	if (census && census->ncoming >= CENSUS_MAX)
		return MODEL_DROPPED;
	const struct model_context *context = model_context_of(m, j, w->context);
	if (!context || !census ||
	    !GROW(census->coming, census->ncoming, census->coming_room, ROOM))
		return MODEL_BAD;
	struct life_living *living = &census->coming[census->ncoming++];
	living->context = context;
	fill(&living->life, m, w, false);
	return MODEL_KEEP;
}

static enum model_fed take_census(struct model *m, void *of, struct jvm *j,
				  const struct wire_rec *rec)
{
	const struct wire_census *w = (const struct wire_census *)rec;
	struct life_census *census = census_of(of, model_jvm_index(j));

	(void)m;
	if (!census)
		return MODEL_BAD;
	if (!is_moment(&w->now) || !is_moment(&w->collected) || !is_moment(&w->marked))
		return model_bad();
	if (w->objects != census->ncoming) {
		census->ncoming = 0;
		return MODEL_KEEP;
	}
	free(census->living);
	*census = (struct life_census){ .there = true,
					.living = census->coming,
					.n = census->ncoming,
					.now = w->now,
					.collected = w->collected,
					.marked = w->marked };
	return MODEL_KEEP;
}

const struct analysis_record life_records[] = {
	{ WIRE_LIFE, sizeof(struct wire_life), true, .take = take_life },
	{ WIRE_LIVING, sizeof(struct wire_life), true, .take = take_living,
	  .room = { .last = WIRE_CENSUS } },
	{ WIRE_CENSUS, sizeof(struct wire_census), true, .take = take_census,
	  .room = { .last = WIRE_CENSUS } },
	{ WIRE_NEXT_USE, sizeof(struct wire_next_use), true, .take = take_next_use },
	{ .type = 0 },
};

/* ---- what is there ------------------------------------------------------------------------- */

void life_store_release(void *of)
{
	struct life_store *store = of;

	for (uint32_t i = 0; i < store->contexts.n; i++) {
		free(context_at(store, i)->life);
		free(context_at(store, i)->next_use);
	}
	for (uint32_t i = 0; i < store->njvms; i++) {
		free(store->census[i].living);
		free(store->census[i].coming);
	}
	free(store->census);
	model_sums_release(&store->contexts);
}

const struct life_store *life_store_of(const struct model *m)
{
	return model_store(m, life_records);
}

const struct life_census *life_store_census(const struct life_store *store, uint32_t jvm)
{
	return jvm < store->njvms && store->census[jvm].there ? &store->census[jvm] : NULL;
}
