/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_sums.c - sums that come out the same in whatever order they are added: numbers of 128 bits,
 * in units of 2^-FILE_SUM_BITS.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "merge/merge_private.h"

/* Far beyond what a program allocates; a million of it can be added up. */
#define MOST_BITS 106

exact merge_exact(double x)
{
	return (exact)fmin(rint(ldexp(x, FILE_SUM_BITS)), ldexp(1, MOST_BITS));
}

exact merge_exact_of(const struct file_exact *x)
{
	unsigned __int128 all = (unsigned __int128)x->high << 64 | x->low;
	const unsigned __int128 most = (unsigned __int128)1 << MOST_BITS;

	return (exact)(all < most ? all : most);
}

struct file_exact merge_exact_out(exact x)
{
	return (struct file_exact){ (uint64_t)x, (uint64_t)((unsigned __int128)x >> 64) };
}

static int compare(const struct merge_sum *x, const struct merge_sum *y)
{
	return ORDER(x->array_length, y->array_length) ?: ORDER(x->size, y->size);
}

void merge_add_sum(struct merge_context *c, const struct merge_sum *sum)
{
	size_t low = 0, high = c->nsums;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare(&c->sum[middle], sum) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	struct merge_sum *at = c->sum + low;
	if (low == c->nsums || compare(at, sum) != 0) {
		XGROW(c->sum, c->nsums, c->sums_room, 1);
		at = c->sum + low;
		memmove(at + 1, at, (c->nsums++ - low) * sizeof *at);
		*at = *sum;
		return;
	}
	at->count += sum->count;
	at->weight += sum->weight;
	at->squares += sum->squares;
}

/* ---- sums of analyses */

/* The hash of what the name stands for. */
static uint64_t hash_of(const struct analysis_sums *how, size_t i, const void *name)
{
	if (!name)
		return 0;
	return how->name[i].what == ANALYSIS_CONTEXT ? ((const struct merge_context *)name)->hash
						     : ((const struct merge_def *)name)->hash;
}

void merge_add_found(struct merge *m, const struct wire_rec *rec, const struct analysis_sums *how,
		     void *const name[4])
{
	struct wire_rec *key = memcpy(xmalloc(rec->len), rec, rec->len);
	uint64_t names[4] = { 0 };
	static const uint32_t none;

	how->clear(key);
	for (size_t i = 0; i < 4 && how->name[i].what; i++) {
		names[i] = hash_of(how, i, name[i]);
		memcpy((char *)key + how->name[i].at, &none, sizeof none);
	}
	uint64_t hash = merge_hash(key, key->len, merge_hash(names, sizeof names, 0));
	struct merge_found *f = idmap_get(&m->found_by_hash, hash);
	if (!f) {
		f = xarena_alloc(&m->arena, sizeof *f);
		*f = (struct merge_found){ .hash = hash,
					   .record = merge_keep(&m->arena, key, key->len),
					   .how = how };
		memcpy(f->name, name, sizeof f->name);
		xidmap_put(&m->found_by_hash, hash, f);
		XGROW(m->found, m->nfound, m->found_room, 64);
		m->found[m->nfound++] = f;
	}
	free(key);
	if (f->how == how) /* a file can be made to have one hash for two kinds */
		how->add(f->record, rec);
}

/* ---- texts */

static int compare_values(const struct wire_value *x, const struct wire_value *y)
{
	return ORDER(x->deep, y->deep) ?: ORDER(x->len, y->len) ?: memcmp(x + 1, y + 1, x->len);
}

/* Of those of a context, those with the lowest hashes are kept. */
void merge_add_value(struct merge *m, struct merge_context *c, const struct wire_value *value)
{
	size_t at = 0;

	while (at < c->nvalues &&
	       compare_values((const struct wire_value *)c->value[at], value) < 0)
		at++;
	if (at == MERGE_VALUES ||
	    (at < c->nvalues &&
	     compare_values((const struct wire_value *)c->value[at], value) == 0))
		return;
	XGROW(c->value, c->nvalues, c->values_room, 1);
	memmove(c->value + at + 1, c->value + at, (c->nvalues - at) * sizeof *c->value);
	c->value[at] = merge_keep(&m->arena, &value->rec, value->rec.len);
	c->nvalues += c->nvalues < MERGE_VALUES;
}
