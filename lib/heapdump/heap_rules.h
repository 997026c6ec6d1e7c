/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_rules.h - what to do about fields that hold equal objects, and objects that hold little.
 */
#ifndef OJX_HEAP_RULES_H
#define OJX_HEAP_RULES_H

#include "model/finding.h"

/* As in struct finding_table_kind. */
const struct finding_rule *heap_rule_of_holder(const struct finding *f,
					       const struct finding_row *row);
const struct finding_rule *heap_rule_of_problem(const struct finding *f,
						const struct finding_row *row);
const char *heap_place_of_holder(const struct finding_row *row);
const char *heap_place_of_problem(const struct finding_row *row);

#endif
