/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_batch.c - the evidence of some contexts, unpacked or from a second reading of the records; see model_defer.
 *
 * What has been kept is what lies below the thresholds that the first reading ended with, in the order of the
 * records: thresholds only sink, so that nothing of it can have been dropped before. Most records are
 * of other batches; a bitmap that stays in the processor's cache tells so.
 *
 * The file may have been written to between the readings. What comes is checked as it was at the first time, and
 * no more is taken than was counted then.
 */
#include <stdlib.h>
#include <string.h>

#include "model/model_private.h"

#define MAP_BITS (1u << 20)
enum {
	BLOCK = 32, /* records whose contexts are fetched together */
	MANY = 16,  /* contexts for which all that lies near them is fetched */
};

struct model_batch {
	const struct model *m;
	uint32_t number;
	struct model_context *const *contexts;
	size_t n;
	struct arena memory;
	uint64_t *map; /* of ids, without their JVM and uppermost bits; NULL: none was needed yet */
	bool mapped;   /* it is that of these contexts */
};

static bool is_marked(const struct model_batch *b, uint32_t id)
{
	return b->map[id % MAP_BITS / 64] >> id % 64 & 1;
}

static int make_map(struct model_batch *b)
{
	if (!b->map)
		b->map = malloc(MAP_BITS / 8);
	if (!b->map)
		return -1;
	memset(b->map, 0, MAP_BITS / 8);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t id = b->contexts[i]->id;
		b->map[id % MAP_BITS / 64] |= UINT64_C(1) << id % 64;
	}
	b->mapped = true;
	return 0;
}

static void forget(struct model_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		b->contexts[i]->nlooks = b->contexts[i]->nuses = 0;
		b->contexts[i]->looks = NULL;
		b->contexts[i]->uses = NULL;
	}
	b->n = 0;
	b->mapped = false;
}

int model_batch_reuse(struct model_batch *b, uint32_t number, struct model_context *const *contexts,
		      size_t n)
{
	forget(b);
	arena_reuse(&b->memory);
	b->number = number;
	b->contexts = contexts;
	for (size_t i = 0; i < n; i++) {
		struct model_context *c = contexts[i];
		b->n = i + 1;
		c->nlooks = c->nuses = 0;
		c->looks = arena_alloc(&b->memory, (c->kept_looks + (size_t)1) * sizeof *c->looks);
		c->uses = arena_alloc(&b->memory, (c->kept_uses + (size_t)1) * sizeof *c->uses);
		if (!c->looks || !c->uses)
			return -1;
	}
	return 0;
}

struct model_batch *model_batch_new(const struct model *m, uint32_t number,
				    struct model_context *const *contexts, size_t n)
{
	struct model_batch *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->m = m;
	if (model_batch_reuse(b, number, contexts, n) == 0)
		return b;
	model_batch_free(b);
	return NULL;
}

/* ---- from records ------------------------------------------------------------------------ */

/* Evidence that may be of the batch, on its way. */
struct candidate {
	const struct wire_rec *rec;
	const struct idnumbers_slot *slot; /* where its context is looked up first */
	uint16_t type;
};

static uint32_t context_of(const struct candidate *e)
{
	return e->type == WIRE_LOOK ? ((const struct wire_look *)e->rec)->context
				    : ((const struct wire_use *)e->rec)->context;
}

/* Those of the records that may be; their slots are asked for. */
static size_t choose(const struct model_batch *b, const struct idnumbers *map,
		     const struct wire_rec *const *recs, size_t n, struct candidate *to)
{
	bool others =
		is_marked(b, 0); /* events of contexts beyond the bound count as those of id 0 */
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct candidate e = { .rec = recs[i] };
		e.type = atomic_load_explicit(&recs[i]->type, memory_order_relaxed);
		if ((e.type != WIRE_LOOK || recs[i]->len < sizeof(struct wire_look)) &&
		    (e.type != WIRE_USE || recs[i]->len != sizeof(struct wire_use)))
			continue;
		uint32_t id = context_of(&e);
		if (!others && !is_marked(b, id))
			continue;
		e.slot = idnumbers_first(map, id);
		__builtin_prefetch(e.slot);
		to[found++] = e;
	}
	return found;
}

static int take_look(struct model_batch *b, struct context *c, const struct wire_look *w)
{
	if (w->ticket >= c->look_threshold || c->pub.nlooks >= c->pub.kept_looks ||
	    !model_look_ok(w))
		return 0;
	struct model_look *l = arena_alloc(&b->memory, model_look_bytes(w->nslots));
	if (!l)
		return -1;
	model_fill_look(l, w);
	c->pub.looks[c->pub.nlooks++] = l;
	return 0;
}

static int take_use(struct model_batch *b, struct context *c, const struct wire_use *w)
{
	if (w->ticket >= c->use_threshold || c->pub.nuses >= c->pub.kept_uses || !model_use_ok(w))
		return 0;
	struct model_use *u = arena_alloc(&b->memory, sizeof *u);
	if (!u)
		return -1;
	model_fill_use(u, w);
	c->pub.uses[c->pub.nuses++] = u;
	return 0;
}

