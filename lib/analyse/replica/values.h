/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.h - the most frequent values of strings, and how any text of a program is shown.
 *
 * Texts are there with `ojx record --values` only, since they can be secret, and not of each
 * string.
 */
#ifndef OJX_VALUES_H
#define OJX_VALUES_H

#include <stddef.h>
#include <stdio.h>

#include "analyse/replica/replica_result.h"
#include "base/style.h"
#include "model/model.h"

#define VALUES_MOST 10 /* of a row */

/*
 * The values of which the text is known, the most frequent first; at most VALUES_MOST. *n receives
 * how many there are; to be freed. 0, or -1 where memory lacks.
 */
int values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		size_t ncontexts);

/* Whether the text is the beginning of a longer one. */
int value_is_cut(const struct model_value *v);

/*
 * Writes the text in quotes, as Java would: quotes, backslashes and control characters escaped,
 * whatever else a terminal could take for a command as U+FFFD. An ellipsis follows if it is cut.
 */
void value_put(FILE *out, const struct style *s, const struct model_value *v);

#endif
