/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_live_heap.c - views of what is alive (wire_live_heap.h). The records of a view are held
 * back until its end has come and all are there; then they replace the last view. They are few (an
 * agent holds some thousand objects), so they are kept whatever happens to other evidence.
 */
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/order.h"
#include "model/model_parts.h"

_Static_assert((MODEL_OUTSIDE & (WIRE_UNSEEN | WIRE_UNHELD)) == 0, "a flag has two meanings");

static void drop(struct live_heap_item *items, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(items[i].snapshot);
}

void model_free_alive(struct jvm *j)
{
	drop(j->coming, j->ncoming);
	drop(j->alive, j->nalive);
	free(j->coming);
	free(j->alive);
	free(j->live_heap_snapshots);
}

/* A record beyond the bound is dropped; the view is then incomplete. */
enum model_fed model_take_alive(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_snapshot *w = (const struct wire_snapshot *)rec;

	if (!model_snapshot_ok(w))
		return model_bad();
	if (j->ncoming >= MODEL_MAX_ALIVE)
		return MODEL_DROPPED;
	struct context *c = model_event_context(m, j, w->context);
	if (!c || !GROW(j->coming, j->ncoming, j->coming_room, 1))
		return MODEL_BAD;
	struct model_snapshot *snapshot = malloc(model_snapshot_bytes(w->nslots));
	if (!snapshot)
		return MODEL_BAD;
	model_fill_snapshot(snapshot, w);
	snapshot->flags |= m->outside ? MODEL_OUTSIDE : 0;
	j->coming[j->ncoming++] = (struct live_heap_item){ c, snapshot };
	return MODEL_KEEP;
}

/* By context; within a context in order of arrival. */
static int compare(const void *a, const void *b)
{
	const struct live_heap_item *x = a, *y = b;

	if (x->context != y->context)
		return x->context->pub.id < y->context->pub.id ? -1 : 1;
	return ORDER(x->snapshot->ticket, y->snapshot->ticket);
}

/* The records that came become the view; the previous view is dropped. */
static void replace(struct model *m, struct jvm *j, struct model_snapshot **snapshots,
		    const struct model_view *view)
{
	drop(j->alive, j->nalive);
	free(j->alive);
	free(j->live_heap_snapshots);
	j->alive = j->coming;
	j->nalive = j->ncoming;
	j->live_heap_snapshots = snapshots;
	j->coming = NULL;
	j->ncoming = j->coming_room = 0;
	j->view = *view;
	for (size_t i = 0; i < m->ncontexts; i++) {
		struct model_context *c = &m->contexts[i]->pub;
		if (c->jvm != j->index)
			continue;
		c->view = &j->view;
		c->nalive = 0;
		c->alive = NULL;
	}
	if (j->nalive > 0)
		qsort(j->alive, j->nalive, sizeof *j->alive, compare);
	for (uint32_t i = 0; i < j->nalive; i++) {
		struct model_context *c = &j->alive[i].context->pub;
		if (c->nalive++ == 0)
			c->alive = &snapshots[i];
		snapshots[i] = j->alive[i].snapshot;
	}
}

enum model_fed model_take_view(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_view *w = (const struct wire_view *)rec;
	const struct model_view view = { w->leaves & ~WIRE_STRINGS_HELD, w->interval, w->age_ms,
					 w->leaves & WIRE_STRINGS_HELD };

	if (!(w->interval >= 0) || !isfinite(w->interval))
		return model_bad();
	if (w->objects != j->ncoming) {
		drop(j->coming, j->ncoming);
		j->ncoming = 0;
		return MODEL_KEEP;
	}
	struct model_snapshot **snapshots = calloc(j->ncoming ? j->ncoming : 1, sizeof *snapshots);
	if (!snapshots)
		return MODEL_BAD;
	replace(m, j, snapshots, &view);
	return MODEL_KEEP;
}
