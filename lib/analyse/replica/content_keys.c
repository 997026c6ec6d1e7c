/* SPDX-License-Identifier: Apache-2.0 */
/* content_keys.c - see content_keys.h. */
#include "analyse/replica/content_keys.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyse/replica/stability.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"

/*
 * ---- Snapshots and uses are sorted by what makes their own contents comparable; neighbours
 * with the same content are compared.
 */

struct referred {
	uint64_t epoch; /* and JVM */
	uint64_t content, deep;
	uint32_t array_length;
};

static int compare(const void *a, const void *b)
{
	const struct referred *x = a, *y = b;

	int order = ORDER(x->epoch, y->epoch) ?: ORDER(x->content, y->content);

	return order ?: ORDER(x->array_length, y->array_length);
}

/* Whether own content and deep content were read as a whole. */
static bool tells(unsigned flags)
{
	unsigned wanted = WIRE_REFS | WIRE_DEEP;

	return (flags & (wanted | WIRE_PARTIAL)) == wanted;
}

static size_t add_context(struct referred *to, const struct model_context *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		if (tells(l->flags))
			to[n++] = (struct referred){ (uint64_t)c->jvm << 32 | l->epoch, l->content,
						     l->deep, l->array_length };
	}
	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		if (tells(u->flags) && !in_constructor_use(c, u))
			to[n++] = (struct referred){ (uint64_t)c->jvm << 32 | u->epoch, u->content,
						     u->deep, u->array_length };
	}
	return n;
}

bool referents_change(struct model_context *const *contexts, size_t n)
{
	size_t all = 0, found = 0, same = 0, changed = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nsnapshots + contexts[i]->nuses;
	struct referred *list = xmallocarray(all + 1, sizeof *list);
	for (size_t i = 0; i < n; i++)
		found += add_context(list + found, contexts[i]);
	qsort(list, found, sizeof *list, compare);
	for (size_t i = 1; i < found; i++) {
		if (compare(&list[i - 1], &list[i]) != 0)
			continue;
		changed += list[i - 1].deep != list[i].deep;
		same += list[i - 1].deep == list[i].deep;
	}
	free(list);
	return changed > 0 && changed * REFERENTS_ONE_IN >= changed + same;
}

#define NEVER (UINT64_C(1) << 63)

static uint64_t mix(uint64_t a, uint64_t b)
{
	return rng_mix(a ^ rng_mix(b + 0x9e3779b97f4a7c15u));
}

uint64_t content_key_unique(uint64_t number)
{
	return mix(NEVER, number);
}

static bool is_reference(const struct model_context *c, uint64_t position)
{
	if (!c->class || !c->class->fields || position >= c->class->nfields)
		return true; /* an element of an array that holds references, or unknown */
	char type = c->class->fields[position].type;
	return type == 'L' || type == '[';
}

/*
 * Key of the part of an object that stays comparable although it holds references: primitive
 * fields, and the number of elements.
 */
static uint64_t own_primitives(const struct model_context *c, const struct model_snapshot *l)
{
	uint64_t key = l->array_length;

	for (uint32_t k = 0; k < l->nslots; k++)
		if (c->class && !is_reference(c, wire_position(c->class->nfields, k)))
			key = mix(key, (uint64_t)k << 32 | l->slot[k]);
	return key;
}

bool content_keys_have_fixed(struct model_context *const *contexts, size_t n)
{
	double with = 0, without = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = contexts[i]->snapshots[k];
			if (l->flags & WIRE_FIXED)
				with += l->weight;
			else if (l->flags & WIRE_REFS)
				without += l->weight;
		}
	return with > without;
}

void content_keys_of_snapshot(struct keyed *to, const struct model_context *c,
			      const struct model_snapshot *l, const struct key_options *how,
			      uint64_t number)
{
	bool deep = how->deep;
	bool refs = l->flags & (deep ? WIRE_DEEP_REFS : WIRE_REFS);
	bool partial = l->flags & (deep ? WIRE_DEEP_CUT : WIRE_PARTIAL);
	uint64_t content = mix(deep ? l->deep : l->content, l->array_length);
	bool varies = refs || (deep && how->change && l->flags & WIRE_REFS);

	to->alike = content;
	if (varies)
		to->alike = how->fixed ? mix(l->fixed, l->array_length) : own_primitives(c, l);
	to->any = varies && how->fixed && !(l->flags & WIRE_FIXED);
	to->differing = refs ? mix(content, (uint64_t)c->jvm << 32 | l->epoch) : content;
	if (partial)
		to->differing = content_key_unique(number);
}

void content_keys_of_use(struct keyed *to, const struct model_context *c, const struct model_use *u,
			 uint64_t number)
{
	bool refs = u->flags & WIRE_REFS;
	uint64_t content = mix(u->content, u->array_length);

	to->alike = refs ? u->array_length : content;
	to->differing = refs ? mix(content, (uint64_t)c->jvm << 32 | u->epoch) : content;
	if (u->flags & WIRE_PARTIAL)
		to->differing = content_key_unique(number);
}

uint64_t content_key_of_slot(const struct model_context *c, const struct model_snapshot *l,
			     uint32_t k)
{
	bool reference = c->class && !c->class->is_array &&
			 is_reference(c, wire_position(c->class->nfields, k));
	bool array = !c->class || c->class->is_array;
	uint64_t key = mix(l->slot[k], l->nslots >= WIRE_SLOTS && array ? l->array_length : 0);

	reference |= array && (l->flags & WIRE_REFS);
	return reference ? mix(key, (uint64_t)c->jvm << 32 | l->epoch) : key;
}
