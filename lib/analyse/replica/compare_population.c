/* SPDX-License-Identifier: Apache-2.0 */
/* compare_population.c - see compare_population.h. */
#include "analyse/replica/compare_population.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/replica/observations.h"

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
