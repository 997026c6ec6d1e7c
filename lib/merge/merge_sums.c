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

static int compare_tickets(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return ORDER(x, y);
}

uint64_t merge_below(uint64_t *ticket, size_t n, size_t most)
{
	if (n <= most)
		return UINT64_MAX;
	qsort(ticket, n, sizeof *ticket, compare_tickets);
	return ticket[most];
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
