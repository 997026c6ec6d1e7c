/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_total.c - the sum over all lines, against programs of which the truth is known: "at least"
 * is more than the truth in 2.5 % of the recordings at most, and the interval holds the truth in
 * 95 %.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "programs.h"
#include "report/total.h"

enum { LINES = 20, TRIALS = 200, SIZE = 32, MOST_GROUPS = 100, MOST_LOOKS = 200 };
#define ALPHA 0.025 /* of either side */
/* misses of TRIALS that chance allows at ALPHA: three deviations more */
#define MOST (TRIALS * ALPHA + 3 * sqrt(TRIALS * ALPHA * (1 - ALPHA)))

/* A line: what share of its objects has one of `groups` contents; the others are alone. */
struct line {
	double share, objects;
	unsigned groups, seen; /* contents that were looked at */
	bool was_seen[MOST_GROUPS];
};

/* How lines are, and how they are looked at. */
struct regime {
	double (*share)(struct rng *rng);
	unsigned least, most; /* looks at a line */
	bool mixed;	      /* looks stand for 1 or 8 times as many, at random */
	bool counted;	      /* how much was allocated is estimated by the samples, too */
	bool used;	      /* objects could change; half of the looks know a use, too */
	bool rare;	      /* of half of the lines, which are alike, there is one look each */
};

static double anything(struct rng *rng)
{
	return rng_unit(rng);
}

/* Few lines hold much, as in programs. */
static double mostly_little(struct rng *rng)
{
	return rng_below(rng, 5) ? 0.1 * rng_unit(rng) : 0.5 + 0.5 * rng_unit(rng);
}

static double all_alike(struct rng *rng)
{
	(void)rng;
	return 1;
}

static struct line draw_line(const struct regime *r, size_t i, struct rng *rng)
{
	static const unsigned groups[] = { 1, 1, 3, 10, 100 };

	return (struct line){ .share = r->rare && i % 2 ? 0.9 : r->share(rng),
			      .objects = 1e5 * exp(4 * rng_unit(rng)),
			      .groups = groups[rng_below(rng, 5)] };
}

/* Bytes that merging would save of `contents` of its groups. */
static double truth_of(const struct line *l, unsigned contents)
{
	double objects = l->objects * l->share * contents / l->groups;

	return objects > contents ? SIZE * (objects - contents) : 0;
}

static unsigned poisson(double mean, struct rng *rng)
{
	double p = exp(-mean), u = rng_unit(rng), sum = p;
	unsigned n = 0;

	while (u > sum && n < 1000) {
		p *= mean / ++n;
		sum += p;
	}
	return n;
}

static void look(struct objects *o, struct line *l, const struct regime *r, double weight,
		 uint32_t ticket, struct rng *rng)
{
	uint64_t content =
		rng_unit(rng) < l->share ? 1 + rng_below(rng, l->groups) : 1000 + rng_next(rng) / 2;
	struct object object = object_of(content);

	if (content <= l->groups && !l->was_seen[content - 1]) {
		l->was_seen[content - 1] = true;
		l->seen++;
	}
	object.weight = weight;
	object.ticket = ticket;
	objects_snapshot(o, &object);
	objects_allocate(o, 0, SIZE, 1, weight);
	o->context.strata[0].squares += r->counted ? weight * weight : weight;
	if (r->used && rng_below(rng, 2))
		objects_use(o, &object, 1, 0);
}

static void record_line(struct objects *o, struct line *l, const struct regime *r, bool once,
			struct rng *rng)
{
	double weights[MOST_LOOKS], sum = 0;
	double mean = once ? 1 : r->least + rng_below(rng, r->most - r->least + 1);
	unsigned n = r->counted ? poisson(mean, rng) : (unsigned)mean;

	objects_init(o, 2, 1);
	if (r->used)
		objects_may_change(o);
	for (unsigned i = 0; i < n && i < MOST_LOOKS; i++)
		sum += weights[i] = r->mixed && rng_below(rng, 4) == 0 ? 8 : 1;
	for (unsigned i = 0; i < n && i < MOST_LOOKS; i++) {
		double whole = r->counted ? mean * (r->mixed ? 2.75 : 1) : sum;
		look(o, l, r, weights[i] * l->objects / whole, i + 1, rng);
	}
}

