/* SPDX-License-Identifier: Apache-2.0 */
/* replica_result.h - the result of the analysis of a row, and its options; see replica.h. */
#ifndef OJX_REPLICA_RESULT_H
#define OJX_REPLICA_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/analysis.h"
#include "model/model.h"
#include "stats/bounds.h"
#include "stats/cluster.h"

enum replica_source {
	REPLICA_NONE,  /* no pair */
	REPLICA_WATCH, /* content at a use */
	REPLICA_SCAN,  /* content at the end of life */
};

enum replica_verdict {
	VERDICT_UNKNOWN,    /* too little evidence */
	VERDICT_REPLICA,    /* one content dominates */
	VERDICT_FEW_VALUES, /* no content dominates, but there are few */
	VERDICT_PARTIAL,    /* equal except for some fields */
	VERDICT_DISTINCT,
	VERDICT_ALIKE,	    /* equal at the end of life; it is not proven that they were before */
	VERDICT_SOME_EQUAL, /* merging equal objects saves a quarter, but not known to save half */
	VERDICT_CHANGING,   /* they change after their first use */
};

/* Why nothing is promised about objects that are alike at the end of their life. */
enum replica_doubt {
	DOUBT_NONE,
	/* their identity may matter: locked, hashed by identity, or without fields */
	DOUBT_IDENTITY,
	DOUBT_CHANGES,	/* some differed when used */
	DOUBT_UNSEEN,	/* they could change, and too few were seen in use */
	DOUBT_REFERRED, /* what they refer to could change */
};

/*
 * What a few snapshots decide, see verdict.h. Shares are of bytes. Each bound holds separately at
 * 0.05 (0.01 below 20 snapshots). NAN without snapshots.
 */
struct replica_decision {
	enum replica_verdict verdict;
	enum replica_doubt doubt; /* of VERDICT_ALIKE */
	double snapshots;	  /* effective number */
	double top_low, top_high; /* share of the commonest content */
	double held_high;	  /* of the 16 commonest contents, at most */
	/*
	 * share of the bytes whose content others have at the end of life, rarer contents than
	 * VERDICT_COMMON left out: estimate; the same if what is not known to differ is equal; at
	 * most
	 */
	double common, common_most, common_high;
	/* snapshots needed for a verdict; 0: there is one; INFINITY: no number is enough */
	double missing;
};

struct replica_interval {
	double low, high; /* NAN: not measured */
};

/* How often the values at one position were equal, among all pairs that compared it. */
struct replica_field {
	uint64_t position; /* field index, or element index of an array */
	uint64_t pairs, equal;
	double share; /* share of equal ones, by weight */
};

/*
 * The few positions in which objects differ: without these, most pairs of snapshots would be equal.
 * Shares are of `pairs`, by weight. wire_position(positions, k) gives the position of slot k.
 */
struct replica_differing {
	uint64_t pairs, unequal; /* pairs of snapshots; those with unequal content */
	/* of a content; if this is more than `compared`, it may differ elsewhere */
	uint64_t positions;
	uint32_t compared; /* at most WIRE_SLOTS */
	/* bit k: slot k is one of them; 0: objects do not differ in a few positions */
	uint32_t slots;
	double equal;	  /* share of equal pairs */
	double without;	  /* of pairs that are equal, or would be without these positions */
	double unseen;	  /* of pairs that are unequal, but not in a compared position */
	double differing; /* mean share of the compared positions that differ in unequal pairs */
};

/* A place where objects were used. A pair whose objects were used at two places counts at both. */
struct replica_access {
	uint32_t jvm;
	uint32_t stack;	       /* stack id in that JVM */
	uint64_t uses;	       /* uses there, paired or not */
	uint64_t pairs, equal; /* equal: pairs with an equal value */
};

/* A value of strings, and its share of the strings that have a snapshot. */
struct replica_value {
	const struct model_value *value;
	double share;
};

/* How much is computed besides the verdict. The bounds take the most time. */
enum replica_detail {
	REPLICA_BOUNDS,	 /* bounds of the commonest contents; and as below */
	REPLICA_MISSING, /* how many snapshots are missing for a verdict */
	REPLICA_VERDICT, /* nothing else */
};

struct replica_options {
	double confidence;  /* of all intervals, such as 0.95; tests use 0.9999 */
	uint64_t min_pairs; /* with fewer, the verdict is unknown */
	uint64_t seed;	    /* of the random pairing */
	/* bytes that a sample may stand for, observations_interval(); 0: not known */
	double interval;
	bool live;    /* verdicts are made repeatedly while snapshots arrive */
	bool summary; /* leave out the details, and as REPLICA_VERDICT */
	enum replica_detail detail;
};
/*
 * With fewer pairs there is no verdict. Five of five equal pairs put A/n above 0.56 at 95 %; the
 * rule of the verdict covers what fewer leave open.
 */
