/* SPDX-License-Identifier: Apache-2.0 */
/* replica_result.h - what the analysis of a row finds, and what it can be told; see replica.h. */
#ifndef OJX_REPLICA_RESULT_H
#define OJX_REPLICA_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

enum replica_source {
	REPLICA_NONE,  /* no pair */
	REPLICA_WATCH, /* content at a use */
	REPLICA_SCAN,  /* content at the end of life */
};

enum replica_verdict {
	VERDICT_UNKNOWN,    /* too little evidence */
	VERDICT_REPLICA,    /* one content dominates */
	VERDICT_FEW_VALUES, /* no content dominates, but there are few */
	VERDICT_PARTIAL,    /* same but for some fields */
	VERDICT_DISTINCT,
	VERDICT_ALIKE, /* alike at the end of life; that they were before is not proven */
};

/* Why objects that are alike at the end of their life are promised nothing. */
enum replica_doubt {
	DOUBT_NONE,
	DOUBT_IDENTITY, /* who they are may matter: locked, hashed by identity, or without fields */
	DOUBT_CHANGES,	/* some were seen to differ when used */
	DOUBT_UNSEEN,	/* they could change, and too few were seen in use */
	DOUBT_REFERRED, /* what they refer to could change */
};

#define REPLICA_PARTNERS    3
#define REPLICA_SHARED_MUCH 0.25 /* shared_low, from which on partners are looked for */

/*
 * What few looks decide, see verdict.h. Shares are of bytes; each bound holds by itself at 0.05
 * (0.01 below 20 looks). NAN where there were no looks.
 */
struct replica_decision {
	enum replica_verdict verdict;
	enum replica_doubt doubt; /* of VERDICT_ALIKE */
	double snapshots;	  /* as many of equal weight would tell as much */
	double top_low, top_high; /* share of the commonest content */
	double held_high;	  /* of the 16 commonest, at most */
	/* Of objects that were compared with all of their class (compare_population.h). */
	double compared;	 /* effective number of looks; 0: none were */
	double compared_objects; /* with so many */
	double found_elsewhere;	 /* share that has an equal object of whichever line: estimated, */
	/* contexts of other rows that have the same contents, those with most first */
	size_t npartners;
	const struct model_context *partners[REPLICA_PARTNERS];
	double shared_low; /* and at least; NAN without looks */
	double missing; /* looks until there is a verdict; 0: there is; INFINITY: no number tells */
};

struct replica_interval {
	double low, high; /* NAN where not measured */
};

/* How often the values at one position were equal, over all pairs that compared it. */
struct replica_field {
	uint64_t position; /* field index, or element index of an array */
	uint64_t pairs, equal;
	double share; /* of the equal ones, by weight */
};

/*
 * What keeps the objects apart: the few positions without which most pairs of looks would be equal.
 * Shares are of `pairs`, by weight. wire_position(positions, k) tells where slot k is.
 */
struct replica_apart {
	uint64_t pairs, unequal; /* pairs of looks, and of these with unequal content */
	uint64_t positions; /* of a content; if more than were compared, it may differ elsewhere */
	uint32_t compared;  /* at most WIRE_SLOTS */
	uint32_t slots;	    /* bit k: slot k is one; 0: there are no few such positions */
	double equal;	    /* share of equal pairs */
	double without;	    /* of those that are, or would be if these positions were ignored */
	double unseen;	    /* of those unequal, but not in a position that was compared */
	double differing;   /* mean share of the compared positions in which unequal pairs differ */
};

/* Where objects were used. A pair whose objects were used at two places is counted at both. */
struct replica_access {
	uint32_t jvm;
	uint32_t stack;	       /* stack id in that JVM */
	uint64_t uses;	       /* observations there, paired or not */
	uint64_t pairs, equal; /* equal: the sampled value */
};

/* A value of strings, and how frequent it is among those that were looked at. */
struct replica_value {
	const struct model_value *value;
	double share;
};

struct replica_options {
	double confidence;  /* of all intervals, e.g. 0.95; tests use 0.9999 */
	uint64_t min_pairs; /* fewer: verdict unknown */
	uint64_t seed;	    /* of the random pairing */
	bool live;	    /* verdicts are made again and again while looks come in */
	bool summary;	    /* without fields, what keeps objects apart, accesses and values */
};
/* Fewer pairs give no verdict. Five of five equal put A/n above 0.56 at 95 %; what fewer leave
 * open, the verdict's rule does. */
#define REPLICA_MIN_PAIRS 5
#define REPLICA_OPTIONS_INIT                                                  \
	{                                                                     \
		.confidence = 0.95, .min_pairs = REPLICA_MIN_PAIRS, .seed = 1 \
	}

