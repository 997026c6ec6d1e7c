/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_deferred.c - evidence that is packed, or kept in the file only. It has to be thinned as model_evidence.c does it, or the
 * batches would have other samples; and which tickets are dropped is a matter of their leading
 * zeros, as thresholds are powers of two. So a count for each number of zeros is all there is to remember, and what
 * is packed may hold dropped pieces until there is no room for more.
 */
#include <stdlib.h>
#include <string.h>

#include "model_private.h"

#define LOG_LEFT (1.0 / 16) /* share of the room that has to be left after sweeping */

void model_defer(struct model *m, size_t most)
{
	m->deferred = true;
	if (most) /* where memory lacks there is none, which is no error */
		evidence_log_begin(&m->log, most);
}

bool model_recalls(const struct model *m)
{
	return m->log.at != NULL;
}

/* ---- packing --------------------------------------------------------------------------- */

/* See evidence_log_sweep; NULL where memory lacks. */
static uint8_t *list_halvings(const struct model *m)
{
	uint8_t *halvings = malloc(EVIDENCE_KINDS * m->ncontexts + 1);

	for (size_t i = 0; halvings && i < m->ncontexts; i++) {
		const struct context *c = m->contexts[i];
		halvings[EVIDENCE_KINDS * i + EVIDENCE_LOOK] = evidence_halvings(c->look_threshold);
		halvings[EVIDENCE_KINDS * i + EVIDENCE_USE] = evidence_halvings(c->use_threshold);
	}
	return halvings;
}

/* Makes room in the log, or gives it up: sweeping for a few pieces each time would take for ever. */
static bool make_room(struct model *m)
{
	uint8_t *halvings = list_halvings(m);

	if (!halvings || evidence_log_sweep(&m->log, halvings) < LOG_LEFT)
		evidence_log_release(&m->log);
	free(halvings);
	return m->log.bytes != NULL;
}

/* Where the pieces of each context are to begin. */
static uint32_t *list_begins(const struct model *m, size_t *n)
{
	uint32_t *begins = malloc((EVIDENCE_KINDS * m->ncontexts + 1) * sizeof *begins);

	*n = 0;
	for (size_t i = 0; begins && i < m->ncontexts; i++) {
		begins[EVIDENCE_KINDS * i + EVIDENCE_LOOK] = (uint32_t)*n;
		*n += m->contexts[i]->pub.kept_looks;
		begins[EVIDENCE_KINDS * i + EVIDENCE_USE] = (uint32_t)*n;
		*n += m->contexts[i]->pub.kept_uses;
	}
	return begins;
}

static void sort_log(struct model *m)
{
	size_t n;
	uint8_t *halvings = list_halvings(m);
	uint32_t *begins = list_begins(m, &n);

	if (!halvings || !begins || evidence_log_sort(&m->log, halvings, begins, n) < 0) {
		free(begins);
		evidence_log_release(&m->log);
	}
	free(halvings);
}

void model_settle(struct model *m)
{
	for (size_t i = 0; i < m->ncontexts; i++)
		m->contexts[i]->deferred = NULL;
	arena_release(&m->levels);
	if (m->log.bytes)
		sort_log(m);
}

/* ---- counting -------------------------------------------------------------------------- */

static uint32_t *kept_of(struct context *c, int kind)
{
	return kind == EVIDENCE_LOOK ? &c->pub.kept_looks : &c->pub.kept_uses;
}

void model_thin_deferred(struct model *m, struct context *c, int kind)
{
	struct model_deferred *d = &c->deferred[kind];
	uint32_t *kept = kept_of(c, kind);

	while (*kept > m->evidence_cap) {
		uint16_t gone = d->level[d->halvings++];
		*(kind == EVIDENCE_LOOK ? &c->look_threshold : &c->use_threshold) /= 2;
		*kept -= gone;
		m->nevidence -= gone;
	}
}

static int count_ticket(struct model *m, struct context *c, int kind, uint32_t ticket)
{
	if (!c->deferred) {
		c->deferred = arena_alloc(&m->levels, EVIDENCE_KINDS * sizeof *c->deferred);
		if (!c->deferred)
			return -1;
		memset(c->deferred, 0, EVIDENCE_KINDS * sizeof *c->deferred);
	}
	c->deferred[kind].level[ticket ? __builtin_clz(ticket) : 32]++;
	++*kept_of(c, kind);
	model_thin_deferred(m, c, kind);
	return 0;
}

int model_defer_look(struct model *m, struct context *c, const struct wire_look *w)
{
	if (m->log.bytes && !evidence_log_look(&m->log, c->number, w) && make_room(m))
		evidence_log_look(&m->log, c->number, w);
	return count_ticket(m, c, EVIDENCE_LOOK, w->ticket);
}

int model_defer_use(struct model *m, struct context *c, const struct wire_use *w)
{
	if (m->log.bytes && !evidence_log_use(&m->log, c->number, w) && make_room(m))
		evidence_log_use(&m->log, c->number, w);
	return count_ticket(m, c, EVIDENCE_USE, w->ticket);
}