struct misses {
	unsigned above, above_seen, below;
	double low, likely, high; /* means, as shares of what is seen; of the truth */
};

static struct misses misses_of(const struct regime *r)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;
	struct misses m = { 0 };
	struct rng rng = { 7 };

	for (int t = 0; t < TRIALS; t++) {
		struct row row[LINES] = { { .stack_id = 0 } };
		struct rows rows = { .table = { .rows = row,
						.n = LINES,
						.all = LINES,
						.size = sizeof(struct row) } };
		struct objects objects[LINES];
		struct model_context *contexts[LINES];
		struct total total;
		double truth = 0, seen = 0;
		for (size_t i = 0; i < LINES; i++) {
			struct line line = draw_line(r, i, &rng);
			record_line(&objects[i], &line, r, r->rare && i % 2, &rng);
			row[i].replica = row_of(&objects[i], &options);
			contexts[i] = &objects[i].context;
			row[i].contexts = &contexts[i];
			row[i].ncontexts = 1;
			truth += truth_of(&line, line.groups);
			seen += truth_of(&line, line.seen);
		}
		total_measure(&total, &rows);
		m.above += total.range.low > truth;
		m.above_seen += total.range.low > seen;
		m.below += total.range.high < fmin(truth, total.bytes * (1 - 1e-9));
		m.low += total.range.low / seen / TRIALS;
		m.likely += total.saved / truth / TRIALS;
		m.high += total.range.high / truth / TRIALS;
		for (size_t i = 0; i < LINES; i++) {
			replica_release(&row[i].replica);
			objects_release(&objects[i]);
		}
	}
	return m;
}

static void assert_in_percent(double share, double least, double most)
{
	if (!(100 * share >= least && 100 * share <= most))
		print_error("%.1f %% is not in %.0f to %.0f\n", 100 * share, least, most);
	assert_true(100 * share >= least && 100 * share <= most);
}

/* "At least" holds for contents that were looked at, too; "at most" is of the bytes as told. */
static void assert_least(struct regime r, unsigned most_below)
{
	struct misses m = misses_of(&r);

	assert_in_range(m.above, 0, TRIALS * ALPHA);
	assert_in_range(m.above_seen, 0, MOST);
	assert_in_range(m.below, 0, most_below);
	assert_true(m.low > 0.5 && m.low < 1);
	assert_in_percent(m.likely, 65, 110); /* few looks cannot find a hundred contents */
	assert_true(m.high < 3.5); /* most where lines save little, which few looks do not show */
}

/* Lines of any kind, of which 5 to 30 objects were looked at; or more. */
static void test_covers(void **state)
{
	(void)state;
	assert_least((struct regime){ .share = anything, .least = 5, .most = 30 }, MOST);
	assert_least((struct regime){ .share = anything, .least = 30, .most = 60 }, MOST);
	assert_least((struct regime){ .share = mostly_little, .least = 5, .most = 30 }, MOST);
	assert_least(
		(struct regime){ .share = mostly_little, .least = 5, .most = 30, .mixed = true },
		MOST);
}

/* What was allocated is known by samples alone. */
static void test_samples(void **state)
{
	(void)state;
	assert_least((struct regime){ .share = anything, .least = 5, .most = 30, .counted = true },
		     MOST);
	assert_least(
		(struct regime){
			.share = anything, .least = 5, .most = 30, .mixed = true, .counted = true },
		MOST);
}

/* The worst case of "at most", see total.h. */
static void test_all_alike(void **state)
{
	(void)state;
	assert_least((struct regime){ .share = all_alike,
				      .least = 5,
				      .most = 30,
				      .mixed = true,
				      .counted = true },
		     MOST);
	assert_least(
		(struct regime){ .share = all_alike, .least = 30, .most = 60, .counted = true },
		MOST);
}

/* Lines of which nearly nothing is known are not like those that are known. */
static void test_rare(void **state)
{
	(void)state;
	struct misses m = misses_of(
		&(struct regime){ .share = mostly_little, .least = 60, .most = 100, .rare = true });
	assert_in_range(m.above, 0, TRIALS * ALPHA);
	assert_in_range(m.below, 0, MOST);
}

