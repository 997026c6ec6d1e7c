/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regime_program.c - see regime.h: what the lines of a simulated program allocate, and what is true
 * of them.
 *
 * The run is cut into slots of time. Phases are the program's: all lines go through them together,
 * and so does the sampling interval, which is the same for all lines.
 */
#include "regime.h"

#include <math.h>
#include <string.h>

#define INTERVAL    65536.0 /* bytes, the least */
#define HEAVY	    8.0
#define STEP	    2.0 /* by which the interval changes from slot to slot at most */
#define ALONE	    (UINT64_C(1) << 40)
#define OBJECT	    32
#define HEADER	    16
#define SEEN_HALF   2 /* one in so many locks leaves a trace */
#define HELD	    16
#define BURST_EVERY 16 /* slots */

const struct regime regimes[] = {
	{ "final fields", REGIME_FINAL, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "final fields, interval drifts", REGIME_FINAL, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "final fields, some skipped", REGIME_FINAL, false, REGIME_STEADY, REGIME_SKIPS,
	  REGIME_EPOCH },
	{ "final fields, in bursts", REGIME_FINAL, false, REGIME_STEADY, REGIME_BURSTS,
	  REGIME_EPOCH },
	{ "arrays", REGIME_ARRAYS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "arrays, interval drifts", REGIME_ARRAYS, false, REGIME_DRIFT, REGIME_ALL, REGIME_EPOCH },
	{ "final fields, phases", REGIME_FINAL, true, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "final fields, phases, interval drifts", REGIME_FINAL, true, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "final fields, phases, equal rarer", REGIME_FINAL, true, REGIME_ALIKE_8, REGIME_ALL,
	  REGIME_EPOCH },
	{ "final fields, phases, unequal rarer", REGIME_FINAL, true, REGIME_ALONE_8, REGIME_ALL,
	  REGIME_EPOCH },
	{ "final fields, phases, some skipped", REGIME_FINAL, true, REGIME_STEADY, REGIME_SKIPS,
	  REGIME_EPOCH },
	{ "final fields, phases, in bursts", REGIME_FINAL, true, REGIME_STEADY, REGIME_BURSTS,
	  REGIME_EPOCH },
	{ "unchanged", REGIME_STAY, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "unchanged, interval drifts", REGIME_STAY, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "unchanged, equal rarer", REGIME_STAY, true, REGIME_ALIKE_8, REGIME_ALL, REGIME_EPOCH },
	{ "some change", REGIME_CHANGE, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "some change, interval drifts", REGIME_CHANGE, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "some change, unequal rarer", REGIME_CHANGE, true, REGIME_ALONE_8, REGIME_ALL,
	  REGIME_EPOCH },
	{ "iterators", REGIME_CURSORS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "iterators, interval drifts", REGIME_CURSORS, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "buffers", REGIME_BUFFERS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "buffers, interval drifts", REGIME_BUFFERS, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "buffers, equal rarer", REGIME_BUFFERS, true, REGIME_ALIKE_8, REGIME_ALL, REGIME_EPOCH },
	{ "buffers, unequal rarer", REGIME_BUFFERS, true, REGIME_ALONE_8, REGIME_ALL,
	  REGIME_EPOCH },
	{ "buffers, some skipped", REGIME_BUFFERS, true, REGIME_STEADY, REGIME_SKIPS,
	  REGIME_EPOCH },
	{ "locks", REGIME_LOCKS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "locks, interval drifts", REGIME_LOCKS, false, REGIME_DRIFT, REGIME_ALL, REGIME_EPOCH },
	{ "no fields", REGIME_NO_FIELDS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "separate fields", REGIME_VALUES, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "separate fields, interval drifts", REGIME_VALUES, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "one context changes", REGIME_MIXED, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "one context changes, interval drifts", REGIME_MIXED, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "own strings", REGIME_TEXTS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "own strings, equal rarer", REGIME_TEXTS, true, REGIME_ALIKE_8, REGIME_ALL,
	  REGIME_EPOCH },
	{ "strings replaced", REGIME_NAMES, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "list wrappers", REGIME_LISTS, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "shared counter", REGIME_SHARED, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "shared counter, interval drifts", REGIME_SHARED, false, REGIME_DRIFT, REGIME_ALL,
	  REGIME_EPOCH },
	{ "nodes", REGIME_NODES, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ "nodes, short epochs", REGIME_NODES, false, REGIME_STEADY, REGIME_ALL, 1 },
	{ "nodes, short epochs, drifts", REGIME_NODES, false, REGIME_DRIFT, REGIME_ALL, 2 },
	{ "nodes, phases, equal rarer", REGIME_NODES, true, REGIME_ALIKE_8, REGIME_ALL, 2 },
	{ "nodes, phases, some skipped", REGIME_NODES, true, REGIME_STEADY, REGIME_SKIPS, 4 },
	{ "large arrays", REGIME_SIZES, false, REGIME_STEADY, REGIME_ALL, REGIME_EPOCH },
	{ .name = NULL },
};

