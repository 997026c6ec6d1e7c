/* SPDX-License-Identifier: Apache-2.0 */
/* test_groups.c - groups of equal content, for samples with known truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "groups_draws.h"

static struct observation observations[GROUPS_MOST];

/* ---- the largest group --------------------------------------------------------------------- */

static void too_few(void **state)
{
	(void)state;
	for (size_t n = 0; n < 2; n++) {
		struct groups g = groups_of(draw_all_same, n, 1e6, 1);
		assert_true(isnan(g.largest) && isnan(g.largest_range.low));
		assert_true(isnan(g.covered.low) && isnan(g.distinct));
		assert_true(isnan(least_saved(&g, 1e6)));
	}
	struct groups g = groups_of(draw_all_same, 2, 1e6, 1);
	assert_true(g.largest == 1 && g.largest_range.low < 0.5 && g.largest_range.high == 1);
}

static void largest_group(void **state)
{
	(void)state;
	struct groups g = groups_of(draw_all_same, 1000, 1e6, 1);
	assert_true(g.largest == 1 && g.largest_range.low > 0.99);
	g = groups_of(draw_all_distinct, 1000, 1e6, 1);
	assert_true(g.largest == 0 && g.largest_range.high < 0.01);
	g = groups_of(draw_three_quarters, 10000, 1e6, 1);
	assert_true(fabs(g.largest - 0.75) < 5 * sqrt(0.75 * 0.25 / 10000));
	g = groups_of(draw_weighted, 10000, 1e6, 1);
	assert_true(fabs(g.largest - 0.2) < 0.001);
	g = groups_of(draw_hundred_lengths, 20000, 1e6, 1);
	assert_true(fabs(g.largest - 0.01) < 0.004);
	g = groups_of(draw_every_other_epoch, 10000, 1e6, 1);
	assert_true(fabs(g.largest - 0.5) < 0.03);
}

/* The plain maximum of ten equal groups is 0.55 on average with two samples, 0.2 with 60. */
static void no_bias(void **state)
{
	(void)state;
	const size_t sizes[] = { 2, 5, 20, 60, 1000 };
	for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
		double sum = 0, squares = 0, rounds = 4000;
		for (int i = 0; i < rounds; i++) {
			double x =
				groups_of(draw_ten_groups, sizes[k], 1e6, 77 + (uint64_t)i).largest;
			sum += x;
			squares += x * x;
		}
		double mean = sum / rounds, variance = squares / rounds - mean * mean;
		assert_true(fabs(mean - 0.1) < 5 * sqrt(variance / rounds));
	}
}

static void references(void **state)
{
	(void)state;
	struct groups g = groups_of(draw_all_same_refs, 1000, 1e6, 1);
	assert_true(g.largest == 1 && g.largest_range.low > 0.99);
	assert_true(isnan(g.distinct)); /* it is not known how many epochs have the same contents */
	g = groups_of(draw_thin_refs, 1000, 1e6, 1);
	assert_true(isnan(g.largest) && isnan(g.largest_range.low));
	assert_true(isnan(g.covered.high));
	g = groups_of(draw_moving_refs, 20000, 1e6, 1);
	assert_true(fabs(g.largest - 2.0 / 3) < 0.02);
}

static void references_and_none(void **state)
{
	(void)state;
	struct groups g = groups_of(draw_mostly_thin_refs, 10000, 1e6, 1);
	assert_true(isnan(g.largest));
	g = groups_of(draw_mostly_empty, 10000, 1e6, 1);
	assert_true(fabs(g.largest - 0.9) < 0.02);
	assert_true(g.largest_range.high > 0.95); /* the others may well be like these */
	g = groups_of(draw_phases_with_few_refs, 10000, 1e6, 1);
	assert_true(fabs(g.largest - 0.099) < 0.02);
}

static void partial_content(void **state)
{
	(void)state;
	struct groups g = groups_of(draw_partial, 1000, 1e6, 1);
	assert_true(isnan(g.largest) && isnan(g.covered.high) && isnan(g.distinct));
	assert_true(least_saved(&g, 1e6) == 0);
}

