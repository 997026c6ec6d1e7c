/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.c - see verdict.h.
 *
 * The rule compares whole contents, with exact bounds that hold from five snapshots on (spread.h).
 * A claim must hold for the whole life: an object that is replaced by a shared one must equal it
 * from its first use on.
 *
 * The first line that holds:
 *
 *	replica     one content holds half of the bytes; of objects with references, one in
 *	            each epoch
 *	few-values  merging equal objects would save half of the bytes
 *	some-equal  merging equal objects would save a quarter of the bytes
 *	changing    at most a quarter of the bytes is of objects that stay the same after their
 *	            first use
 *	alike       one of the first two holds at the end of life, but it is not proven that
 *	            it held before
 *	partial     half of the slots are equal, on average over pairs, and objects are not
 *	            alike at the end
 *	distinct    the 16 commonest contents hold at most a quarter of the bytes, when used
 *	            or at the end, or at each time
 *	unknown     otherwise
 *
 * What uses tell is of the sizes that were seen in use. The others may hold anything, so the share
 * among these sizes has to be as much larger.
 *
 * The first two require that objects stay alike: no object can change, or at least half of those
 * alike at the end were the same when used, or the other way round. If uses show the contrary,
 * `alike` does not hold either. `some-equal` takes whatever part stays the same.
 */
#include "analyse/replica/verdict.h"

#include <math.h>

#include "stats/binomial.h"
#include "stats/more.h"

#define HALF		0.5
#define QUARTER		0.25
#define LEAST		5   /* with fewer, bounds may not hold, and uses contradict nothing */
#define SNAPSHOTS_LEAST 8   /* with fewer, uses may tell more */
#define MANY		128 /* from which on the commonest contents of the snapshots tell, too */
#define MOST_TIMES	1e4 /* times the snapshots seen; nobody waits for more */

static double alpha_of(const struct verdict_evidence *e, double n)
{
	return spread_alpha(n, e->live);
}

static bool top_is_half(const struct verdict_evidence *e, const struct spread *s)
{
	return spread_top_reaches(s, HALF, alpha_of(e, s->n));
}

/* The same of what was seen in use: the sizes of these objects are that share of all bytes. */
static double of_used(const struct verdict_evidence *e, double share)
{
	return e->unused_sizes < 1 ? share / (1 - e->unused_sizes) : INFINITY;
}

static bool used_top_is_half(const struct verdict_evidence *e, const struct spread *s)
{
	double limit = of_used(e, HALF);

	return limit <= 1 && spread_top_reaches(s, limit, alpha_of(e, s->n));
}

static bool top_is_less(const struct verdict_evidence *e, const struct spread *s)
{
	return !e->several && s->n >= LEAST && spread_top_high(s, alpha_of(e, s->n)) < HALF;
}

/* The least share of the objects that stay the same; `share` of `number` objects were seen to. */
static double least_of(const struct verdict_evidence *e, double share, double number)
{
	if (e->constant)
		return 1;
	if (!(number > 0))
		return 0;
	return binomial_low(share * number, number, alpha_of(e, number));
}

/*
 * Of the objects alike at the end, the least share that was the same when used; then, of those
 * alike when used, the least share that is the same at the end.
 */
static double least_same(const struct verdict_evidence *e)
{
	return least_of(e, e->same, e->seen_used);
}

static double least_staying(const struct verdict_evidence *e)
{
	return least_of(e, e->used_same, e->used_seen);
}

/*
 * Whether merging saves this share of the bytes, if the share `stays` of the objects stays the
 * same.
 */
static bool mergeable(const struct verdict_evidence *e, const struct spread *s, double share,
		      double stays)
{
	double wanted = (share + e->kept) / stays;

	if (!(s->n >= LEAST) || !(wanted <= 1) || spread_covered(s) < wanted)
		return false;
	return spread_covered_reaches(s, wanted, alpha_of(e, s->n));
}

static bool is_distinct(const struct verdict_evidence *e, const struct spread *s, double alpha)
{
	return !e->several && held_within(s, VERDICT_CONTENTS, QUARTER, alpha, e->work);
}

/* Whether the commonest contents tell at the end, too. Then two bounds share the level. */
static bool has_both(const struct verdict_evidence *e)
{
	return e->end_most.n * e->end_most.as_quarter >= MANY && spread_covered(&e->end) < HALF;
}

static bool is_distinct_at_end(const struct verdict_evidence *e)
{
	const struct spread *s = &e->end_most;
	double alpha = alpha_of(e, s->n) / (has_both(e) ? 2 : 1);

	return (!e->several && has_both(e) && spread_few_high(s, alpha) <= QUARTER) ||
	       is_distinct(e, s, alpha);
}