unsigned regime_epoch(const struct regime *r, unsigned slot)
{
	return slot / r->epoch;
}

/* ---- the program --------------------------------------------------------------------------- */

static void make_phases(struct regime_program *p, struct rng *rng)
{
	static const unsigned lengths[] = { 2, 6, 16, REGIME_SLOTS / 2 };
	unsigned mean = lengths[rng_below(rng, 4)], number = 0;
	bool alike = rng_below(rng, 2);

	for (unsigned i = 0; i < REGIME_SLOTS; number++, alike = !alike)
		for (unsigned n = 1 + rng_below(rng, 2 * mean - 1); n > 0 && i < REGIME_SLOTS;
		     n--) {
			p->phase[i] = number;
			p->alike[i++] = alike;
		}
	if (number < 2) /* there are phases of both kinds, whatever chance says */
		for (unsigned i = REGIME_SLOTS / 2; i < REGIME_SLOTS; i++) {
			p->phase[i] = 1;
			p->alike[i] = !p->alike[0];
		}
}

static void make_interval(struct regime_program *p, struct rng *rng)
{
	bool up = rng_below(rng, 2);
	double now = 1;

	for (unsigned i = 0; i < REGIME_SLOTS; i++) {
		double at = (double)i / (REGIME_SLOTS - 1), wanted = 1;
		if (p->regime->weights == REGIME_DRIFT)
			wanted = pow(HEAVY, up ? at : 1 - at);
		else if (p->regime->weights != REGIME_STEADY)
			wanted = p->alike[i] == (p->regime->weights == REGIME_ALIKE_8) ? HEAVY : 1;
		now = i == 0 ? wanted : fmax(now / STEP, fmin(now * STEP, wanted));
		p->interval[i] = now * INTERVAL;
	}
}

void regime_program_make(struct regime_program *p, const struct regime *r, struct rng *rng)
{
	*p = (struct regime_program){ .regime = r };
	if (r->phases)
		make_phases(p, rng);
	make_interval(p, rng);
}

/* The line allocates in a few slots only; as much in phases of either kind as before. */
static void make_bursts(struct regime_line *l, const struct regime_program *p, struct rng *rng)
{
	double sum[2] = { 0 }, left[2] = { 0 };
	unsigned first = rng_below(rng, BURST_EVERY);

	for (unsigned i = 0; i < REGIME_SLOTS; i++) {
		/* the first and the last of a phase, too: each kind has one */
		bool turns = i == 0 || i + 1 == REGIME_SLOTS || p->alike[i] != p->alike[i - 1];
		sum[p->alike[i]] += l->bytes[i];
		l->bytes[i] *= (p->regime->phases && turns) || i % BURST_EVERY == first;
		left[p->alike[i]] += l->bytes[i];
	}
	for (unsigned i = 0; i < REGIME_SLOTS; i++)
		if (left[p->alike[i]] > 0)
			l->bytes[i] *= sum[p->alike[i]] / left[p->alike[i]];
}

void regime_line_make(struct regime_line *l, const struct regime_program *p,
		      const struct regime_spread *spread, double looks, struct rng *rng)
{
	unsigned phases = 0;
	double samples = 0; /* of a byte */

	*l = (struct regime_line){ .spread = *spread, .contexts = 1 + rng_below(rng, 4) };
	for (unsigned i = 0; i < REGIME_SLOTS; i++)
		phases += p->alike[i];
	for (unsigned i = 0; i < REGIME_SLOTS; i++) {
		l->bytes[i] = 1.0 / REGIME_SLOTS;
		l->alike[i] = spread->share;
		if (!p->regime->phases)
			continue;
		l->alike[i] = p->alike[i];
		l->bytes[i] = p->alike[i] ? spread->share / phases
					  : (1 - spread->share) / (REGIME_SLOTS - phases);
	}
	if (p->regime->loss == REGIME_BURSTS)
		make_bursts(l, p, rng);
	for (unsigned i = 0; i < REGIME_SLOTS; i++)
		samples += l->bytes[i] / p->interval[i];
	l->total = looks / samples;
	l->looks = looks;
}

/* ---- objects ------------------------------------------------------------------------------- */

/* A number from 1 on for each group; in phases, one for each phase. */
static uint64_t group_of(const struct regime_program *p, const struct regime_line *l, unsigned slot,
			 struct rng *rng)
{
	if (p->regime->phases)
		return 1 + p->phase[slot] / 2 % l->spread.groups;
	return 1 + rng_below(rng, l->spread.groups);
}

