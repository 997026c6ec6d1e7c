/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_pairs.h - part of replica.c: which pairs of a row are formed, and how many there are.
 */
#ifndef OJX_REPLICA_PAIRS_H
#define OJX_REPLICA_PAIRS_H

#include "analyse/replica/pairing.h"
#include "analyse/replica/replica_result.h"
#include "base/rng.h"

/* Random numbers of a context's own, for uses (0) or looks (1): its pairs do not depend on what it is grouped with. */
struct rng replica_rng(const struct replica_options *options, const struct model_context *c,
		       uint64_t use);

/* Which pairs a row rests on, where there are so many of uses and of looks. */
enum replica_source replica_choose(uint64_t watch, uint64_t scan,
				   const struct replica_options *options);

/* What replica_compute would give as `pairs`, with much less work. 0, or -1 where memory lacks. */
int replica_count_pairs(uint64_t *pairs, struct model_context *const *contexts, size_t n,
			const struct replica_options *options);

#endif
