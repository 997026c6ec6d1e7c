/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.c - see verdict.h.
 *
 * All of it rests on comparisons of whole contents and on that end of each interval which makes the
 * claim harder to make. Where content was seen both at a use and at the end of life, what is claimed
 * must be possible by both: an object that is replaced by a shared one must equal it all its life.
 *
 * The first that holds:
 *  unknown     fewer than min_pairs pairs, and fewer than twice as many looks
 *  replica     one content dominates: A/n >= 1/3, by which the largest group has a third at least;
 *              or a group of half of all objects was seen by itself, and A/n >= 1/5, or there are twice
 *              min_pairs looks and A/n may be the 1/4 that follows
 *  few-values  merging equal objects would do away with a quarter of them or more
 *              (of these two, what looks tell alone holds with few pairs, too)
 *  partial     most values are equal where contents are not: alpha >= 1/2, among objects of one size
 *  distinct    A/n < 1/8, by which no content has more than about a third, and the contents seen
 *              do not come again in as much as a quarter of the objects, as such or with what they refer to;
 *              where that is not known, nothing is claimed
 *  unknown     otherwise
 */
#include "analyse/replica/verdict.h"

#include <math.h>

#define REPLICA_LEAST	     (1.0 / 3)
#define REPLICA_LEAST_GROUP  (1.0 / 5)
#define REPLICA_GROUP	     (1.0 / 2)
#define REPLICA_GROUP_PAIRS  (1.0 / 4) /* A/n of such a group at least */
#define LOOKS_FOR_PAIR	     2
#define FEW_VALUES_MERGED    (1.0 / 4)
#define PARTIAL_ALPHA	     (1.0 / 2)
#define DISTINCT_MOST	     (1.0 / 8)
#define DISTINCT_MOST_MERGED (1.0 / 4)

/*
 * A/n at all times: fmin takes the other where one is NAN. Objects that did not last are in no group, and
 * A = sum s_i^2 <= (sum s_i)^2.
 */
static double least_identical(const struct verdict_evidence *e)
{
	double lasting = e->lasting * e->lasting;

	return fmin(fmin(fmin(e->identical.low, e->other.high), e->group.high), lasting);
}

/* Objects that hold references have few pairs, of one epoch each, and rows of many contexts may have none. */
static bool enough_looks(const struct verdict_evidence *e)
{
	return e->looks >= LOOKS_FOR_PAIR * e->min_pairs;
}

static bool enough_pairs(const struct verdict_evidence *e)
{
	return e->pairs >= e->min_pairs && !isnan(e->identical.low);
}

static bool is_replica(const struct verdict_evidence *e)
{
	double least = least_identical(e);
	bool group = e->group.low >= REPLICA_GROUP;

	if (enough_pairs(e) && (least >= REPLICA_LEAST || (least >= REPLICA_LEAST_GROUP && group)))
		return true;
	if (!group || !enough_looks(e))
		return false;
	double most = fmin(fmin(e->identical.high, e->other.high), e->lasting * e->lasting);
	return !(most < REPLICA_GROUP_PAIRS);
}

static double least_merged_by_looks(const struct verdict_evidence *e)
{
	return fmin(e->covered.low, e->lasting) - e->contents_share;
}

/* Share of objects that merging would at least do away with. */
static double least_merged(const struct verdict_evidence *e)
{
	/* A = sum s_i^2 <= (share of objects in groups)^2 for a context; see docs/method.md */
	double least = fmax(0, least_identical(e));
	double by_pairs = e->one_context ? sqrt(least) : least;
	double by_sizes = fmin(fmin(e->within.low, e->other_within.high), e->lasting);

	return fmax(fmax(by_pairs, by_sizes) - e->sizes_share, least_merged_by_looks(e));
}

/*
 * What is equal as such is equal with what it refers to. So where an epoch has too few looks to tell, deep contents can. That
 * pairs are unequal does not: of a hundred equally frequent contents few are, and of those of one epoch even fewer.
 */
static bool is_distinct(const struct verdict_evidence *e)
{
	double covered = isnan(e->covered.high) ? e->covered_deep_high : e->covered.high;

	return fmin(e->identical.high, e->other.high) < DISTINCT_MOST &&
	       covered < DISTINCT_MOST_MERGED;
}

enum replica_verdict verdict_of(const struct verdict_evidence *e)
{
	if (is_replica(e))
		return VERDICT_REPLICA;
	if (!enough_pairs(e))
		return enough_looks(e) && least_merged_by_looks(e) >= FEW_VALUES_MERGED
			       ? VERDICT_FEW_VALUES
			       : VERDICT_UNKNOWN;
	if (least_merged(e) >= FEW_VALUES_MERGED)
		return VERDICT_FEW_VALUES;
	if (e->alike.low >= PARTIAL_ALPHA)
		return VERDICT_PARTIAL;
	return is_distinct(e) ? VERDICT_DISTINCT : VERDICT_UNKNOWN;
}

const char *replica_verdict_name(enum replica_verdict v)
{
	static const char *const names[] = {
		[VERDICT_UNKNOWN] = "unknown",	     [VERDICT_REPLICA] = "replica",
		[VERDICT_FEW_VALUES] = "few-values", [VERDICT_PARTIAL] = "partial",
		[VERDICT_DISTINCT] = "distinct",
	};

	return (unsigned)v < sizeof names / sizeof names[0] ? names[v] : "unknown";
}
