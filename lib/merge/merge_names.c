/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_names.c - what the numbers of a recording that comes in stand for: definitions of the
 * merge, which are made on first need. So nothing gets into the merge that nobody names.
 */
#include <string.h>

#include "merge/merge_input.h"

uint64_t merge_key(uint32_t jvm, uint16_t type, uint64_t id)
{
	const uint64_t key[2] = { (uint64_t)jvm << 16 | type, id };

	return merge_hash(key, sizeof key, 0);
}

static uint16_t type_of(const struct wire_rec *rec)
{
	return atomic_load_explicit(&rec->type, memory_order_relaxed);
}

/*
 * The definition of that key; NULL: there is none. Keys are hashes, which a file can be made to
 * have twice, so the type is looked at.
 */
static const struct wire_rec *defined(const struct merge_input *in, uint64_t key, uint16_t type)
{
	const struct wire_rec *rec = idmap_get(&in->definitions, key);

	return rec && type_of(rec) == type ? rec : NULL;
}

/* What was made of it before. */
static struct merge_def *made_before(const struct merge_input *in, uint64_t key, uint16_t type)
{
	struct merge_def *d = idmap_get(&in->made, key);

	return d && type_of(d->record) == type ? d : NULL;
}

/* A copy of the record that has no number of its own. */
static struct wire_rec *unnamed(struct arena *a, const struct wire_rec *rec, size_t at, size_t size)
{
	struct wire_rec *copy = merge_keep(a, rec, rec->len);

	copy->thread = 0;
	memset((char *)copy + at, 0, size);
	return copy;
}

static struct merge_def *made(struct merge_input *in, uint64_t key, struct merge_def *d)
{
	xidmap_put(&in->made, key, d);
	return d;
}

struct merge_def *merge_class_of(struct merge_input *in, uint32_t jvm, uint32_t id)
{
	uint64_t key = merge_key(jvm, WIRE_CLASS, id);
	struct merge_def *d = made_before(in, key, WIRE_CLASS);
	const struct wire_rec *rec = defined(in, key, WIRE_CLASS);
	bool is_new;

	if (d || !rec)
		return d;
	struct wire_rec *copy =
		unnamed(&in->arena, rec, offsetof(struct wire_class, id), sizeof(uint32_t));
	d = merge_def(in->merge, &in->merge->classes, merge_hash(copy, copy->len, 0), &is_new);
	if (is_new)
		d->record = merge_keep(&in->merge->arena, copy, copy->len);
	return made(in, key, d);
}

/* The least of what the recordings have, so that it is the same in any order. */
static void add_loads(struct merge_input *in, struct merge_def *d, const struct wire_rec *rec)
{
	struct wire_rec *copy =
		unnamed(&in->arena, rec, offsetof(struct wire_loads, method), sizeof(uint64_t));

	if (d->loads && (copy->len > d->loads->len ||
			 (copy->len == d->loads->len && memcmp(copy, d->loads, copy->len) >= 0)))
		return;
	d->loads = merge_keep(&in->merge->arena, copy, copy->len);
}

static struct merge_def *method_of(struct merge_input *in, uint32_t jvm, uint64_t method)
{
	uint64_t key = merge_key(jvm, WIRE_METHOD, method);
	struct merge_def *d = made_before(in, key, WIRE_METHOD);
	const struct wire_rec *rec = defined(in, key, WIRE_METHOD);
	bool is_new;

	if (d || !rec)
		return d;
	struct wire_rec *copy =
		unnamed(&in->arena, rec, offsetof(struct wire_method, method), sizeof(uint64_t));
	d = merge_def(in->merge, &in->merge->methods, merge_hash(copy, copy->len, 0), &is_new);
	if (is_new)
		d->record = merge_keep(&in->merge->arena, copy, copy->len);
	const struct wire_rec *loads = defined(in, merge_key(jvm, WIRE_LOADS, method), WIRE_LOADS);
	if (loads)
		add_loads(in, d, loads);
	return made(in, key, d);
}

#define UNKNOWN_METHOD 1 /* of frames whose method is not known */

struct merge_def *merge_stack_of(struct merge_input *in, uint32_t jvm, uint32_t id)
{
	uint64_t key = merge_key(jvm, WIRE_STACK, id);
	struct merge_def *d = made_before(in, key, WIRE_STACK);
	const struct wire_rec *rec = defined(in, key, WIRE_STACK);
	bool is_new;

	if (d || !rec)
		return d;
	struct wire_rec *copy =
		unnamed(&in->arena, rec, offsetof(struct wire_stack, id), sizeof(uint32_t));
	struct wire_stack *s = (struct wire_stack *)copy;
	struct wire_frame *frames = (struct wire_frame *)(s + 1);
	for (uint32_t i = 0; i < s->nframes; i++) {
		struct merge_def *method =
			frames[i].method ? method_of(in, jvm, frames[i].method) : NULL;
		if (frames[i].method)
			frames[i].method = method ? method->hash : UNKNOWN_METHOD;
		frames[i].pad = 0;
	}
	d = merge_def(in->merge, &in->merge->stacks, merge_hash(copy, copy->len, 0), &is_new);
	if (is_new)
		d->record = merge_keep(&in->merge->arena, copy, copy->len);
	return made(in, key, d);
}

struct merge_context *merge_context_of(struct merge_input *in, uint32_t jvm, uint32_t id)
{
	const struct model_class *class;
	uint32_t stack;

	if (!id || !model_context_parts(in->model, jvm, id, &class, &stack))
		return merge_context(in->merge, NULL, NULL, true);
	return merge_context(in->merge, class->id ? merge_class_of(in, jvm, class->id) : NULL,
			     stack ? merge_stack_of(in, jvm, stack) : NULL, false);
}
