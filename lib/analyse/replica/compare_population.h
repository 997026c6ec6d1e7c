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

/* Objects of the row's classes that were walked over. */
double compare_population_objects(struct model_context *const *contexts, size_t n);

#endif