#define REPLICA_MIN_PAIRS ANALYSIS_MIN_PAIRS
#define REPLICA_OPTIONS_INIT                                                  \
	{                                                                     \
		.confidence = 0.95, .min_pairs = REPLICA_MIN_PAIRS, .seed = 1 \
	}

/*
 * How equal the objects of a row are, by one kind of content: their own, or the deep one (deep.h).
 * Bytes are those of the objects only, since what they refer to has contexts of its own.
 */
struct replica_contents {
	uint64_t scanned; /* snapshots that have such contents */
	double largest;	  /* X_N/X: share of the largest group */
	struct replica_interval largest_ci;
	double distinct; /* number of contents, estimated; NAN if the snapshots do not tell */
	/*
	 * Lower bounds of what merging saves of all that was allocated. They count objects known to
	 * be equal during their whole life: by their uses, or because their class never changes. 0
	 * if nothing is known about that.
	 */
	double saved_objects, saved_bytes;
	/* from the lower bound to what is possible if all that was not seen is equal */
	struct replica_interval saved_objects_ci, saved_bytes_ci;
	/* saved_bytes at the upper end of the coverage; NAN if saved_bytes is */
	double saved_bytes_high;
	/* estimate of what merging saves; `end`: as if no object changed; NAN if the bounds are */
	double likely_bytes, likely_end_bytes;
	/*
	 * What merging would free of what was alive at the last view (bounds: the estimate is the
	 * lower one). NAN if no view could have held these objects. See live_heap.h.
	 */
	struct replica_interval saved_live_ci;
	enum replica_verdict verdict;
	struct replica_decision decision;
};

/* What takes the most room, and is looked at of a few rows only. */
struct replica_details {
	unsigned owners; /* results that share these, see replica_copy() */
	/*
	 * How often each position was equal. From snapshots, which compare all positions at once;
	 * but from uses, which compare one position each, if objects change between use and end of
	 * life.
	 */
	enum replica_source fields_source;
	size_t nfields; /* sorted by position */
	struct replica_field *fields;
	struct replica_differing differing; /* no pairs: not measured */
	size_t naccesses;		    /* sorted by uses, most first */
	struct replica_access *accesses;
	size_t nvalues; /* most frequent first */
	struct replica_value *values;
};

struct replica {
	/* what was allocated, estimated from the weights of samples */
	uint64_t sampled;
	double objects, bytes;

	/* from pairs: counts; then estimates that combine sizes by their shares */
	enum replica_source source;
	uint64_t pairs, a, b, c;
	double unused; /* share of the watches without a use; NAN without watches */
	double theta, alpha, omega, gamma, identical;
	struct replica_interval theta_ci, identical_ci;

	/* from snapshots; if nothing refers to anything, the figures of both are the same */
	struct replica_contents own, deep;
	bool refers;	 /* some object referred to something */
	double deep_cut; /* share of the objects that are equal only up to a bound */
	/*
	 * largest share of the objects that have a deep content that was seen; NAN: not known, or
	 * nothing refers to anything
	 */
	double covered_deep_high;
	/* least share of the bytes that do not change, among objects with equal deep contents */
	double stability_deep;
	/*
	 * For each part of the run: how much of replica_likely() rests on snapshots that stand for
	 * skipped objects. If those differed from what was seen, they did so in all rows alike.
	 */
	double others[CLUSTER_BLOCKS];
	/*
	 * What merging saves, at least, as if no object changed before its end; by content or deep
	 * content, whichever is more. Then the number of objects alike at the end of which a use
	 * was seen, and how many of these were the same when used. NAN and 0 without snapshots.
	 */
	double saved_end_bytes;
	uint64_t used_alike, used_same;
	/* bytes of value arrays of strings that repeat another's */
	struct replica_interval dedup_ci;

	/* what became of the objects */
	bool identity_used; /* an object was locked or identity-hashed, or has no fields */
	double identity;    /* share with an identity hash code, or used as a monitor */
	struct replica_interval identity_ci;
	double immutable; /* share of objects with two equal snapshots, of those with two */
	struct replica_interval immutable_ci;
	uint64_t twice, unchanged; /* number of objects with two snapshots, and with equal ones */
	/*
	 * share of the used objects whose content also occurs at the end of life; NAN if too few of
	 * the contents at the end are known
	 */
	double lasting;
	uint64_t lasting_uses, lasted; /* number of uses whose content is known, and of such */
	/* share that never changed after the first use: at most the smaller of the two above */
	double constant;
	struct replica_interval constant_ci;
	bool constant_class; /* (nearly) no object can change: no use is needed */
	/* what objects refer to cannot change, by the types of their fields */
	bool constant_referred;

	/* what was alive at the last view, estimated; NAN as `saved_live_ci` */
	double live_sampled; /* objects in the view */
	double live_objects, live_bytes;
	struct replica_interval live_objects_ci, live_bytes_ci;
	struct replica_interval dedup_live_ci; /* as dedup_ci, of what was alive */

	bool by_value;			 /* strings: deep contents are what their users see */
	struct replica_details *details; /* NULL: left out (`summary`) */
};

#endif
