/* SPDX-License-Identifier: Apache-2.0 */
/* heap_rules.c - see heap_rules.h. */
#include "heapdump/heap_rules.h"

#include <string.h>

#include "heapdump/heap_report.h"
#include "model/finding_rule.h"

/* One look at a heap does not tell whether objects change later, or need an identity. */
#define HELD                                                                                    \
	.name = "equal-held", .problem = "It holds equal objects, each of them made anew.",     \
	.fix = "Share one of each content where they are put there, if nobody changes them or " \
	       "relies on their identity.",                                                     \
	.figure = "freed_bytes", .before = "holds ", .after = " that merging equal objects frees"

static const struct finding_rule held = { HELD }, held_perhaps = { HELD, .possible = true };

#define RULE(name_, problem_, fix_, figure_, before_, after_)                       \
	{                                                                           \
		.name = name_, .problem = problem_, .fix = fix_, .figure = figure_, \
		.before = before_, .after = after_, .possible = true                \
	}
#define LITTLE(name, problem, fix) \
	RULE(name, problem, fix, "wasted_bytes", "has ", " in objects that hold little")
#define KEPT(name, problem, fix, before, after) \
	RULE(name, problem, fix, "freed_bytes", before, after)

static const struct finding_rule rules[QUERY_PROBLEMS] = {
	[QUERY_EMPTY] = LITTLE("empty-collection", "These collections are empty.",
			       "Make one when the first element comes, or share an empty one."),
	[QUERY_ONE] = LITTLE("collection-of-one", "These collections have one element.",
			     "Hold the element itself until a second one comes, or use "
			     "List.of or Collections.singleton."),
	[QUERY_ROOM] = LITTLE("room", "They have room for twice as much as they hold, or more.",
			      "Make them with the capacity that they need, or trim them when they "
			      "are filled."),
	[QUERY_BOXED] = LITTLE("boxed-number", "Numbers are objects here.",
			       "Hold primitive values: fields, or arrays in place of collections."),
	[QUERY_NULLS] = LITTLE("null-array", "Most elements of these arrays are null.",
			       "Make them as large as what they hold, or trim them when they are "
			       "filled."),
	[QUERY_ZEROES] = LITTLE("zero-array", "These arrays are 0 throughout.",
				"Make one when it is filled, or share one if nobody writes to it."),
	[QUERY_TAIL] = LITTLE("unused-tail", "The ends of these arrays are unused.",
			      "Make them as large as what they hold, or trim them when they are "
			      "filled."),
	[QUERY_NULL_FIELD] = KEPT("null-field", "The field is null or 0 in all objects.",
				  "Leave it out, or move it to a subclass or an object that only "
				  "those have that need it.",
				  "takes ", " in objects that have nothing there"),
	[QUERY_SAME_FIELD] = KEPT("same-field", "The field has one value in all objects.",
				  "Make it static, or a constant.", "takes ",
				  " in objects that have the same there"),
	[QUERY_OUTER] = KEPT("inner-object",
			     "Nothing else refers to the object around an inner one, which is "
			     "alive for this alone.",
			     "Make the inner class static, and give it what it needs.", "keeps ",
			     " alive alone"),
	[QUERY_OUTERS] = KEPT("inner-objects",
			      "Nothing but inner objects of several classes refers to what is "
			      "around them, which is alive for these alone.",
			      "Make the inner classes static, and give them what they need.",
			      "takes ", " that inner objects alone keep alive"),
	[QUERY_DEAD_KEY] = KEPT("dead-key",
				"Keys of a weak map are gone, and nobody has used the map since; "
				"so it keeps the values.",
				"Use the map from time to time (size() is enough), or hold the "
				"values weakly, too.",
				"keeps ", " of values whose keys are gone"),
	[QUERY_HELD_KEY] = KEPT("held-key",
				"Values of a weak map refer to their own keys, so the keys stay "
				"alive, and the entries are never cleared.",
				"Refer to the key weakly in the value, or hold the value weakly, "
				"too; call remove() of a thread local.",
				"keeps ", " of entries whose values keep their keys"),
	[QUERY_FINALIZER] =
		KEPT("finalizer-queue", "They are dead, and wait for a finalizer to run.",
		     "Close them, and use a Cleaner in place of finalize().", "keeps ",
		     " until finalizers have run"),
	[QUERY_FINALIZABLE] =
		KEPT("finalizer",
		     "Each object has another one for its finalizer, and is collected "
		     "late.",
		     "Use a Cleaner in place of finalize(), or close them.", "costs ",
		     " for finalizers"),
	[QUERY_LOADED_TWICE] = KEPT("loaded-twice", "Several class loaders have loaded it.",
				    "Load it by a common parent, or let go of loaders that nobody "
				    "needs any more.",
				    "takes ", " in more than one loader"),
	[QUERY_DIRECT] = RULE("direct-buffer",
			      "Their memory is outside of the heap, and goes when the collector "
			      "finds these small objects dead.",
			      "Pool them, or make one large buffer and slices of it.",
			      "outside_bytes", "holds ", " outside of the heap"),
};

static const char *label_of(const struct finding_row *row)
{
	return ((const struct heap_row *)row)->label;
}

/* Whether no object of the class ever changes, and its identity is nobody's business. */
static bool is_value(const char *class)
{
	return strcmp(class, "java.lang.String") == 0 || query_is_box(class);
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
	(void)f;
	return &rules[((const struct heap_row *)row)->problem];
}

const char *heap_place_of_holder(const struct finding_row *row)
{
	return label_of(row);
}

const char *heap_place_of_problem(const struct finding_row *row)
{
	const char *holder = ((const struct heap_row *)row)->holder;

	return holder && holder[0] != '(' ? holder : row->class_name;
}
