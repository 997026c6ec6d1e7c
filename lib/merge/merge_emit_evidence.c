/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_emit_evidence.c - the snapshots and uses of a merged recording go out, by parts, and those
 * of a part in the order in which they came: what neighbours in time have in common can be told
 * from it (stats/cluster.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"

/* The evidence of a part and a context. */
struct item {
	struct merge_part *part;
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
 * A part of which one in ten snapshots was kept stands for more than one of which all were. So the
 * weights are multiplied by what arrived for each that is here, as against that of all parts of the
 * context that are here: the context as a whole is as it was.
 */
static double factor_of(double arrived, double here, double all_arrived, double all_here)
{
	return here > 0 && all_arrived > 0 ? arrived / here * (all_here / all_arrived) : 1;
}

static void list_groups(struct items *o, struct merge_context *c)
{
	double arrived[2] = { 0, 0 }, here[2] = { 0, 0 };

	for (size_t i = 0; i < c->ngroups; i++) {
		here[0] += (double)count_of(&c->group[i], false);
		here[1] += (double)count_of(&c->group[i], true);
		arrived[0] += (double)c->group[i].snapshots;
		arrived[1] += (double)c->group[i].uses;
	}
	for (size_t i = 0; i < c->ngroups; i++) {
		struct merge_group *g = &c->group[i];
		XGROW(o->item, o->n, o->room, 256);
		o->item[o->n++] =
			(struct item){ g->part, c, g,
				       factor_of((double)g->snapshots, (double)count_of(g, false),
						 arrived[0], here[0]),
				       factor_of((double)g->uses, (double)count_of(g, true),
						 arrived[1], here[1]) };
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return ORDER(x->part->record.id, y->part->record.id)
		       ?: ORDER(x->context->hash, y->context->hash);
}

static uint32_t epoch_of(const struct wire_rec *rec)
{
	return merge_is_use(rec) ? ((const struct wire_use *)rec)->epoch
				 : ((const struct wire_snapshot *)rec)->epoch;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(x, y);
}

/* No epoch of one part has the number of one of another. */
static void number_epochs(const struct merge *m, const struct items *o)
{
	uint32_t next = 1;

	for (size_t i = 0; i < o->n; i++) {
		const struct merge_group *g = o->item[i].group;
		struct merge_part *p = o->item[i].part;
		for (size_t k = 0; k < g->n; k++) {
			XGROW(p->epoch, p->nepochs, p->epochs_room, 64);
			p->epoch[p->nepochs++] = epoch_of(g->record[k]);
		}
	}
	for (size_t i = 0; i < m->nparts; i++) {
		struct merge_part *p = m->part[i];
		size_t n = 0;
		if (p->nepochs)
			qsort(p->epoch, p->nepochs, sizeof *p->epoch, compare_numbers);
		for (size_t k = 0; k < p->nepochs; k++)
			if (n == 0 || p->epoch[n - 1] != p->epoch[k])
				p->epoch[n++] = p->epoch[k];
		p->nepochs = n;
		p->first_epoch = next;
		next += (uint32_t)n;
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
	const struct wire_rec *rec;
	uint64_t number; /* of a snapshot, in the order in which they came; uses come before: 0 */
	size_t at;
};

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return ORDER(x->number, y->number) ?: ORDER(x->at, y->at);
}

/* Of the items of one part. */
static struct piece *list_pieces(const struct item *items, size_t nitems, size_t *n)
{
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < nitems; i++)
		all += items[i].group->n;
	struct piece *list = xmallocarray(all + 1, sizeof *list);
	for (size_t i = 0; i < nitems; i++)
		for (size_t k = 0; k < items[i].group->n; k++, ++*n) {
			const struct wire_rec *rec = items[i].group->record[k];
			uint64_t number = merge_is_use(rec) ? 0 : 1 + merge_behind(rec);
			list[*n] = (struct piece){ &items[i], rec, number, *n };
		}
	qsort(list, *n, sizeof *list, compare_pieces);
	return list;
}

static void put_seen(struct merge_out *o, const struct item *item)
{
	const struct merge_group *g = item->group;
	const struct file_seen seen = { .rec = { .len = sizeof seen, .type = FILE_SEEN },
					.context = item->context->id,
					.pieces = g->pieces,
					.snapshots = g->snapshots,
					.uses = g->uses,
					.snapshot_factor = item->snapshot_factor,
					.use_factor = item->use_factor };

	merge_put(o, MERGE_JVM, &seen.rec);
}

static void put_piece(struct merge_out *o, const struct item *item, const struct wire_rec *rec)
{
	struct wire_rec *copy = memcpy(xmalloc(rec->len), rec, rec->len);
	uint32_t epoch = new_epoch(item->part, epoch_of(rec));

	copy->len -= (uint32_t)sizeof(uint64_t); /* see merge_behind */
	if (merge_is_use(rec)) {
		struct wire_use *u = (struct wire_use *)copy;
		const struct merge_def *access = merge_stack_of_use(o->m, rec);
		u->access = access ? access->id : 0;
		u->context = item->context->id;
		u->epoch = epoch;
	} else {
		struct wire_snapshot *s = (struct wire_snapshot *)copy;
		s->context = item->context->id;
		s->epoch = epoch;
	}
	merge_put(o, MERGE_JVM, copy);
	free(copy);
}

/* A reader needs to have seen the item that a piece is of, last. */
static void put_pieces(struct merge_out *o, const struct item *items, size_t nitems)
{
	const struct item *seen = NULL;
	size_t n;
	struct piece *list = list_pieces(items, nitems, &n);

	for (size_t i = 0; i < nitems; i++)
		if (items[i].group->n == 0)
			put_seen(o, &items[i]);
	for (size_t i = 0; i < n; i++) {
		if (list[i].item != seen)
			put_seen(o, list[i].item);
		seen = list[i].item;
		put_piece(o, seen, list[i].rec);
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
	for (size_t i = 0, first = 0, next; i < m->nparts && !o->failed; i++, first = next) {
		struct file_part f = m->part[i]->record;
		f.rec = (struct wire_rec){ .len = sizeof f, .type = FILE_PART };
		merge_put(o, MERGE_JVM, &f.rec);
		for (next = first; next < all.n && all.item[next].part == m->part[i];)
			next++;
		put_pieces(o, all.item + first, next - first);
	}
	free(all.item);
}
