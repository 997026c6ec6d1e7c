/* SPDX-License-Identifier: Apache-2.0 */
/*
 * programs.h - simulated programs, for tests of the statistics.
 *
 * What a program allocates is known by construction; which of it is sampled is random, but the same
 * for the same seed.
 */
#ifndef OJX_TEST_PROGRAMS_H
#define OJX_TEST_PROGRAMS_H

#include "analyse/replica/replica.h"
#include "base/rng.h"
#include "objects.h"

/* The content of sampled object i of n. Without a weight it stands for PROGRAM_WEIGHT objects. */
typedef struct object program(size_t i, size_t n, struct rng *rng);
#define PROGRAM_WEIGHT 1000

program all_same, all_distinct, three_quarters, ten_groups, hundred_groups, many_groups, ten_phases,
	one_element_differs, one_field_differs, hundred_lengths, thousand_lengths,
	thousand_lengths_same, thin_references, distinct_references, changing, large_unproven,
	empty;

/* Options of rows; with them, tests do not depend on the tool's defaults. */
#define PROGRAM_OPTIONS                                        \
	{                                                      \
		.confidence = 0.95, .min_pairs = 30, .seed = 1 \
	}

/* An object whose values are all `value`. */
struct object object_of(uint64_t value);

/*
 * Samples `n` objects of a program: allocations and snapshots; or uses, at random positions by two
 * callers.
 */
void program_snapshot(struct objects *o, program *p, size_t n, struct rng *rng);
void program_use(struct objects *o, program *p, size_t n, struct rng *rng);

/* The row of one context. Checks that its counts agree. Release it with replica_release. */
struct replica row_of(struct objects *o, const struct replica_options *options);

/*
 * The same for a program, with snapshots of `n` objects (`nfields` as for objects_init), or uses.
 */
struct replica row_of_snapshots(program *p, uint32_t nfields, size_t n, uint64_t seed);
struct replica row_of_uses(program *p, size_t n, uint64_t seed);

#endif
