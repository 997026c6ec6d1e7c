/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_values.c - texts of strings. Each has a random ticket, a hash of its content and its
 * context. Those with the lowest are kept: of a context at most MERGE_VALUES, and of these
 * MERGE_ALL_VALUES in all, which a reader takes. What is among the lowest in the end is so in each
 * part, so the order of the recordings does not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"

/* Texts of one content differ only if a file was made to have them so. */
static int compare_texts(const struct wire_value *x, const struct wire_value *y)
{
	return ORDER(x->len, y->len) ?: memcmp(x + 1, y + 1, x->len);
}

static size_t index_of(const struct merge_context *c, uint64_t ticket)
{
	size_t low = 0, high = c->nvalues;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c->value[middle].ticket < ticket)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void merge_trim_values(struct merge *m)
{
	if (m->nvalues <= MERGE_ALL_VALUES)
		return;
	uint64_t *ticket = xmallocarray(m->nvalues, sizeof *ticket);
	size_t n = 0;
	for (size_t i = 0; i < m->ncontexts; i++)
		for (size_t k = 0; k < m->context[i]->nvalues; k++)
			ticket[n++] = m->context[i]->value[k].ticket;
	m->values_below = merge_below(ticket, n, MERGE_ALL_VALUES);
	free(ticket);
	m->nvalues = 0;
	for (size_t i = 0; i < m->ncontexts; i++) {
		m->context[i]->nvalues = index_of(m->context[i], m->values_below);
		m->nvalues += m->context[i]->nvalues;
	}
}

void merge_add_value(struct merge *m, struct merge_context *c, const struct wire_value *value)
{
	uint64_t ticket = rng_mix(value->deep ^ c->hash);
	size_t at = index_of(c, ticket);
	struct merge_value *v;

	if (at == MERGE_VALUES || ticket >= m->values_below)
		return;
	if (at < c->nvalues && c->value[at].ticket == ticket) {
		v = &c->value[at];
		if (compare_texts(value, (const struct wire_value *)v->record) < 0)
			v->record = merge_keep(&m->arena, &value->rec, value->rec.len);
		return;
	}
	if (c->nvalues == MERGE_VALUES) { /* the last one goes */
		c->nvalues--;
		m->nvalues--;
	}
	XGROW(c->value, c->nvalues, c->values_room, 1);
	v = c->value + at;
	memmove(v + 1, v, (c->nvalues - at) * sizeof *v);
	*v = (struct merge_value){ ticket, merge_keep(&m->arena, &value->rec, value->rec.len) };
	c->nvalues++;
	if (++m->nvalues == 2 * MERGE_ALL_VALUES)
		merge_trim_values(m);
}
