/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_evidence.c - snapshots and uses of all pools, kept up to a bound.
 *
 * Equality is found within a pool, which is a process as a rule, so a few pools are kept well
 * rather than all of them thinly. Each has a random ticket for each context, a hash. In the
 * order of the tickets, the evidence of pools is kept as long as it fits: together at most the
 * cap, and of each pool its share, by the tickets that snapshots and uses have themselves. Up to
 * four pools have equal shares of the cap, so all of them stay; of more, each has a quarter. The
 * ticket of the first pool that does not fit is the context's threshold from then on.
 *
 * What is kept at the end depends on the recordings alone, not on their order. For the cap
 * depends on how many pieces of evidence the contexts had in all, and it only sinks, as do
 * shares while pools come. What fits with half the cap fits with the whole: min(n, 2x) <= 2
 * min(n, x). And a pool of which more comes only grows. So nothing is left out early that
 * belongs to the result.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"

#define GROUPS_LEAST 16 /* so many are not yet worth joining */

uint32_t merge_ticket_of(const struct wire_rec *rec)
{
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	return type == WIRE_SNAPSHOT ? ((const struct wire_snapshot *)rec)->ticket
				     : ((const struct wire_use *)rec)->ticket;
}

uint32_t merge_epoch_of(const struct wire_rec *rec)
{
	return merge_is_use(rec) ? ((const struct wire_use *)rec)->epoch
				 : ((const struct wire_snapshot *)rec)->epoch;
}

/* Any order will do that depends on the recordings alone. */
static int compare_records(const void *a, const void *b)
{
	const struct wire_rec *x = *(struct wire_rec *const *)a, *y = *(struct wire_rec *const *)b;
	uint32_t len = x->len < y->len ? x->len : y->len;

	struct merge_behind of_x = merge_behind(x), of_y = merge_behind(y);
	/* epochs and places are numbered anew when they go out, in their order */
	int order = ORDER(merge_ticket_of(x), merge_ticket_of(y)) ?: ORDER(of_x.part, of_y.part)
		?: ORDER(merge_epoch_of(x), merge_epoch_of(y)) ?: ORDER(of_x.number, of_y.number);

	return order ?: ORDER(x->len, y->len) ?: memcmp(x, y, len);
}

void merge_pack(struct merge_group *g, struct wire_rec *const *item, size_t n)
{
	size_t bytes = n * sizeof *g->record;

	for (size_t i = 0; i < n; i++)
		bytes += item[i]->len;
	struct wire_rec **list = xmalloc(bytes + sizeof *list);
	char *to = (char *)(list + n);
	for (size_t i = 0; i < n; i++, to += list[i - 1]->len)
		list[i] = memcpy(to, item[i], item[i]->len);
	if (n)
		qsort(list, n, sizeof *list, compare_records);
	free(g->record);
	g->record = list;
	g->n = (uint32_t)n;
}

/* The share of a pool. Where a pool was left out there are more than MERGE_SHARE. */
static uint64_t most_of_pool(const struct merge *m, const struct merge_context *c)
{
	size_t pools = c->below < UINT64_MAX || c->pools > MERGE_SHARE ? MERGE_SHARE : c->pools;

	return pools ? m->cap / pools : m->cap;
}

static uint64_t cost_of(const struct merge_group *g, uint64_t most)
{
	uint64_t pieces = g->snapshots.kept + g->uses.kept;

	return pieces < most ? pieces : most;
}

/* Halves the threshold of the group's own tickets until it has no more than its share. */
static void thin(struct merge_group *g, uint64_t most)
{
	size_t n = g->n;

	for (;; g->halvings++) {
		while (n > 0 && merge_ticket_of(g->record[n - 1]) >= (1ull << 32) >> g->halvings)
			n--;
		if (n <= most || g->halvings == 32)
			break;
	}
	n = n < most ? n : most; /* a file can be made to have one ticket for all */
	if (n < g->n)
		merge_pack(g, g->record, n); /* from the old block into a new one */
}

static int compare_tickets(const void *a, const void *b)
{
	const struct merge_group *x = a, *y = b;

	return ORDER(x->ticket, y->ticket) ?: ORDER(x->pool, y->pool);
}

static void add_had(struct merge_had *to, const struct merge_had *more)
{
	to->arrived += more->arrived;
	to->kept += more->kept;
}