/* Objects could change, did not, and uses of half of them tell. */
static void test_used(void **state)
{
	(void)state;
	assert_least((struct regime){ .share = anything, .least = 5, .most = 30, .used = true },
		     MOST);
}

/* The lower end of the sum of two rows, and one of no weight, with these errors in common. */
static double low_of(double first, double second)
{
	struct row row[3] = { { .stack_id = 0 } };
	struct rows rows = { .table = {
				     .rows = row, .n = 3, .all = 3, .size = sizeof(struct row) } };
	struct total total;

	for (size_t i = 0; i < 2; i++) {
		struct replica *r = &row[i].replica;
		r->bytes = 1000;
		r->constant_class = true;
		r->own.likely_bytes = r->own.likely_end_bytes = 100;
		r->own.saved_bytes = 97;
		r->deep.saved_bytes = NAN;
		r->own.decision.snapshots = 1e9;
		r->own.decision.common = r->own.decision.common_most = 0.1;
		r->own.decision.common_high = 0.103;
	}
	row[0].replica.others[3] = first;
	row[1].replica.others[3] = second;
	row[1].replica.others[4] = second;
	row[2].replica.others[3] = NAN; /* it saves nothing, and its errors are not known */
	total_measure(&total, &rows);
	assert_true(fabs(total.saved - 200) < 1e-3);
	assert_true(fabs((total.range.high - 200) - (200 - total.range.low)) < 1e-3);
	return total.range.low;
}

/* Rows err in the same direction if what stands for skipped objects has the same time. */
static void test_common(void **state)
{
	double z = bounds_z(0.95), alone = 200 - sqrt(3 * 3 + 3 * 3);

	(void)state;
	assert_true(fabs(low_of(0, 0) - alone) < 1e-9);
	assert_true(fabs(low_of(5, 0) - alone) < 1e-9);
	double both = 200 - sqrt(3 * 3 + 3 * 3 + z * z * 2 * 2 * 1);
	assert_true(fabs(low_of(2, 1) - both) < 1e-9);
	assert_true(fabs(low_of(-2, -1) - both) < 1e-9);
	/* what balances is not relied on */
	assert_true(fabs(low_of(2, -1) - alone) < 1e-9);
}

/* Records objects of one content, all allocations counted. */
static void record_alike(struct objects *o, uint32_t id, unsigned n)
{
	objects_init(o, 2, id);
	for (unsigned i = 0; i < n; i++) {
		struct object object = object_of(1);
		object.weight = 1000;
		objects_snapshot(o, &object);
		objects_allocate(o, 0, SIZE, 1, 1000);
	}
}

/*
 * All objects of all lines are alike. A fifth of each could change and does not: that all of these
 * are alike is no error of chance that balances.
 */
static void test_part_changes(void **state)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;
	struct row row[LINES] = { { .stack_id = 0 } };
	struct rows rows = {
		.table = { .rows = row, .n = LINES, .all = LINES, .size = sizeof(struct row) }
	};
	struct objects objects[LINES][2];
	struct model_context *contexts[LINES][2];
	struct total total;

	(void)state;
	for (size_t i = 0; i < LINES; i++) {
		for (uint32_t k = 0; k < 2; k++) {
			record_alike(&objects[i][k], k + 1, k ? 20 : 80);
			contexts[i][k] = &objects[i][k].context;
		}
		objects_may_change(&objects[i][1]);
		replica_compute(&row[i].replica, contexts[i], 2, &options);
		row[i].contexts = contexts[i];
		row[i].ncontexts = 2;
	}
	total_measure(&total, &rows);
	assert_true(fabs(total.saved / total.bytes - 0.8) < 0.001);
	assert_true(total.range.high > 0.999 * total.bytes);
	for (size_t i = 0; i < LINES; i++) {
		replica_release(&row[i].replica);
		objects_release(&objects[i][0]);
		objects_release(&objects[i][1]);
	}
}

int unit_total(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_covers),	     cmocka_unit_test(test_samples),
		cmocka_unit_test(test_all_alike),    cmocka_unit_test(test_rare),
		cmocka_unit_test(test_used),	     cmocka_unit_test(test_common),
		cmocka_unit_test(test_part_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
