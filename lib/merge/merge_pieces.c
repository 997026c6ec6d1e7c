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

static struct wire_rec *snapshot_record(struct arena *a, const struct model_snapshot *l,
					uint64_t key)
{
	uint16_t flags = l->flags & WIRE_EVIDENCE_FLAGS;
	uint32_t len = wire_snapshot_len(l->nslots, flags);
	struct wire_snapshot *w = memset(xarena_alloc(a, len), 0, len);
	uint32_t *slot = (uint32_t *)(w + 1);

	*w = (struct wire_snapshot){
		.rec = { .len = len, .type = WIRE_SNAPSHOT },
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
	/* behind it, the hash of the stack */
	char *bytes = memset(xarena_alloc(a, len + sizeof(uint64_t)), 0, len + sizeof(uint64_t));
	struct wire_use *w = (struct wire_use *)bytes;

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
	memcpy(bytes + len, access ? &access->hash : &(uint64_t){ 0 }, sizeof(uint64_t));
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

/* The pieces of a context, by part. */
static struct piece *list_pieces(struct merge_input *in, const struct model_context *c, size_t *n)
{
	struct piece *list = xmallocarray(c->nsnapshots + c->nuses + 1, sizeof *list);

	*n = 0;
	for (size_t i = 0; i < c->nsnapshots + c->nuses; i++) {
		bool use = i >= c->nsnapshots;
		const struct model_snapshot *l = use ? NULL : c->snapshots[i];
		const struct model_use *u = use ? c->uses[i - c->nsnapshots] : NULL;
		uint32_t process = use ? u->process : l->process;
		const struct merge_part *part = merge_part_at(in, process);
		if (!part)
			continue;
		uint64_t key = in->part ? 0 : key_of(part);
		list[(*n)++] =
			(struct piece){ process,
					use ? use_record(&in->arena, u, key,
							 merge_stack_of(in, c->jvm, u->access))
					    : snapshot_record(&in->arena, l, key) };
	}
	if (*n)
		qsort(list, *n, sizeof *list, compare_pieces);
	return list;
}

static void add_group(struct merge_input *in, struct merge_context *to,
		      const struct model_context *c, const struct piece *list, size_t n)
{
	struct merge_part *part = merge_part_at(in, list->process);
	const struct file_seen *seen = idmap_get(&in->seen, (uint64_t)list->process << 32 | c->id);
	struct merge_group g = { .part = part,
				 .ticket = rng_mix(part->record.id ^ rng_mix(to->hash)),
				 .pieces = (uint32_t)n,
				 .snapshots = c->snapshots_seen,
				 .uses = c->uses_seen };
	struct wire_rec **records = xmallocarray(n, sizeof *records);

	if (seen) {
		g.pieces = seen->pieces;
		g.snapshots = seen->snapshots;
		g.uses = seen->uses;
	}
	for (size_t i = 0; i < n; i++)
		records[i] = list[i].record;
	merge_pack(&g, records, n);
	free(records);
	merge_add_group(in->merge, to, &g);
}

void merge_take_evidence(struct merge_input *in, struct merge_context *to,
			 const struct model_context *c)
{
	const struct file_pooled *p = idmap_get(&in->pooled, c->id);
	size_t n;
	struct piece *list = list_pieces(in, c, &n);
	struct merge_evidence e = { .pieces = n,
				    .snapshots = c->snapshots_seen,
				    .uses = c->uses_seen,
				    .below = UINT64_MAX,
				    .others = merge_exact(c->others),
				    .others_squares = merge_exact(c->others_squares) };

	memcpy(e.unused, c->unused, sizeof e.unused);
	if (in->part && p) {
		e.pieces = p->pieces;
		e.snapshots = p->snapshots;
		e.uses = p->uses;
		e.below = p->below;
		e.others = merge_exact_of(&p->others);
		e.others_squares = merge_exact_of(&p->others_squares);
	}
	merge_add_evidence(in->merge, to, &e);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && list[next].process == list[first].process;)
			next++;
		add_group(in, to, c, list + first, next - first);
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
