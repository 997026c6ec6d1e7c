/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix.h - the findings that a report ranks: what a change at one method keeps from being made.
 *
 * A row is a class at a line, and a fix often concerns several of them: String.format makes
 * fifteen classes at two lines of one method. So all that one rule of advice (advice.h) says of
 * one method is one fix. It has the bytes that its change avoids, in three kinds:
 *
 *	certain   the call alone decides: its helpers are not made if it is not made
 *	likely    objects that are equal and do not change, of which one is enough
 *	possible  alike or empty when last seen; what they were before is not known
 *
 * No allocated byte counts in two fixes: an object belongs to the first rule that the call
 * decides, else to the first that its content decides. docs/findings.md has the reasons.
 */
#ifndef OJX_FIX_H
#define OJX_FIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "fix/callers.h"
#include "fix/fix_part.h"

/* Rows of a smaller share of all bytes are in no fix. */
#define FIX_LEAST_SHARE 1e-4

struct fix {
	const struct advice_rule *rule;
	int32_t pid;
	struct fix_part *part; /* by what is avoided, the largest first; in fixes.part */
	size_t nparts;
	double objects, bytes;
	uint64_t sampled;	     /* objects of which these are estimates */
	double z;		     /* quantile of its intervals */
	struct fix_sum sum, remains; /* of what is certain, and what the fix may need as well */
	struct estimate certain, likely, avoidable; /* avoidable: certain and likely */
	double possible;
	double weighed;		/* the possible ones, by their weights */
	double looked, agreed;	/* as of a part, of those with possible bytes */
	bool unlooked;		/* of such a part no object was looked at again */
	uint64_t watches, used; /* of these: watches of objects, and those that saw a use */
	double expected;	/* avoidable and weighed: by this, fixes are ranked */
	enum advice_kind kind;	/* of the largest part of `expected` */
	double share;		/* `bytes` of those of all lines, 0..1 */
	uint64_t rank;		/* its place among all, from 1 */
	bool large; /* nothing is expected of it, but it is one of the largest of these */
	/* nothing of it was made after that, though the JVM ran on; 0: it went on */
	double until_s;
	bool few; /* of so few samples that its bytes are a guess: all are only possible */
};

struct fixes {
	/* see fixes_rank; then those that are accepted */
	struct fix *fix;
	size_t n;
	size_t gains; /* the first of them, that avoid something */
	struct fix_part *part;
	size_t nparts;
	const struct rows *lines; /* in which they were found */
	double bytes;		  /* of all lines */
	double z;		  /* quantile of the intervals */
	struct estimate certain, likely;
	double possible, weighed;
	struct {
		size_t n;
		struct estimate avoidable;
		double expected;
	} accepted; /* those that were taken out; they are in no other figure */
};

/*
 * Finds the fixes of rows by line. The rows must outlive the fixes; if they are sorted, the fixes
 * follow them (fix_rows.h). Intervals are at the level `confidence`; which fixes there are, their
 * order and their values do not depend on it. Release with fixes_release.
 */
void fixes_find(struct fixes *fixes, struct rows *lines, const struct model *m, double confidence);
void fixes_release(struct fixes *fixes);

/*
 * Ranks them by what is expected, the largest first. Those of the beginning alone come after those
 * that went on, as fixes_find has them, unless `whole`.
 */
void fixes_rank(struct fixes *fixes, bool whole);

/* Takes out what `accepts` says, and sums up the others anew. */
void fixes_take_out(struct fixes *fixes, bool (*accepts)(const struct fix *f, void *arg),
		    void *arg);

/* The part that sentences are about: of those that the rule speaks of, the one that avoids most. */
static inline const struct fix_part *fix_first(const struct fix *f)
{
	for (size_t i = 0; i < f->nparts; i++)
		if (!f->part[i].follows)
			return &f->part[i];
	return &f->part[0];
}

/*
 * Makes one fix of those with the same key in several processes: their amounts are added, and the
 * sentences are about the first. `part` has room for all their parts, and is the caller's.
 */
void fix_join(struct fix *to, const struct fix *const *fixes, size_t n, struct fix_part *part);

/* The name of its rule, or of the rule whose fix it shares; "" without one. */
const char *fix_name(const struct fix *f);

/*
 * Writes "format com.acme.Shop.load": what names a fix with a rule in any recording of the same
 * program. It has no line and no process, which differ from one build or run to the next.
 * Without a rule or a known method there is none.
 */
bool fix_has_key(const struct fix *f);
void fix_put_key(FILE *out, const struct fix *f);
int fix_compare_keys(const struct fix *a, const struct fix *b); /* of two that have keys */

/*
 * Bytes and objects of all its parts of the class of part i. Returns the number of parts before i
 * that have this class: 0 for the first one.
 */
size_t fix_class_of(const struct fix *f, size_t i, double *bytes, double *objects);

/*
 * Bytes of a context of one of its parts that it avoids; over all of them, `avoidable`. What is
 * avoided is shared out by what the contexts allocate.
 */
double fix_avoids_of(const struct fix *f, const struct fix_part *part,
		     const struct model_context *context);

/* The JVM that it is of; 0: not known. */
uint32_t fix_jvm(const struct fix *f);

/* The line numbers of its parts, each once, in their order; 0: not known. The caller frees them. */
int *fix_lines_of(const struct fix *f, size_t *n);

/* Estimates who calls the method, of all its parts: callers_estimate. */
void fix_callers(struct callers *to, const struct fix *f, const struct model *m, size_t depth,
		 double z);

/* A sentence of its rule, problem or fix, about these objects. */
void fix_put_sentence(FILE *out, const struct style *s, const struct fix *f, const char *sentence);

/* Whether it avoids anything, perhaps; or so much is made there that a reader should know. */
bool fix_is_shown(const struct fixes *fixes, size_t i);

/* What all of them avoid, as one without parts; its errors are those of fixes_expected. */
struct fix fixes_sum(const struct fixes *fixes);

/*
 * What the first `n` are expected to avoid. The lower end of the interval has none of the possible
 * bytes, the upper one has all. What is certain are samples of different objects; that equal ones
 * may have been equal before, or not, is the same doubt of all: its errors add up.
 */
struct estimate fixes_expected(const struct fixes *fixes, size_t n);

/*
 * What the amount is that is told of it, `avoidable` or else `possible`: a fix whose possible bytes
 * are the largest part can have likely ones, too.
 */
static inline enum advice_kind fix_kind_told(const struct fix *f)
{
	return f->kind == ADVICE_POSSIBLE && f->avoidable.value > 0 ? ADVICE_LIKELY : f->kind;
}

/* Whether all parts of what is possible were looked at again, and nothing ever was the same. */
static inline bool fix_is_refuted(const struct fix *f)
{
	return !f->few && !f->unlooked && f->looked >= ANALYSIS_MIN_PAIRS && !(f->agreed > 0);
}

/* "certain", "likely", "possible". */
const char *fix_kind_name(enum advice_kind kind);

#endif
