/* SPDX-License-Identifier: Apache-2.0 */
/* replica_pairs.c - see replica_pairs.h. */
#include "analyse/replica/replica_pairs.h"

#define WATCH_PAIRS 30 /* of uses, from which on looks are not needed for pairs */

struct rng replica_rng(const struct replica_options *options, const struct model_context *c,
		       uint64_t use)
{
	uint64_t id = (uint64_t)c->jvm << 32 | c->id;

	return (struct rng){ rng_mix(options->seed + rng_mix(id + rng_mix(use))) };
}

/* Uses alone carry a row if there are enough: content at the use is the better evidence. */
enum replica_source replica_choose(uint64_t watch, uint64_t scan,
				   const struct replica_options *options)
{
	if (watch >= (options->min_pairs > WATCH_PAIRS ? options->min_pairs : WATCH_PAIRS))
		return REPLICA_WATCH;
	if (scan > watch)
		return REPLICA_SCAN;
	return watch > 0 ? REPLICA_WATCH : REPLICA_NONE;
}

int replica_count_pairs(uint64_t *pairs, struct model_context *const *contexts, size_t n,
			const struct replica_options *options)
{
	uint64_t watch = 0, scan = 0;

	for (size_t i = 0; i < n; i++) {
		struct rng uses = replica_rng(options, contexts[i], 0);
		struct rng looks = replica_rng(options, contexts[i], 1);
		if (pairing_count_uses(&watch, contexts[i], &uses) < 0 ||
		    pairing_count_looks(&scan, contexts[i], &looks) < 0)
			return -1;
	}
	*pairs = replica_choose(watch, scan, options) == REPLICA_SCAN ? scan : watch;
	return 0;
}
