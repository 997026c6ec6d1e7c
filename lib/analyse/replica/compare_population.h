/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare_population.h - the objects of a row that windows begin with, against what all windows
 * hold (stats/population.h).
 */
#ifndef OJX_COMPARE_POPULATION_H
#define OJX_COMPARE_POPULATION_H

#include <stddef.h>

#include "model/model.h"
#include "stats/population.h"

#define COMPARE_LEAST 8 /* looks */

/*
 * Of fewer looks, p->looks is 0 and p->held_high 1. `limit`, `alpha`: as in population_measure; 0,
 * or -1 where memory lacks.
 */
int compare_population(struct population *p, struct model_context *const *contexts, size_t n,
		       unsigned k, double limit, double alpha);

/*
 * Contexts that are not among these and whose objects have the same contents, those that have most
 * of them first: up to `most` of them into `to`. Returns how many, or -1 where memory lacks.
 */
int compare_population_partners(struct model_context *const *contexts, size_t n,
				const struct model_context **to, size_t most);

/* Objects of the row's classes that were walked over. */
double compare_population_objects(struct model_context *const *contexts, size_t n);

#endif
