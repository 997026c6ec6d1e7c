/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice_match.c - the conditions of rules: on the class, on the frames that all contexts have in
 * common, and on values that were seen.
 */
#include "fix/advice_match.h"

#include <string.h>

bool advice_grows(const char *method)
{
	static const char *const beginnings[] = { "grow",   "ensureCapacity", "expand", "resize",
						  "rehash", "realloc",	      "enlarge" };

	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (strncmp(method, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

#define MOSTLY_EMPTY 0.75 /* of the collections, or of the elements of an array */
#define NEARLY_ALL   0.9
#define KEPT	     0.1 /* of the bytes: more of them are alive */
#define FEW_FIELDS   4	 /* objects with more fields have nothing worth sharing */

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

/* The class's name without `package`; "" if it is in another package. */
static const char *within(const char *class_name, const char *package)
{
	return starts(class_name, package) ? class_name + strlen(package) : "";
}

static bool is_class(const struct advice_facts *f, const char *package, const char *list)
{
	return in_list(list, within(f->class_name, package));
}

/*
 * Whether a method allocated the objects on behalf of the reader's code: any frame before that
 * code.
 */
static bool called(const struct advice_facts *f, const char *prefix, const char *method)
{
	for (size_t i = 0; i < f->own; i++)
		if (starts(f->frames[i].class_name, prefix) &&
		    (!method || strcmp(f->frames[i].method, method) == 0))
			return true;
	return false;
}

/* The innermost frame that is not a helper that copies arrays. */
static const struct model_frame *maker(const struct advice_facts *f)
{
	static const struct model_frame none = { .class_name = "", .method = "" };

	for (size_t i = 0; i < f->n; i++)
		if (!in_list("java.util.Arrays java.lang.System java.lang.Object "
			     "jdk.internal.misc.Unsafe",
			     f->frames[i].class_name))
			return &f->frames[i];
	return &none;
}

bool advice_made_in_jdk(const struct advice_facts *f)
{
	return f->n > 0 && f->own > 0;
}

/* ---- rules --------------------------------------------------------------------------------- */

/* A part of a stack trace, which is made with an exception or when somebody asks for it. */
bool advice_is_trace(const struct advice_facts *f)
{
	return called(f, "java.lang.Throwable", "fillInStackTrace") ||
	       called(f, "java.lang.Throwable", "getOurStackTrace") ||
	       called(f, "java.lang.StackTraceElement", NULL);
}

/* Exceptions of which nearly all have a stack trace. */
bool advice_is_traced_exception(const struct advice_facts *f)
{
	return f->traced >= NEARLY_ALL;
}

/* Exceptions that may have stack traces. */
bool advice_is_exception(const struct advice_facts *f)
{
	return !f->array && !(f->traced <= 1 - NEARLY_ALL) &&
	       (ends(f->class_name, "Exception") || ends(f->class_name, "Error"));
}

bool advice_is_enum_values(const struct advice_facts *f)
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

bool advice_is_boxing(const struct advice_facts *f)
{
	return is_class(f, "java.lang.", CACHED_BOXES) && is_value_of(f);
}

bool advice_is_real_boxing(const struct advice_facts *f)
{
	return is_class(f, "java.lang.", "Float Double") && is_value_of(f);
}

bool advice_is_format(const struct advice_facts *f)
{
	return called(f, "java.util.Formatter", NULL) ||
	       called(f, "java.text.MessageFormat", NULL) ||
	       (called(f, "java.lang.String", "format") && is_class(f, "java.util.", "Formatter"));
}

/* Whether the frame writes what was formatted so far: the result, which any other way makes too. */
static bool writes_result(const struct model_frame *frame)
{
	if (in_list("java.text.MessageFormat java.text.Format", frame->class_name))
		return in_list("format subformat", frame->method);
	return in_list("java.util.Formatter java.util.Formatter$FixedString", frame->class_name) ||
	       strcmp(frame->method, "appendJustified") == 0;
}

static bool is_of_builder(const struct model_frame *frame)
{
	return starts(frame->class_name, "java.text.StringBufFactory") ||
	       in_list("AbstractStringBuilder StringBuilder StringBuffer",
		       within(frame->class_name, "java.lang."));
}

/* The formatted text and its builder, which remain whoever puts the text together. */
bool advice_is_formatted(const struct advice_facts *f)
{
	if (f->own > 0 && is_class(f, "java.lang.", "StringBuilder StringBuffer") &&
	    writes_result(&f->frames[0]))
		return true;
	for (size_t i = 1; i < f->own; i++)
		if (writes_result(&f->frames[i]) && is_of_builder(&f->frames[i - 1]))
			return true;
	return false;
}

bool advice_is_pattern(const struct advice_facts *f)
{
	/* only it makes its inner classes, the nodes of expressions */
	return called(f, "java.util.regex.Pattern", "compile") ||
	       called(f, "java.util.regex.Pattern$", NULL) ||
	       starts(f->class_name, "java.util.regex.Pattern");
}

bool advice_is_matcher(const struct advice_facts *f)
{
	return called(f, "java.util.regex.Matcher", "<init>") ||
	       called(f, "java.util.regex.Pattern", "matcher");
}

/* Whether the method makes an object, or hands one out: a kept one formats without that. */
static bool makes_instance(const char *method)
{
	return strcmp(method, "<init>") == 0 || ends(method, "Instance");
}

bool advice_is_text_format(const struct advice_facts *f)
{
	static const char *const prefixes[] = {
		"java.text.DecimalFormat", "java.text.NumberFormat", "java.text.SimpleDateFormat",
		"java.text.DateFormat",	   "java.util.Calendar",     "java.util.GregorianCalendar"
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		if (starts(f->class_name, prefixes[i]))
			return true;
		for (size_t k = 0; k < f->own; k++)
			if (starts(f->frames[k].class_name, prefixes[i]) &&
			    makes_instance(f->frames[k].method))
				return true;
	}
	return false;
}

bool advice_is_big_number(const struct advice_facts *f)
{
	return is_class(f, "java.math.", "BigInteger BigDecimal") ||
	       starts(maker(f)->class_name, "java.math.Big");
}

bool advice_is_optional(const struct advice_facts *f)
{
	return is_class(f, "java.util.", "Optional OptionalInt OptionalLong OptionalDouble") ||
	       is_class(f, "scala.", "Some util.Left util.Right");
}

/* Scala's conversions to a type that has more methods. */
bool advice_is_extension(const struct advice_facts *f)
{
	static const char *const prefixes[] = { "scala.collection.mutable.ArrayOps$",
						"scala.collection.immutable.StringOps",
						"scala.collection.mutable.WrappedArray$",
						"scala.collection.ArrayOps", "scala.runtime.Rich" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (!f->array && starts(f->class_name, prefixes[i]))
			return true;
	return false;
}

/* A BufferedWriter in between hands on many characters at a time. */
bool advice_is_encoder(const struct advice_facts *f)
{
	const char *encoder = "sun.nio.cs.StreamEncoder";

	return (called(f, encoder, "write") || called(f, encoder, "implWrite")) &&
	       !called(f, "java.io.BufferedWriter", NULL);
}

bool advice_is_lambda(const struct advice_facts *f)
{
	return !f->array && strstr(f->class_name, "$$Lambda");
}

bool advice_is_stream(const struct advice_facts *f)
{
	return starts(f->class_name, "java.util.stream.") ||
	       starts(f->class_name, "java.util.Spliterators") ||
	       (starts(f->class_name, "java.util.") && ends(f->class_name, "Spliterator"));
}

/* What a stream leaves behind: the elements that it has collected. */
bool advice_is_collected(const struct advice_facts *f)
{
	return starts(f->class_name, "java.util.stream.Nodes") ||
	       starts(f->class_name, "java.util.stream.SpinedBuffer");
}

/*
 * Of lists that can be read by index, and that nobody may change meanwhile. The loop is the
 * reader's: the JDK's frames do nothing but make the iterator.
 */
bool advice_is_list_iterator(const struct advice_facts *f)
{
	for (size_t i = 0; i < f->own; i++)
		if (!in_list("iterator listIterator <init>", f->frames[i].method))
			return false;
	return is_class(f, "java.util.",
			"ArrayList$Itr ArrayList$ListItr ArrayList$SubList$1 Arrays$ArrayItr "
			"ImmutableCollections$ListItr");
}

/* Any class can be called an iterator; the method that allocates it decides. */
bool advice_is_iterator(const struct advice_facts *f)
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

bool advice_is_view(const struct advice_facts *f)
{
	return starts(f->class_name, "java.util.Collections$") ||
	       starts(f->class_name, "java.util.ImmutableCollections$") ||
	       is_class(f, "java.util.",
			"Arrays$ArrayList ArrayList$SubList AbstractList$SubList "
			"AbstractList$RandomAccessSubList HashMap$KeySet HashMap$Values "
			"HashMap$EntrySet TreeMap$KeySet TreeMap$Values TreeMap$EntrySet");
}

/* A part of an object of the JDK is there for that object. */
bool advice_is_empty_array(const struct advice_facts *f)
{
	return f->array && f->no_length >= NEARLY_ALL && !called(f, "", "<init>");
}

bool advice_is_empty_collection(const struct advice_facts *f)
{
	return f->empty >= MOSTLY_EMPTY;
}

bool advice_is_entry(const struct advice_facts *f)
{
	return is_class(f, "java.util.",
			"HashMap$Node LinkedHashMap$Entry TreeMap$Entry "
			"Hashtable$Entry WeakHashMap$Entry LinkedList$Node") ||
	       is_class(f, "java.util.concurrent.",
			"ConcurrentHashMap$Node ConcurrentLinkedQueue$Node");
}

/* A builder's own buffer, not the text that it returns. */
bool advice_is_builder(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);
	const char *owner = within(m->class_name, "java.lang.");

	if (is_class(f, "java.lang.", "StringBuilder StringBuffer") ||
	    is_class(f, "java.util.", "StringJoiner"))
		return true;
	return f->array && in_list("AbstractStringBuilder StringBuilder StringBuffer", owner) &&
	       !in_list("toString substring getChars", m->method);
}

bool advice_is_growth(const struct advice_facts *f)
{
	return f->array && advice_grows(maker(f)->method);
}

#define TEXT_MAKERS                                                                              \
	"String StringLatin1 StringUTF16 StringConcatHelper StringCoding AbstractStringBuilder " \
	"StringBuilder StringBuffer Integer Long"

bool advice_is_copy(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);

	if (!f->array)
		return m->method && strcmp(m->method, "clone") == 0;
	return in_list("clone toArray toCharArray toChars getBytes", m->method);
}

/* Copied by the reader's own call of Arrays.copyOf or copyOfRange. */
bool advice_is_copied_array(const struct advice_facts *f)
{
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	return call && strcmp(call->class_name, "java.util.Arrays") == 0 &&
	       in_list("copyOf copyOfRange", call->method);
}

/* Made inside a method of the JDK, where the reader cannot share it. */
bool advice_is_empty_result(const struct advice_facts *f)
{
	return advice_is_empty_array(f) && advice_made_in_jdk(f) && !advice_is_copied_array(f);
}

bool advice_is_text(const struct advice_facts *f)
{
	const struct model_frame *m = maker(f);

	if (strcmp(f->class_name, "java.lang.String") == 0)
		return true;
	return strcmp(f->class_name, "byte[]") == 0 && !advice_is_copy(f) &&
	       in_list(TEXT_MAKERS, within(m->class_name, "java.lang.")) &&
	       !starts(m->method, "encode");
}

/* A text that a method cuts out of another. */
bool advice_is_cut_text(const struct advice_facts *f)
{
	static const char *const methods[] = { "substring", "split", "trim", "strip" };
	bool cut = called(f, "java.util.StringTokenizer", NULL);

	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		cut |= called(f, "java.lang.String", methods[i]);
	return cut && advice_is_text(f);
}

bool advice_is_unfilled(const struct advice_facts *f)
{
	return f->array && f->zero >= MOSTLY_EMPTY;
}

/* The array of a JDK collection, which can only be made smaller by its capacity. */
bool advice_is_unfilled_collection(const struct advice_facts *f)
{
	const char *owner = within(maker(f)->class_name, "java.util.");

	return advice_is_unfilled(f) && advice_made_in_jdk(f) && *owner && !strchr(owner, '.') &&
	       strchr(f->class_name, '.');
}

/* Allocated in the constructor of another class. */
bool advice_is_part(const struct advice_facts *f)
{
	return f->n > 0 && strcmp(f->frames[0].method, "<init>") == 0;
}

bool advice_is_array(const struct advice_facts *f)
{
	return f->array && f->own == 0;
}

bool advice_is_own_array(const struct advice_facts *f)
{
	/* not by deep content: equal elements may be different objects */
	enum replica_verdict v = f->verdict;

	return f->array && f->n > 0 && f->own == 0 &&
	       (v == VERDICT_REPLICA || v == VERDICT_FEW_VALUES || v == VERDICT_SOME_EQUAL);
}

/*
 * Whether the verdict is based only on uses. Objects alike when used may change later, so no saving
 * is promised. If the allocation itself is the cost, that does not matter.
 */
bool advice_is_unproven(const struct advice_facts *f)
{
	bool made = advice_is_iterator(f) || advice_is_empty_array(f) || advice_is_builder(f) ||
		    advice_is_growth(f) || advice_is_copy(f);

	return !made && !f->saves;
}

bool advice_knows_fields(const struct advice_facts *f)
{
	/* it is trivial that strings differ in their bytes */
	return f->ndiffering > 0 && (f->array || f->ndiffering <= FEW_FIELDS) &&
	       strcmp(f->class_name, "java.lang.String") != 0;
}

bool advice_may_be_lock(const struct advice_facts *f)
{
	return f->doubt == DOUBT_IDENTITY;
}

bool advice_is_changing(const struct advice_facts *f)
{
	return f->doubt == DOUBT_CHANGES;
}

/* Whether some of the objects that are alike at the end are known not to change. */
bool advice_is_partly_proven(const struct advice_facts *f)
{
	return f->saves;
}

bool advice_is_changing_in_part(const struct advice_facts *f)
{
	return advice_is_changing(f) && advice_is_partly_proven(f);
}

/* If the allocation is the cost, the end of life does not matter. */
bool advice_is_alike_in_use(const struct advice_facts *f)
{
	return advice_seen_in_use_only(f) && advice_is_unproven(f);
}

bool advice_seen_in_use_only(const struct advice_facts *f)
{
	return f->only_used;
}

/* Whether the objects are kept: each of them is needed, so none can be used again for another. */
bool advice_is_kept(const struct advice_facts *f)
{
	return f->alive > KEPT;
}

bool advice_is_changed(const struct advice_facts *f)
{
	return f->differ;
}

bool advice_is_any(const struct advice_facts *f)
{
	(void)f;
	return true;
}
