/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.h - the most frequent values of strings.
 *
 * There are texts only with `ojx record --values`, since they can be secret, and not for each
 * string.
 */
#ifndef OJX_VALUES_H
#define OJX_VALUES_H

#include <stddef.h>

#include "analyse/replica/replica_result.h"
#include "model/model.h"

#define VALUES_MOST 10 /* of a row */

/*
 * Ranks the values whose text is known, most frequent first; at most VALUES_MOST. *n receives their
 * number; free the result. 0, or -1 if out of memory.
 */
int values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		size_t ncontexts);

#endif