static void fill(uint64_t values[REGIME_FIELDS], uint64_t value)
{
	for (unsigned k = 0; k < REGIME_FIELDS; k++)
		values[k] = value;
}

static uint64_t alone(struct rng *rng)
{
	return ALONE + rng_next(rng) / 2;
}

/* Each field by itself has the common value with the root of that probability that two do. */
static void fill_each(struct regime_object *o, const struct regime_line *l, struct rng *rng)
{
	for (unsigned k = 0; k < REGIME_FIELDS; k++)
		o->used[k] = o->end[k] = rng_unit(rng) < sqrt(l->spread.share) ? 0 : alone(rng);
}

#define CHANGING 0.2 /* part of the objects of REGIME_MIXED */

/* The part of all objects that are alike and do not change. */
static double alike_for_life(const struct regime_line *l)
{
	return fmin(l->spread.share, 1 - CHANGING);
}

static void draw_mixed(struct regime_object *o, const struct regime_line *l, uint64_t group,
		       struct rng *rng)
{
	o->changing = rng_unit(rng) < CHANGING;
	bool alike = rng_unit(rng) < alike_for_life(l) / (1 - CHANGING);
	uint64_t value = alike ? group : alone(rng);

	fill(o->used, o->changing ? alone(rng) : value);
	fill(o->end, o->changing ? group : value);
}

#define LARGE_LENGTH (1u << 20)

#define CONSTANT   7
#define NODE_KINDS 4

/* The objects are at other addresses in each epoch; a text is what a String of any address says. */
static void refer(struct regime_object *o, const struct regime_program *p,
		  const struct regime_line *l, uint64_t value, unsigned slot, struct rng *rng)
{
	uint64_t address = alone(rng);

	o->used_deep = o->end_deep = o->fixed = value;
	switch (p->regime->kind) {
	case REGIME_NAMES:
		if (rng_unit(rng) >= l->spread.unchanged) {
			o->used_deep = alone(rng);
			o->used[REGIME_REFERENCE] = alone(rng);
			o->end[REGIME_REFERENCE] = address;
			return;
		}
		break;
	case REGIME_LISTS:
		fill(o->used, CONSTANT);
		fill(o->end, CONSTANT);
		o->used_deep = alone(rng);
		o->fixed = CONSTANT;
		break;
	case REGIME_SHARED:
		address = rng_mix(value + rng_mix(regime_epoch(p->regime, slot)));
		o->used_deep = rng_mix(value + rng_mix(2 * slot));
		o->end_deep = rng_mix(value + rng_mix(2 * slot + 1));
		break;
	case REGIME_NODES:
		address = rng_mix(value + rng_mix(regime_epoch(p->regime, slot)));
		o->used_deep = rng_mix(value + rng_mix(2 * slot));
		o->end_deep = rng_mix(value + rng_mix(2 * slot + 1));
		o->fixed = value % NODE_KINDS;
		fill(o->used, value % NODE_KINDS);
		fill(o->end, value % NODE_KINDS);
		break;
	default:
		break;
	}
	o->used[REGIME_REFERENCE] = o->end[REGIME_REFERENCE] = address;
}

struct regime_object regime_object_draw(const struct regime_program *p, const struct regime_line *l,
					unsigned slot, struct rng *rng)
{
	struct regime_object o = { .bytes = OBJECT };
	bool alike = rng_unit(rng) < l->alike[slot];
	uint64_t group = group_of(p, l, slot, rng), value = alike ? group : alone(rng);

	fill(o.used, value);
	fill(o.end, value);
	switch (p->regime->kind) {
	case REGIME_ARRAYS:
		o.length = 4u << 4 * (value % 3);
		o.bytes = HEADER + 4 * o.length;
		break;
	case REGIME_SIZES:
		o.length = value % 3 ? 64 : LARGE_LENGTH;
		o.bytes = HEADER + 4 * o.length;
		break;
	case REGIME_CHANGE:
		if (rng_unit(rng) >= l->spread.unchanged)
			fill(o.used, alone(rng));
		break;
	case REGIME_CURSORS:
		fill(o.used, alone(rng));
		break;
	case REGIME_BUFFERS:
		fill(o.used, group);
		break;
	case REGIME_LOCKS:
		o.locked = rng_below(rng, SEEN_HALF) == 0;
		break;
	case REGIME_NO_FIELDS:
		fill(o.used, 0);
		fill(o.end, 0);
		break;
	case REGIME_MIXED:
		draw_mixed(&o, l, group, rng);
		break;
	case REGIME_VALUES:
		fill_each(&o, l, rng);
		break;
	case REGIME_TEXTS:
	case REGIME_NAMES:
	case REGIME_LISTS:
	case REGIME_SHARED:
	case REGIME_NODES:
		refer(&o, p, l, value, slot, rng);
		break;
	default:
		break;
	}
	return o;
}

/* ---- what is true -------------------------------------------------------------------------- */

