/* SPDX-License-Identifier: Apache-2.0 */
/* compare_population.c - see compare_population.h. */
#include "analyse/replica/compare_population.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/observations.h"
#include "analyse/replica/replica_result.h"

#define CONTEXTS_MAX (1u << 15) /* in more of them nobody is looked for */

/* Share of the bytes that are of objects which begin no window, as they are too large. */
static double share_large(struct model_context *const *contexts, size_t n)
{
	double all = 0, large = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nstrata; k++) {
			const struct model_stratum *s = &contexts[i]->strata[k];
			double bytes = s->objects * (double)s->size;
			all += bytes;
			large += s->size > WIRE_WINDOW_START ? bytes : 0;
		}
	return all > 0 ? large / all : 0;
}

/* One of them; false: it tells nothing. */
static bool make_look(struct population_look *to, const struct model_context *c,
		      const struct model_window *w)
{
	double bytes = observations_object_bytes(c, w->array_length);
	uint32_t windows = model_content_windows(c->model, c->jvm, w->key);

	/* what was cut short is so by where it lies, not by what it holds */
	if (!(bytes > 0) || !(w->weight > 0) || !(w->flags & WIRE_WINDOW_WHOLE))
		return false;
	*to = (struct population_look){
		.v = w->weight * bytes,
		.alone = w->alone,
		.others = windows - 1,
		.block = w->block,
		.bytes = (uint32_t)bytes,
		.known = w->flags & WIRE_WINDOW_KEYED && !model_contents_full(c->model, c->jvm),
		.shareable = !(w->flags & WIRE_WINDOW_GAPS),
	};
	return true;
}

int compare_population(struct population *p, struct model_context *const *contexts, size_t n,
		       unsigned k, double limit, double alpha)
{
	size_t all = 0, looks = 0;
	double largest = 0;

	*p = (struct population){ .held_high = 1 };
	for (size_t i = 0; i < n; i++)
		all += contexts[i]->model ? contexts[i]->nwindows : 0;
	if (all < COMPARE_LEAST)
		return 0;
	struct population_look *list = malloc(all * sizeof *list);
	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t w = 0; contexts[i]->model && w < contexts[i]->nwindows; w++) {
			const struct model_window *window = &contexts[i]->windows[w];
			if (!make_look(&list[looks], contexts[i], window))
				continue;
			largest = fmax(largest, fmax(list[looks].v, window->spacing));
			looks++;
		}
	if (looks >= COMPARE_LEAST) {
		double large = share_large(contexts, n);
		population_measure(p, list, looks, k, largest, limit - large, alpha);
		p->held_high = (1 - large) * p->held_high + large;
		p->shared_low *= 1 - large;
	}
	free(list);
	return 0;
}

double compare_population_objects(struct model_context *const *contexts, size_t n)
{
	double objects = 0;

	for (size_t i = 0; i < n; i++) {
		const struct model_context *c = contexts[i];
		bool met = !c->class || !c->model;
		for (size_t k = 0; k < i && !met; k++)
			met = contexts[k]->class == c->class && contexts[k]->jvm == c->jvm;
		const struct model_population *p =
			met ? NULL : model_population(c->model, c->jvm, c->class->id);
		objects += p ? (double)p->objects : 0;
	}
	return objects;
}

/* ---- partners ---------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Contents of a row's looks, sorted. */
static uint64_t *list_keys(struct model_context *const *contexts, size_t n, size_t *count)
{
	size_t all = 0;

	*count = 0;
	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nwindows;
	uint64_t *keys = malloc((all + 1) * sizeof *keys);
	for (size_t i = 0; keys && i < n; i++)
		for (size_t w = 0; w < contexts[i]->nwindows; w++)
			if (contexts[i]->windows[w].flags & WIRE_WINDOW_KEYED)
				keys[(*count)++] = contexts[i]->windows[w].key;
	if (keys)
		qsort(keys, *count, sizeof *keys, compare_keys);
	return keys;
}

static bool is_among(struct model_context *const *contexts, size_t n, const struct model_context *c)
{
	for (size_t i = 0; i < n; i++)
		if (contexts[i] == c)
			return true;
	return false;
}

/* Objects of a context, by weight, that have one of the contents. */
static double in_common(const struct model_context *c, const uint64_t *keys, size_t n)
{
	double weight = 0;

	for (size_t w = 0; w < c->nwindows; w++)
		if (bsearch(&c->windows[w].key, keys, n, sizeof *keys, compare_keys))
			weight += c->windows[w].weight;
	return weight;
}

int compare_population_partners(struct model_context *const *contexts, size_t n,
				const struct model_context **to, size_t most)
{
	const struct model *m = contexts[0]->model;
	size_t all = m ? model_ncontexts(m) : 0, nkeys = 0, found = 0;
	double weights[REPLICA_PARTNERS] = { 0 };

	if (all > CONTEXTS_MAX)
		return 0;
	uint64_t *keys = list_keys(contexts, n, &nkeys);
	if (!keys)
		return -1;
	most = most < REPLICA_PARTNERS ? most : REPLICA_PARTNERS;
	for (size_t i = 0; i < all; i++) {
		const struct model_context *c = model_context(m, i);
		if (c->jvm != contexts[0]->jvm || c->class != contexts[0]->class || !c->nwindows ||
		    is_among(contexts, n, c))
			continue;
		double weight = in_common(c, keys, nkeys);
		size_t at = found < most ? found : most;
		if (!(weight > 0) || (at == most && !(weight > weights[most - 1])))
			continue;
		found += found < most;
		for (at = found - 1; at > 0 && weights[at - 1] < weight; at--) {
			weights[at] = weights[at - 1];
			to[at] = to[at - 1];
		}
		weights[at] = weight;
		to[at] = c;
	}
	free(keys);
	return (int)found;
}