/* A content seen in part counts as unequal at the low end, and as equal at the high end. */
static void partly_partial_content(void **state)
{
	struct groups g = groups_of(draw_partly_partial, 3000, 1e6, 1);

	(void)state;
	assert_true(fabs(g.largest - 2.0 / 3) < 0.03);
	assert_true(g.largest_range.low > 0.6 && g.largest_range.high > 0.99);
	assert_true(g.covered.low > 0.6 && g.covered.low < 0.67 && g.covered.high > 0.99);
}

/*
 * The interval contains the truth 93 to 98 times of 100; four standard deviations of 3000 trials
 * are 1.6 %.
 */
static void interval_coverage(void **state)
{
	struct rng rng = { 11 };
	int hits = 0, rounds = 3000;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double truth = 0.05 + 0.9 * rng_unit(&rng);
		size_t n = 50 + rng_below(&rng, 500);
		for (size_t i = 0; i < n; i++)
			observations[i] = (struct observation){
				.content = rng_mix(rng_unit(&rng) < truth ? 0 : i + 1),
				.weight = 1,
				.bytes = 16,
			};
		struct groups g;
		groups_measure(&g, observations, n, 1e6, GROUPS_Z, &rng);
		hits += g.largest_range.low <= truth && truth <= g.largest_range.high;
	}
	assert_true(hits >= 0.93 * rounds && hits <= 0.98 * rounds);
}

/* The same for several groups with decreasing frequency, from equal to steep. */
static void interval_coverage_many_groups(void **state)
{
	struct rng rng = { 12 };
	int hits = 0, rounds = 3000;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double share[20], sum = 0, slope = 2 * rng_unit(&rng);
		uint32_t groups = 2 + rng_below(&rng, 19);
		size_t n = 50 + rng_below(&rng, 500);
		for (uint32_t k = 0; k < groups; k++)
			sum += share[k] = pow(k + 1, -slope);
		for (size_t i = 0; i < n; i++) {
			double at = rng_unit(&rng) * sum;
			uint32_t k = 0;
			while (k + 1 < groups && at >= share[k])
				at -= share[k++];
			observations[i] = (struct observation){ .content = rng_mix(k),
								.weight = 1,
								.bytes = 16 };
		}
		struct groups g;
		groups_measure(&g, observations, n, 1e6, GROUPS_Z, &rng);
		hits += g.largest_range.low <= share[0] / sum &&
			share[0] / sum <= g.largest_range.high;
	}
	assert_true(hits >= 0.93 * rounds && hits <= 0.98 * rounds);
}

/* Ten groups of equal size: sometimes both halves choose the same one, by luck. */
static void interval_coverage_equal_groups(void **state)
{
	int hits = 0, rounds = 3000;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		struct groups g = groups_of(draw_ten_groups, 200, 1e6, 500 + (uint64_t)round);
		hits += g.largest_range.low <= 0.1 && 0.1 <= g.largest_range.high;
	}
	assert_true(hits >= 0.93 * rounds && hits <= 0.98 * rounds);
}

static void distinct_contents(void **state)
{
	(void)state;
	assert_true(groups_of(draw_all_same, 1000, 1e6, 1).distinct == 1);
	assert_true(groups_of(draw_ten_groups, 1000, 1e6, 1).distinct == 10);
	double d = groups_of(draw_hundred_lengths, 300, 1e6, 1).distinct;
	assert_true(d > 90 && d < 115);
	/* never more than the number of objects */
	assert_true(groups_of(draw_hundred_lengths, 300, 80, 1).distinct <= 100);
}

/*
 * ---- samples without a snapshot ----------------------------------------------------------------
 */

/*
 * A program with eight phases, or with the same contents in random order; three of eight objects
 * have content 0. Its samples come in bursts of forty, half of which get no snapshot: the next
 * snapshot stands for them.
 */
struct burst_run {
	bool phased, known; /* known: the weight that stands for others is marked */
	uint32_t processes; /* that have their samples one after another; 0: one */
};

