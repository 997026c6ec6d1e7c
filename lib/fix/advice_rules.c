/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice_rules.c - the table of rules. Special rules come first, since the first that matches is
 * used.
 *
 * Sentences are about what was seen (a class, frames, values that are 0) and about what the JDK
 * does there. No rule knows the source: a fix is possible, not certain, and names the condition
 * under which it is right.
 */
#include "fix/advice_match.h"

/* ---- sentences of several rules: for those with other evidence for the same fix ------------- */

#define TRACES_PROBLEM "Exceptions are made {caller} again and again, each with a stack trace."
#define TRACES_FIX                                                                        \
	"Return a value for what is no exception, or use one without a stack trace (the " \
	"constructor with writableStackTrace)."
#define BOXES_FIX   "Keep the values primitive, or keep boxes of those that come often."
#define LAMBDA_FIX  "Make it once, outside of the loop, or hand it what it captures as arguments."
#define PART_FIX    "Make it when it is needed, or share one if nobody changes it."
#define RESULTS_FIX "Call it less often, or keep the results by their arguments{reuse}."
#define ARRAYS_FIX \
	"Keep what was computed for the same input, or use one array again where nobody keeps it."

/* ---- the table ----------------------------------------------------------------------------- */

#define SOME	   ADVICE_SOME
#define REPLICA	   (1U << VERDICT_REPLICA)
#define FEW_VALUES (1U << VERDICT_FEW_VALUES | 1U << VERDICT_SOME_EQUAL)
#define PARTIAL	   (1U << VERDICT_PARTIAL)
#define ALIKE	   (1U << VERDICT_ALIKE)
#define CHANGING   (1U << VERDICT_CHANGING)
#define SAME	   (REPLICA | FEW_VALUES)
/* the allocation is the cost, whether or not objects are shared */
#define MADE (SAME | ALIKE)
#define ALL  (MADE | CHANGING | PARTIAL | SOME)

