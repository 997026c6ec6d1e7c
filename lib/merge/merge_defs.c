/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_defs.c - classes, methods, stacks and contexts of all recordings, by what they are: a class
 * by its name and its fields, a method by its names and its lines, a stack by its frames, and a
 * context by its class and its stack.
 */
#define XXH_INLINE_ALL

#include <string.h>
#include <xxhash.h>

#include "base/grow.h"
#include "merge/merge_private.h"

struct wire_rec *merge_keep(struct arena *a, const struct wire_rec *rec, uint32_t len)
{
	return memcpy(xarena_alloc(a, len), rec, len);
}

uint64_t merge_hash(const void *data, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(data, len, seed);
}

struct merge_def *merge_def(struct merge *m, struct merge_defs *defs, uint64_t hash, bool *is_new)
{
	struct merge_def *d = idmap_get(&defs->by_hash, hash);

	*is_new = !d;
	if (d)
		return d;
	d = xarena_alloc(&m->arena, sizeof *d);
	*d = (struct merge_def){ .hash = hash };
	xidmap_put(&defs->by_hash, hash, d);
	XGROW(defs->item, defs->n, defs->room, 64);
	defs->item[defs->n++] = d;
	return d;
}

struct merge_context *merge_context(struct merge *m, struct merge_def *class,
				    struct merge_def *stack, bool is_other)
{
	const uint64_t names[3] = { class ? class->hash : 0, stack ? stack->hash : 0, is_other };
	uint64_t hash = merge_hash(names, sizeof names, 0);
	struct merge_context *c = idmap_get(&m->by_hash, hash);

	if (c)
		return c;
	if (m->ncontexts == MERGE_CONTEXTS)
		return NULL;
	c = xarena_alloc(&m->arena, sizeof *c);
	*c = (struct merge_context){ .hash = hash,
				     .is_other = is_other,
				     .class = class,
				     .stack = stack,
				     .sums_below = UINT64_MAX,
				     .below = UINT64_MAX };
	xidmap_put(&m->by_hash, hash, c);
	XGROW(m->context, m->ncontexts, m->contexts_room, 64);
	m->context[m->ncontexts++] = c;
	return c;
}

struct merge_def *merge_stack_of_use(struct merge *m, const struct wire_rec *rec)
{
	uint64_t hash = merge_behind(rec).number;

	return hash ? idmap_get(&m->stacks.by_hash, hash) : NULL;
}