static size_t snapshot_in_bursts(const struct burst_run *run, size_t samples, struct rng *rng)
{
	enum { BURST = 40 };
	size_t n = 0, missed = 0;

	for (size_t first = 0; first + BURST <= samples; first += BURST) {
		if (rng_below(rng, 2)) {
			missed += BURST;
			continue;
		}
		double others = (double)missed / BURST;
		for (size_t i = first; i < first + BURST; i++) {
			uint64_t phase = run->phased ? i * 8 / samples : rng_below(rng, 8);
			observations[n++] =
				(struct observation){ .content = rng_mix(phase < 3 ? 1 : 100 + i),
						      .weight = 1 + others,
						      .others = run->known ? others : 0,
						      .bytes = 32 };
		}
		missed = 0;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = i * (run->processes ? run->processes : 1);
		observations[i].block = (uint32_t)(i * GROUPS_BLOCKS / n);
		observations[i].own_block = (uint32_t)(at % n * GROUPS_BLOCKS / n);
		observations[i].jvm = (uint32_t)(at / n);
		observations[i].content ^= rng_mix(at / n);
	}
	return n;
}

/* Number of `runs` runs whose interval contains the truth; *width receives the mean width. */
static int bursts_held(struct burst_run run, int runs, double *width)
{
	struct rng rng = { 11 };
	int held = 0;

	*width = 0;
	for (int k = 0; k < runs; k++) {
		struct groups g;
		size_t n = snapshot_in_bursts(&run, 1600, &rng);
		groups_measure(&g, observations, n, 1e6, GROUPS_Z, &rng);
		held += g.largest_range.low <= 0.375 && 0.375 <= g.largest_range.high;
		*width += (g.largest_range.high - g.largest_range.low) / runs;
	}
	return held;
}

static void bursts_of_a_phase(void **state)
{
	enum { RUNS = 400 };
	double width, wide;

	(void)state;
	/* if samples are wrongly taken as independent, the truth is missed far too often */
	assert_true(bursts_held((struct burst_run){ true, false, 0 }, RUNS, &width) < 0.8 * RUNS);
	assert_true(bursts_held((struct burst_run){ true, true, 0 }, RUNS, &wide) > 0.88 * RUNS);
	assert_true(wide > 1.3 * width);
}

/*
 * Contents in random order: what was missed is like what was seen, and makes hardly any difference.
 */
static void bursts_of_a_mix(void **state)
{
	enum { RUNS = 400 };
	double width, wide;

	(void)state;
	assert_in_range(bursts_held((struct burst_run){ false, false, 0 }, RUNS, &width),
			0.92 * RUNS, 0.985 * RUNS);
	assert_in_range(bursts_held((struct burst_run){ false, true, 0 }, RUNS, &wide), 0.92 * RUNS,
			RUNS);
	assert_true(wide < 1.3 * width);
}

/*
 * The same in processes, each of which has a content of its own that is commonest: that they differ
 * is no reason for a wider interval.
 */
static void bursts_of_processes(void **state)
{
	enum { RUNS = 400 };
	double width, wide;

	(void)state;
	for (uint32_t processes = 4; processes <= 8; processes += 4) {
		assert_in_range(
			bursts_held((struct burst_run){ false, false, processes }, RUNS, &width),
			0.92 * RUNS, RUNS);
		assert_in_range(
			bursts_held((struct burst_run){ false, true, processes }, RUNS, &wide),
			0.92 * RUNS, RUNS);
		assert_true(wide < 1.3 * width);
	}
}

int unit_groups(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few),
		cmocka_unit_test(largest_group),
		cmocka_unit_test(no_bias),
		cmocka_unit_test(references),
		cmocka_unit_test(references_and_none),
		cmocka_unit_test(partial_content),
		cmocka_unit_test(partly_partial_content),
		cmocka_unit_test(interval_coverage),
		cmocka_unit_test(interval_coverage_many_groups),
		cmocka_unit_test(interval_coverage_equal_groups),
		cmocka_unit_test(distinct_contents),
		cmocka_unit_test(bursts_of_a_phase),
		cmocka_unit_test(bursts_of_a_mix),
		cmocka_unit_test(bursts_of_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
