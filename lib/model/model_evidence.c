/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_evidence.c - snapshots and uses, kept up to a bound.
 *
 * Each kind of each context has a threshold, 2^32 at first; a record whose ticket is below it is
 * kept. When more than the cap are kept, the threshold is halved and what is no longer below it is
 * dropped. Tickets are uniform and independent of everything else, so a uniform sample of all
 * records remains, early and late alike.
 *
 * The cap is the same for all contexts. It is halved, down to EVIDENCE_FEW, whenever more than
 * EVIDENCE_MANY records are kept in all: a program with few contexts has much evidence about each,
 * one with many has enough. Beyond EVIDENCE_TOO_MANY it sinks on to EVIDENCE_LEAST, where the
 * number of contexts is the bound. If a file must stay small (recorder.c), the writer halves all
 * thresholds at once, and says so in the file: then large contexts keep more than small ones, since
 * they have more.
 *
 * The state depends only on the records below their threshold and on their order, not on those that
 * are dropped on arrival. So the writer need not write the latter. It must write the former, even a
 * record that is dropped by the halving that it caused: the reader has to halve, too.
 */
#include <string.h>

#include "model/model_parts.h"

_Static_assert(sizeof(struct model_use) <= sizeof(struct model_snapshot) + WIRE_SLOTS * 4,
	       "`recycled` has no list for uses");

/* ---- memory ---------------------------------------------------------------------------- */

/*
 * Memory of dropped records is reused for others of their size; otherwise it would grow with the
 * run.
 */
static void *new_item(struct model *m, size_t bytes)
{
	void **list = &m->recycled[(bytes + 7) / 8];
	void *item = *list;

	if (item)
		memcpy(list, item, sizeof *list);
	else
		item = arena_alloc(&m->evidence, bytes);
	m->nevidence += item != NULL;
	m->evidence_bytes += item ? bytes : 0;
	return item;
}

static void recycle(struct model *m, void *item, size_t bytes)
{
	void **list = &m->recycled[(bytes + 7) / 8];

	m->nevidence--;
	m->evidence_bytes -= bytes;

	memcpy(item, list, sizeof *list);
	*list = item;
}

size_t model_snapshot_bytes(uint16_t nslots, uint16_t flags)
{
	size_t slots = nslots * sizeof(uint32_t);

	return sizeof(struct model_snapshot) +
	       (flags & WIRE_FILLED ? wire_pad(slots) + sizeof(struct wire_fill) : slots);
}

const struct wire_fill *model_snapshot_fill(const struct model_snapshot *s)
{
	size_t slots = s->nslots * sizeof(uint32_t);

	return s->flags & WIRE_FILLED ? (const void *)((const char *)s->slot + wire_pad(slots))
				      : NULL;
}

/* ---- thinning -------------------------------------------------------------------------- */

/* Drops what is not below the thresholds. */
static void sift(struct model *m, struct context *c)
{
	struct model_snapshot **snapshots = c->pub.snapshots;
	struct model_use **uses = c->pub.uses;
	size_t n = 0;

	for (size_t i = 0; i < c->pub.nsnapshots; i++) {
		if (snapshots[i]->ticket < c->snapshot_threshold)
			snapshots[n++] = snapshots[i];
		else
			recycle(m, snapshots[i],
				model_snapshot_bytes(snapshots[i]->nslots, snapshots[i]->flags));
	}
	c->pub.nsnapshots = n;
	n = 0;
	for (size_t i = 0; i < c->pub.nuses; i++) {
		if (uses[i]->ticket < c->use_threshold)
			uses[n++] = uses[i];
		else
			recycle(m, uses[i], sizeof *uses[i]);
	}
	c->pub.nuses = n;
}

/* Halves the thresholds of a context as long as it has more than the cap. */
static void thin(struct model *m, struct context *c)
{
	while (c->pub.nsnapshots > m->evidence_cap || c->pub.nuses > m->evidence_cap) {
		if (c->pub.nsnapshots > m->evidence_cap)
			c->snapshot_threshold /= 2;
		if (c->pub.nuses > m->evidence_cap)
			c->use_threshold /= 2;
		sift(m, c);
	}
}

/* Lowers the cap as long as all contexts together have too much. */
static void thin_all(struct model *m)
{
	/* that of a merged one was bounded by about as much where it was made (merge_evidence.c) */
	while (evidence_too_much(m->nparts ? m->nevidence / 2 : m->nevidence, m->evidence_cap)) {
		m->evidence_cap /= 2;
		for (size_t i = 0; i < m->ncontexts; i++)
			thin(m, m->contexts[i]);
	}
}

static unsigned halvings_of(uint64_t threshold)
{
	unsigned n = 0;

	while (n < 32 && threshold << n < 1ull << 32)
		n++;
	return n;
}

unsigned model_thinned(const struct model_context *c)
{
	const struct context *all = (const struct context *)c;
	unsigned snapshots = halvings_of(all->snapshot_threshold);
	unsigned uses = halvings_of(all->use_threshold);

	return snapshots > uses ? snapshots : uses;
}

enum model_fed model_take_thin(struct model *m, const struct wire_rec *rec)
{
	const struct file_thin *f = (const struct file_thin *)rec;

