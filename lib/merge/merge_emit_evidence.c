/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_emit_evidence.c - the snapshots and uses of a merged recording go out, by parts, and those
 * of a part in the order in which they came: what neighbours in time have in common can be told
 * from it (stats/cluster.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"
#include "model/sums.h"

/* The evidence of a pool and a context. */
struct item {
	struct merge_context *context;
	struct merge_group *group;
	double snapshot_factor, use_factor;
};

struct items {
	struct item *item;
	size_t n, room;
};

static size_t count_of(const struct merge_group *g, bool uses)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += merge_is_use(g->record[i]) == uses;
	return n;
}

/*
 * A pool of which one in ten snapshots is here stands for more than one of which all are. So the
 * weights are multiplied by what it kept for each that is here. The context is to have the weight
 * that it would have if a recording had thinned it: what arrived of all pools that are here counts
 * as what is here.
 */
static double factor_of(const struct merge_had *had, double here, double all_arrived,
			double all_here)
{
	double factor = here > 0 && all_arrived > 0
				? (double)had->kept / here * (all_here / all_arrived)
				: 1;

	return fmin(factor, MODEL_MAX_WEIGHT); /* a file can be made to say anything */
}

static void list_groups(struct items *o, struct merge_context *c)
{
	double arrived[2] = { 0, 0 }, here[2] = { 0, 0 };

	for (size_t i = 0; i < c->ngroups; i++) {
		here[0] += (double)count_of(&c->group[i], false);
		here[1] += (double)count_of(&c->group[i], true);
		arrived[0] += (double)c->group[i].snapshots.arrived;
		arrived[1] += (double)c->group[i].uses.arrived;
	}
	for (size_t i = 0; i < c->ngroups; i++) {
		struct merge_group *g = &c->group[i];
		XGROW(o->item, o->n, o->room, 256);
		o->item[o->n++] = (struct item){
			c, g,
			factor_of(&g->snapshots, (double)count_of(g, false), arrived[0], here[0]),
			factor_of(&g->uses, (double)count_of(g, true), arrived[1], here[1])
		};
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return ORDER(x->group->pool, y->group->pool) ?: ORDER(x->context->hash, y->context->hash);
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(x, y);
}

static struct merge_part *part_of(const struct merge *m, const struct wire_rec *rec)
{
	return idmap_get(&m->parts_by_id, merge_behind(rec).part);
}

static void sort_epochs(struct merge_part *p)
{
	size_t n = 0;

	if (p->nepochs)
		qsort(p->epoch, p->nepochs, sizeof *p->epoch, compare_numbers);
	for (size_t k = 0; k < p->nepochs; k++)
		if (n == 0 || p->epoch[n - 1] != p->epoch[k])
			p->epoch[n++] = p->epoch[k];
	p->nepochs = n;
}

/* No epoch of one part has the number of one of another. */
static void number_epochs(const struct merge *m, const struct items *o)
{
	uint32_t next = 1;

	for (size_t i = 0; i < o->n; i++) {
		const struct merge_group *g = o->item[i].group;
		for (size_t k = 0; k < g->n; k++) {
			struct merge_part *p = part_of(m, g->record[k]);
			XGROW(p->epoch, p->nepochs, p->epochs_room, 64);
			p->epoch[p->nepochs++] = merge_epoch_of(g->record[k]);
		}
	}
	for (size_t i = 0; i < m->nparts; i++) {
		sort_epochs(m->part[i]);
		m->part[i]->first_epoch = next;
		next += (uint32_t)m->part[i]->nepochs;
	}
}

static uint32_t new_epoch(const struct merge_part *p, uint32_t epoch)
{
	const uint32_t *at =
		bsearch(&epoch, p->epoch, p->nepochs, sizeof *p->epoch, compare_numbers);

	return p->first_epoch + (uint32_t)(at - p->epoch);
}

/* A snapshot or use of an item. */
struct piece {
	const struct item *item;
	const struct merge_part *part;
	const struct wire_rec *rec;
	uint64_t number; /* of a snapshot, in the order in which they came; uses come before: 0 */
	size_t at;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return ORDER(x->part->record.number, y->part->record.number)
		       ?: ORDER(x->number, y->number) ?: ORDER(x->at, y->at);
}

/* Of the items of one pool. */
static struct piece *list_pieces(const struct merge *m, const struct item *items, size_t nitems,
				 size_t *n)
{
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < nitems; i++)
		all += items[i].group->n;
	struct piece *list = xmallocarray(all + 1, sizeof *list);
	for (size_t i = 0; i < nitems; i++)
		for (size_t k = 0; k < items[i].group->n; k++, ++*n) {
			const struct wire_rec *rec = items[i].group->record[k];
			uint64_t number = merge_is_use(rec) ? 0 : 1 + merge_behind(rec).number;
			list[*n] = (struct piece){ &items[i], part_of(m, rec), rec, number, *n };
		}
	qsort(list, *n, sizeof *list, compare_pieces);
	return list;
}

