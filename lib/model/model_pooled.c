/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_pooled.c - the records that only merged recordings have (docs/merging.md): the parts, what
 * is summed up over them, and how the evidence of one was sampled.
 */
#include <math.h>

#include "base/grow.h"
#include "base/rng.h"
#include "base/sort.h"
#include "model/model_parts.h"

enum { MOST_PARTS = 1 << 20 };

size_t model_nparts(const struct model *m)
{
	return m->nparts;
}

const struct model_part *model_part(const struct model *m, size_t i)
{
	return i < m->nparts ? &m->parts[i] : NULL;
}

uint64_t model_secret(const struct model *m)
{
	return m->secret;
}

uint64_t model_pool(const struct file_part *part, uint64_t secret)
{
	uint64_t pool = secret ? rng_mix(part->process ^ rng_mix(secret)) : part->id;

	return pool ? pool : 1;
}

size_t model_nrecordings(const struct model *m)
{
	return m->recordings.count;
}

size_t model_nprocesses(const struct model *m)
{
	return m->processes.count;
}

void model_snapshot_pool(const struct model *m, uint32_t number, uint32_t *first, uint32_t *end)
{
	/* the pool after it */
	size_t next = SEARCH(i, 0, m->npools, m->pool_first[i] <= number);

	*first = next ? m->pool_first[next - 1] : 0;
	*end = next < m->npools ? m->pool_first[next] : m->snapshots;
}

static int note_id(struct model *m, struct idmap *ids, uint64_t id)
{
	return idmap_get(ids, id) ? 0 : idmap_put(ids, id, m);
}

enum model_fed model_take_secret(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	(void)j;
	m->secret = ((const struct file_secret *)rec)->fingerprint;
	return MODEL_KEEP;
}

/* Parts of a pool come one after another. */
enum model_fed model_take_part(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_part *p = (const struct file_part *)rec;
	struct model_part part = { .record = *p,
				   .secret = m->secret,
				   .pool = model_pool(p, m->secret),
				   .process = p->number };

	if (p->number == 0 || p->number > MOST_PARTS || m->nparts == MOST_PARTS)
		return model_bad();
	if (!GROW(m->parts, m->nparts, m->parts_room, 16) ||
	    !GROW(m->pool_first, m->npools, m->pool_first_room, 16) ||
	    note_id(m, &m->recordings, p->recording) < 0 ||
	    note_id(m, &m->processes, p->process) < 0)
		return MODEL_BAD;
	const struct model_part *last = m->nparts ? &m->parts[m->nparts - 1] : NULL;
	if (last && last->pool == part.pool)
		part.process = last->process;
	else
		m->pool_first[m->npools++] = m->snapshots;
	m->parts[m->nparts++] = part;
	j->process = part.process;
	j->snapshot_factor = j->use_factor = 1;
	return MODEL_KEEP;
}

static double real_of(const struct file_exact *x)
{
	unsigned __int128 all = (unsigned __int128)x->high << 64 | x->low;

	return ldexp((double)all, -FILE_SUM_BITS);
}

enum model_fed model_take_sum(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_sum *s = (const struct file_sum *)rec;
	struct file_count f = { .array_length = s->array_length,
				.size = s->size,
				.count = s->count,
				.weight = real_of(&s->weight),
				.squares = real_of(&s->squares) };

	if (s->count > MODEL_MAX_COUNT || !model_weight_ok(f.weight, s->count) ||
	    s->size > MODEL_MAX_SIZE ||
	    (s->array_length > INT32_MAX && s->array_length != MODEL_OTHER_SIZES))
		return model_bad();
	f.squares = model_possible_squares(&f);
	struct context *c = model_event_context(m, j, s->context);
	return !c || model_add_count(m, c, &f) < 0 ? MODEL_BAD : MODEL_KEEP;
}

enum model_fed model_take_pooled(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_pooled *p = (const struct file_pooled *)rec;

	if (p->snapshots > MODEL_MAX_COUNT || p->kept_snapshots > p->snapshots ||
	    p->uses > MODEL_MAX_COUNT || p->kept_uses > p->uses)
		return model_bad();
	for (uint32_t i = 0; i <= WIRE_UNUSED_LOST; i++)
		if (p->unused[i] > MODEL_MAX_COUNT)
			return model_bad();
	struct context *c = model_event_context(m, j, p->context);
	if (!c)
		return MODEL_BAD;
	model_note_change(m, c);
	c->pub.snapshots_seen += p->snapshots - p->kept_snapshots;
	c->pub.uses_seen += p->uses - p->kept_uses;
	for (uint32_t i = 0; i <= WIRE_UNUSED_LOST; i++)
		c->pub.unused[i] += p->unused[i];
	c->pub.others += real_of(&p->others);
	c->pub.others_squares += real_of(&p->others_squares);
	return MODEL_KEEP;
}

static bool factor_ok(double f)
{
	return f >= 0 && f <= MODEL_MAX_WEIGHT; /* NaN is neither */
}

enum model_fed model_take_seen(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct file_seen *s = (const struct file_seen *)rec;

	(void)m;
	if (!factor_ok(s->snapshot_factor) || !factor_ok(s->use_factor))
		return model_bad();
	j->seen_context = s->context;
	j->snapshot_factor = s->snapshot_factor;
	j->use_factor = s->use_factor;
	return MODEL_KEEP;
}
