/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advice.h - the problem at an allocation site, and a possible fix: one sentence each.
 *
 * The rules are a table (advice_rules.c); the first that matches is used. A rule looks at the
 * class, at the frames that all contexts of the row have in common, and at values that were 0 in
 * snapshots. It says only what these show. To add a rule: a line in the table, a match function, a
 * test in test/unit/test_advice.c, and a real example in docs/advice.md.
 */
#ifndef OJX_ADVICE_H
#define OJX_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/json_text.h"
#include "fix/capacity.h"
#include "report/rows.h"

/* The facts for rules. They point at nothing of the row itself, which sorting moves. */
struct advice_facts {
	const char *class_name; /* Java name; "" if unknown */
	bool array;
	const struct model_frame *frames; /* the common ones, innermost first, without folds */
	size_t n;
	size_t own;		      /* index of the first frame of the reader's own code, or n */
	enum replica_verdict verdict; /* by content alone, not by deep content */
	enum replica_doubt doubt;     /* of the verdict that the report shows */
	bool undecided;		      /* nor by deep content: the report shows no verdict */
	bool saves;		      /* something is saved for sure */
	bool only_used;		      /* known from uses alone: no snapshot was taken */
	int ndiffering;		      /* slots in which the objects differ; 0: not known */
	double zero; /* mean share of an object's values that are 0 or null; NAN: no snapshots */
	struct capacity capacity; /* of arrays, or of what a collection's constructor makes */
	/* share of the collections that had never held anything when looked at; NAN: not known */
	double empty;
	double traced;	   /* share of the exceptions that have a stack trace; NAN: not known */
	bool no_exception; /* the fields are known, and none is Throwable's */
	double no_length;  /* share of the arrays of length 0 */
	double sampled;	   /* arrays of which that is the share */
	size_t snapshots;  /* from which the other shares are */
	double identity;   /* share of the objects that were locked or hashed by identity */
	uint64_t watches;  /* that were long enough to see a use */
	uint64_t used;	   /* those of them that saw one */
	double alive;	   /* share of the bytes alive at the last view, at least; NAN: not known */
	bool differ; /* they change after their first use, or two were not equal when looked at */
	bool changing_target; /* many are equal, but what they refer to is not, as it changes */
	/* share of the commonest one of compiled expressions; NAN: not known (fix_expression.c) */
	double commonest;
	bool scattered; /* all frames are the JDK's, and the contexts have further ones */
};

/* How sure it is that the fix avoids what it removes; fix.h. */
enum advice_kind {
	ADVICE_CERTAIN,
	ADVICE_LIKELY,
	ADVICE_POSSIBLE,
	ADVICE_KINDS,
};

/* Which of the objects are not made once the fix is made. */
enum advice_removes {
	REMOVES_EQUAL,	    /* those that are equal to another and do not change */
	REMOVES_NOTHING,    /* none that could be counted */
	REMOVES_ALL,	    /* each of them */
	REMOVES_EMPTY,	    /* those that never held anything: facts.empty */
	REMOVES_LENGTHLESS, /* those of length 0: facts.no_length */
	REMOVES_UNREAD,	    /* each, though nothing but watches without a use tells so */
	REMOVES_UNFILLED,   /* the part of each that holds nothing: capacity_avoids */
};

#define ADVICE_KEPT 0.1 /* of the bytes: more of them are alive */

#define ADVICE_SOME    (1U << 30) /* unknown or alike at the end, and something is saved for sure */
#define ADVICE_NOTHING (1U << 31) /* the rule says that there is nothing to change */

struct advice_rule {
	const char *name;  /* identifier for programs: "boxing" */
	unsigned verdicts; /* bits 1 << enum replica_verdict, ADVICE_SOME; ADVICE_NOTHING */
	bool (*match)(const struct advice_facts *f);
	const char *problem, *fix; /* sentences with {words}, see advice_put */
	enum advice_removes removes;
	enum advice_kind kind; /* of REMOVES_ALL */
	/*
	 * Class and frames alone decide, for each way from the line to the allocation, whatever the
	 * objects hold. Then `verdicts` are those of rows for which the rule is shown.
	 */
	bool by_call;
	/* When the rule does not hold though it matches: what the fix itself makes. May be NULL. */
	bool (*except)(const struct advice_facts *f);
	/* Of what `except` leaves out, what the fix may make or not: it can be eliminated. */
	bool (*remains)(const struct advice_facts *f);
	bool unless_kept; /* nor does it hold of objects that are kept: each of them is needed */
	const char *with; /* the rule whose fix it shares; NULL: it has its own */
};