/* Makes one group of `n` of the same pool. */
static void join(struct merge_group *g, size_t n)
{
	size_t all = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		all += g[i].n;
	struct wire_rec **list = xmallocarray(all + 1, sizeof *list);
	for (size_t i = 0; i < n; at += g[i++].n)
		memcpy(list + at, g[i].record, g[i].n * sizeof *list);
	merge_pack(g, list, all);
	free(list);
	for (size_t i = 1; i < n; i++) {
		g->halvings = g->halvings > g[i].halvings ? g->halvings : g[i].halvings;
		add_had(&g->snapshots, &g[i].snapshots);
		add_had(&g->uses, &g[i].uses);
		free(g[i].record);
	}
}

static void join_pools(struct merge_context *c)
{
	size_t n = 0;

	if (c->ngroups)
		qsort(c->group, c->ngroups, sizeof *c->group, compare_tickets);
	for (size_t i = 0, end; i < c->ngroups; i = end) {
		for (end = i + 1; end < c->ngroups && c->group[end].pool == c->group[i].pool;)
			end++;
		if (end > i + 1)
			join(&c->group[i], end - i);
		c->group[n++] = c->group[i];
	}
	c->ngroups = n;
	c->pools = n > c->pools ? n : c->pools;
}

static void trim(const struct merge *m, struct merge_context *c)
{
	uint64_t sum = 0;
	size_t n = 0;

	join_pools(c);
	const uint64_t most = most_of_pool(m, c);
	for (size_t i = 0; i < c->ngroups; i++) {
		struct merge_group *g = &c->group[i];
		sum += cost_of(g, most);
		if (g->ticket < c->below && sum > m->cap)
			c->below = g->ticket;
		if (g->ticket >= c->below) {
			free(g->record);
			continue;
		}
		thin(g, most);
		c->group[n++] = *g;
	}
	c->ngroups = c->joined = n;
	c->held = 0;
	for (size_t i = 0; i < n; i++)
		c->held += c->group[i].n;
}

void merge_trim(struct merge *m)
{
	for (size_t i = 0; i < m->ncontexts; i++)
		trim(m, m->context[i]);
}

/* About how many pieces of a context are kept: thinning leaves half of the cap to all of it. */
static uint64_t capped(const struct merge *m, uint64_t pieces)
{
	uint64_t usual = m->cap - m->cap / 4;

	return pieces < usual ? pieces : usual;
}

static void lower_cap(struct merge *m)
{
	bool lowered = false;

	for (; m->capped > MERGE_PIECES && m->cap > MERGE_LEAST; lowered = true) {
		m->cap /= 2;
		m->capped = 0;
		for (size_t i = 0; i < m->ncontexts; i++)
			m->capped += capped(m, m->context[i]->pieces);
	}
	if (lowered)
		merge_trim(m);
}

void merge_add_evidence(struct merge *m, struct merge_context *c, const struct merge_evidence *e)
{
	m->capped -= capped(m, c->pieces);
	c->pieces += e->pieces;
	m->capped += capped(m, c->pieces);
	c->snapshots += e->snapshots;
	c->uses += e->uses;
	for (size_t i = 0; i < 5; i++)
		c->unused[i] += e->unused[i];
	c->others += e->others;
	c->others_squares += e->others_squares;
	c->below = e->below < c->below ? e->below : c->below;
	lower_cap(m);
}

/* What is left out of its pool already is not wanted of more of it. */
static uint32_t halvings_of_pool(const struct merge_context *c, const struct merge_group *g)
{
	const struct merge_group *there =
		c->joined ? bsearch(g, c->group, c->joined, sizeof *c->group, compare_tickets)
			  : NULL;

	return there ? there->halvings : 0;
}

void merge_add_group(struct merge *m, struct merge_context *c, struct merge_group *g)
{
	if (g->ticket >= c->below) {
		free(g->record);
		return;
	}
	uint32_t least = halvings_of_pool(c, g);
	g->halvings = g->halvings > least ? g->halvings : least;
	thin(g, most_of_pool(m, c));
	XGROW(c->group, c->ngroups, c->groups_room, 1);
	c->group[c->ngroups++] = *g;
	c->held += g->n;
	if (c->held > 2ull * m->cap || c->ngroups > 2 * c->joined + GROUPS_LEAST)
		trim(m, c);
}

void merge_release_groups(struct merge_context *c)
{
	for (size_t i = 0; i < c->ngroups; i++)
		free(c->group[i].record);
	free(c->group);
	c->group = NULL;
	c->ngroups = 0;
}
