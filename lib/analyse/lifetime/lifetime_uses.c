/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_uses.c - see lifetime_uses.h.
 *
 * A share of time is a product of two factors: the share of watches that see no use soon, and the
 * share of these that see none until the end. All watches tell the first factor, but only the
 * patient ones the second. What a watch does not know is answered in both ways, once for each end
 * of an interval.
 *
 * Chance enters twice: in the choice of the held objects, and in the moment at which each watch
 * begins. Watches of one object resemble each other, so they mostly count as one observation. But a
 * very large object is held for sure; of such an object each watch is an observation.
 */
#include "analyse/lifetime/lifetime_uses.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

/* ---- the same object ----------------------------------------------------------------------- */

static int compare_objects(uint32_t ticket, uint64_t birth, const struct lifetime_next_use *u)
{
	return ORDER(ticket, u->ticket) ?: ORDER(birth, u->birth);
}

static int compare_uses(const void *a, const void *b)
{
	const struct lifetime_next_use *x = a, *y = b;

	return compare_objects(x->ticket, x->birth, y) ?: ORDER(x->start, y->start);
}

/* The index of the first watch of this object or, if it has none, of the next object. */
static size_t first_of(const struct lifetime_next_use *use, size_t n,
		       const struct lifetime_known *k)
{
	size_t low = 0;

	while (n > 0) {
		size_t half = n / 2;
		if (compare_objects(k->ticket, k->birth.ns, &use[low + half]) > 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

static bool is_same(const struct lifetime_next_use *a, const struct lifetime_next_use *b)
{
	return a->ticket == b->ticket && a->birth == b->birth;
}

static void join(struct lifetime_next_use *u, const struct lifetime_known *k)
{
	u->alive = k->alive.ns;
	/*
	 * the weight includes thinning if the life has ended; for a living object only `chance`
	 * does
	 */
	u->chance = fmin(1, (k->ended ? 1 : u->chance) / k->weight);
}

void lifetime_uses_join(struct lifetime_next_use *use, size_t n, const struct lifetime_known *known,
			size_t nknown)
{
	if (n == 0)
		return;
	qsort(use, n, sizeof *use, compare_uses);
	for (size_t i = 0; i < nknown; i++) {
		const struct lifetime_known *k = &known[i];
		for (size_t u = first_of(use, n, k);
		     u < n && compare_objects(k->ticket, k->birth.ns, &use[u]) == 0; u++)
			join(&use[u], k);
	}
}

/* ---- shares -------------------------------------------------------------------------------- */

/* What a watch says of a share. */
enum answer { NO, YES, NEITHER };

/*
 * The answer of a watch. If it is not known: with `low` the one that makes the share smaller, else
 * larger.
 */
typedef enum answer question(const struct lifetime_next_use *u, bool low);

struct tally {
	double in, sum;		  /* of weights: of those that say yes, and of all */
	double ins, both, square; /* of squares and products of the two sums of what was drawn */
};

static void add(struct tally *s, double in, double sum)
{
	s->in += in;
	s->sum += sum;
	s->ins += in * in;
	s->both += in * sum;
	s->square += sum * sum;
}

/*
 * Adds an object's watches. To the degree that chance chose the object, all its watches are one
 * observation. To the degree that it was sure to be held (`chance`), each of them is one.
 */
static void add_object(struct tally *s, const struct tally *watches, double chance)
{
	double in = watches->in, sum = watches->sum, drawn = 1 - chance;

	s->in += in;
	s->sum += sum;
	s->ins += drawn * in * in + chance * watches->ins;
	s->both += drawn * in * sum + chance * watches->both;
	s->square += drawn * sum * sum + chance * watches->square;
}

/* Effective number of draws, for a ratio of their sums (Woodruff 1971). */
static double number_of(const struct tally *s, double share)
{
	double number = bounds_effective(s->sum, s->square);
	double spread = s->ins - 2 * share * s->both + share * share * s->square;

	if (share > 0 && share < 1 && spread > 1e-12 * s->square)
		number = fmin(number, share * (1 - share) * s->sum * s->sum / spread);
	return number;
}

static struct estimate share_of(const struct lifetime_next_use *use, size_t n, question *q,
				bool low, bool bytes, double z)
{
	struct tally s = { 0 };

	for (size_t i = 0; i < n;) {
		struct tally watches = { 0 };
		size_t first = i;
		for (; i < n && is_same(&use[i], &use[first]); i++) {
			enum answer answer = q(&use[i], low);
			double weight = use[i].weight * (bytes ? use[i].size : 1);
			if (answer != NEITHER)
				add(&watches, answer == YES ? weight : 0, weight);
		}
		add_object(&s, &watches, use[first].chance);
	}
	double share = s.sum > 0 ? fmin(1, s.in / s.sum) : NAN;
	return (struct estimate){ share, bounds_wilson(share, number_of(&s, share), z) };
}

/* A share with each of the two answers to what is not known. */
struct between {
	struct estimate low, high;
};

static struct between share_between(const struct lifetime_next_use *use, size_t n, question *q,
				    bool bytes, double z)
{
	struct between b = { share_of(use, n, q, true, bytes, z),
			     share_of(use, n, q, false, bytes, z) };

	b.low.range.low = isnan(b.low.value) ? 0 : b.low.range.low;
	b.high.range.high = isnan(b.high.value) ? 1 : b.high.range.high;
	return b;
}

static struct estimate whole(const struct between *b)
{
	return (struct estimate){ (b->low.value + b->high.value) / 2,
				  { fmin(b->low.range.low, b->high.range.high),
				    b->high.range.high } };
}

/* ---- questions ----------------------------------------------------------------------------- */

static bool is_fresh(const struct lifetime_next_use *u)
{
	return u->flags & WIRE_NEXT_FRESH;
}

static bool used_within(const struct lifetime_next_use *u, uint64_t ns)
{
	return u->outcome == WIRE_NEXT_USED && u->end - u->start <= ns;
}

/* Whether the object may have been dead when the watch began, but not collected yet. */
static bool was_dead_perhaps(const struct lifetime_next_use *u)
{
	return u->outcome != WIRE_NEXT_USED && u->alive < u->start;
}

/* Whether the object was not used soon. */
static enum answer not_soon(const struct lifetime_next_use *u, bool low)
{
	bool given_up = u->outcome == WIRE_NEXT_OPEN && u->end - u->start < WIRE_NEXT_SHORT_NS;

	if (is_fresh(u) || (low && was_dead_perhaps(u)))
		return NEITHER;
	if (given_up)
		return low ? NO : YES;
	return used_within(u, WIRE_NEXT_SHORT_NS) ? NO : YES;
}

static bool waited(const struct lifetime_next_use *u, bool low)
{
	return u->flags & WIRE_NEXT_PATIENT && not_soon(u, low) == YES;
}

/*
 * Whether nothing was used, if the watch saw no use. If the watch covers the object only in part,
 * that is not known.
 */
static enum answer unseen(const struct lifetime_next_use *u, bool low)
{
	return low && !(u->flags & WIRE_NEXT_WHOLE) ? NO : YES;
}

/* Whether the object died without a use. */
static enum answer ends_unused(const struct lifetime_next_use *u, bool low)
{
	switch (u->outcome) {
	case WIRE_NEXT_USED:
		return NO;
	case WIRE_NEXT_DIED:
		return unseen(u, low);
	default:
		return low ? NO : YES;
	}
}

/* Whether an object that was not used soon is not used again. */
static enum answer not_again(const struct lifetime_next_use *u, bool low)
{
	return waited(u, low) ? ends_unused(u, low) : NEITHER;
}

static enum answer not_for_long(const struct lifetime_next_use *u, bool low)
{
	bool given_up = u->outcome == WIRE_NEXT_OPEN && u->end - u->start < WIRE_NEXT_PATIENT_NS;

	if (!waited(u, low))
		return NEITHER;
	if (given_up)
		return low ? NO : YES;
	return used_within(u, WIRE_NEXT_PATIENT_NS) ? NO : unseen(u, low);
}

/* Whether an object that has just survived its first collection is not used again. */
static enum answer never_again(const struct lifetime_next_use *u, bool low)
{
	return is_fresh(u) ? ends_unused(u, low) : NEITHER;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/*
 * An end of a product's interval, from those of its factors: the deviations of the logarithms
 * combine as independent ones (Zou and Donner 2008).
 */
static double product_end(double a, double a_end, double b, double b_end)
{
	double end = a * b;

	if (!(end > 0) || !(a_end > 0) || !(b_end > 0))
		return a_end * b_end;
	double deviation = hypot(log(a_end / a), log(b_end / b));
	return fmin(1, end * exp(a_end < a || b_end < b ? -deviation : deviation));
}

/* The product. If the first factor is 0 the second is not known, and does not matter. */
static double product_value(double a, double b)
{
	return a > 0 ? a * b : a;
}

static struct estimate product(const struct between *a, const struct between *b)
{
	double low = product_end(a->low.value, a->low.range.low, b->low.value, b->low.range.low);
	double high =
		product_end(a->high.value, a->high.range.high, b->high.value, b->high.range.high);
	double least = product_value(a->low.value, b->low.value);
	double most = product_value(a->high.value, b->high.value);

	return (struct estimate){ (least + most) / 2, { fmin(low, high), high } };
}

/* An upper end of nearly 100 % and no lower end tell nothing. */
static bool is_known(const struct estimate *e)
{
	return e->range.low > 0 || e->range.high < 0.995;
}

/* 1 minus a share. */
static struct estimate rest_of(const struct between *b)
{
	struct estimate e = whole(b);

	return (struct estimate){ 1 - e.value, { 1 - e.range.high, 1 - e.range.low } };
}

struct lifetime_uses lifetime_uses_of(const struct lifetime_next_use *use, size_t n, double z)
{
	struct lifetime_uses u = { .n = n };
	struct estimate none = { NAN, { NAN, NAN } };
	struct between soon = share_between(use, n, not_soon, true, z);
	struct between died = share_between(use, n, not_again, true, z);
	struct between idle = share_between(use, n, not_for_long, true, z);
	struct between unused = share_between(use, n, never_again, false, z);

	u.drag = product(&soon, &died);
	u.idle = product(&soon, &idle);
	u.unused = whole(&unused);
	u.in_use = rest_of(&soon);
	u.drag = is_known(&u.drag) ? u.drag : none;
	u.idle = is_known(&u.idle) ? u.idle : none;
	u.unused = is_known(&u.unused) ? u.unused : none;
	u.in_use = is_known(&u.in_use) ? u.in_use : none;
	return u;
}

/*
 * About which part of a life comes after the first collection, if the birth was at any time between
 * two.
 */
static double part_after_first(const struct lifetime_known *k)
{
	double survived = (double)k->alive.collections - (double)k->birth.collections;

	return survived > 1 ? (survived - 1) / survived : 0;
}

struct estimate lifetime_held(const struct lifetime_known *known, size_t n, uint64_t end, double z)
{
	double sum[2] = { 0, 0 }, variance[2] = { 0, 0 }, unit = 0;

	for (size_t i = 0; i < n; i++) {
		const struct lifetime_known *k = &known[i];
		if (k->alive.ns <= k->birth.ns)
			continue;
		const uint64_t until[2] = { k->alive.ns, k->end.ns };
		for (int late = 0; late < 2; late++) {
			double each = k->size * (double)(until[late] - k->birth.ns) / (double)end;
			each *= late ? 1 : part_after_first(k);
			sum[late] += k->weight * each;
			variance[late] += k->weight * (k->weight - 1) * each * each;
			unit = k->weight > 1 ? fmax(unit, k->weight * each) : unit;
		}
	}
	struct estimate low = estimate_amount(sum[0], variance[0], unit, z);
	struct estimate high = estimate_amount(sum[1], variance[1], unit, z);
	return (struct estimate){ (low.value + high.value) / 2,
				  { low.range.low, high.range.high } };
}
