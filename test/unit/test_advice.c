/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_advice.c - rules by class and frames: each is used where it should be, and not for similar
 * rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "advice_fixture.h"
#include "base/memtext.h"

/* ---- by class and frames ------------------------------------------------------------------- */

static const struct {
	struct advice_made made;
	const char *rule, *problem;
} examples[] = {
	{ { "java.lang.Object[]",
	    VERDICT_REPLICA,
	    { "java.lang.Throwable.fillInStackTrace", "java.lang.Throwable.<init>", OWN } },
	  "exception",
	  "Exceptions are made at Shop.load:30 again" },
	{ { "com.acme.StopException", VERDICT_PARTIAL, { OWN } },
	  "exception-some",
	  "Exceptions are made at Shop.load:10 again and again." },
	{ { "long[]",
	    VERDICT_REPLICA,
	    { "java.lang.Throwable.fillInStackTrace", "com.acme.Stop.fillInStackTrace",
	      "java.lang.Throwable.<init>", "com.acme.Stop.<init>", OWN } },
	  "exception",
	  "Exceptions are made at Shop.load:50" },
	{ { "com.acme.Color[]",
	    VERDICT_REPLICA,
	    { "java.lang.Object.clone", "com.acme.Color.values", OWN } },
	  "enum-values",
	  "Color.values() copies the array of all constants in each call at Shop.load:30" },
	{ { "java.lang.Long", VERDICT_FEW_VALUES, { "java.lang.Long.valueOf", OWN } },
	  "boxing",
	  "Long.valueOf makes a new object for each value outside its small cache, and at "
	  "Shop.load:20" },
	{ { "java.lang.Double", VERDICT_REPLICA, { "java.lang.Double.valueOf", OWN } },
	  "boxing-real",
	  "Double.valueOf makes a new object in each call" },
	{ { "char[]",
	    VERDICT_REPLICA,
	    { "java.util.regex.Matcher.<init>", "java.util.Formatter.parse",
	      "java.lang.String.format", OWN } },
	  "format",
	  "String.format at Shop.load:40 parses" },
	{ { "int[]",
	    VERDICT_REPLICA,
	    { "java.util.regex.Pattern.compile", "java.lang.String.replaceAll", OWN } },
	  "regex-compile",
	  "String.replaceAll at Shop.load:30 compiles a regular expression in each call. | "
	  "Compile it once, into a private static final Pattern, and reset(input) one Matcher" },
	{ { "int[]",
	    VERDICT_REPLICA,
	    { "java.util.regex.Matcher.<init>", "java.util.regex.Pattern.matcher",
	      "java.lang.String.matches", OWN } },
	  "regex-compile",
	  "String.matches at Shop.load:40 compiles" },
	{ { "boolean[]", VERDICT_REPLICA, { "java.util.regex.Pattern.compile", OWN } },
	  "regex-compile",
	  "Pattern; where the expression varies, keep Patterns by their expression." },
	{ { "int[]",
	    VERDICT_REPLICA,
	    { "java.util.regex.Matcher.<init>", "java.util.regex.Pattern.matcher", OWN } },
	  "regex-matcher",
	  "Pattern.matcher at Shop.load:30 makes a new Matcher" },
	{ { "java.lang.Object[]",
	    VERDICT_ALIKE,
	    { "java.util.Arrays.copyOf", "java.util.ArrayList.grow", "java.util.ArrayList.add",
	      "java.lang.String.split", OWN } },
	  "split-list",
	  "String.split at Shop.load:50 collects the parts in a list" },
	{ { "java.lang.Class[]",
	    VERDICT_FEW_VALUES,
	    { "java.lang.Class.getInterfaces", "java.lang.Class.getInterfaces", OWN } },
	  "reflection",
	  "Class.getInterfaces at Shop.load:30 copies what it returns in each call" },
	{ { "java.lang.reflect.Method",
	    VERDICT_FEW_VALUES,
	    { "java.lang.reflect.Method.copy", "java.lang.Class.getMethods", OWN } },
	  "reflection",
	  "Class.getMethods at Shop.load:30 copies" },
	{ { "com.acme.C[]", VERDICT_FEW_VALUES, { "java.lang.Class.getEnumConstants", OWN } },
	  "reflection",
	  "Class.getEnumConstants at Shop.load:20 copies" },
	{ { "java.net.URL", VERDICT_REPLICA, { "java.lang.Class.getResourceAsStream", OWN } },
	  "same-result", /* it looks the resource up */
	  "Class.getResourceAsStream at Shop.load:20 makes the same" },
	{ { "java.text.DecimalFormatSymbols",
	    VERDICT_REPLICA,
	    { "java.text.DecimalFormatSymbols.getInstance", "java.text.DecimalFormat.<init>",
	      OWN } },
	  "text-format",
	  "new DecimalFormat at Shop.load:30" },
	{ { "java.util.GregorianCalendar", VERDICT_PARTIAL, { OWN } },
	  "text-format",
	  "new GregorianCalendar at Shop.load:10" },
	{ { "java.math.BigDecimal", VERDICT_FEW_VALUES, { "java.math.BigDecimal.valueOf", OWN } },
	  "big-number",
	  "at Shop.load:20" },
	{ { "int[]",
	    VERDICT_REPLICA,
	    { "java.util.Arrays.copyOf", "java.math.BigInteger.<init>", OWN } },
	  "big-number",
	  "at Shop.load:30" },
	{ { "java.util.Optional", VERDICT_REPLICA, { "java.util.Optional.of", OWN } },
	  "optional",
	  "The same value is put into a new Optional at Shop.load:20" },
	{ { "scala.util.Right", VERDICT_REPLICA, { OWN } },
	  "optional",
	  "put into a new Right at Shop.load:10" },
	{ { "com.acme.Id", VERDICT_REPLICA, { "com.acme.Id.box-impl", OWN } },
	  "value-class",
	  "The value class Id is boxed for the same values again and again." },
	{ { "com.acme.Id", VERDICT_REPLICA, { "com.acme.Id.box", OWN } }, "same", "" },
	{ { "scala.collection.mutable.ArrayOps$ofRef", VERDICT_REPLICA, { OWN } },
	  "extension",
	  "A method of Scala's library is called at Shop.load:10" },
	{ { "char[]",
	    VERDICT_FEW_VALUES,
	    { "sun.nio.cs.StreamEncoder.write", "java.io.OutputStreamWriter.write", OWN } },
	  "encoder",
	  "OutputStreamWriter.write at Shop.load:30 calls an encoder" },
	{ { "java.nio.HeapCharBuffer",
	    VERDICT_ALIKE,
	    { "java.nio.CharBuffer.wrap", "sun.nio.cs.StreamEncoder.implWrite",
	      "java.io.OutputStreamWriter.write", OWN } },
	  "encoder",
	  "OutputStreamWriter.write at Shop.load:40 calls an encoder" },
	{ { "com.acme.Shop$$Lambda", VERDICT_REPLICA, { "com.acme.Shop$$Lambda.get", OWN } },
	  "lambda",
	  "A lambda at Shop.load:20" },
	{ { "com.acme.Shop$$anonfun$load$1", VERDICT_FEW_VALUES, { OWN } },
	  "lambda",
	  "| Make it once, outside of the loop" },
	{ { "java.util.stream.ReferencePipeline$Head",
	    VERDICT_PARTIAL,
	    { "java.util.stream.StreamSupport.stream", "java.util.Collection.stream", OWN } },
	  "stream",
	  "A stream is built at Shop.load:30" },
	{ { "java.util.ArrayList$Itr",
	    VERDICT_FEW_VALUES,
	    { "java.util.ArrayList.iterator", OWN } },
	  "iterator",
	  "Each loop at Shop.load:20 makes a new ArrayList$Itr" },
	{ { "com.acme.BagIterator", VERDICT_REPLICA, { "com.acme.Bag.iterator", OWN } },
	  "iterator",
	  "Each loop at Shop.load:20 makes a new BagIterator" },
	{ { "com.acme.Bag$1", VERDICT_REPLICA, { "com.acme.Bag.iterator", OWN } },
	  "iterator",
	  "Each loop at Shop.load:20 makes a new Bag$1" },
	{ { "java.util.Collections$UnmodifiableList",
	    VERDICT_REPLICA,
	    { "java.util.Collections.unmodifiableList", OWN } },
	  "view",
	  "Collections.unmodifiableList at Shop.load:20 wraps" },
	{ { "java.util.HashMap$Node",
	    VERDICT_FEW_VALUES,
	    { "java.util.HashMap.newNode", "java.util.HashMap.put", OWN } },
	  "entry",
	  "at Shop.load:30" },
	{ { "byte[]",
	    VERDICT_REPLICA,
	    { "java.util.Arrays.copyOf", "java.lang.AbstractStringBuilder.ensureCapacityInternal",
	      "java.lang.StringBuilder.append", OWN } },
	  "builder",
	  "Builders at Shop.load:40" },
	{ { "java.lang.StringBuilder", VERDICT_REPLICA, { OWN } }, "builder", "at Shop.load:10" },
	{ { "java.lang.Object[]",
	    VERDICT_FEW_VALUES,
	    { "java.util.Arrays.copyOf", "java.util.ArrayList.grow", "java.util.ArrayList.add",
	      OWN } },
	  "growth",
	  "What is filled at Shop.load:40 makes or enlarges its arrays" },
	{ { "int[]", VERDICT_REPLICA, { "com.acme.Arrays.grow", "com.acme.Table.growRows", OWN } },
	  "growth",
	  "What is filled at Shop.load:30 makes or enlarges its arrays" },
	{ { "char[]",
	    VERDICT_FEW_VALUES,
	    { "java.lang.StringLatin1.toChars", "java.lang.String.toCharArray", OWN } },
	  "copy",
	  "String.toCharArray at Shop.load:30 copies the same content" },
	{ { "byte[]", VERDICT_REPLICA, { "java.lang.String.getBytes", OWN } },
	  "copy",
	  "String.getBytes" },
	{ { "byte[]",
	    VERDICT_REPLICA,
	    { "java.util.Arrays.copyOfRange", "java.lang.StringLatin1.newString",
	      "java.lang.StringBuilder.toString", OWN } },
	  "text",
	  "Strings of the same text are made at Shop.load:40" },
	{ { "byte[]",
	    VERDICT_REPLICA,
	    { "jdk.internal.misc.Unsafe.allocateUninitializedArray",
	      "java.lang.StringConcatHelper.newArray", "java.lang.String.replace", OWN } },
	  "text",
	  "Strings of the same text are made at Shop.load:40" },
	{ { "java.lang.String",
	    VERDICT_REPLICA,
	    { "java.lang.StringLatin1.newString", "java.lang.String.substring", OWN } },
	  "text-cut",
	  "String.substring at Shop.load:30 cuts the same texts" },
	{ { "java.lang.String", VERDICT_REPLICA, { "java.lang.StringBuilder.toString", OWN } },
	  "text",
	  "at Shop.load:20" },
	{ { "java.util.HashMap", VERDICT_REPLICA, { "java.util.HashSet.<init>", OWN } },
	  "part",
	  "Each new HashSet makes its own HashMap (at Shop.load:20)" },
	{ { "int[]", VERDICT_REPLICA, { OWN } },
	  "constant-array",
	  "The array made at Shop.load:10" },
	{ { "int[]", VERDICT_FEW_VALUES, { OWN } },
	  "repeated-array",
	  "Many of the int[] made at Shop.load:10" },
	{ { "int[]", VERDICT_FEW_VALUES, { "java.util.Arrays.copyOf", OWN } },
	  "copied-array",
	  "Arrays.copyOf at Shop.load:20 copies the same content" },
	{ { "java.awt.Color", VERDICT_REPLICA, { "java.awt.Color.decode", OWN } },
	  "same-result",
	  "Color.decode at Shop.load:20 makes the same Color again and again. | Call it less often, "
	  "or keep the result where the arguments are the same." },
	{ { "byte[]", VERDICT_REPLICA, { "java.io.DataOutputStream.writeUTF", OWN } },
	  "same-result",
	  "where the arguments are the same; if the array is its own, use one DataOutputStream "
	  "for several calls." },
	{ { "java.awt.Color", VERDICT_FEW_VALUES, { "java.awt.Color.decode", OWN } },
	  "few-results",
	  "Many of the Color that Color.decode makes at Shop.load:20 are equal" },
	{ { "com.acme.Point", VERDICT_FEW_VALUES, { OWN } },
	  "few-values",
	  "Many of the Point made at Shop.load:10 are equal to others" },
	{ { "com.acme.Point", VERDICT_REPLICA, { OWN } },
	  "same",
	  "The same Point is built at Shop.load:10" },
	{ { "com.acme.Point", VERDICT_REPLICA, { 0 } }, "same", "at several places" },
	{ { "com.acme.Point", VERDICT_SOME_EQUAL, { OWN } },
	  "few-values",
	  "Many of the Point made at Shop.load:10 are equal" },
	{ { "java.lang.StringBuilder", VERDICT_CHANGING, { OWN } },
	  "builder-filled",
	  "Builders are made at Shop.load:10" },
	{ { "int[]", VERDICT_CHANGING, { "com.acme.Arrays.grow", "com.acme.Table.growRows", OWN } },
	  "growth-filled",
	  "What is filled at Shop.load:30" },
	{ { "com.acme.BagIterator", VERDICT_CHANGING, { "com.acme.Bag.iterator", OWN } },
	  "iterator",
	  "at Shop.load:20" },
	{ { "com.acme.Point", VERDICT_CHANGING, { OWN } },
	  "change-in-use",
	  "Most of the Point made at Shop.load:10 change" },
	{ { "com.acme.Point", VERDICT_ALIKE, { OWN } },
	  "alike-at-end",
	  "The Point made at Shop.load:10 are alike in the end" },
};

