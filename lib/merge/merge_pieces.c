/* SPDX-License-Identifier: Apache-2.0 */
/* merge_pieces.c - the snapshots, uses and texts of a recording that comes in, by its processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_input.h"
#include "model/sums.h"

/*
 * Contents of two pools are made to differ, so that whatever compares them finds equality within a
 * process only. Those of a merged recording are so already.
 */
static uint64_t key_of(const struct merge_part *part)
{
	return rng_mix(part->pool);
}

static uint64_t differ(uint64_t hash, uint64_t key)
{
	return key ? rng_mix(hash ^ key) : hash;
}

/* Room for a record of this length, and what is behind it. */
static void *new_record(struct arena *a, uint32_t len, struct merge_behind behind)
{
	char *bytes = memset(xarena_alloc(a, len + sizeof behind), 0, len);

	memcpy(bytes + len, &behind, sizeof behind);
	return bytes;
}

/* What pieces of a context have in common. */
struct source {
	struct merge_part *part;
	uint64_t key;
	/* what each stands for: the recording may have kept a random part of what came */
	double snapshot_factor, use_factor;
	unsigned turn; /* of tickets */
};

/*
 * A recording that keeps a random part of what came keeps low tickets. Their upper bits are 0, and
 * go to the other end, so that any part of these is a random one again. A use keeps the ticket of
 * its snapshot.
 */
static uint32_t turned(uint32_t ticket, unsigned bits)
{
	return (uint32_t)((uint64_t)ticket << bits | (uint64_t)ticket >> (32 - bits));
}

static double weight_of(double weight, double factor)
{
	return fmin(weight * factor, MODEL_MAX_WEIGHT);
}

static struct wire_rec *snapshot_record(struct arena *a, const struct model_snapshot *l,
					const struct source *of)
{
	uint64_t key = of->key;
	uint16_t flags = l->flags & WIRE_EVIDENCE_FLAGS;
	uint32_t len = wire_snapshot_len(l->nslots, flags);
	struct wire_snapshot *w =
		new_record(a, len, (struct merge_behind){ l->number, of->part->record.id });
	uint32_t *slot = (uint32_t *)(w + 1);

	*w = (struct wire_snapshot){
		.rec = { .len = len + (uint32_t)sizeof(struct merge_behind),
			 .type = WIRE_SNAPSHOT },
		.array_length = l->array_length,
		.epoch = l->epoch,
		.flags = flags,
		.nslots = l->nslots,
		.exponent = l->exponent,
		.content = differ(l->content, key),
		.weight = weight_of(l->weight, of->snapshot_factor),
		.deep = differ(l->deep, key),
		.ticket = turned(l->ticket, of->turn),
		.nodes = l->nodes,
		.deep_bytes = l->deep_bytes,
		.zeros = l->zeros,
	};
	for (uint32_t k = 0; k < l->nslots; k++)
		slot[k] = (uint32_t)differ(l->slot[k], key);
	if (flags & WIRE_FIXED)
		*wire_snapshot_fixed(w) = differ(l->fixed, key);
	const struct wire_fill *fill = model_snapshot_fill(l);
	if (fill)
		memcpy(wire_snapshot_fill(w), fill, sizeof *fill);
	return &w->rec;
}

/* `access`: the number of the stack that used it is that of what goes out: see merge_emit.c. */
static struct wire_rec *use_record(struct arena *a, const struct model_use *u,
				   const struct source *of, const struct merge_def *access)
{
	uint64_t key = of->key;
	uint16_t flags = u->flags & WIRE_EVIDENCE_FLAGS;
	uint32_t len = wire_use_len(flags);
	struct wire_use *w = new_record(
		a, len, (struct merge_behind){ access ? access->hash : 0, of->part->record.id });

	*w = (struct wire_use){
		.rec = { .len = len + (uint32_t)sizeof(struct merge_behind), .type = WIRE_USE },
		.array_length = u->array_length,
		.epoch = u->epoch,
		.flags = flags,
		.size = u->size,
		.position = u->position,
		.value = differ(u->value, key),
		.content = differ(u->content, key),
		.weight = weight_of(u->weight, of->use_factor),
		.ticket = turned(u->ticket, of->turn),
	};
	if (flags & WIRE_DEEP)
		*wire_use_deep(w) = differ(u->deep, key);
	return &w->rec;
}