/* Shares of the bytes by group. */
static void shares_of(double share[REGIME_GROUPS], const struct regime_program *p,
		      const struct regime_line *l)
{
	memset(share, 0, REGIME_GROUPS * sizeof *share);
	for (unsigned i = 0; i < REGIME_SLOTS; i++) {
		double bytes = l->bytes[i] * l->alike[i];
		if (p->regime->phases)
			share[p->phase[i] / 2 % l->spread.groups] += bytes;
		else
			for (unsigned g = 0; g < l->spread.groups; g++)
				share[g] += bytes / l->spread.groups;
	}
}

/* What the most common ones hold; reorders the shares. */
static double held_by(double share[REGIME_GROUPS], unsigned contents)
{
	double sum = 0;

	for (unsigned k = 0; k < contents; k++) {
		unsigned best = k;
		for (unsigned i = k + 1; i < REGIME_GROUPS; i++)
			best = share[i] > share[best] ? i : best;
		double most = share[best];
		share[best] = share[k];
		share[k] = most;
		sum += most;
	}
	return sum;
}

/* The share of the commonest content of buffers in phases, which are alike at their first use. */
static double commonest_when_used(const struct regime_program *p, const struct regime_line *l)
{
	double share[REGIME_GROUPS] = { 0 };

	for (unsigned i = 0; i < REGIME_SLOTS; i++)
		share[p->phase[i] / 2 % l->spread.groups] += l->bytes[i];
	return held_by(share, 1);
}

/* The part of the slots that are no reference. */
#define OTHERS ((REGIME_FIELDS - 1.0) / REGIME_FIELDS)

static void change_truth(struct regime_truth *t, const struct regime_program *p,
			 const struct regime_line *l)
{
	double all_alike = pow(l->spread.share, REGIME_FIELDS / 2.0), groups = l->spread.groups;

	switch (p->regime->kind) {
	case REGIME_TEXTS:
		t->slots *= OTHERS;
		break;
	case REGIME_NAMES:
		t->slots *= OTHERS;
		/* fall through */
	case REGIME_CHANGE:
		t->end_same = t->stays = l->spread.unchanged;
		t->use_top *= t->end_same;
		t->use_covered *= t->end_same;
		t->held *= t->end_same;
		break;
	case REGIME_NODES:
		if (p->regime->phases) /* at each time there is one content */
			t->end_top = t->use_top = t->end_covered;
		t->slots += OTHERS * (1 - t->slots) / NODE_KINDS;
		break;
	case REGIME_LISTS:
		t->slots = OTHERS;
		/* fall through */
	case REGIME_CURSORS:
		t->stays = p->regime->kind == REGIME_LISTS; /* what they refer to changes */
		t->end_same = t->use_top = t->use_covered = t->held = 0;
		break;
	case REGIME_BUFFERS:
		t->use_same = t->stays = l->spread.share;
		t->use_top = p->regime->phases ? commonest_when_used(p, l) : 1 / groups;
		t->use_covered = 1;
		break;
	case REGIME_LOCKS:
		t->identity = true;
		break;
	case REGIME_NO_FIELDS:
		*t = (struct regime_truth){ 1, 1, 1, 1, 1, 1, 1, 1, 1, true, 1, 0 };
		break;
	case REGIME_MIXED:
		t->use_top = alike_for_life(l) / groups;
		t->use_covered = t->held = alike_for_life(l);
		t->end_covered = t->use_covered + CHANGING;
		t->end_top = t->end_covered / groups;
		t->end_same = t->use_covered / t->end_covered;
		t->slots = t->end_top * t->end_covered;
		t->stays = 1 - CHANGING;
		t->end_held = fmin(1, HELD / groups) * t->end_covered;
		t->held = fmin(1, HELD / groups) * t->use_covered;
		break;
	case REGIME_VALUES:
		t->slots = l->spread.share;
		t->end_top = t->end_covered = t->use_top = t->use_covered = all_alike;
		t->end_held = t->held = all_alike;
		break;
	default:
		break;
	}
}

/* What is saved beside one object of each content does not count: there are a million objects. */
struct regime_truth regime_truth_of(const struct regime_program *p, const struct regime_line *l)
{
	double share[REGIME_GROUPS];
	struct regime_truth t = { .end_same = 1, .use_same = 1, .stays = 1 };

	shares_of(share, p, l);
	t.end_held = t.held = held_by(share, HELD);
	t.end_top = t.use_top = share[0];
	for (unsigned g = 0; g < REGIME_GROUPS; g++) {
		t.end_covered += share[g];
		t.slots += share[g] * share[g];
	}
	t.use_covered = t.end_covered;
	change_truth(&t, p, l);
	t.saved = t.identity ? 0 : l->total * t.end_covered * t.end_same;
	return t;
}