static void each_rule(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
		assert_rule(&examples[i].made, examples[i].rule, examples[i].problem);
}

/* Rows that are similar, but different. */
static void not_those(void **state)
{
	static const struct advice_made near[] = {
		{ "com.acme.Long", VERDICT_REPLICA, { "com.acme.Long.valueOf", OWN } },
		{ "com.acme.Point", VERDICT_REPLICA, { OWN, "java.util.Formatter.format" } },
		{ "com.acme.Color[]", VERDICT_REPLICA, { "com.acme.Palette.values" } },
		{ "com.acme.Item$Node", VERDICT_REPLICA, { OWN } },
		{ "java.lang.Integer", VERDICT_REPLICA, { OWN } },
		{ "com.acme.PackedReaderIterator", VERDICT_REPLICA, { OWN } },
		{ "com.acme.Bag$1", VERDICT_REPLICA, { OWN, "com.acme.Bag.iterator" } },
		{ "com.acme.Bag$1Key", VERDICT_REPLICA, { OWN } },
		{ "int[]", VERDICT_REPLICA, { OWN, "com.acme.Arrays.grow" } },
		{ "byte[]", VERDICT_REPLICA, { OWN, "java.lang.String.getBytes" } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof near / sizeof near[0]; i++)
		assert_rule(&near[i], strchr(near[i].class_name, '[') ? "constant-array" : "same",
			    "");
}

/* No advice without a replica; nor for a partial one of which nothing is known. */
static void verdicts(void **state)
{
	static const struct advice_made made[] = {
		{ "java.lang.Long", VERDICT_DISTINCT, { "java.lang.Long.valueOf", OWN } },
		{ "java.lang.Long", VERDICT_UNKNOWN, { "java.lang.Long.valueOf", OWN } },
		{ "com.acme.Point", VERDICT_PARTIAL, { OWN } },
		/* these rules would claim that the differing part is the same */
		{ "java.lang.StringBuilder", VERDICT_PARTIAL, { OWN } },
		{ "java.util.ArrayList$Itr",
		  VERDICT_PARTIAL,
		  { "java.util.ArrayList.iterator", OWN } },
		/* in the end, the list has taken out what was in it */
		{ "java.util.LinkedList$Node",
		  VERDICT_ALIKE,
		  { "java.util.LinkedList.linkLast", "java.util.LinkedList.add", OWN } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
		assert_rule(&made[i], "", "");
}

/* The verdict that the report shows: that of deep contents if these are alike. */
static void deep_verdict(void **state)
{
	const struct advice_made string = { "java.lang.String", VERDICT_DISTINCT, { OWN } };
	struct advice_fixture f;
	char found[32];

	(void)state;
	advice_row(&f, &string);
	f.row.replica.deep.verdict = VERDICT_REPLICA;
	f.row.replica.deep.scanned = 100;
	char *text = advice_say(&f, found);
	assert_string_equal(found, "text");
	free(text);
	objects_release(&f.objects);
}

/* By site, all common frames may be the JDK's: none of their lines is worth reading. */
static void frames_in_common(void **state)
{
	const struct advice_made box = { "java.lang.Long",
					 VERDICT_FEW_VALUES,
					 { "java.lang.Long.valueOf", OWN } };
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &box);
	f.row.common = 1;
	assert_found(&f, "boxing", "and at several places the same values come again");

	const struct advice_made bits = { "boolean[]",
					  VERDICT_REPLICA,
					  { "java.util.regex.Pattern$BitClass.<init>",
					    "java.util.regex.Pattern.compile", OWN } };
	advice_row(&f, &bits);
	f.row.common = 1;
	assert_found(&f, "regex-compile",
		     "The JDK at several places compiles a regular expression in each call");
}

/* A writer that collects what it gets is what the advice asks for. */
static void buffered_writer(void **state)
{
	static const struct advice_made buffered = {
		"char[]",
		VERDICT_FEW_VALUES,
		{ "sun.nio.cs.StreamEncoder.write", "java.io.OutputStreamWriter.write",
		  "java.io.BufferedWriter.flushBuffer", OWN }
	};

	(void)state;
	assert_rule(&buffered, "few-results", "");
}

/* A Pattern that is kept makes a Matcher for each text that it splits. */
static void split_matcher(void **state)
{
	static const struct advice_made split = {
		"int[]",
		VERDICT_REPLICA,
		{ "java.util.regex.Matcher.<init>", "java.util.regex.Pattern.matcher",
		  "java.util.regex.Pattern.split", "java.lang.String.split", OWN }
	};

	(void)state;
	assert_rule(&split, "part", "");
}

/* A sentence of a rule in general has something in place of each word in braces. */
static void in_general(void **state)
{
	struct memtext text;

	(void)state;
	for (const struct advice_rule *r = advice_rules; r->name; r++) {
		const char *const sentences[] = { r->problem, r->fix };
		for (size_t i = 0; i < 2; i++)
			for (const char *at = sentences[i]; (at = strchr(at, '{')); at++) {
				char word[64];
				snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "}") + 1, at);
				advice_put_general(memtext_begin(&text), word);
				memtext_end(&text);
				if (!*text.text && strcmp(word, "{dedup}") != 0 &&
				    strcmp(word, "{varies}") != 0 && strcmp(word, "{reuse}") != 0 &&
				    strcmp(word, "{needs}") != 0)
					fail_msg("%s: nothing stands for %s", r->name, word);
				free(text.text);
			}
	}
}

