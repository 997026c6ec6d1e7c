/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice_match_calls.c - see advice_match.h: conditions on what a class is for, and on the calls by
 * which objects came about.
 */
#include <string.h>

#include "fix/advice_match.h"
#include "fix/match_names.h"

/* A part of a stack trace, which is made with an exception or when somebody asks for it. */
bool advice_is_trace(const struct advice_facts *f)
{
	return match_called(f, "java.lang.Throwable", "fillInStackTrace") ||
	       match_called(f, "java.lang.Throwable", "getOurStackTrace") ||
	       match_called(f, "java.lang.StackTraceElement", NULL);
}

/* Whether the JDK throws it, or catches it itself, as Files.exists does. */
bool advice_is_trace_in_jdk(const struct advice_facts *f)
{
	for (size_t i = 0; i < f->own && f->own < f->n; i++)
		if (strcmp(f->frames[i].method, "<init>") != 0 &&
		    !match_listed("Throwable StackTraceElement",
				  match_within(f->frames[i].class_name, "java.lang.")))
			return advice_is_trace(f);
	return false;
}

/* Exceptions of which nearly all have a stack trace. */
bool advice_is_traced_exception(const struct advice_facts *f)
{
	return f->traced >= ADVICE_NEARLY_ALL;
}

/* Exceptions that may have stack traces. */
bool advice_is_exception(const struct advice_facts *f)
{
	return !f->array && !f->no_exception && !(f->traced <= 1 - ADVICE_NEARLY_ALL) &&
	       (match_ends(f->class_name, "Exception") || match_ends(f->class_name, "Error"));
}