	if (f->halvings > 32)
		return model_bad();
	if (f->halvings <= m->halvings)
		return MODEL_DROPPED;
	m->halvings = f->halvings;
	uint64_t most = (1ull << 32) >> m->halvings;
	for (size_t i = 0; i < m->ncontexts; i++) {
		struct context *c = m->contexts[i];
		c->snapshot_threshold = c->snapshot_threshold < most ? c->snapshot_threshold : most;
		c->use_threshold = c->use_threshold < most ? c->use_threshold : most;
		sift(m, c);
	}
	model_thin_stores(m);
	return MODEL_KEEP;
}

/* ---- records --------------------------------------------------------------------------- */

bool model_snapshot_ok(const struct wire_snapshot *w)
{
	return w->nslots <= WIRE_SLOTS && w->array_length <= INT32_MAX &&
	       w->exponent <= WIRE_CONTROL_MOST && model_weight_ok(w->weight, 1) &&
	       w->rec.len == wire_snapshot_len(w->nslots, w->flags);
}

bool model_use_ok(const struct wire_use *w)
{
	return w->array_length <= INT32_MAX && model_weight_ok(w->weight, 1) &&
	       w->rec.len == wire_use_len(w->flags);
}

void model_fill_snapshot(struct model_snapshot *to, const struct wire_snapshot *w)
{
	*to = (struct model_snapshot){
		.content = w->content,
		.deep = w->deep,
		.fixed = w->flags & WIRE_FIXED ? *wire_snapshot_fixed(w) : 0,
		.weight = w->weight,
		.array_length = w->array_length,
		.epoch = w->epoch,
		.ticket = w->ticket,
		.nodes = w->nodes,
		.deep_bytes = w->deep_bytes,
		.flags = w->flags,
		.nslots = w->nslots,
		.exponent = w->exponent,
		.zeros = w->zeros,
	};
	memcpy(to->slot, w + 1, w->nslots * sizeof to->slot[0]);
	if (w->flags & WIRE_FILLED)
		memcpy((void *)model_snapshot_fill(to), wire_snapshot_fill(w),
		       sizeof(struct wire_fill));
}

void model_fill_use(struct model_use *to, const struct wire_use *w)
{
	*to = (struct model_use){
		.value = w->value,
		.content = w->content,
		.deep = w->flags & WIRE_DEEP ? *wire_use_deep(w) : 0,
		.weight = w->weight,
		.array_length = w->array_length,
		.epoch = w->epoch,
		.ticket = w->ticket,
		.access = w->access,
		.position = w->position,
		.flags = w->flags,
		.size = w->size,
	};
}

static int add_snapshot(struct model *m, const struct jvm *j, struct context *c,
			const struct wire_snapshot *w)
{
	if (!ARENA_GROW(&m->memory, c->pub.snapshots, c->pub.nsnapshots, c->snapshots_room))
		return -1;
	struct model_snapshot *l = new_item(m, model_snapshot_bytes(w->nslots, w->flags));
	if (!l)
		return -1;
	model_fill_snapshot(l, w);
	l->flags |= m->outside ? MODEL_OUTSIDE : 0;
	l->number = m->snapshots++;
	l->process = j->process ? j->process : j->index;
	l->weight *= j->process && j->seen_context == c->pub.id ? j->snapshot_factor : 1;
	c->pub.snapshots[c->pub.nsnapshots++] = l;
	thin(m, c);
	return 0;
}

enum model_fed model_take_snapshot(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_snapshot *w = (const struct wire_snapshot *)rec;

	if (!model_snapshot_ok(w))
		return model_bad();
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	model_note_change(m, c);
	c->pub.snapshots_seen += !m->outside;
	if (w->ticket >= c->snapshot_threshold || model_too_late(m, j, w->context)) {
		struct file_tally *t = model_tally(m, c, rec->thread);
		if (t)
			t->snapshots++;
		return t ? MODEL_DROPPED : MODEL_BAD;
	}
	if (add_snapshot(m, j, c, w) < 0)
		return MODEL_BAD;
	thin_all(m);
	return MODEL_KEEP;
}

static int add_use(struct model *m, const struct jvm *j, struct context *c,
		   const struct wire_use *w)
{
	if (!ARENA_GROW(&m->memory, c->pub.uses, c->pub.nuses, c->uses_room))
		return -1;
	struct model_use *u = new_item(m, sizeof *u);
	if (!u)
		return -1;
	model_fill_use(u, w);
	u->flags |= m->outside ? MODEL_OUTSIDE : 0;
	u->process = j->process ? j->process : j->index;
	u->weight *= j->process && j->seen_context == c->pub.id ? j->use_factor : 1;
	c->pub.uses[c->pub.nuses++] = u;
	thin(m, c);
	return 0;
}

enum model_fed model_take_use(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_use *w = (const struct wire_use *)rec;

	if (!model_use_ok(w))
		return model_bad();
	struct context *c = model_event_context(m, j, w->context);
	if (!c)
		return MODEL_BAD;
	model_note_change(m, c);
	c->pub.uses_seen += !m->outside;
	if (w->ticket >= c->use_threshold || model_too_late(m, j, w->context)) {
		struct file_tally *t = model_tally(m, c, rec->thread);
		if (t)
			t->uses++;
		return t ? MODEL_DROPPED : MODEL_BAD;
	}
	if (add_use(m, j, c, w) < 0)
		return MODEL_BAD;
	thin_all(m);
	return MODEL_KEEP;
}
