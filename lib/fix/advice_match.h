/* SPDX-License-Identifier: Apache-2.0 */
/* advice_match.h - whether a rule of advice_rules.c applies to a row. */
#ifndef OJX_ADVICE_MATCH_H
#define OJX_ADVICE_MATCH_H

#include "fix/advice.h"

#define ADVICE_NEARLY_ALL 0.9 /* of the arrays, elements or exceptions */

bool advice_is_any(const struct advice_facts *f);
bool advice_is_array(const struct advice_facts *f);
bool advice_is_big_number(const struct advice_facts *f);
bool advice_is_boxing(const struct advice_facts *f);
bool advice_is_builder(const struct advice_facts *f);
bool advice_is_changing(const struct advice_facts *f);
bool advice_is_changing_in_part(const struct advice_facts *f);
bool advice_is_compiled(const struct advice_facts *f);
bool advice_is_compiled_for_match(const struct advice_facts *f);
bool advice_is_copied_array(const struct advice_facts *f);
bool advice_is_copy(const struct advice_facts *f);
bool advice_is_cut_text(const struct advice_facts *f);
bool advice_is_empty_array(const struct advice_facts *f);
bool advice_is_empty_collection(const struct advice_facts *f);
bool advice_is_empty_result(const struct advice_facts *f);
bool advice_is_encoder(const struct advice_facts *f);
bool advice_is_entry(const struct advice_facts *f);
bool advice_is_enum_values(const struct advice_facts *f);
bool advice_is_exception(const struct advice_facts *f);
bool advice_is_extension(const struct advice_facts *f);
bool advice_is_filled_later(const struct advice_facts *f);
bool advice_is_format(const struct advice_facts *f);
bool advice_is_growth(const struct advice_facts *f);
bool advice_is_iterator(const struct advice_facts *f);
bool advice_is_lambda(const struct advice_facts *f);
bool advice_is_log_format(const struct advice_facts *f);
bool advice_is_matcher(const struct advice_facts *f);
bool advice_is_no_option(const struct advice_facts *f);
bool advice_is_optional(const struct advice_facts *f);
bool advice_is_own_array(const struct advice_facts *f);
bool advice_is_part(const struct advice_facts *f);
bool advice_is_partly_proven(const struct advice_facts *f);
bool advice_is_partly_proven_result(const struct advice_facts *f);
bool advice_is_real_boxing(const struct advice_facts *f);
bool advice_is_split_matcher(const struct advice_facts *f);
bool advice_is_stream(const struct advice_facts *f);
bool advice_is_text(const struct advice_facts *f);
bool advice_is_text_format(const struct advice_facts *f);
bool advice_is_trace_in_jdk(const struct advice_facts *f);
bool advice_is_traced_exception(const struct advice_facts *f);
bool advice_is_unfilled(const struct advice_facts *f);
bool advice_is_unfilled_collection(const struct advice_facts *f);
bool advice_is_unfilled_part(const struct advice_facts *f);
bool advice_is_unfilled_result(const struct advice_facts *f);
bool advice_is_reflection(const struct advice_facts *f);
bool advice_is_split_list(const struct advice_facts *f);
bool advice_is_unread(const struct advice_facts *f);
bool advice_is_value_class(const struct advice_facts *f);
bool advice_is_unproven(const struct advice_facts *f);
bool advice_is_changed(const struct advice_facts *f);
bool advice_is_collected(const struct advice_facts *f);
bool advice_is_format_builder(const struct advice_facts *f);
bool advice_is_formatted(const struct advice_facts *f);
bool advice_has_changing_target(const struct advice_facts *f);
bool advice_has_identity(const struct advice_facts *f);
bool advice_holds_nothing_more(const struct advice_facts *f);
bool advice_is_not_taken_out(const struct advice_facts *f);
bool advice_is_list_iterator(const struct advice_facts *f);
bool advice_is_trace(const struct advice_facts *f);
bool advice_is_view(const struct advice_facts *f);
bool advice_knows_fields(const struct advice_facts *f);
bool advice_made_in_jdk(const struct advice_facts *f);
bool advice_may_be_lock(const struct advice_facts *f);
bool advice_is_alike_in_use(const struct advice_facts *f);
bool advice_varies_in_use(const struct advice_facts *f);
/* Whether the objects are known from uses alone: no snapshot was taken of them. */
bool advice_seen_in_use_only(const struct advice_facts *f);

#endif