/* The name of its fix, which several rules may share. */
static inline const char *advice_fix_name(const struct advice_rule *rule)
{
	return rule->with ? rule->with : rule->name;
}

/* Ends with a rule without a name. */
extern const struct advice_rule advice_rules[];

/* Whether any rule is about the row's verdict; if not, nothing else of the row matters. */
bool advice_is_possible(const struct row *row);

struct advice {
	const struct advice_rule *rule;
	struct advice_facts facts;
	struct model_frame frames[]; /* of the facts */
};

/*
 * The advice for a row, by the verdict that the report shows. NULL: there is none. It is looked up
 * once, and kept with the row.
 */
const struct advice *row_advice(const struct row *row);

/*
 * The facts of some of a row's contexts: their frames are those of the one with the most bytes, up
 * to its line. The rule is left to the caller. Release with free().
 */
struct advice *advice_of(const struct row *row, struct model_context *const *contexts, size_t n);

/* Whether the objects are kept: each of them is needed, so none can be used again for another. */
static inline bool advice_is_kept(const struct advice_facts *f)
{
	return f->alive > ADVICE_KEPT;
}

/* Watches of a context's objects that were long enough to see a use; those that saw one. */
uint64_t advice_watches(const struct model_context *c, uint64_t *used);

/* The rule of that name. */
const struct advice_rule *advice_rule_named(const char *name);

/* The rule that class and frames alone decide, or NULL. */
const struct advice_rule *advice_by_call(const struct advice_facts *f);

/* The rule whose fix may make these objects itself, or not; NULL: none. */
const struct advice_rule *advice_of_remains(const struct advice_facts *f);

/*
 * The rule for objects of a row that no call decides, or NULL. As row_advice, but objects that hold
 * nothing need no verdict.
 */
const struct advice_rule *advice_by_content(const struct row *row, const struct advice_facts *f);

/*
 * Writes a sentence of the row's advice:
 *	{class}  {element}  "HashMap"; of an array its elements' type
 *	{call}   what the reader's code called: "String.format", "new ArrayList"; or the maker
 *	{maker}  the class of what the reader's code made or called: "OutputStreamWriter"
 *	{watches} their number
 *	{needs}  the capacity that is enough for most, or ""
 *	{reuse}  what to do if an array belongs to the maker; "" of other objects
 *	{owner}  class of the innermost frame: "StringBuilder"
 *	{at}     "at Shop.load:12", or "at several places"
 *	{caller} as {at}: what called the reader's own constructor, values() or iterator()
 *	{grown}  as {at}: what makes an array grow
 *	{zero} {empty}  shares in percent
 *	{missing} which evidence is too little for a saving to be certain
 *	{varies} what to do of expressions that are not known to be the same; "" else
 *	{fields} what keeps the objects apart: "id (int), next (Node)"
 *	{dedup}  "; " and what string deduplication does in this JVM; "" if it has none
 *	{varying} as {fields}: what differed when they were used; or "some of them"
 */
void advice_put(FILE *out, const struct style *s, const struct row *row, const char *sentence);
/* The same with the facts of some of the row's contexts. */
void advice_put_of(FILE *out, const struct style *s, const struct row *row,
		   const struct advice_facts *f, const char *sentence);

/* Whether a word of such a sentence writes the class of the objects, by itself or with a method. */
bool advice_names_class(const struct advice_facts *f, const char *sentence);

/* Writes a sentence about no row in particular, in which X is the class of the objects. */
void advice_put_general(FILE *out, const char *sentence);

/* Whether a method of that name copies an array into a larger one. */
bool advice_grows(const char *method);

/* For programs: adds a member "advice", {"rule", "problem", "fix"}, or null if there is none. */
void advice_json(struct json_text *t, const struct row *row);

#endif