struct replica {
	/* what was allocated (estimates from the samples' weights) */
	uint64_t sampled;
	double objects, bytes;

	/* from pairs: counts, then estimates with sizes put together by their shares */
	enum replica_source source;
	uint64_t pairs, a, b, c;
	double unused; /* share of the watches that saw no use; NAN without watches */
	double theta, alpha, omega, gamma, identical;
	struct replica_interval theta_ci, identical_ci;

	/* from looks at whole objects */
	uint64_t scanned;
	double largest_group; /* X_N/X */
	struct replica_interval largest_group_ci;
	double distinct; /* different contents, estimated; NAN where the looks do not tell */
	/*
	 * A lower bound, of what was allocated: of objects that are known to be equal all their
	 * life, by uses of some or as their class does not change. 0 where nothing is known of
	 * that.
	 */
	double saved_objects, saved_bytes;
	double likely_bytes, likely_deep_bytes; /* the same sums, estimated; NAN where these are */
	double saved_bytes_high; /* the same sum at the upper end of its interval; NAN where
				    saved_bytes is */
	/* from the lower bound to what is possible, whatever was not seen */
	struct replica_interval saved_objects_ci, saved_bytes_ci;
	double identity; /* share whose identity hash was asked for, or that were used as a monitor
			  */
	struct replica_interval identity_ci;
	double immutable; /* share of objects looked at twice that had not changed */
	struct replica_interval immutable_ci;
	/* share of the used objects whose content was also one at the end of life; NAN where too
	 * little of the contents at the end of life is known */
	double lasting;
	/* share that never changed after the first use: at most the lesser of the two above */
	double constant;
	struct replica_interval constant_ci;

	/*
	 * The same with what the objects refer to, see deep.h. Bytes are those of the objects
	 * alone: what they refer to has a context of its own. Where nothing refers to anything
	 * these are the figures from above.
	 */
	uint64_t deep_scanned; /* looks at hand that followed references */
	double deep_cut; /* share of the objects that are equal, if so, as far as looked only */
	double largest_deep;
	struct replica_interval largest_deep_ci;
	double distinct_deep;
	/* most that deep contents seen, by looks, can have of the objects; NAN: not known, or
	 * nothing refers to anything */
	double covered_deep_high;
	bool refers;	       /* some object referred to something */
	double stability_deep; /* share of the bytes that does not change, at least, of what is
				  deeply alike */
	double saved_deep_objects, saved_deep_bytes;
	double saved_deep_bytes_high; /* as saved_bytes_high */
	struct replica_interval saved_deep_objects_ci, saved_deep_bytes_ci;
	/*
	 * What the bound would be by contents alone, as if no object changed before its end, as
	 * such or deep, whichever is more; and of how many objects that are alike at the end a use
	 * was seen, and of how many it found them the same. NAN, 0 without looks.
	 */
	double saved_end_bytes;
	uint64_t used_alike, used_same;
	bool constant_class;	/* the class rules out any change: no use is needed */
	bool constant_referred; /* what objects refer to cannot change, by the types of fields */
	struct replica_interval dedup_ci; /* bytes of strings' value arrays that repeat another's */

	/*
	 * What was alive at the last view, estimated, and what merging would free of it, as such
	 * and deep (bounds: the estimate is the lower one). NAN where there was no view that could
	 * have had these objects. See live_heap.h.
	 */
	double live_sampled; /* objects in the view */
	double live_objects, live_bytes;
	struct replica_interval live_objects_ci, live_bytes_ci;
	struct replica_interval saved_live_ci, saved_live_deep_ci;
	struct replica_interval dedup_live_ci; /* as dedup_ci, of strings that are alive */
	bool by_value;			       /* strings: deep contents are what their users see */
	size_t nvalues;			       /* most frequent first */
	struct replica_value *values;

	enum replica_verdict verdict;	   /* decision's, and decision_deep's */
	enum replica_verdict verdict_deep; /* by deep contents alone */
	struct replica_decision decision, decision_deep;
	bool identity_used; /* one was locked or hashed by identity, or the class has no fields */

	/*
	 * By position: from looks, which compare all positions at once, unless objects change
	 * between use and end of life; else from uses, which compare one each.
	 */
	enum replica_source fields_source;
	size_t nfields; /* sorted by position */
	struct replica_field *fields;
	struct replica_apart differing; /* no pairs: not measured */
	size_t naccesses;		/* sorted by uses, most first */
	struct replica_access *accesses;
};

#endif