const struct advice_rule advice_rules[] = {
	{ "lock", ALIKE | ADVICE_NOTHING, advice_may_be_lock,
	  "The {class} made {at} are alike, but may be locks: they were locked or hashed by "
	  "identity, or have no fields.",
	  "Leave them apart if somebody locks or compares them; else share one.",
	  .removes = REMOVES_NOTHING },
	{ "exception", ALL, advice_is_trace_in_jdk,
	  "Exceptions are made in {call} {at} again and again, each with a stack trace.",
	  "Call what does not throw, or call it only where it can succeed, or less often.",
	  .removes = REMOVES_ALL, .by_call = true },
	{ "exception", ALL, advice_is_trace, TRACES_PROBLEM, TRACES_FIX, .removes = REMOVES_ALL,
	  .by_call = true },
	{ "exception", ALL, advice_is_traced_exception, TRACES_PROBLEM, TRACES_FIX,
	  .removes = REMOVES_NOTHING },
	{ "exception-some", ALL, advice_is_exception,
	  "Exceptions are made {caller} again and again.",
	  "Return a value for what is no exception. If they have stack traces, these are most of "
	  "the cost (the constructor with writableStackTrace makes none).",
	  .removes = REMOVES_NOTHING },
	{ "enum-values", ALL, advice_is_enum_values,
	  "{element}.values() copies the array of all constants in each call {caller}.",
	  "Call it once and keep the array in a private static final field.",
	  .removes = REMOVES_ALL, .by_call = true, .except = advice_is_changed },
	{ "format", ALL, advice_is_log_format,
	  "{call} {at} writes to a log, whose formatter parses its format and makes helpers each "
	  "time.",
	  "Log less there, or give the handler a Formatter that puts the text together itself.",
	  .removes = REMOVES_ALL, .by_call = true, .except = advice_is_formatted,
	  .remains = advice_is_format_builder },
	{ "format", ALL, advice_is_format,
	  "{call} {at} parses its format and makes helpers in each call.",
	  "Put the text together with StringBuilder where it is made often, or keep the result.",
	  .removes = REMOVES_ALL, .by_call = true, .except = advice_is_formatted,
	  .remains = advice_is_format_builder },
	{ "regex-compile", ALL, advice_is_compiled_for_match,
	  "{call} {at} compiles a regular expression in each call.",
	  "Compile it once, into a private static final Pattern, and reset(input) one Matcher of "
	  "it "
	  "for each thread{varies}.",
	  .removes = REMOVES_ALL, .by_call = true, .unless_kept = true },
	{ "regex-compile", ALL, advice_is_compiled,
	  "{call} {at} compiles a regular expression in each call.",
	  "Compile it once, into a private static final Pattern{varies}.", .removes = REMOVES_ALL,
	  .by_call = true, .except = advice_is_split_matcher, .remains = advice_is_split_matcher,
	  .unless_kept = true },
	{ "regex-matcher", ALL, advice_is_matcher,
	  "{call} {at} makes a new Matcher for each input.",
	  "Keep a Matcher for each thread and call reset(input), or test the input without an "
	  "expression first.",
	  .removes = REMOVES_ALL, .by_call = true, .except = advice_is_split_matcher,
	  .unless_kept = true },
	{ "split-list", ALL, advice_is_split_list,
	  "{call} {at} collects the parts in a list before it makes an array of them.",
	  "Cut the text with indexOf and substring where it is cut often.", .removes = REMOVES_ALL,
	  .by_call = true },
	{ "text-format", ALL, advice_is_text_format,
	  "{call} {at} makes a formatter or calendar, or the symbols of one, in each call.",
	  "Keep one for each thread, since they are mutable, or use java.time, where they are "
	  "not.",
	  .removes = REMOVES_ALL, .by_call = true, .unless_kept = true },
	{ "encoder", ALL, advice_is_encoder,
	  "{call} {at} calls an encoder of characters, which makes new helpers each time.",
	  "Put a BufferedWriter in between, or write the whole text in one call.",
	  .removes = REMOVES_ALL, .by_call = true },
	{ "alike-in-use", SAME, advice_is_alike_in_use,
	  "Many of the {class} made {at} were equal to others when they were first used; none was "
	  "looked at later.",
	  "Share one if nobody writes to it after it is made. What that saves is told by a "
	  "recording with garbage collections: a longer one, or one with a smaller heap.",
	  .removes = REMOVES_EQUAL },
	{ "unproven", SAME, advice_is_unproven,
	  "The {class} made {at} are alike when they are used; whether they stay so is not known, "
	  "as {missing}.",
	  "Record for longer or with a larger --budget, and see whether 'saved' becomes more than "
	  "0 before anything is changed.",
	  .removes = REMOVES_EQUAL },
	{ "boxing", SAME | SOME, advice_is_boxing,
	  "{class}.valueOf makes a new object for each value outside its small cache, and {at} the "
	  "same values come {again}.",
	  BOXES_FIX, .removes = REMOVES_EQUAL },
	{ "boxing-real", SAME | SOME, advice_is_real_boxing,
	  "{class}.valueOf makes a new object in each call, and {at} the same values come {again}.",
	  BOXES_FIX, .removes = REMOVES_EQUAL, .with = "boxing" },
	{ "big-number", SAME | SOME, advice_is_big_number,
	  "The same big numbers are made {at} {again}.",
	  "Keep those that come often as constants; valueOf knows a few small ones, 'new' none.",
	  .removes = REMOVES_EQUAL },
	{ "optional", SAME | SOME, advice_is_optional,
	  "The same value is put into a new {class} {at} {again}.",
	  "Keep one for each value, or return the value itself.", .removes = REMOVES_EQUAL },
	{ "value-class", SAME | SOME, advice_is_value_class,
	  "The value class {class} is boxed for the same values {again}.",
	  "Use it where its type is known: boxes are made where it is generic, nullable or an "
	  "interface. Or keep the box.",
	  .removes = REMOVES_EQUAL },
	{ "extension", MADE | CHANGING | SOME, advice_is_extension,
	  "A method of Scala's library is called {at} on what has to be wrapped for it, each time "
	  "in a new {class}.",
	  "Call a method of the type itself, such as length in place of size, or keep the "
	  "wrapper.",
	  .removes = REMOVES_ALL, .by_call = true, .unless_kept = true },
	{ "reflection", SAME | SOME, advice_is_reflection,
	  "{call} {at} copies what it returns in each call, and the same comes {again}.",
	  "Call it once for a class and keep the result, as in a ClassValue.",
	  .removes = REMOVES_EQUAL },
	{ "lambda", SAME, advice_is_lambda,
	  "A lambda {at} captures the same variables again and again, each time in a new object.",
	  LAMBDA_FIX, .removes = REMOVES_EQUAL },
	{ "lambda-some", SOME, advice_is_lambda,
	  "Some of the lambdas {at} capture the same variables as others; whether most do is not "
	  "known yet.",
	  LAMBDA_FIX, .removes = REMOVES_EQUAL, .with = "lambda" },
	{ "stream", ALL, advice_is_stream, "A stream is built {at} in each call.",
	  "Use a loop where it is called often.", .removes = REMOVES_ALL, .by_call = true,
	  .except = advice_is_collected, .unless_kept = true },
	{ "iterator", MADE | CHANGING, advice_is_list_iterator,
	  "Each loop {caller} makes a new {class}, which is moved from element to element.",
	  "Loop by index, or skip the loop where there is nothing.", .removes = REMOVES_ALL,
	  .by_call = true, .unless_kept = true },
	{ "iterator", MADE | CHANGING | SOME, advice_is_iterator,
	  "Each loop {caller} makes a new {class}, which is moved from element to element.",
	  "Skip the loop where there is nothing, or loop by index where that is as fast.",
	  .removes = REMOVES_NOTHING },
	{ "view", SAME, advice_is_view,
	  "{call} {at} wraps the same elements in a new {class} again and again.",
	  "Make the wrapper once, and keep it with what it wraps.", .removes = REMOVES_EQUAL },
	{ "empty-result", MADE | SOME, advice_is_no_option,
	  "{call} {at} makes arrays of length 0 for what it calls itself.", "Call it less often.",
	  .removes = REMOVES_NOTHING },
	{ "empty-result", MADE | SOME, advice_is_empty_result,
	  "{call} {at} makes arrays of length 0 again and again.",
	  "Leave the call out where it has nothing to do.", .removes = REMOVES_LENGTHLESS,
	  .except = advice_has_identity },
	{ "empty-array", MADE | SOME, advice_is_empty_array,
	  "Arrays of length 0 are made {at} again and again.", "Share one: nobody can change it.",
	  .removes = REMOVES_LENGTHLESS, .except = advice_has_identity },
	{ "empty-collection", ALL, advice_is_empty_collection,
	  "{empty} of these {class} objects never hold anything.",
	  "Make it when the first element comes, or use a shared empty one where none is ever "
	  "added.",
	  .removes = REMOVES_EMPTY },
	{ "entry", SAME | SOME, advice_is_entry,
	  "The same entries are put into a collection {at} {again}.",
	  "Keep the collection where its content is the same, or share an immutable one.",
	  .removes = REMOVES_EQUAL },
	{ "builder", MADE | SOME, advice_is_builder,
	  "Builders {at} are filled with the same text {again}.",
	  "Keep the text, or reuse one builder with setLength(0). If it grows, begin with the size "
	  "that is needed.",
	  .removes = REMOVES_EQUAL },
	{ "builder-filled", CHANGING, advice_is_builder,
	  "Builders are made {at} and filled after that, each time anew.",
	  "Reuse one builder with setLength(0), or begin with the size that is needed.",
	  .removes = REMOVES_NOTHING },
	{ "growth", MADE, advice_is_growth,
	  "What is filled {grown} makes or enlarges its arrays, and many of them come out the "
	  "same.",
	  "Begin with the size that is needed, or keep what is built where it comes out the "
	  "same.",
	  .removes = REMOVES_EQUAL },
	{ "growth-some", SOME, advice_is_growth,
	  "What is filled {grown} makes or enlarges its arrays. Some of them come out the same; "
	  "whether most do is not known yet.",
	  "Begin with the size that is needed, or keep what is built where it comes out the "
	  "same.",
	  .removes = REMOVES_EQUAL, .with = "growth" },
	{ "growth-filled", CHANGING, advice_is_growth,
	  "What is filled {grown} makes or enlarges its arrays each time.",
	  "Begin with the size that is needed, or keep what is filled and clear it.",
	  .removes = REMOVES_NOTHING },
	{ "copy", MADE | SOME, advice_is_copy, "{call} {at} copies the same content {again}.",
	  "Keep the copy, or hand out the original where nobody changes it.",
	  .removes = REMOVES_EQUAL },
	{ "text-cut", SAME | SOME, advice_is_cut_text,
	  "{call} {at} cuts the same texts out of others {again}.",
	  "Keep what was found in a text where the same one comes again, or look it up before "
	  "parsing it.",
	  .removes = REMOVES_EQUAL },
	{ "text", SAME | SOME, advice_is_text, "Strings of the same text are made {at} {again}.",
	  "Keep the string as a constant or in a field, or do not make it. A map of those made before "
	  "pays only if they are long or live long{dedup}.",
	  .removes = REMOVES_EQUAL },
	{ "capacity", 0, advice_is_any, /* fix_capacity.c: its owner decides */
	  "{call} {at} makes its arrays longer than needed for what comes into them.",
	  "Give it the capacity that it needs{needs}.", .removes = REMOVES_NOTHING },
	{ "unfilled-collection", ALL, advice_is_unfilled_collection,
	  "{zero} of the places in these arrays of a collection, made {at}, are empty in the end: "
	  "it holds little or nothing, or was cleared.",
	  "Give it the capacity that it needs, make it when the first element comes, or keep one "
	  "and clear it{needs}.",
	  .removes = REMOVES_UNFILLED },
	{ "unfilled-part", ALL, advice_is_unfilled_part,
	  "{zero} of the elements of the arrays that {call} makes {at} are 0 or null in the end: "
	  "never filled, or cleared.",
	  "Keep one {maker} and use it again, give it the size that it needs where it takes one, "
	  "or do without it.",
	  .removes = REMOVES_UNFILLED, .with = "unfilled" },
	{ "unfilled-result", ALL, advice_is_unfilled_result,
	  "{zero} of the elements of the arrays that {call} makes {at} are 0 or null in the end: "
	  "never filled, or cleared.",
	  "Keep what it makes and use that again, ask for less where it takes a size, or call it "
	  "less "
	  "often.",
	  .removes = REMOVES_UNFILLED, .with = "unfilled" },
	{ "unfilled", ALL, advice_is_unfilled,
	  "{zero} of the elements of these arrays that were looked at are 0 or null in the end: "
	  "never filled, or cleared.",
	  "Make the array smaller or later, or keep one and reuse it{needs}.",
	  .removes = REMOVES_UNFILLED },
	{ "part", SAME, advice_is_part,
	  "Each new {owner} makes its own {class} ({at}), and many are alike.", PART_FIX,
	  .removes = REMOVES_EQUAL },
	{ "part-some", SOME, advice_is_part,
	  "Each new {owner} makes its own {class} ({at}), and some are equal to others; whether "
	  "most could be shared is not known yet.",
	  PART_FIX, .removes = REMOVES_EQUAL, .with = "part" },
	{ "constant-array", REPLICA, advice_is_own_array,
	  "The array made {at} has the same elements again and again.",
	  "Make it once, as a constant, if nobody changes it.", .removes = REMOVES_EQUAL },
	{ "repeated-array", FEW_VALUES, advice_is_own_array,
	  "Many of the {class} made {at} have the same elements.", ARRAYS_FIX,
	  .removes = REMOVES_EQUAL },
	{ "fields", PARTIAL, advice_knows_fields, "The {class} made {at} differ only in {fields}.",
	  "Keep what they share in one object that all refer to, or keep that part apart.",
	  .removes = REMOVES_EQUAL },
	{ "fields-in-use", PARTIAL, advice_varies_in_use,
	  "The {class} made {at} were alike in most values when they were used, though not in "
	  "{varying}.",
	  "Keep what they share in one object that all refer to, if nobody writes to that later.",
	  .removes = REMOVES_EQUAL },
	{ "copied-array", SAME | SOME, advice_is_copied_array,
	  "{call} {at} copies the same content {again}.",
	  "Copy it only before it changes, or keep the copy; if it is copied to be longer, begin "
	  "with the size that is needed.",
	  .removes = REMOVES_EQUAL },
	{ "same-result", REPLICA, advice_made_in_jdk,
	  "{call} {at} makes the same {class} again and again.",
	  "Call it less often, or keep the result where the arguments are the same{reuse}.",
	  .removes = REMOVES_EQUAL },
	{ "few-results", FEW_VALUES, advice_is_filled_later,
	  "Many of the {class} that {call} makes {at} are equal to others in the end.",
	  "If nobody changes them once they are filled, keep one {maker} for each content. Else "
	  "use one for several calls, where nobody keeps it.",
	  .removes = REMOVES_EQUAL },
	{ "few-results", FEW_VALUES, advice_made_in_jdk,
	  "Many of the {class} that {call} makes {at} are equal to others.", RESULTS_FIX,
	  .removes = REMOVES_EQUAL },
	{ "same-target", SAME, advice_has_changing_target,
	  "Many of the {class} made {at} refer to the same in the same way, but what they refer to "
	  "changes.",
	  "Keep one with what it refers to, and use it again.", .removes = REMOVES_EQUAL },
	{ "few-values", FEW_VALUES, advice_is_any,
	  "Many of the {class} made {at} are equal to others.",
	  "Keep the common ones as constants or in a field, or pass what they are made of. A map of "
	  "those made before pays only if they are large or live long.",
	  .removes = REMOVES_EQUAL },
	{ "same", REPLICA, advice_is_any, "The same {class} is built {at} again and again.",
	  "Build it once and keep it, if nobody changes it or relies on its identity.",
	  .removes = REMOVES_EQUAL },
	{ "changing-some", ALIKE, advice_is_changing_in_part,
	  "The {class} made {at} end alike; some of them change while they are used, and some do "
	  "not.",
	  "Share one until somebody changes it, and make a new one only then.",
	  .removes = REMOVES_EQUAL },
	{ "unlike-in-use", ALIKE | ADVICE_NOTHING, advice_is_changing,
	  "The {class} made {at} end alike, but were not when they were used: they change.",
	  "There is nothing to share; make fewer, or use one again.", .removes = REMOVES_NOTHING },
	{ "alike-some", ALIKE, advice_is_partly_proven_result,
	  "The {class} that {call} makes {at} are alike in the end, and {same}.", RESULTS_FIX,
	  .removes = REMOVES_EQUAL },
	{ "alike-some", ALIKE, advice_is_partly_proven,
	  "The {class} made {at} are alike in the end, and {same}.",
	  "Share one if nobody changes it: a constant, or a field of what makes them.",
	  .removes = REMOVES_EQUAL },
	{ "some-arrays", SOME, advice_is_array,
	  "Some of the {class} made {at} have the same elements as others; whether most have is "
	  "not known yet.",
	  ARRAYS_FIX, .removes = REMOVES_EQUAL, .with = "repeated-array" },
	{ "some-results", SOME, advice_made_in_jdk,
	  "Some of the {class} that {call} makes {at} are equal to others; whether most are is not "
	  "known yet.",
	  RESULTS_FIX, .removes = REMOVES_EQUAL, .with = "few-results" },
	{ "equal-some", SOME, advice_is_any,
	  "Some of the {class} made {at} are equal to others; whether most are is not known yet.",
	  "Share one if nobody changes it and a longer recording shows that it is worth it.",
	  .removes = REMOVES_EQUAL },
	{ "alike-empty", ALIKE, advice_holds_nothing_more,
	  "The {class} made {at} hold nothing but 0 and null in the end; what they held before is "
	  "not known.",
	  "Do not make it before it is needed, as where the next step replaces it. Else share one "
	  "if nobody changes it, or use one again.",
	  .removes = REMOVES_EQUAL, .with = "alike-at-end" },
	{ "alike-at-end", ALIKE, advice_is_not_taken_out,
	  "The {class} made {at} are alike in the end; whether they were before is not known.",
	  "See whether somebody changes them: share one if nobody does, else use one again.",
	  .removes = REMOVES_EQUAL },
	{ "unread", 0, advice_is_unread,
	  "None of {watches} watches saw a use of the {class} made {at}.",
	  "See whether anybody needs it: if it is for a message that is seldom written, or for a "
	  "case that is rare, make it only then.",
	  .removes = REMOVES_UNREAD },
	{ "change-in-use", CHANGING | ADVICE_NOTHING, advice_is_any,
	  "Most of the {class} made {at} change after their first use, so they cannot be shared "
	  "as they are.",
	  "Reuse one object, if they do not live at the same time; or leave it. If nothing changes "
	  "but a value that they compute once and keep, share them.",
	  .removes = REMOVES_NOTHING },
	{ 0 },
};