static int take(struct model_batch *b, const struct idnumbers *map, const struct candidate *e)
{
	uint32_t number;

	if (!idnumbers_get(map, context_of(e), &number) && !idnumbers_get(map, 0, &number))
		return 0;
	struct context *c = b->m->contexts[number];
	if (c->pub.batch != b->number)
		return 0;
	return e->type == WIRE_LOOK ? take_look(b, c, (const struct wire_look *)e->rec)
				    : take_use(b, c, (const struct wire_use *)e->rec);
}

static int take_block(struct model_batch *b, const struct idnumbers *map,
		      const struct wire_rec *const *recs, size_t n)
{
	struct candidate found[BLOCK];
	size_t candidates = choose(b, map, recs, n, found);

	for (size_t i = 0; i < candidates; i++) {
		if (!found[i].slot->next)
			continue;
		const struct context *c = b->m->contexts[found[i].slot->next - 1];
		__builtin_prefetch(&c->pub.nlooks, 1);
		__builtin_prefetch(&c->look_threshold);
		__builtin_prefetch(&c->pub.batch);
	}
	for (size_t i = 0; i < candidates; i++)
		if (take(b, map, &found[i]) < 0)
			return -1;
	return 0;
}

int model_batch_take(struct model_batch *b, uint32_t jvm, const struct wire_rec *const *recs,
		     size_t n)
{
	if (jvm < 1 || jvm > b->m->njvms || !b->m->jvms[jvm - 1]->contexts.slots)
		return 0;
	if (!b->mapped && make_map(b) < 0)
		return -1;
	for (size_t first = 0; first < n; first += BLOCK) {
		size_t more = n - first < BLOCK ? n - first : BLOCK;
		if (take_block(b, &b->m->jvms[jvm - 1]->contexts, recs + first, more) < 0)
			return -1;
	}
	return 0;
}

/* ---- from the log ------------------------------------------------------------------------ */

static int recall_looks(struct model_batch *b, struct model_context *c, size_t at)
{
	const struct evidence_log *log = &b->m->log;

	for (; c->nlooks < c->kept_looks; c->nlooks++, at++) {
		struct model_look *l =
			arena_alloc(&b->memory, model_look_bytes(evidence_log_slots(log, at)));
		if (!l)
			return -1;
		evidence_log_get_look(log, at, l);
		c->looks[c->nlooks] = l;
	}
	return 0;
}

static int recall_uses(struct model_batch *b, struct model_context *c, size_t at)
{
	struct model_use *use = arena_alloc(&b->memory, c->kept_uses * sizeof *use);

	if (!use)
		return -1;
	for (; c->nuses < c->kept_uses; c->nuses++, at++) {
		evidence_log_get_use(&b->m->log, at, &use[c->nuses]);
		c->uses[c->nuses] = &use[c->nuses];
	}
	return 0;
}

/* Pieces lie wherever they came, so that those of a context are asked for together, while the one before is unpacked. */
static void fetch(const struct evidence_log *log, const struct model_context *c)
{
	size_t end = log->end[EVIDENCE_KINDS * c->number + EVIDENCE_USE];

	for (size_t i = end - c->kept_looks - c->kept_uses; i < end; i++)
		evidence_log_prefetch(log, i);
}

/* The same of all that are near context i of the batch, where the batch has many of these and they begin here. */
static void warm(const struct model_batch *b, size_t i)
{
	size_t stream = b->contexts[i]->number / EVIDENCE_STREAM;
	bool begins = i == 0 || b->contexts[i - 1]->number / EVIDENCE_STREAM != stream;

	if (begins && i + MANY < b->n && b->contexts[i + MANY]->number / EVIDENCE_STREAM == stream)
		evidence_log_warm(&b->m->log, b->contexts[i]->number);
}

int model_batch_recall(struct model_batch *b)
{
	const struct evidence_log *log = &b->m->log;

	for (size_t i = 0; i < b->n; i++) {
		struct model_context *c = b->contexts[i];
		const uint32_t *end = &log->end[EVIDENCE_KINDS * c->number];
		warm(b, i);
		if (i + 1 < b->n)
			fetch(log, b->contexts[i + 1]);
		if (recall_looks(b, c, end[EVIDENCE_LOOK] - c->kept_looks) < 0 ||
		    recall_uses(b, c, end[EVIDENCE_USE] - c->kept_uses) < 0)
			return -1;
	}
	return 0;
}

void model_batch_free(struct model_batch *b)
{
	if (!b)
		return;
	forget(b);
	arena_release(&b->memory);
	free(b->map);
	free(b);
}

size_t model_evidence_bytes(const struct model_context *c)
{
	const struct model_class *class = c->class;
	uint32_t slots = class && !class->is_array && class->nfields < WIRE_SLOTS ? class->nfields
										  : WIRE_SLOTS;

	return c->kept_looks * (model_look_bytes((uint16_t)slots) + sizeof *c->looks) +
	       c->kept_uses * (sizeof(struct model_use) + sizeof *c->uses);
}
