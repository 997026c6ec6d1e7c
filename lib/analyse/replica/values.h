/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.h - the most frequent values of strings.
 *
 * Texts are there with `ojx record --values` only, since they can be secret, and not of each
 * string.
 */
#ifndef OJX_VALUES_H
#define OJX_VALUES_H

#include <stddef.h>

#include "analyse/replica/replica_result.h"
#include "model/model.h"

#define VALUES_MOST 10 /* of a row */

/*
 * The values of which the text is known, the most frequent first; at most VALUES_MOST. *n receives
 * how many there are; to be freed. 0, or -1 where memory lacks.
 */
int values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		size_t ncontexts);

#endif