struct piece {
	uint64_t pool;
	uint32_t process; /* in the recording */
	struct wire_rec *record;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return ORDER(x->pool, y->pool);
}

struct merge_part *merge_part_at(const struct merge_input *in, uint32_t number)
{
	return number < in->nparts ? in->parts[number] : NULL;
}

/*
 * The part of a piece. In a merged recording a process has several, and no epoch of one is one of
 * another: they are numbered in the order of the parts.
 */
static struct merge_part *part_of(const struct merge_input *in, uint32_t process, uint32_t epoch)
{
	if (!in->part)
		return merge_part_at(in, process);
	size_t next = SEARCH(i, 0, in->nbegun, in->begun[i].epoch <= epoch);
	return next ? merge_part_at(in, in->begun[next - 1].part) : NULL;
}

static uint64_t ticket_of(uint64_t pool, const struct merge_context *to)
{
	return rng_mix(pool ^ rng_mix(to->hash));
}

static double factor_of(uint64_t seen, size_t kept)
{
	return kept ? (double)seen / (double)kept : 1;
}

/* Appends the pieces of a context that may stay. */
static size_t list_pieces(struct merge_input *in, const struct merge_context *to,
			  const struct model_context *c, struct piece *list)
{
	const struct merge_part *own = in->part ? NULL : merge_part_at(in, c->jvm);
	struct source of = { .snapshot_factor = 1, .use_factor = 1 };
	size_t n = 0;

	/* most pools of many are not kept: no record is made of what goes at once */
	if (own && ticket_of(own->pool, to) >= to->below)
		return 0;
	if (own) {
		of.key = key_of(own);
		of.snapshot_factor = factor_of(c->snapshots_seen, c->nsnapshots);
		of.use_factor = factor_of(c->uses_seen, c->nuses);
		of.turn = model_thinned(c);
	}
	for (size_t i = 0; i < c->nsnapshots + c->nuses; i++) {
		bool use = i >= c->nsnapshots;
		const struct model_snapshot *l = use ? NULL : c->snapshots[i];
		const struct model_use *u = use ? c->uses[i - c->nsnapshots] : NULL;
		uint32_t process = use ? u->process : l->process;
		if (!(of.part = part_of(in, process, use ? u->epoch : l->epoch)))
			continue;
		list[n++] = (struct piece){ of.part->pool, process,
					    use ? use_record(&in->arena, u, &of,
							     merge_stack_of(in, c->jvm, u->access))
						: snapshot_record(&in->arena, l, &of) };
	}
	return n;
}

/* What a pool had of a context in the merged recording, of which `g` has the pieces. */
static void had_before(const struct merge_input *in, struct merge_group *g, uint64_t key)
{
	const struct file_seen *seen = idmap_get(&in->seen, key);
	const struct file_sifted *sifted = idmap_get(&in->sifted, key);

	for (size_t i = 0; i < g->n; i++)
		(merge_is_use(g->record[i]) ? &g->uses : &g->snapshots)->kept += 1;
	if (sifted && sifted->halvings <= 32) {
		g->halvings = sifted->halvings;
		g->snapshots.kept = sifted->snapshots;
		g->uses.kept = sifted->uses;
	}
	if (seen) {
		g->snapshots.arrived = seen->snapshots;
		g->uses.arrived = seen->uses;
	}
}

/* What a pool had of the contexts in a recording of its own. */
static void had_now(const struct merge_input *in, struct merge_group *g,
		    const struct model_context *const *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct merge_part *part = merge_part_at(in, c[i]->jvm);
		if (!part || part->pool != g->pool)
			continue;
		g->snapshots.arrived += c[i]->snapshots_seen;
		g->snapshots.kept += c[i]->nsnapshots;
		g->uses.arrived += c[i]->uses_seen;
		g->uses.kept += c[i]->nuses;
	}
}