/* Every rule has an example, or a test in test_advice_evidence.c. */
static void all_are_tested(void **state)
{
	static const char *const others[] = {
		"empty-collection", "empty-array",     "unfilled",     "unfilled-collection",
		"unfilled-part",    "unfilled-result", "same-target",  "growth-some",
		"alike-empty",	    "empty-result",    "fields",       "lock",
		"unlike-in-use",    "unproven",	       "alike-in-use", "fields-in-use",
		"alike-some",	    "equal-some",      "lambda-some",  "changing-some",
		"capacity",	    "unread",	       "part-some",    "some-arrays",
		"some-results",
	};

	(void)state;
	for (const struct advice_rule *r = advice_rules; r->name; r++) {
		bool found = false;
		for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
			found |= strcmp(examples[i].rule, r->name) == 0;
		for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
			found |= strcmp(others[i], r->name) == 0;
		if (!found)
			fail_msg("rule '%s' has no test", r->name);
	}
}

/* The advice of a row as JSON, in an object. */
static cJSON *advice_json_of(const struct row *row)
{
	struct json_text t = JSON_TEXT_INIT;

	json_text_open(&t, NULL, '{');
	advice_json(&t, row);
	json_text_close(&t, '}');
	assert_false(t.failed);
	cJSON *object = cJSON_ParseWithLength(t.text, t.len);
	assert_non_null(object);
	json_text_release(&t);
	return object;
}

static void json(void **state)
{
	struct advice_fixture f;

	(void)state;
	advice_row(&f, &(struct advice_made){ "java.lang.Long",
					      VERDICT_REPLICA,
					      { "java.lang.Long.valueOf", OWN } });
	cJSON *object = advice_json_of(&f.row);
	const cJSON *advice = cJSON_GetObjectItemCaseSensitive(object, "advice");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(advice, "rule")),
			    "boxing");
	assert_non_null(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(advice, "problem")));
	assert_non_null(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(advice, "fix")));
	cJSON_Delete(object);
	row_forget_advice(&f.row);
	f.row.replica.own.verdict = VERDICT_DISTINCT;
	object = advice_json_of(&f.row);
	assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, "advice")));
	cJSON_Delete(object);
	objects_release(&f.objects);
}

int unit_advice(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule),	    cmocka_unit_test(not_those),
		cmocka_unit_test(verdicts),	    cmocka_unit_test(deep_verdict),
		cmocka_unit_test(frames_in_common), cmocka_unit_test(buffered_writer),
		cmocka_unit_test(split_matcher),    cmocka_unit_test(in_general),
		cmocka_unit_test(all_are_tested),   cmocka_unit_test(json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