bool advice_is_enum_values(const struct advice_facts *f)
{
	for (size_t i = 0; f->array && i < f->n && i < 3; i++)
		if (strcmp(f->frames[i].method, "values") == 0 &&
		    match_starts(f->class_name, f->frames[i].class_name) &&
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
	return match_class(f, "java.lang.", CACHED_BOXES) && is_value_of(f);
}

bool advice_is_real_boxing(const struct advice_facts *f)
{
	return match_class(f, "java.lang.", "Float Double") && is_value_of(f);
}

bool advice_is_format(const struct advice_facts *f)
{
	return match_called(f, "java.util.Formatter", NULL) ||
	       match_called(f, "java.text.MessageFormat", NULL) ||
	       (match_called(f, "java.lang.String", "format") &&
		match_class(f, "java.util.", "Formatter"));
}

/* A record of a log, which the formatter of its handler writes. */
bool advice_is_log_format(const struct advice_facts *f)
{
	return advice_is_format(f) && match_called(f, "java.util.logging.", NULL);
}

/* Whether the frame writes what was formatted so far: the result, which any other way makes too. */
static bool writes_result(const struct model_frame *frame)
{
	if (match_listed("java.text.MessageFormat java.text.Format", frame->class_name))
		return match_listed("format subformat", frame->method);
	return match_listed("java.util.Formatter java.util.Formatter$FixedString",
			    frame->class_name) ||
	       strcmp(frame->method, "appendJustified") == 0;
}

static bool is_of_builder(const struct model_frame *frame)
{
	return match_starts(frame->class_name, "java.text.StringBufFactory") ||
	       match_listed("AbstractStringBuilder StringBuilder StringBuffer",
			    match_within(frame->class_name, "java.lang."));
}

/* The formatted text and its builder, which remain whoever puts the text together. */
bool advice_is_formatted(const struct advice_facts *f)
{
	if (f->own > 0 && match_class(f, "java.lang.", "StringBuilder StringBuffer") &&
	    writes_result(&f->frames[0]))
		return true;
	for (size_t i = 1; i < f->own; i++)
		if (writes_result(&f->frames[i]) && is_of_builder(&f->frames[i - 1]))
			return true;
	return false;
}

/* Of these, the builder: a fix has one, which the compiler may eliminate. */
bool advice_is_format_builder(const struct advice_facts *f)
{
	return advice_is_formatted(f) && strcmp(f->class_name, "java.lang.String") != 0 &&
	       !match_called(f, "java.lang.StringBuilder", "toString") &&
	       !match_called(f, "java.lang.StringBuffer", "toString");
}

static bool is_pattern(const struct advice_facts *f)
{
	/* only it makes its inner classes, the nodes of expressions */
	return match_called(f, "java.util.regex.Pattern", "compile") ||
	       match_called(f, "java.util.regex.Pattern$", NULL) ||
	       match_starts(f->class_name, "java.util.regex.Pattern");
}

bool advice_is_matcher(const struct advice_facts *f)
{
	return match_called(f, "java.util.regex.Matcher", "<init>") ||
	       match_called(f, "java.util.regex.Pattern", "matcher");
}

static bool calls_one_of(const struct advice_facts *f, const char *methods)
{
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	return call && match_listed("java.lang.String java.util.regex.Pattern", call->class_name) &&
	       match_listed(methods, call->method);
}

/* By a call that compiles an expression and matches it at once. */
bool advice_is_compiled_for_match(const struct advice_facts *f)
{
	return calls_one_of(f, "matches replaceAll replaceFirst") &&
	       (is_pattern(f) || advice_is_matcher(f));
}

/* A Pattern that splits a text makes a Matcher each time, as String.split does. */
bool advice_is_split_matcher(const struct advice_facts *f)
{
	return calls_one_of(f, "split splitWithDelimiters") && advice_is_matcher(f);
}

/* The list in which a text's parts are collected before there is an array of them. */
bool advice_is_split_list(const struct advice_facts *f)
{
	return calls_one_of(f, "split splitWithDelimiters") &&
	       match_called(f, "java.lang.String", NULL) &&
	       (match_class(f, "java.util.", "ArrayList ArrayList$SubList") ||
		match_called(f, "java.util.ArrayList", "grow") ||
		match_called(f, "java.util.ArrayList", "<init>"));
}

/*
 * Methods that copy what they return, since an array or a Method can be changed. Others of Class
 * look something up, or read it: getResourceAsStream, getName, getPackage.
 */
static const struct copier {
	const char *classes, *methods;
} copiers[] = {
	{ "java.lang.Class",
	  "getMethod getMethods getDeclaredMethod getDeclaredMethods getField getFields "
	  "getDeclaredField getDeclaredFields getConstructor getConstructors "
	  "getDeclaredConstructor getDeclaredConstructors getEnclosingMethod "
	  "getEnclosingConstructor getInterfaces getGenericInterfaces getAnnotatedInterfaces "
	  "getEnumConstants getAnnotations getDeclaredAnnotations getAnnotationsByType "
	  "getDeclaredAnnotationsByType getTypeParameters getClasses getDeclaredClasses "
	  "getRecordComponents getPermittedSubclasses getSigners" },
	{ "java.lang.reflect.Method java.lang.reflect.Constructor java.lang.reflect.Executable "
	  "java.lang.reflect.Field java.lang.reflect.Parameter java.lang.reflect.AccessibleObject "
	  "java.lang.reflect.RecordComponent",
	  "getParameterTypes getExceptionTypes getGenericParameterTypes getGenericExceptionTypes "
	  "getParameterAnnotations getParameters getTypeParameters getAnnotatedParameterTypes "
	  "getAnnotatedExceptionTypes getAnnotations getDeclaredAnnotations getAnnotationsByType "
	  "getDeclaredAnnotationsByType" },
};

/* What Class and its members hand out is copied in each call. */
bool advice_is_reflection(const struct advice_facts *f)
{
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	for (size_t i = 0; call && i < sizeof copiers / sizeof copiers[0]; i++)
		if (match_listed(copiers[i].classes, call->class_name) &&
		    match_listed(copiers[i].methods, call->method))
			return true;
	return false;
}

bool advice_is_compiled(const struct advice_facts *f)
{
	return is_pattern(f) ||
	       (advice_is_split_matcher(f) && match_called(f, "java.lang.String", NULL));
}

/* Whether the method makes an object, or hands one out: a kept one formats without that. */
static bool makes_instance(const char *method)
{
	return strcmp(method, "<init>") == 0 || match_ends(method, "Instance");
}

bool advice_is_text_format(const struct advice_facts *f)
{
	static const char *const prefixes[] = {
		"java.text.DecimalFormat", "java.text.NumberFormat", "java.text.SimpleDateFormat",
		"java.text.DateFormat",	   "java.util.Calendar",     "java.util.GregorianCalendar"
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		if (match_starts(f->class_name, prefixes[i]))
			return true;
		for (size_t k = 0; k < f->own; k++)
			if (match_starts(f->frames[k].class_name, prefixes[i]) &&
			    makes_instance(f->frames[k].method))
				return true;
	}
	return false;
}

bool advice_is_big_number(const struct advice_facts *f)
{
	return match_class(f, "java.math.", "BigInteger BigDecimal") ||
	       match_starts(match_maker(f)->class_name, "java.math.Big");
}

bool advice_is_optional(const struct advice_facts *f)
{
	return match_class(f, "java.util.", "Optional OptionalInt OptionalLong OptionalDouble") ||
	       match_class(f, "scala.", "Some util.Left util.Right");
}

/* Kotlin's compiler calls this method where a value class is used as an object. */
bool advice_is_value_class(const struct advice_facts *f)
{
	return f->n > 0 && strcmp(f->frames[0].method, "box-impl") == 0 &&
	       strcmp(f->frames[0].class_name, f->class_name) == 0;
}

/*
 * Scala's conversions to a type that has more methods. A WrappedArray is none: it also holds the
 * arguments of a call with any number of them.
 */
bool advice_is_extension(const struct advice_facts *f)
{
	static const char *const prefixes[] = { "scala.collection.mutable.ArrayOps$",
						"scala.collection.immutable.StringOps",
						"scala.collection.ArrayOps", "scala.runtime.Rich" };

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (!f->array && match_starts(f->class_name, prefixes[i]))
			return true;
	return false;
}

/* A BufferedWriter in between hands on many characters at a time. */
bool advice_is_encoder(const struct advice_facts *f)
{
	const char *encoder = "sun.nio.cs.StreamEncoder";

	return (match_called(f, encoder, "write") || match_called(f, encoder, "implWrite")) &&
	       !match_called(f, "java.io.BufferedWriter", NULL);
}

/* Of Java or, with a class of its own, of Scala before 2.12: a by-name argument as well. */
bool advice_is_lambda(const struct advice_facts *f)
{
	return !f->array &&
	       (strstr(f->class_name, "$$Lambda") || strstr(f->class_name, "$$anonfun$"));
}

/* Whether a stream is made, and not only the Spliterator that a program reads from by itself. */
static bool streams(const struct advice_facts *f)
{
	for (size_t i = 0; i < f->own; i++)
		if (match_starts(f->frames[i].class_name, "java.util.stream.") ||
		    match_listed("stream parallelStream", f->frames[i].method))
			return true;
	return false;
}

bool advice_is_stream(const struct advice_facts *f)
{
	if (match_starts(f->class_name, "java.util.stream."))
		return true;
	return streams(f) && (match_starts(f->class_name, "java.util.Spliterators") ||
			      (match_starts(f->class_name, "java.util.") &&
			       match_ends(f->class_name, "Spliterator")));
}

/* What a stream leaves behind: the elements that it has collected. */
bool advice_is_collected(const struct advice_facts *f)
{
	return match_starts(f->class_name, "java.util.stream.Nodes") ||
	       match_starts(f->class_name, "java.util.stream.SpinedBuffer");
}

/*
 * Of lists that can be read by index, and that nobody may change meanwhile. The loop is the
 * reader's: the JDK's frames do nothing but make the iterator, and the reader's own frame does not
 * hand it out to somebody who sees no list.
 */
bool advice_is_list_iterator(const struct advice_facts *f)
{
	if (f->own < f->n && match_listed("iterator listIterator", f->frames[f->own].method))
		return false;
	for (size_t i = 0; i < f->own; i++)
		if (!match_listed("iterator listIterator <init>", f->frames[i].method))
			return false;
	return match_class(f, "java.util.",
			   "ArrayList$Itr ArrayList$ListItr ArrayList$SubList$1 Arrays$ArrayItr "
			   "ImmutableCollections$ListItr");
}

/* "Bag$1": a class without a name of its own. */
static bool is_anonymous(const char *class_name)
{
	const char *last = strrchr(class_name, '$');

	return last && last[1] && !last[1 + strspn(last + 1, "0123456789")];
}

/* Any class can be an iterator, or be called one; the method that allocates it decides. */
bool advice_is_iterator(const struct advice_facts *f)
{
	bool named = match_ends(f->class_name, "Itr") || match_ends(f->class_name, "Iterator") ||
		     match_ends(f->class_name, "Enumeration") ||
		     match_ends(f->class_name, "Enumerator");

	if (f->array || (!named && !is_anonymous(f->class_name)))
		return false;
	if (named && match_starts(f->class_name, "java.util."))
		return true;
	return f->n > 0 && match_listed("iterator listIterator descendingIterator elements keys",
					f->frames[0].method);
}

bool advice_is_view(const struct advice_facts *f)
{
	return match_starts(f->class_name, "java.util.Collections$") ||
	       match_starts(f->class_name, "java.util.ImmutableCollections$") ||
	       match_class(f, "java.util.",
			   "Arrays$ArrayList ArrayList$SubList AbstractList$SubList "
			   "AbstractList$RandomAccessSubList HashMap$KeySet HashMap$Values "
			   "HashMap$EntrySet TreeMap$KeySet TreeMap$Values TreeMap$EntrySet");
}
