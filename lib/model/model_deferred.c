/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_deferred.c - evidence that is not at hand: on its way a sieve's, and in the end packed, or in the file only.
 */
#include "base/processors.h"
#include "model/model_private.h"

int model_defer(struct model *m, size_t most)
{
	m->sieve = sieve_new(most, processors_allowed() > 1);
	m->deferred = m->sieve != NULL;
	return m->sieve ? 0 : -1;
}

bool model_recalls(const struct model *m)
{
	return m->log.at != NULL;
}

static void settle(const struct sieve *s, struct context *c)
{
	const struct sieve_count *looks = sieve_get(s, c->pub.number, EVIDENCE_LOOK);
	const struct sieve_count *uses = sieve_get(s, c->pub.number, EVIDENCE_USE);

	if (!looks || !uses)
		return;
	c->pub.looks_seen += looks->seen;
	c->pub.uses_seen += uses->seen;
	c->pub.kept_looks = looks->kept;
	c->pub.kept_uses = uses->kept;
	c->look_threshold >>= looks->halvings;
	c->use_threshold >>= uses->halvings;
}

int model_settle(struct model *m)
{
	int result = sieve_end(m->sieve);

	for (size_t i = 0; i < m->ncontexts; i++)
		settle(m->sieve, m->contexts[i]);
	sieve_log(m->sieve, m->ncontexts, &m->log);
	sieve_free(m->sieve);
	m->sieve = NULL;
	return result;
}
