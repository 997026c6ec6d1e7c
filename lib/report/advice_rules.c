/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice_rules.c - the table of rules: special ones first, since the first that matches speaks.
 *
 * Sentences are about what was seen (a class, frames, values that are 0) and what the JDK is known
 * to do there. None of them knows the source: a fix is possible, not certain, and says under which
 * condition it is right.
 */
#include <string.h>

#include "report/advice.h"

bool advice_grows(const char *method)
{
	static const char *const beginnings[] = { "grow",   "ensureCapacity", "expand", "resize",
						  "rehash", "realloc",	      "enlarge" };

	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (strncmp(method, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

#define MOSTLY_EMPTY 0.75 /* of the collections, or of an array's elements */
#define NEARLY_ALL   0.9
#define FEW_FIELDS   4 /* more of them leave nothing worth sharing */

/* ---- questions ----------------------------------------------------------------------------- */

/* Whether `name` is in a list such as "Integer Long Short". */
static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; len && (at = strstr(at, name)); at += len)
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

/* The class's name without `package`, or "" where it is of another. */
static const char *within(const char *class_name, const char *package)
{
	return starts(class_name, package) ? class_name + strlen(package) : "";
}

static bool is_class(const struct advice_facts *f, const char *package, const char *list)
{
	return in_list(list, within(f->class_name, package));
}

/* Whether a method made the objects on behalf of the reader's code: any frame before that code. */
static bool called(const struct advice_facts *f, const char *prefix, const char *method)
{
	for (size_t i = 0; i < f->own; i++)
		if (starts(f->frames[i].class_name, prefix) &&
		    (!method || strcmp(f->frames[i].method, method) == 0))
			return true;
	return false;
}

/* The innermost frame that is no mere helper for copies. */
static const struct model_frame *maker(const struct advice_facts *f)
{
	static const struct model_frame none = { .class_name = "", .method = "" };

	for (size_t i = 0; i < f->n; i++)
		if (!in_list("java.util.Arrays java.lang.System java.lang.Object",
			     f->frames[i].class_name))
			return &f->frames[i];
	return &none;
}

static bool made_in_jdk(const struct advice_facts *f)
{
	return f->n > 0 && f->own > 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

static bool is_exception(const struct advice_facts *f)
{
	return called(f, "java.lang.Throwable", NULL) ||
	       called(f, "java.lang.StackTraceElement", NULL) ||
	       (!f->array && (ends(f->class_name, "Exception") || ends(f->class_name, "Error")));
}

static bool is_enum_values(const struct advice_facts *f)
{
	for (size_t i = 0; f->array && i < f->n && i < 3; i++)
		if (strcmp(f->frames[i].method, "values") == 0 &&
		    starts(f->class_name, f->frames[i].class_name) &&
		    strlen(f->class_name) == strlen(f->frames[i].class_name) + strlen("[]"))
			return true;
	return false;
}

#define CACHED_BOXES "Integer Long Short Character"

static bool is_value_of(const struct advice_facts *f)
{
	return f->n > 0 && strcmp(f->frames[0].class_name, f->class_name) == 0 &&
	       strcmp(f->frames[0].method, "valueOf") == 0;
}

static bool is_boxing(const struct advice_facts *f)
{
	return is_class(f, "java.lang.", CACHED_BOXES) && is_value_of(f);
}

static bool is_real_boxing(const struct advice_facts *f)
{
	return is_class(f, "java.lang.", "Float Double") && is_value_of(f);
}

static bool is_format(const struct advice_facts *f)
{
	return called(f, "java.util.Formatter", NULL) || called(f, "java.text.MessageFormat", NULL);
}

static bool is_pattern(const struct advice_facts *f)
{
	/* its inner classes are the nodes of expressions, which nothing else makes */
	return called(f, "java.util.regex.Pattern", "compile") ||
	       called(f, "java.util.regex.Pattern$", NULL) ||
	       starts(f->class_name, "java.util.regex.Pattern");
}

static bool is_matcher(const struct advice_facts *f)
{
	return called(f, "java.util.regex.Matcher", "<init>") ||
	       called(f, "java.util.regex.Pattern", "matcher");
}

static bool is_text_format(const struct advice_facts *f)
{
	static const char *const prefixes[] = {
		"java.text.DecimalFormat", "java.text.NumberFormat", "java.text.SimpleDateFormat",
		"java.text.DateFormat",	   "java.util.Calendar",     "java.util.GregorianCalendar"
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (starts(f->class_name, prefixes[i]) || called(f, prefixes[i], NULL))
			return true;
	return false;
}

static bool is_big_number(const struct advice_facts *f)
{
	return is_class(f, "java.math.", "BigInteger BigDecimal") ||
	       starts(maker(f)->class_name, "java.math.Big");
}

static bool is_optional(const struct advice_facts *f)
{
	return is_class(f, "java.util.", "Optional OptionalInt OptionalLong OptionalDouble");
}

static bool is_lambda(const struct advice_facts *f)
{
	return !f->array && strstr(f->class_name, "$$Lambda");
}

static bool is_stream(const struct advice_facts *f)
{
	return starts(f->class_name, "java.util.stream.") ||
	       starts(f->class_name, "java.util.Spliterators");
}

/* Another's class may be called an iterator and be a reader of something; who makes it tells. */
static bool is_iterator(const struct advice_facts *f)
{
	bool named = ends(f->class_name, "Itr") || ends(f->class_name, "Iterator") ||
		     ends(f->class_name, "Enumeration") || ends(f->class_name, "Enumerator");

	if (f->array || !named)
		return false;
	if (starts(f->class_name, "java.util."))
		return true;
	return f->n > 0 && in_list("iterator listIterator descendingIterator elements keys",
				   f->frames[0].method);
}

static bool is_view(const struct advice_facts *f)
{
	return starts(f->class_name, "java.util.Collections$") ||
	       starts(f->class_name, "java.util.ImmutableCollections$") ||
	       is_class(f, "java.util.",
			"Arrays$ArrayList ArrayList$SubList AbstractList$SubList "
			"AbstractList$RandomAccessSubList HashMap$KeySet HashMap$Values "
			"HashMap$EntrySet TreeMap$KeySet TreeMap$Values TreeMap$EntrySet");
}

static bool is_empty_array(const struct advice_facts *f)
{
	return f->array && f->no_length >= NEARLY_ALL;
}

static bool is_empty_collection(const struct advice_facts *f)
{
	return f->empty >= MOSTLY_EMPTY;
}

static bool is_entry(const struct advice_facts *f)
{
	return is_class(f, "java.util.",
			"HashMap$Node LinkedHashMap$Entry TreeMap$Entry "
			"Hashtable$Entry WeakHashMap$Entry LinkedList$Node") ||
	       is_class(f, "java.util.concurrent.",
			"ConcurrentHashMap$Node ConcurrentLinkedQueue$Node");
}

/* What a builder does to its own buffer, not the text it gives. */
static bool is_builder(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);
	const char *owner = within(m->class_name, "java.lang.");

	if (is_class(f, "java.lang.", "StringBuilder StringBuffer") ||
	    is_class(f, "java.util.", "StringJoiner"))
		return true;
	return f->array && in_list("AbstractStringBuilder StringBuilder StringBuffer", owner) &&
	       !in_list("toString substring getChars", m->method);
}

static bool is_growth(const struct advice_facts *f)
{
	return f->array && advice_grows(maker(f)->method);
}

#define TEXT_MAKERS                                                                              \
	"String StringLatin1 StringUTF16 StringConcatHelper StringCoding AbstractStringBuilder " \
	"StringBuilder StringBuffer Integer Long"

static bool is_copy(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);

	if (!f->array)
		return m->method && strcmp(m->method, "clone") == 0;
	return in_list("clone toArray toCharArray toChars getBytes", m->method);
}

static bool is_text(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);

	if (strcmp(f->class_name, "java.lang.String") == 0)
		return true;
	return strcmp(f->class_name, "byte[]") == 0 && !is_copy(f) &&
	       in_list(TEXT_MAKERS, within(m->class_name, "java.lang.")) &&
	       !starts(m->method, "encode");
}

static bool is_unfilled(const struct advice_facts *f)
{
	return f->array && f->zero >= MOSTLY_EMPTY;
}

/* The array of a collection of the JDK, which nobody can make smaller but by its capacity. */
static bool is_unfilled_collection(const struct advice_facts *f)
{
	const char *owner = within(maker(f)->class_name, "java.util.");

	return is_unfilled(f) && made_in_jdk(f) && *owner && !strchr(owner, '.') &&
	       strchr(f->class_name, '.');
}

/* Made in the constructor of another class. */
static bool is_part(const struct advice_facts *f)
{
	return f->n > 0 && strcmp(f->frames[0].method, "<init>") == 0;
}

static bool is_own_array(const struct advice_facts *f)
{
	/* not by deep contents: equal elements may be other objects */
	return f->array && f->n > 0 && f->own == 0 &&
	       (f->row->replica.verdict == VERDICT_REPLICA ||
		f->row->replica.verdict == VERDICT_FEW_VALUES);
}

/*
 * Whether the verdict rests on uses alone: what is alike when it is used is not yet known to stay
 * so, and nothing is promised to be saved. Where it is the making that costs, that does not matter.
 */
static bool is_unproven(const struct advice_facts *f)
{
	bool made =
		is_iterator(f) || is_empty_array(f) || is_builder(f) || is_growth(f) || is_copy(f);

	return !made && !(replica_saved(&f->row->replica) > 0);
}

static bool knows_fields(const struct advice_facts *f)
{
	/* that strings differ in their bytes is no news */
	const struct replica_apart *differing = &f->row->replica.differing;
	int n = differing->pairs < REPLICA_MIN_PAIRS ? 0 : __builtin_popcount(differing->slots);

	return n > 0 && (f->array || n <= FEW_FIELDS) &&
	       strcmp(f->class_name, "java.lang.String") != 0;
}

static enum replica_doubt doubt_of(const struct advice_facts *f)
{
	return replica_decided(&f->row->replica)->doubt;
}

static bool may_be_lock(const struct advice_facts *f)
{
	return doubt_of(f) == DOUBT_IDENTITY;
}

static bool is_changing(const struct advice_facts *f)
{
	return doubt_of(f) == DOUBT_CHANGES;
}

static bool is_any(const struct advice_facts *f)
{
	(void)f;
	return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

#define REPLICA	   (1U << VERDICT_REPLICA)
#define FEW_VALUES (1U << VERDICT_FEW_VALUES)
#define PARTIAL	   (1U << VERDICT_PARTIAL)
#define ALIKE	   (1U << VERDICT_ALIKE)
#define SAME	   (REPLICA | FEW_VALUES)
#define MADE	   (SAME | ALIKE) /* the making costs, shared or not */
#define ALL	   (MADE | PARTIAL)

const struct advice_rule advice_rules[] = {
	{ "lock", ALIKE | ADVICE_NOTHING, may_be_lock,
	  "The {class} made {at} are alike, but may be locks: they were locked or hashed by "
	  "identity, or have no fields.",
	  "Leave them apart if somebody locks or compares them; else share one." },
	{ "exception", ALL, is_exception,
	  "Exceptions are made {caller} again and again, each with a stack trace.",
	  "Return a value for what is no exception, or use one without a stack trace (the "
	  "constructor with writableStackTrace)." },
	{ "enum-values", ALL, is_enum_values,
	  "{element}.values() copies the array of all constants in each call {caller}.",
	  "Call it once and keep the array in a private static final field." },
	{ "format", ALL, is_format,
	  "{call} {at} parses its format and makes helpers in each call; this is one of them.",
	  "Put the text together with StringBuilder where it is made often, or keep the result." },
	{ "regex-compile", ALL, is_pattern,
	  "{call} {at} compiles a regular expression in each call.",
	  "Compile it once, into a private static final Pattern." },
	{ "regex-matcher", ALL, is_matcher, "{call} {at} makes a new Matcher for each input.",
	  "Keep a Matcher for each thread and call reset(input), or test the input without an "
	  "expression first." },
	{ "text-format", ALL, is_text_format,
	  "{call} {at} makes a formatter or calendar, or the symbols of one, in each call.",
	  "Keep one for each thread, since they are mutable, or use java.time, where they are "
	  "not." },
	{ "unproven", SAME, is_unproven,
	  "The {class} made {at} are alike when they are used; whether they stay so is not known, "
	  "as {missing}.",
	  "Record for longer or with a larger --budget, and see whether 'saved' becomes more than "
	  "0 before anything is changed." },
	{ "boxing", SAME, is_boxing,
	  "{class}.valueOf makes a new object for each value outside its small cache, and {at} the "
	  "same values come again.",
	  "Keep the values primitive, or keep boxes of those that come often." },
	{ "boxing-real", SAME, is_real_boxing,
	  "{class}.valueOf makes a new object in each call, and {at} the same values come again.",
	  "Keep the values primitive, or keep boxes of those that come often." },
	{ "big-number", SAME, is_big_number, "The same big numbers are made {at} again and again.",
	  "Keep those that come often as constants; valueOf knows a few small ones, 'new' none." },
	{ "optional", SAME, is_optional, "An {class} {at} holds the same again and again.",
	  "Keep it where the value is kept, or return the value itself." },
	{ "lambda", SAME, is_lambda,
	  "A lambda {at} captures the same variables again and again, each time in a new object.",
	  "Make it once, outside of the loop, or hand it what it captures as arguments." },
	{ "stream", ALL, is_stream, "A stream is built {at} in each call; this is a part of it.",
	  "Use a loop where it is called often." },
	{ "iterator", MADE, is_iterator,
	  "Each loop {caller} makes a new {class}, and many end alike. They change while they are "
	  "used: there is nothing to share.",
	  "Skip the loop where there is nothing, or loop by index where that is as fast." },
	{ "view", SAME, is_view,
	  "{call} {at} wraps the same elements in a new {class} again and again.",
	  "Make the wrapper once, and keep it with what it wraps." },
	{ "empty-array", MADE, is_empty_array, "Arrays of length 0 are made {at} again and again.",
	  "Share one: nobody can change it." },
	{ "empty-collection", ALL, is_empty_collection,
	  "{empty} of these {class} objects never hold anything.",
	  "Make it when the first element comes, or use a shared empty one where none is ever "
	  "added." },
	{ "entry", SAME, is_entry,
	  "The same entries are put into a collection {at} again and again.",
	  "Keep the collection where its content is the same, or share an immutable one." },
	{ "builder", MADE, is_builder,
	  "Builders {at} are filled with the same text again and again.",
	  "Keep the text, or reuse one builder with setLength(0)." },
	{ "growth", MADE, is_growth,
	  "What is filled {grown} makes or enlarges its arrays, and many of them come out the "
	  "same.",
	  "Begin with the size that is needed, or keep what is built where it comes out the "
	  "same." },
	{ "copy", MADE, is_copy, "{call} {at} copies the same content again and again.",
	  "Keep the copy, or hand out the original where nobody changes it." },
	{ "text", SAME, is_text, "Strings of the same text are made {at} again and again.",
	  "Keep the string, or look it up in a map of those made before; "
	  "-XX:+UseStringDeduplication lets long-lived ones share their bytes." },
	{ "unfilled-collection", ALL, is_unfilled_collection,
	  "{zero} of the places in these arrays of a collection, made {at}, are empty in the end: "
	  "it holds little or nothing, or was cleared.",
	  "Give it the capacity that it needs, make it when the first element comes, or keep one "
	  "and clear it." },
	{ "unfilled", ALL, is_unfilled,
	  "{zero} of the elements of these arrays that were looked at are 0 or null in the end: "
	  "never filled, or cleared.",
	  "Make the array smaller or later, or keep one and reuse it." },
	{ "part", SAME, is_part,
	  "Each new {owner} makes its own {class} ({at}), and many are alike.",
	  "Make it when it is needed, or share one if nobody changes it." },
	{ "constant-array", REPLICA, is_own_array,
	  "The array made {at} has the same elements again and again.",
	  "Make it once, as a constant, if nobody changes it." },
	{ "repeated-array", FEW_VALUES, is_own_array,
	  "Many of the {class} made {at} have the same elements.",
	  "Keep what was computed for the same input, or use one array again where nobody keeps "
	  "it." },
	{ "fields", PARTIAL, knows_fields, "The {class} made {at} differ only in {fields}.",
	  "Keep what they share in one object that all refer to, or keep that part apart." },
	{ "same-result", REPLICA, made_in_jdk,
	  "{call} {at} makes the same {class} again and again.",
	  "Call it less often, or keep the result where the arguments are the same." },
	{ "few-results", FEW_VALUES, made_in_jdk,
	  "Many of the {class} that {call} makes {at} are equal to others.",
	  "Call it less often, or keep the results by their arguments." },
	{ "few-values", FEW_VALUES, is_any, "Many of the {class} made {at} are equal to others.",
	  "Look each up in a map of those made before, if nobody changes them." },
	{ "same", REPLICA, is_any, "The same {class} is built {at} again and again.",
	  "Build it once and keep it, if nobody changes it or relies on its identity." },
	{ "changing", ALIKE | ADVICE_NOTHING, is_changing,
	  "The {class} made {at} end alike, but were not when they were used: they change.",
	  "There is nothing to share; make fewer, or use one again." },
	{ "alike-at-end", ALIKE, is_any,
	  "The {class} made {at} are alike in the end; whether they were before is not known.",
	  "See whether somebody changes them: share one if nobody does, else use one again." },
	{ 0 },
};