static bool is_distinct_at_once(const struct verdict_evidence *e)
{
	double alpha = alpha_of(e, e->at_once.own.pairs);

	return at_once_high(&e->at_once, VERDICT_CONTENTS, alpha) <= QUARTER;
}

double verdict_held_high(const struct verdict_evidence *e)
{
	const struct spread *s = &e->end_most;
	double alpha = alpha_of(e, s->n) / (has_both(e) ? 2 : 1);
	double high = held_high(s, VERDICT_CONTENTS, alpha);
	double once =
		at_once_high(&e->at_once, VERDICT_CONTENTS, alpha_of(e, e->at_once.own.pairs));

	if (e->several)
		return fmax(QUARTER, once);
	/* these bounds hold from a quarter on */
	if (has_both(e))
		high = fmin(high, fmax(QUARTER, spread_few_high(s, alpha)));
	return fmin(high, fmax(QUARTER, once));
}

/*
 * Whether one content dominates in each epoch, or process. Contents of different ones cannot be
 * compared, so none is known to be common over the whole run.
 */
static bool one_at_a_time(const struct verdict_evidence *e)
{
	return e->equal_low >= HALF && !top_is_less(e, &e->use_most);
}

static bool is_partial(const struct verdict_evidence *e)
{
	if (e->values_low >= HALF && !(e->end.n >= SNAPSHOTS_LEAST))
		return true;
	return e->slots >= HALF &&
	       spread_equal_reaches(e->slots, e->slots_n, HALF, alpha_of(e, e->slots_n));
}

/* Deep contents, and objects that cannot change, have no such evidence. */
static bool are_changing(const struct verdict_evidence *e)
{
	double n = e->all_used;

	return !e->constant && n > 0 &&
	       binomial_high(e->all_same * n, n, alpha_of(e, n)) <= QUARTER;
}

/* Why objects that are alike at their end are not called replicas. */
static enum replica_doubt doubt_of(const struct verdict_evidence *e)
{
	if (e->identity)
		return DOUBT_IDENTITY;
	if (e->referred)
		return e->seen_used > 0 && e->same < HALF ? DOUBT_CHANGES : DOUBT_REFERRED;
	return e->seen_used > 0 && e->same < 1 ? DOUBT_CHANGES : DOUBT_UNSEEN;
}

enum replica_verdict verdict_of(const struct verdict_evidence *e, enum replica_doubt *doubt)
{
	bool varied = is_distinct(
		e, &e->use_most,
		alpha_of(e, e->use_most.n)); /* when used, whatever they are at the end */
	bool end_half = top_is_half(e, &e->end), end_few = mergeable(e, &e->end, HALF, 1);
	bool ends_alike = end_half || end_few, unlinked = !e->identity && !e->referred;
	double same = unlinked ? least_same(e) : 0;
	double stay = unlinked ? least_staying(e) : 0;
	/*
	 * sampled accesses see objects of any age: if these are alike, it is not just a common
	 * beginning
	 */
	bool lasts = unlinked && used_top_is_half(e, &e->any_age);
	bool proven = same >= HALF, stays = stay >= HALF;
	bool few_ends = !(e->end.n >= SNAPSHOTS_LEAST);
	enum replica_doubt ignored = DOUBT_NONE;

	doubt = doubt ? doubt : &ignored;
	*doubt = DOUBT_NONE;
	if (proven && end_half && !varied && !top_is_less(e, &e->use_most))
		return VERDICT_REPLICA;
	if ((stays || lasts) && used_top_is_half(e, &e->use) && !top_is_less(e, &e->end_most))
		return VERDICT_REPLICA;
	if (proven && end_few && !varied && mergeable(e, &e->end, HALF, same))
		return one_at_a_time(e) ? VERDICT_REPLICA : VERDICT_FEW_VALUES;
	if (stays && few_ends && mergeable(e, &e->use, of_used(e, HALF), stay))
		return VERDICT_FEW_VALUES;
	if (!varied && (mergeable(e, &e->end, QUARTER, same) ||
			(few_ends && mergeable(e, &e->use, of_used(e, QUARTER), stay))))
		return VERDICT_SOME_EQUAL;
	if (are_changing(e))
		return VERDICT_CHANGING;
	if (ends_alike && !varied) {
		*doubt = doubt_of(e);
		return VERDICT_ALIKE;
	}
	if (!ends_alike && is_partial(e))
		return VERDICT_PARTIAL;
	if (varied || is_distinct_at_end(e) || is_distinct_at_once(e))
		return VERDICT_DISTINCT;
	return VERDICT_UNKNOWN;
}

