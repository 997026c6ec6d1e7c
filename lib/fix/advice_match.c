/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice_match.c - the conditions of rules: on values that were seen, on how the objects came out,
 * and on the method that made them. advice_match_calls.c has those on classes and calls.
 */
#include "fix/advice_match.h"

#include <string.h>

#include "fix/match_names.h"

bool advice_grows(const char *method)
{
	static const char *const beginnings[] = { "grow",   "ensureCapacity", "expand", "resize",
						  "rehash", "realloc",	      "enlarge" };

	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (strncmp(method, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

#define MOSTLY_EMPTY   0.75 /* of the collections, or of the elements of an array */
#define UNREAD_WATCHES 20   /* none of which saw a use */
#define FEW_FIELDS     4    /* objects with more fields have nothing worth sharing */
/* of the bytes of arrays: an array of eight bytes is no smaller if it holds one */
#define WORTH 0.01

bool advice_made_in_jdk(const struct advice_facts *f)
{
	return f->n > 0 && f->own > 0;
}

/* A part of an object of the JDK is there for that object. */
bool advice_is_empty_array(const struct advice_facts *f)
{
	return f->array && f->no_length >= ADVICE_NEARLY_ALL && !match_called(f, "", "<init>");
}

bool advice_is_empty_collection(const struct advice_facts *f)
{
	return f->empty >= MOSTLY_EMPTY;
}

bool advice_is_entry(const struct advice_facts *f)
{
	return match_class(f, "java.util.",
			   "HashMap$Node LinkedHashMap$Entry TreeMap$Entry "
			   "Hashtable$Entry WeakHashMap$Entry LinkedList$Node") ||
	       match_class(f, "java.util.concurrent.",
			   "ConcurrentHashMap$Node ConcurrentLinkedQueue$Node "
			   "ConcurrentLinkedDeque$Node LinkedBlockingQueue$Node "
			   "LinkedBlockingDeque$Node");
}

/* A builder's own buffer, not the text that it returns. */
bool advice_is_builder(const struct advice_facts *f)
{
	const struct model_frame *m = match_maker(f);
	const char *owner = match_within(m->class_name, "java.lang.");

	if (match_class(f, "java.lang.", "StringBuilder StringBuffer") ||
	    match_class(f, "java.util.", "StringJoiner"))
		return true;
	return f->array &&
	       match_listed("AbstractStringBuilder StringBuilder StringBuffer", owner) &&
	       !match_listed("toString substring getChars", m->method);
}

bool advice_is_growth(const struct advice_facts *f)
{
	return f->array && advice_grows(match_maker(f)->method);
}

#define TEXT_MAKERS                                                                              \
	"String StringLatin1 StringUTF16 StringConcatHelper StringCoding AbstractStringBuilder " \
	"StringBuilder StringBuffer Integer Long"

bool advice_is_copy(const struct advice_facts *f)
{
	const struct model_frame *m = match_maker(f);

	if (!f->array)
		return m->method && strcmp(m->method, "clone") == 0;
	return match_listed("clone toArray toCharArray toChars getBytes", m->method);
}

/* Copied by the reader's own call of Arrays.copyOf or copyOfRange. */
bool advice_is_copied_array(const struct advice_facts *f)
{
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	return call && strcmp(call->class_name, "java.util.Arrays") == 0 &&
	       match_listed("copyOf copyOfRange", call->method);
}

/* What a method of the JDK hands on to another one, which takes any number of options. */
bool advice_is_no_option(const struct advice_facts *f)
{
	return advice_is_empty_array(f) && advice_made_in_jdk(f) &&
	       match_class(f, "java.nio.file.",
			   "LinkOption[] OpenOption[] CopyOption[] attribute.FileAttribute[]");
}

/* Made inside a method of the JDK, where the reader cannot share it. */
bool advice_is_empty_result(const struct advice_facts *f)
{
	return advice_is_empty_array(f) && advice_made_in_jdk(f) && !advice_is_copied_array(f);
}

bool advice_is_text(const struct advice_facts *f)
{
	const struct model_frame *m = match_maker(f);

	if (strcmp(f->class_name, "java.lang.String") == 0)
		return true;
	return strcmp(f->class_name, "byte[]") == 0 && !advice_is_copy(f) &&
	       match_listed(TEXT_MAKERS, match_within(m->class_name, "java.lang.")) &&
	       !match_starts(m->method, "encode");
}

/* A text that a method cuts out of another. */
bool advice_is_cut_text(const struct advice_facts *f)
{
	static const char *const methods[] = { "substring", "split", "trim", "strip" };
	bool cut = match_called(f, "java.util.StringTokenizer", NULL);

	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		cut |= match_called(f, "java.lang.String", methods[i]);
	return cut && advice_is_text(f);
}

/*
 * The table of a collection whose first one comes from the constructor. A later one takes over what
 * was in that, so it holds something; it is empty in the end because the next one takes that over.
 */
static bool is_enlarged_table(const struct advice_facts *f)
{
	const struct model_frame *m = match_maker(f);

	return advice_is_growth(f) &&
	       match_listed("IdentityHashMap Hashtable WeakHashMap ArrayDeque PriorityQueue Vector",
			    match_within(m->class_name, "java.util."));
}

bool advice_is_unfilled(const struct advice_facts *f)
{
	return f->array && f->zero >= MOSTLY_EMPTY && !(f->capacity.unfilled < WORTH) &&
	       !is_enlarged_table(f);
}

/* The array of a JDK collection, which can only be made smaller by its capacity. */
bool advice_is_unfilled_collection(const struct advice_facts *f)
{
	const char *owner = match_within(match_maker(f)->class_name, "java.util.");

	return advice_is_unfilled(f) && advice_made_in_jdk(f) && *owner && !strchr(owner, '.') &&
	       strchr(f->class_name, '.');
}

/* An array of the JDK's own, whose length is not in the reader's code. */
static bool is_unfilled_inside(const struct advice_facts *f)
{
	return advice_is_unfilled(f) && advice_made_in_jdk(f) && !advice_is_copied_array(f);
}

/* It belongs to an object of the JDK that the reader's code makes. */
bool advice_is_unfilled_part(const struct advice_facts *f)
{
	return is_unfilled_inside(f) && !f->scattered &&
	       strcmp(f->frames[f->own - 1].method, "<init>") == 0;
}

bool advice_is_unfilled_result(const struct advice_facts *f)
{
	return is_unfilled_inside(f);
}

/* The array of an object of the JDK that the reader's code makes, and fills after that. */
bool advice_is_filled_later(const struct advice_facts *f)
{
	return f->array && advice_made_in_jdk(f) && !f->scattered &&
	       strcmp(f->frames[f->own - 1].method, "<init>") == 0;
}

/* A list that gives up an entry takes out what was in it, so in the end all are alike. */
bool advice_is_not_taken_out(const struct advice_facts *f)
{
	return !advice_is_entry(f);
}

/* Objects of which each field is 0 or null. */
bool advice_holds_nothing_more(const struct advice_facts *f)
{
	return !f->array && f->zero >= ADVICE_NEARLY_ALL && advice_is_not_taken_out(f);
}

/* Equal ones refer to the same object; that this changes does not make them unequal. */
bool advice_has_changing_target(const struct advice_facts *f)
{
	return f->changing_target;
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
	/* an array has no part that others could refer to; that strings differ is trivial */
	return f->ndiffering > 0 && !f->array && f->ndiffering <= FEW_FIELDS &&
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

/* What a method of the JDK makes for its caller: nobody else can keep it. */
bool advice_is_partly_proven_result(const struct advice_facts *f)
{
	return advice_is_partly_proven(f) && advice_made_in_jdk(f) && !f->scattered &&
	       f->own < f->n && strcmp(f->frames[f->own - 1].method, "<init>") != 0;
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

/* Whether some of the objects are told apart though they hold the same. */
/* Elements of an array have no part that others could refer to. */
bool advice_varies_in_use(const struct advice_facts *f)
{
	return advice_seen_in_use_only(f) && !f->array;
}

bool advice_has_identity(const struct advice_facts *f)
{
	return f->identity > 0;
}

/* Locks are used without a load, and what is kept may be used later. */
bool advice_is_unread(const struct advice_facts *f)
{
	return f->watches >= UNREAD_WATCHES && f->used == 0 && !advice_has_identity(f) &&
	       !advice_is_kept(f);
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
