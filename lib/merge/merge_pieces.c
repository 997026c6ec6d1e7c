/* SPDX-License-Identifier: Apache-2.0 */
/* merge_pieces.c - the snapshots, uses and texts of a recording that comes in, by its processes. */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_input.h"

/*
 * Contents of two processes are made to differ, so that whatever compares them finds equality
 * within a process only. Those of a merged recording are so already.
 */
static uint64_t key_of(const struct merge_part *part)
{
	return rng_mix(part->record.id | 1);
}

static uint64_t differ(uint64_t hash, uint64_t key)
{
	return key ? rng_mix(hash ^ key) : hash;
}

/* Room for a record of this length, and a number behind it. */
static void *new_record(struct arena *a, uint32_t len, uint64_t number)
{
	char *bytes = memset(xarena_alloc(a, len + sizeof number), 0, len);

	memcpy(bytes + len, &number, sizeof number);
	return bytes;
}

static struct wire_rec *snapshot_record(struct arena *a, const struct model_snapshot *l,
					uint64_t key)
{
	uint16_t flags = l->flags & WIRE_EVIDENCE_FLAGS;
	uint32_t len = wire_snapshot_len(l->nslots, flags);
	struct wire_snapshot *w = new_record(a, len, l->number);
	uint32_t *slot = (uint32_t *)(w + 1);

	*w = (struct wire_snapshot){
		.rec = { .len = len + (uint32_t)sizeof(uint64_t), .type = WIRE_SNAPSHOT },
		.array_length = l->array_length,
		.epoch = l->epoch,
		.flags = flags,
		.nslots = l->nslots,
		.exponent = l->exponent,
		.content = differ(l->content, key),
		.weight = l->weight,
		.deep = differ(l->deep, key),
		.ticket = l->ticket,
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
static struct wire_rec *use_record(struct arena *a, const struct model_use *u, uint64_t key,
				   const struct merge_def *access)
{
	uint16_t flags = u->flags & WIRE_EVIDENCE_FLAGS;
	uint32_t len = wire_use_len(flags);
	struct wire_use *w = new_record(a, len, access ? access->hash : 0);

	*w = (struct wire_use){
		.rec = { .len = len + (uint32_t)sizeof(uint64_t), .type = WIRE_USE },
		.array_length = u->array_length,
		.epoch = u->epoch,
		.flags = flags,
		.size = u->size,
		.position = u->position,
		.value = differ(u->value, key),
		.content = differ(u->content, key),
		.weight = u->weight,
		.ticket = u->ticket,
	};
	if (flags & WIRE_DEEP)
		*wire_use_deep(w) = differ(u->deep, key);
	return &w->rec;
}

struct piece {
	uint32_t process;
	struct wire_rec *record;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return ORDER(x->process, y->process);
}

struct merge_part *merge_part_at(const struct merge_input *in, uint32_t number)
{
	return number < in->nparts ? in->parts[number] : NULL;
}

static uint64_t ticket_of(const struct merge_part *part, const struct merge_context *to)
{
	return rng_mix(part->record.id ^ rng_mix(to->hash));
}

/* Appends the pieces of a context that may stay. */
static size_t list_pieces(struct merge_input *in, const struct merge_context *to,
			  const struct model_context *c, struct piece *list)
{
	size_t n = 0;

	/* most parts of many are not kept: no record is made of what goes at once */
	if (!in->part && ticket_of(merge_part_at(in, c->jvm), to) >= to->below)
		return 0;
	for (size_t i = 0; i < c->nsnapshots + c->nuses; i++) {
		bool use = i >= c->nsnapshots;
		const struct model_snapshot *l = use ? NULL : c->snapshots[i];
		const struct model_use *u = use ? c->uses[i - c->nsnapshots] : NULL;
		uint32_t process = use ? u->process : l->process;
		const struct merge_part *part = merge_part_at(in, process);
		if (!part)
			continue;
		uint64_t key = in->part ? 0 : key_of(part);
		list[n++] = (struct piece){ process,
					    use ? use_record(&in->arena, u, key,
							     merge_stack_of(in, c->jvm, u->access))
						: snapshot_record(&in->arena, l, key) };
	}
	return n;
}

/* What a part had of the contexts, before it was merged. */
static struct merge_group group_of(const struct merge_input *in, const struct merge_context *to,
				   const struct model_context *const *c, size_t n, uint32_t process)
{
	struct merge_part *part = merge_part_at(in, process);
	const struct file_seen *seen = idmap_get(&in->seen, (uint64_t)process << 32 | c[0]->id);
	struct merge_group g = { .part = part, .ticket = ticket_of(part, to) };

	if (seen) {
		g.pieces = seen->pieces;
		g.snapshots = seen->snapshots;
		g.uses = seen->uses;
	}
	for (size_t i = 0; i < n; i++) {
		if (in->part || c[i]->jvm != process)
			continue;
		g.pieces += (uint32_t)(c[i]->nsnapshots + c[i]->nuses);
		g.snapshots += c[i]->snapshots_seen;
		g.uses += c[i]->uses_seen;
	}
	return g;
}

static void add_group(struct merge_input *in, struct merge_context *to, struct merge_group g,
		      const struct piece *list, size_t n)
{
	struct wire_rec **records = xmallocarray(n, sizeof *records);

	for (size_t i = 0; i < n; i++)
		records[i] = list[i].record;
	merge_pack(&g, records, n);
	free(records);
	merge_add_group(in->merge, to, &g);
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
		uint32_t process = list[first].process;
		for (next = first + 1; next < pieces && list[next].process == process;)
			next++;
		add_group(in, to, group_of(in, to, c, n, process), list + first, next - first);
	}
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