static struct merge_group group_of(uint64_t pool, const struct merge_context *to,
				   const struct piece *list, size_t n)
{
	struct merge_group g = { .pool = pool, .ticket = ticket_of(pool, to) };
	struct wire_rec **records = xmallocarray(n + 1, sizeof *records);

	for (size_t i = 0; i < n; i++)
		records[i] = list[i].record;
	merge_pack(&g, records, n);
	free(records);
	return g;
}

/* Pools of a merged recording of whose pieces none is left: they count. */
static void add_empty(struct merge_input *in, struct merge_context *to, uint32_t context,
		      const struct piece *list, size_t n)
{
	size_t i = SEARCH(k, 0, in->nnoted, in->noted[k].context < context);

	for (; i < in->nnoted && in->noted[i].context == context; i++) {
		const struct noted *noted = &in->noted[i];
		size_t at = SEARCH(k, 0, n, list[k].pool < noted->pool);
		if (at < n && list[at].pool == noted->pool)
			continue;
		struct merge_group g = group_of(noted->pool, to, NULL, 0);
		had_before(in, &g, merge_input_key(noted->process, context));
		merge_add_group(in->merge, to, &g);
	}
}

static struct merge_evidence sum_up(const struct model_context *const *c, size_t n)
{
	struct merge_evidence e = { .below = UINT64_MAX };

	for (size_t i = 0; i < n; i++) {
		e.pieces += c[i]->nsnapshots + c[i]->nuses;
		e.snapshots += c[i]->snapshots_seen;
		e.uses += c[i]->uses_seen;
		e.others += merge_exact(c[i]->others);
		e.others_squares += merge_exact(c[i]->others_squares);
		for (size_t k = 0; k < 5; k++)
			e.unused[k] += c[i]->unused[k];
	}
	return e;
}

void merge_take_evidence(struct merge_input *in, struct merge_context *to,
			 const struct model_context *const *c, size_t n)
{
	const struct file_pooled *p = idmap_get(&in->pooled, c[0]->id);
	struct merge_evidence e = sum_up(c, n);
	struct piece *list = xmallocarray(e.pieces + 1, sizeof *list);
	size_t pieces = 0;

	for (size_t i = 0; i < n; i++)
		pieces += list_pieces(in, to, c[i], list + pieces);
	if (pieces)
		qsort(list, pieces, sizeof *list, compare_pieces);
	if (in->part && p) {
		e.pieces = p->pieces;
		e.snapshots = p->snapshots;
		e.uses = p->uses;
		e.below = p->below;
		e.others = merge_exact_of(&p->others);
		e.others_squares = merge_exact_of(&p->others_squares);
	}
	merge_add_evidence(in->merge, to, &e);
	for (size_t first = 0, next; first < pieces; first = next) {
		for (next = first + 1; next < pieces && list[next].pool == list[first].pool;)
			next++;
		struct merge_group g = group_of(list[first].pool, to, list + first, next - first);
		if (in->part)
			had_before(in, &g, merge_input_key(list[first].process, c[0]->id));
		else
			had_now(in, &g, c, n);
		merge_add_group(in->merge, to, &g);
	}
	add_empty(in, to, c[0]->id, list, pieces);
	free(list);
}

void merge_take_values(struct merge_input *in, struct merge_context *to,
		       const struct model_context *c, const struct merge_part *part)
{
	uint64_t key = part ? key_of(part) : 0;

	for (size_t i = 0; i < c->nvalues; i++) {
		const struct model_value *v = c->values[i];
		uint32_t len = (uint32_t)sizeof(struct wire_value) + wire_pad(v->len);
		struct wire_value *w = memset(xarena_alloc(&in->arena, len), 0, len);
		*w = (struct wire_value){ .rec = { .len = len, .type = WIRE_VALUE },
					  .len = v->len,
					  .deep = differ(v->deep, key),
					  .chars = v->chars };
		memcpy(w + 1, v->text, v->len);
		merge_add_value(in->merge, to, w);
	}
}
