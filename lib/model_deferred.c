/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_deferred.c - evidence that is kept in the file only. It has to be thinned as model_evidence.c does it, or the
 * second reading would give other samples; and which tickets are dropped is a matter of their leading
 * zeros, as thresholds are powers of two. So a count for each number of zeros is all there is to remember.
 */
#include <string.h>

#include "model_private.h"

void model_defer(struct model *m)
{
	m->deferred = true;
}

void model_settle(struct model *m)
{
	for (size_t i = 0; i < m->ncontexts; i++)
		m->contexts[i]->deferred = NULL;
	arena_release(&m->levels);
}

static uint32_t *kept_of(struct context *c, int kind)
{
	return kind == DEFERRED_LOOKS ? &c->pub.kept_looks : &c->pub.kept_uses;
}

void model_thin_deferred(struct model *m, struct context *c, int kind)
{
	struct model_deferred *d = &c->deferred[kind];
	uint32_t *kept = kept_of(c, kind);

	while (*kept > m->evidence_cap) {
		uint16_t gone = d->level[d->halvings++];
		*(kind == DEFERRED_LOOKS ? &c->look_threshold : &c->use_threshold) /= 2;
		*kept -= gone;
		m->nevidence -= gone;
	}
}

int model_count_ticket(struct model *m, struct context *c, int kind, uint32_t ticket)
{
	if (!c->deferred) {
		c->deferred = arena_alloc(&m->levels, DEFERRED_KINDS * sizeof *c->deferred);
		if (!c->deferred)
			return -1;
		memset(c->deferred, 0, DEFERRED_KINDS * sizeof *c->deferred);
	}
	c->deferred[kind].level[ticket ? __builtin_clz(ticket) : 32]++;
	++*kept_of(c, kind);
	model_thin_deferred(m, c, kind);
	return 0;
}
