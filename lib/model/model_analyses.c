/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_analyses.c - the stores of the analyses in a model, and questions to all of them; see
 * analysis.h.
 */
#include <stdlib.h>

#include "model/model_parts.h"

const struct analysis *const *model_analyses(const struct model *m)
{
	return m->analyses;
}

void *model_store(const struct model *m, const struct analysis_record *records)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->records == records)
			return m->store[i];
	return NULL;
}

const struct analysis_record *model_analysed(const struct model *m, uint16_t type, void **store)
{
	for (int i = 0; m->analyses[i]; i++)
		for (const struct analysis_record *r = m->analyses[i]->records; r && r->type; r++)
			if (r->type == type) {
				*store = m->store[i];
				return r;
			}
	return NULL;
}

bool model_is_analysed(const struct model *m, uint16_t type)
{
	void *store;

	return model_analysed(m, type, &store) != NULL;
}

bool model_is_whole(const struct model *m, uint16_t type)
{
	for (int i = 0; m->analyses[i]; i++)
		for (const struct analysis_record *r = m->analyses[i]->records; r && r->type; r++)
			if (r->type == type)
				return m->analyses[i]->whole;
	return false;
}

bool model_has_findings(const struct model *m)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->seen && m->analyses[i]->seen(m))
			return true;
	return false;
}

int model_each_access(const struct model *m, analysis_access_fn *fn, void *arg)
{
	int result = 0;

	for (int i = 0; m->analyses[i] && result == 0; i++)
		if (m->analyses[i]->accesses)
			result = m->analyses[i]->accesses(m, fn, arg);
	return result;
}

void model_sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		  const struct file_status *all)
{
	for (int i = 0; m->analyses[i]; i++)
		if ((needs->analyses & 1u << i) && m->analyses[i]->sum_up)
			m->analyses[i]->sum_up(out, m, needs, all);
}

bool model_add_stores(struct model *m)
{
	for (int i = 0; i < ANALYSES_MAX && m->analyses[i]; i++) {
		size_t size = m->analyses[i]->store_size;
		if (size && !(m->store[i] = calloc(1, size)))
			return false;
	}
	return true;
}

void model_release_stores(struct model *m)
{
	for (int i = 0; m->analyses[i]; i++) {
		if (m->store[i] && m->analyses[i]->release)
			m->analyses[i]->release(m->store[i]);
		free(m->store[i]);
	}
}

void model_thin_stores(struct model *m)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->thin)
			m->analyses[i]->thin(m, m->store[i]);
}

int model_flush_stores(struct model *m, emit_fn *emit, void *arg)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->flush && m->analyses[i]->flush(m, m->store[i], emit, arg) < 0)
			return -1;
	return 0;
}
