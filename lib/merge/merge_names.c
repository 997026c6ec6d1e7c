/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_names.c - what the numbers of a recording that comes in stand for: definitions of the
 * merge, which are made on first need. So nothing gets into the merge that nobody names.
 */
#include <string.h>

#include "merge/merge_input.h"

/* Of what a record defines. No two numbers of one JVM and type have the same. */
static uint64_t key_of(uint32_t jvm, uint16_t type, uint64_t id)
{
	return idmap_hash((uint64_t)jvm << 16 | type) ^ id;
}

void merge_define(struct merge_input *in, uint32_t jvm, uint64_t id, const struct wire_rec *rec)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);
	uint64_t key = key_of(jvm, type, id);

	if (idmap_get(&in->definitions, key))
		return;
	struct named *d = xarena_alloc(&in->arena, offsetof(struct named, record) + rec->len);
	d->type = type;
	d->made = NULL;
	memcpy(&d->record, rec, rec->len);
	xidmap_put(&in->definitions, key, d);
}

/*
 * The definition of that number; NULL: there is none. A file can be made to have a key twice, so
 * the type is looked at.
 */
static struct named *defined(const struct merge_input *in, uint32_t jvm, uint16_t type, uint64_t id)
{
	struct named *d = idmap_get(&in->definitions, key_of(jvm, type, id));

	return d && d->type == type ? d : NULL;
}

/* Takes away the record's own number, which is `size` bytes at `at`. */
static struct wire_rec *unname(struct named *d, size_t at, size_t size)
{
	struct wire_rec *rec = &d->record;

	rec->thread = 0;
	memset((char *)rec + at, 0, size);
	return rec;
}

/* What the merge has for a record without a number. */
static struct merge_def *make(struct merge *m, struct merge_defs *defs, const struct wire_rec *rec)
{
	bool is_new;
	struct merge_def *d = merge_def(m, defs, merge_hash(rec, rec->len, 0), &is_new);

	if (is_new)
		d->record = merge_keep(&m->arena, rec, rec->len);
	return d;
}

struct merge_def *merge_class_of(struct merge_input *in, uint32_t jvm, uint32_t id)
{
	struct named *d = defined(in, jvm, WIRE_CLASS, id);

	if (!d || d->made)
		return d ? d->made : NULL;
	d->made = make(in->merge, &in->merge->classes,
		       unname(d, offsetof(struct wire_class, id), sizeof(uint32_t)));
	return d->made;
}

/* The least of what the recordings have, so that it is the same in any order. */
static void add_loads(struct merge *m, struct merge_def *d, const struct wire_rec *loads)
{
	if (d->loads && (loads->len > d->loads->len ||
			 (loads->len == d->loads->len && memcmp(loads, d->loads, loads->len) >= 0)))
		return;
	d->loads = merge_keep(&m->arena, loads, loads->len);
}

static struct merge_def *method_of(struct merge_input *in, uint32_t jvm, uint64_t method)
{
	struct named *d = defined(in, jvm, WIRE_METHOD, method), *loads;

	if (!d || d->made)
		return d ? d->made : NULL;
	d->made = make(in->merge, &in->merge->methods,
		       unname(d, offsetof(struct wire_method, method), sizeof(uint64_t)));
	loads = defined(in, jvm, WIRE_LOADS, method);
	if (loads)
		add_loads(in->merge, d->made,
			  unname(loads, offsetof(struct wire_loads, method), sizeof(uint64_t)));
	return d->made;
}

#define UNKNOWN_METHOD 1 /* of frames whose method is not known */

/* Frames name their methods by hashes. */
static void rename_frames(struct merge_input *in, uint32_t jvm, struct wire_stack *s)
{
	struct wire_frame *frames = (struct wire_frame *)(s + 1);

	for (uint32_t i = 0; i < s->nframes; i++) {
		struct merge_def *method =
			frames[i].method ? method_of(in, jvm, frames[i].method) : NULL;
		if (frames[i].method)
			frames[i].method = method ? method->hash : UNKNOWN_METHOD;
		frames[i].pad = 0;
	}
}

struct merge_def *merge_stack_of(struct merge_input *in, uint32_t jvm, uint32_t id)
{
	struct named *d = defined(in, jvm, WIRE_STACK, id);

	if (!d || d->made)
		return d ? d->made : NULL;
	struct wire_rec *rec = unname(d, offsetof(struct wire_stack, id), sizeof(uint32_t));
	rename_frames(in, jvm, (struct wire_stack *)rec);
	d->made = make(in->merge, &in->merge->stacks, rec);
	return d->made;
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
