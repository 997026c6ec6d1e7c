/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stability_contents.c - see stability_contents.h. It sorts the contents of snapshots and looks up
 * those of uses.
 *
 * A content with references is comparable only within its epoch, and only if the epoch has enough
 * snapshots. If no snapshot of the whole run has a reference, a use of such a content still tells
 * something: the content did not last.
 */
#include "analyse/replica/stability_contents.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyse/replica/stability.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/groups.h"
#include "stats/weighed.h"

static struct stability_share share_of(const struct weighed *w, double z)
{
	return (struct stability_share){ weighed_share(w), weighed_range(w, z) };
}

void stability_flags_count(struct stability_flags *m, struct model_context *const *contexts,
			   size_t n, double z)
{
	struct weighed identity = { .all = 0 }, immutable = { .all = 0 };

	m->twice = m->unchanged = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = contexts[i]->snapshots[k];
			weighed_add(&identity, l->weight, l->flags & (WIRE_HASHED | WIRE_LOCKED));
			if (!(l->flags & WIRE_TWICE))
				continue;
			weighed_add(&immutable, l->weight, !(l->flags & WIRE_CHANGED));
			m->twice++;
			m->unchanged += !(l->flags & WIRE_CHANGED);
		}
	m->identity = share_of(&identity, z);
	m->immutable = share_of(&immutable, z);
}

struct stability_share stability_flags_constant(const struct stability_flags *m, double lasting,
						const struct bounds_range *lasting_range)
{
	struct stability_share constant = m->immutable;

	if (isnan(lasting))
		return constant;
	if (isnan(constant.share))
		return (struct stability_share){ lasting, *lasting_range };
	constant.range.low = fmax(0, constant.range.low + lasting_range->low - 1);
	constant.range.high = fmin(constant.range.high, lasting_range->high);
	constant.share = fmin(constant.share, lasting);
	constant.share = fmin(constant.share, constant.range.high);
	return constant;
}

#define SNAPSHOTS_LEAST 10 /* with fewer, a missing content says nothing */

struct key {
	uint64_t content, epoch; /* epoch and JVM for references, else 0 */
	uint32_t array_length;
	bool refs;
};

struct keys {
	struct key *key;
	size_t n, refs; /* refs: number with references */
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->refs != y->refs)
		return x->refs ? 1 : -1;
	if (x->epoch != y->epoch)
		return x->epoch < y->epoch ? -1 : 1;
	if (x->array_length != y->array_length)
		return x->array_length < y->array_length ? -1 : 1;
	if (x->content != y->content)
		return x->content < y->content ? -1 : 1;
	return 0;
}

SORT_DEFINE(sort_keys, struct key, compare_keys)

static struct key key_of(uint32_t jvm, unsigned flags, uint32_t epoch, uint32_t array_length,
			 uint64_t content)
{
	bool refs = flags & WIRE_REFS;

	return (struct key){ .content = content,
			     .epoch = refs ? (uint64_t)jvm << 32 | epoch : 0,
			     .array_length = array_length,
			     .refs = refs };
}

static void gather(struct keys *keys, struct model_context *const *contexts, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nsnapshots;
	keys->key = xcalloc(all, sizeof *keys->key);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = contexts[i]->snapshots[k];
			struct key key = key_of(contexts[i]->jvm, l->flags, l->epoch,
						l->array_length, l->content);
			keys->refs += key.refs;
			keys->key[keys->n++] = key;
		}
	sort_keys(keys->key, keys->n);
}

/* The first key that is not less than `k`. */
static size_t lower(const struct keys *keys, const struct key *k)
{
	size_t low = 0, high = keys->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_keys(&keys->key[middle], k) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Number of snapshots with references in the epoch of a key. */
static size_t epoch_snapshots(const struct keys *keys, const struct key *k)
{
	struct key from = { .epoch = k->epoch, .refs = true };
	struct key to = { .epoch = k->epoch + 1, .refs = true };

	return lower(keys, &to) - lower(keys, &from);
}

static void count_use(struct stability_contents *l, const struct keys *keys,
		      const struct model_context *c, const struct model_use *u)
{
	struct key k = key_of(c->jvm, u->flags, u->epoch, u->array_length, u->content);

	if (u->flags & WIRE_SAMPLED)
		return; /* the use may have come after the snapshot */
	if (k.refs && keys->refs && epoch_snapshots(keys, &k) < GROUPS_EPOCH)
		return;
	size_t at = lower(keys, &k);
	bool lasted = at < keys->n && compare_keys(&keys->key[at], &k) == 0;
	if (!lasted && in_constructor_use(c, u))
		return;
	l->uses++;
	l->lasted += lasted;
}

void stability_contents_count(struct stability_contents *l, struct model_context *const *contexts,
			      size_t n)
{
	struct keys keys = { 0 };

	*l = (struct stability_contents){ 0 };
	gather(&keys, contexts, n);
	for (size_t i = 0; i < n && keys.n >= SNAPSHOTS_LEAST; i++)
		for (size_t k = 0; k < contexts[i]->nuses; k++)
			count_use(l, &keys, contexts[i], contexts[i]->uses[k]);
	free(keys.key);
}

struct bounds_range stability_contents_range(const struct stability_contents *l, double z)
{
	double n = (double)l->uses;

	if (n <= 0)
		return (struct bounds_range){ NAN, NAN };
	if (l->lasted == l->uses)
		return (struct bounds_range){ 1, 1 };
	return bounds_wilson((double)l->lasted / n, n, z);
}