static uint32_t saturated(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void put_seen(struct merge_out *o, const struct item *item)
{
	const struct merge_group *g = item->group;
	const struct file_seen seen = { .rec = { .len = sizeof seen, .type = FILE_SEEN },
					.context = item->context->id,
					.pieces = saturated(g->snapshots.kept + g->uses.kept),
					.snapshots = g->snapshots.arrived,
					.uses = g->uses.arrived,
					.snapshot_factor = item->snapshot_factor,
					.use_factor = item->use_factor };

	merge_put(o, MERGE_JVM, &seen.rec);
}

/* What was left out of a pool for lack of room. */
static void put_sifted(struct merge_out *o, const struct item *items, size_t nitems)
{
	for (size_t i = 0; i < nitems; i++) {
		const struct file_sifted sifted = {
			.rec = { .len = sizeof sifted, .type = FILE_SIFTED },
			.context = items[i].context->id,
			.halvings = items[i].group->halvings,
			.snapshots = items[i].group->snapshots.kept,
			.uses = items[i].group->uses.kept,
		};
		if (sifted.halvings)
			merge_put(o, MERGE_JVM, &sifted.rec);
	}
}

static void put_piece(struct merge_out *o, const struct piece *piece)
{
	struct wire_rec *copy = memcpy(xmalloc(piece->rec->len), piece->rec, piece->rec->len);
	uint32_t epoch = new_epoch(piece->part, merge_epoch_of(piece->rec));

	copy->len -= (uint32_t)sizeof(struct merge_behind);
	if (merge_is_use(piece->rec)) {
		struct wire_use *u = (struct wire_use *)copy;
		const struct merge_def *access = merge_stack_of_use(o->m, piece->rec);
		u->access = access ? access->id : 0;
		u->context = piece->item->context->id;
		u->epoch = epoch;
	} else {
		struct wire_snapshot *s = (struct wire_snapshot *)copy;
		s->context = piece->item->context->id;
		s->epoch = epoch;
	}
	merge_put(o, MERGE_JVM, copy);
	free(copy);
}

static void put_part(struct merge_out *o, const struct merge_part *part)
{
	const struct file_secret secret = { .rec = { .len = sizeof secret, .type = FILE_SECRET },
					    .fingerprint = part->secret };
	struct file_part f = part->record;

	if (o->secret != part->secret)
		merge_put(o, MERGE_JVM, &secret.rec);
	o->secret = part->secret;
	f.rec = (struct wire_rec){ .len = sizeof f, .type = FILE_PART };
	merge_put(o, MERGE_JVM, &f.rec);
}

/*
 * The parts of a pool, from `first` to `end`, each with its pieces. A reader needs to have seen the
 * item that a piece is of, last.
 */
static void put_pool(struct merge_out *o, size_t first, size_t end, const struct item *items,
		     size_t nitems)
{
	const struct item *seen = NULL;
	size_t n, k = 0;
	struct piece *list = list_pieces(o->m, items, nitems, &n);

	for (size_t i = first; i < end; i++, seen = NULL) {
		const struct merge_part *part = o->m->part[i];
		put_part(o, part);
		if (i == first)
			put_sifted(o, items, nitems);
		for (size_t e = 0; e < nitems && i == first; e++)
			if (items[e].group->n == 0)
				put_seen(o, &items[e]);
		for (; k < n && list[k].part == part; k++) {
			if (list[k].item != seen)
				put_seen(o, list[k].item);
			seen = list[k].item;
			put_piece(o, &list[k]);
		}
	}
	free(list);
}

void merge_put_parts(struct merge_out *o)
{
	const struct merge *m = o->m;
	struct items all = { .item = NULL };

	for (size_t i = 0; i < m->ncontexts; i++)
		list_groups(&all, m->context[i]);
	if (all.n)
		qsort(all.item, all.n, sizeof *all.item, compare_items);
	number_epochs(m, &all);
	for (size_t i = 0, end, first = 0, next; i < m->nparts && !o->failed;
	     i = end, first = next) {
		uint64_t pool = m->part[i]->pool;
		for (end = i + 1; end < m->nparts && m->part[end]->pool == pool;)
			end++;
		while (first < all.n && all.item[first].group->pool < pool)
			first++; /* a file can be made to have evidence of no part */
		for (next = first; next < all.n && all.item[next].group->pool == pool;)
			next++;
		put_pool(o, i, end, all.item ? all.item + first : NULL, next - first);
	}
	free(all.item);
}