/* ---- what is missing --------------------------------------------------------------------- */

/* What further evidence will be like, by each of the spreads. */
struct outlook {
	const struct verdict_evidence *seen;
	struct more end, end_most, use, use_most, any_age;
};

/* The same evidence, with `times` as many snapshots and uses. */
static struct verdict_evidence evidence_of(const struct outlook *o, double times)
{
	struct verdict_evidence more = *o->seen;

	more.end = more_of(&o->end, times);
	more.end_most = more_of(&o->end_most, times);
	more.use = more_of(&o->use, times);
	more.use_most = more_of(&o->use_most, times);
	more.any_age = more_of(&o->any_age, times);
	more.slots_n *= times;
	more.at_once = at_once_more(&o->seen->at_once, times);
	more.seen_used *= times;
	more.used_seen *= times;
	more.all_used *= times;
	return more;
}

static bool decides(const struct outlook *o, double times)
{
	struct verdict_evidence more = evidence_of(o, times);

	return verdict_of(&more, NULL) != VERDICT_UNKNOWN;
}

/* How many further snapshots `times` as many are, rounded up, except for errors of rounding. */
static double whole_snapshots(double snapshots, double times)
{
	return ceil((times - 1) * snapshots - 0.01);
}

static double missing(const struct verdict_evidence *e)
{
	struct outlook o = { .seen = e };
	double snapshots = fmax((double)e->end.snapshots, (double)e->use.snapshots), low = 1,
	       high = 2;

	if (verdict_of(e, NULL) != VERDICT_UNKNOWN)
		return 0;
	if (snapshots < 2) /* a single snapshot cannot be alike with another */
		return SNAPSHOTS_LEAST - snapshots;
	more_begin(&o.end, &e->end, 0);
	more_begin(&o.end_most, &e->end_most, 0);
	more_begin(&o.use, &e->use, 0);
	more_begin(&o.use_most, &e->use_most, 0);
	more_begin(&o.any_age, &e->any_age, 0);
	while (!decides(&o, high)) {
		low = high;
		high *= 2;
		if (high > MOST_TIMES)
			return INFINITY;
	}
	while ((high - low) * snapshots > 0.005 &&
	       whole_snapshots(snapshots, low) < whole_snapshots(snapshots, high)) {
		double middle = (low + high) / 2;
		if (decides(&o, middle))
			high = middle;
		else
			low = middle;
	}
	return fmax(1, whole_snapshots(snapshots, high));
}

double verdict_missing(const struct verdict_evidence *e)
{
	struct held_work work = { .n = 0 };
	struct verdict_evidence working = *e;

	working.work = &work;
	double result = missing(&working);
	held_work_release(&work);
	return result;
}

const char *replica_verdict_name(enum replica_verdict v)
{
	static const char *const names[] = {
		[VERDICT_UNKNOWN] = "unknown",	     [VERDICT_REPLICA] = "replica",
		[VERDICT_FEW_VALUES] = "few-values", [VERDICT_PARTIAL] = "partial",
		[VERDICT_DISTINCT] = "distinct",     [VERDICT_ALIKE] = "alike-at-end",
		[VERDICT_SOME_EQUAL] = "some-equal", [VERDICT_CHANGING] = "changing",
	};

	return (unsigned)v < sizeof names / sizeof names[0] ? names[v] : "unknown";
}

const char *replica_doubt_name(enum replica_doubt d)
{
	static const char *const names[] = {
		[DOUBT_IDENTITY] = "identity",
		[DOUBT_CHANGES] = "changes",
		[DOUBT_UNSEEN] = "unseen",
		[DOUBT_REFERRED] = "referred",
	};

	return (unsigned)d < sizeof names / sizeof names[0] ? names[d] : NULL;
}

/* Groups may be found that are half as common, or the estimate would be too low. */
double verdict_common(const struct verdict_evidence *e)
{
	struct more m;

	if (!(e->end.n > 0))
		return NAN;
	more_begin(&m, &e->end, VERDICT_COMMON / 2);
	return more_covered(&m);
}

double verdict_common_most(const struct verdict_evidence *e)
{
	struct more m;

	if (!(e->end_most.n > 0))
		return NAN;
	more_begin(&m, &e->end_most, VERDICT_COMMON);
	return fmin(more_covered(&m), at_once_covered(&e->at_once, VERDICT_COMMON));
}

double verdict_common_high(const struct verdict_evidence *e, double alpha)
{
	return fmin(more_covered_high(&e->end_most, VERDICT_COMMON, alpha),
		    at_once_covered_high(&e->at_once, VERDICT_COMMON, alpha));
}
