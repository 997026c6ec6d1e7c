/* SPDX-License-Identifier: Apache-2.0 */
/* heap_rules.c - see heap_rules.h. */
#include "heapdump/heap_rules.h"

#include <string.h>

#include "heapdump/heap_report.h"
#include "heapdump/wasteful.h"
#include "model/finding_rule.h"

/* One look at a heap does not tell whether objects change later, or need an identity. */
#define HELD                                                                                    \
	.name = "equal-held", .problem = "It holds equal objects, each of them made anew.",     \
	.fix = "Share one of each content where they are put there, if nobody changes them or " \
	       "relies on their identity.",                                                     \
	.figure = "freed_bytes", .before = "holds ", .after = " that merging equal objects frees"

static const struct finding_rule held = { HELD }, held_perhaps = { HELD, .possible = true };

#define WASTE(name_, problem_, fix_)                                                        \
	{                                                                                   \
		.name = name_, .problem = problem_, .fix = fix_, .figure = "wasted_bytes",  \
		.before = "has ", .after = " in objects that hold little", .possible = true \
	}

static const struct finding_rule little[WASTEFUL_KINDS] = {
	[WASTEFUL_EMPTY] = WASTE("empty-collection", "These collections are empty.",
				 "Make one when the first element comes, or share an empty one."),
	[WASTEFUL_ONE] = WASTE("collection-of-one", "These collections have one element.",
			       "Hold the element itself until a second one comes, or use "
			       "List.of or Collections.singleton."),
	[WASTEFUL_BOXED] = WASTE("boxed-number", "Numbers are objects here.",
				 "Hold primitive values: fields, or arrays in place of "
				 "collections."),
	[WASTEFUL_NULLS] = WASTE("null-array", "Most elements of these arrays are null.",
				 "Make them as large as what they hold, or trim them when they "
				 "are filled."),
	[WASTEFUL_ZEROES] = WASTE("zero-array", "These arrays are 0 throughout.",
				  "Make one when it is filled, or share one if nobody writes to "
				  "it."),
	[WASTEFUL_TAIL] = WASTE("unused-tail", "The ends of these arrays are unused.",
				"Make them as large as what they hold, or trim them when they "
				"are filled."),
};

static const char *label_of(const struct finding_row *row)
{
	return ((const struct heap_row *)row)->label;
}

/* Whether no object of the class ever changes, and its identity is nobody's business. */
static bool is_value(const char *class)
{
	return strcmp(class, "java.lang.String") == 0 || wasteful_is_box(class);
}

const struct finding_rule *heap_rule_of_holder(const struct finding *f,
					       const struct finding_row *row)
{
	(void)f;
	if (label_of(row)[0] == '(') /* no field */
		return NULL;
	return is_value(row->class_name) ? &held : &held_perhaps;
}

const struct finding_rule *heap_rule_of_problem(const struct finding *f,
						const struct finding_row *row)
{
	int kind = 0;

	(void)f;
	while (kind < WASTEFUL_KINDS &&
	       strcmp(wasteful_name((enum wasteful_kind)kind), label_of(row)) != 0)
		kind++;
	return kind < WASTEFUL_KINDS ? &little[kind] : NULL;
}

const char *heap_place_of_holder(const struct finding_row *row)
{
	return label_of(row);
}

const char *heap_place_of_problem(const struct finding_row *row)
{
	return row->class_name;
}
