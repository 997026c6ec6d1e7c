/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.c - see groups.h.
 *
 * The largest group of a sample overstates its share, since it was chosen for being large: of ten
 * equally frequent contents, the top one of 60 samples has about 0.17. So it is chosen on one half
 * of the observations and measured on the other, in both directions, and averaged. For contents
 * with references the choice is made in each epoch, and the measure sums over all such epochs.
 *
 * It takes two sorts: by epoch and at random, for the halves; by group, for the counts.
 */
#include "stats/groups.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/binomial.h"

static uint64_t epoch_of(const struct observation *s)
{
	return (uint64_t)s->jvm << 32 | s->epoch;
}

static int compare_halves(const void *a, const void *b)
{
	const struct observation *x = a, *y = b;

	return ORDER(epoch_of(x), epoch_of(y)) ?: ORDER(x->random, y->random);
}

SORT_DEFINE(sort_halves, struct observation, compare_halves)

/* Contents without references first, by JVM; the others by epoch; within that by group. */
static int compare_groups(const void *a, const void *b)
{
	const struct observation *x = a, *y = b;

	if (x->refs != y->refs)
		return x->refs ? 1 : -1;
	if (x->jvm != y->jvm)
		return x->jvm < y->jvm ? -1 : 1;
	if (x->refs && epoch_of(x) != epoch_of(y))
		return epoch_of(x) < epoch_of(y) ? -1 : 1;
	return ORDER(x->group, y->group) ?: ORDER(x->random, y->random);
}

SORT_DEFINE(sort_groups, struct observation, compare_groups)

/*
 * Puts every second observation of an epoch in the same half, and finds epochs with too few
 * observations. The half in which an epoch begins is random; otherwise, with one or two objects in
 * each epoch, the halves would follow the program's rhythm.
 */
static void split_halves(struct observation *s, size_t n)
{
	sort_halves(s, n);
	for (size_t first = 0, next; first < n; first = next) {
		for (next = first + 1; next < n && epoch_of(&s[next]) == epoch_of(&s[first]);)
			next++;
		for (size_t i = first; i < next; i++) {
			s[i].half = (i ^ s[first].random) & 1;
			s[i].thin = next - first < GROUPS_EPOCH;
		}
	}
}

static void name_groups(struct observation *s, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		s[i].chosen = false;
		s[i].random = rng_next(rng);
		/* content is a good hash; the array length must not cancel a part of it */
		s[i].group = s[i].partial
				     ? rng_next(rng)
				     : rng_mix(s[i].content ^ rng_mix(s[i].array_length + 1ull));
	}
}

/* ---- the largest group --------------------------------------------------------------------- */

/* Weights in the two halves, and the sum of the squares in both. `group`: whose they are. */
struct halves {
	double weight[2];
	double squares;
	uint64_t group;
};

/* The group that is largest on each half. */
struct choice {
	struct halves by[2];  /* by[h] is the largest on half h */
	double first, second; /* weights of the two largest groups on both halves together */
};

static void choose(struct choice *c, const struct halves *group)
{
	for (int h = 0; h < 2; h++)
		if (group->weight[h] > c->by[h].weight[h])
			c->by[h] = *group;
	double weight = group->weight[0] + group->weight[1];
	c->second = fmax(c->second, fmin(c->first, weight));
	c->first = fmax(c->first, weight);
}

/* Average of the shares, each on the half that did not choose. */
static double measure(const struct choice *c, const struct halves *all)
{
	double sum = 0;

	for (int h = 0; h < 2; h++)
		if (all->weight[!h] > 0)
			sum += c->by[h].weight[!h] / all->weight[!h];
	return sum / 2;
}

/* Sums over the groups, in sorted order. */
struct gathering {
	struct choice plain; /* among contents without references; sums over JVMs */
	struct choice jvm;   /* of the current JVM */
	struct choice refs;  /* sums over epochs */
	struct choice epoch; /* of the current epoch */
	uint64_t epoch_at_hand;
	struct halves all, thick; /* of everything; of all epochs that are not thin */
	double thick_squares;
	double lost, thick_lost; /* weight in no group */
	/* for the coverage: */
	double sum[2], square[2], single[2], twice[2], thin[2]; /* [0] objects, [1] bytes */
	double differing[2];					/* without single ones */
	double alone_square[2]; /* of those that save nothing: single or differing */
	double others[CLUSTER_BLOCKS], others_alone[CLUSTER_BLOCKS]; /* bytes */
	double others_square, others_alone_square;		     /* of single observations */
	double contents, contents_bytes, singles, doubles;
	bool several_epochs;
	/*
	 * for the least number of contents: [0] without references, [1] of the current epoch, [2]
	 * of the epoch with most; once, again and smallest: of [0]
	 */
	double least[3], least_bytes[3], once, again, smallest;
};

/* Adds a choice to others, which are among other objects. */
static void add_choice(struct choice *to, const struct choice *c)
{
	for (int h = 0; h < 2; h++) {
		for (int k = 0; k < 2; k++)
			to->by[h].weight[k] += c->by[h].weight[k];
		to->by[h].squares += c->by[h].squares;
		to->by[h].group = c->by[h].group;
	}
	to->first += c->first;
}

/*
 * Contents of two JVMs are two contents, so each JVM has a largest one. `s` to `end`: what it has
 * without references.
 */
static void end_jvm(struct gathering *g, struct observation *s, const struct observation *end)
{
	for (; s < end; s++)
		s->chosen = !s->partial && s->group == g->jvm.by[!s->half].group;
	add_choice(&g->plain, &g->jvm);
	g->plain.second += g->jvm.second;
	g->jvm = (struct choice){ .first = 0 };
}

static void end_epoch(struct gathering *g)
{
	add_choice(&g->refs, &g->epoch);
	g->epoch = (struct choice){ .first = 0 };
	g->least[2] = fmax(g->least[2], g->least[1]);
	g->least_bytes[2] = fmax(g->least_bytes[2], g->least_bytes[1]);
	g->least[1] = g->least_bytes[1] = 0;
}

static void gather_observation(struct gathering *g, const struct observation *s)
{
	double square = s->weight * s->weight;

	g->all.weight[s->half] += s->weight;
	g->all.squares += square;
	if (s->partial || (s->refs && s->thin))
		g->lost += s->weight;
	if (s->thin)
		return;
	g->thick.weight[s->half] += s->weight;
	g->thick_squares += square;
	if (s->partial)
		g->thick_lost += s->weight;
}

static void gather_choice(struct gathering *g, const struct observation *s,
			  const struct halves *group)
{
	if (s->refs && epoch_of(s) != g->epoch_at_hand) {
		end_epoch(g);
		g->epoch_at_hand = epoch_of(s);
	}
	if (s->partial || (s->refs && s->thin))
		return;
	choose(s->refs ? &g->epoch : &g->jvm, group);
}

/* ---- coverage ------------------------------------------------------------------------------ */

/* What stands for objects that were not observed; `alone`: it saves nothing. */
static void gather_others(struct gathering *g, const struct observation *s, bool alone)
{
	uint32_t at = s->block * CLUSTER_BLOCKS / GROUPS_BLOCKS;
	double bytes = s->others * s->bytes;

	g->others[at] += bytes;
	g->others_square += bytes * bytes;
	if (!alone)
		return;
	g->others_alone[at] += bytes;
	g->others_alone_square += bytes * bytes;
}

static void gather_coverage(struct gathering *g, const struct observation *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool alone = n == 1 || s[i].differing;
		gather_others(g, &s[i], alone);
		double by[2] = { s[i].weight, s[i].weight * s[i].bytes };
		for (int k = 0; k < 2; k++) {
			g->sum[k] += by[k];
			g->square[k] += by[k] * by[k];
			g->single[k] += n == 1 ? by[k] : 0;
			g->twice[k] += n == 2 ? by[k] : 0;
			g->thin[k] += s[i].partial || (s[i].refs && s[i].thin) ? by[k] : 0;
			g->differing[k] += n > 1 && s[i].differing ? by[k] : 0;
			g->alone_square[k] += alone ? by[k] * by[k] : 0;
		}
	}
	g->contents++;
	g->contents_bytes += s->bytes;
	g->singles += n == 1;
	g->doubles += n == 2;
}

/*
 * Adds one content. A content with references may equal one of another epoch; one that was hashed
 * in part may equal any.
 */
static void gather_least(struct gathering *g, const struct observation *s, size_t n)
{
	if (s->partial)
		return;
	g->least[s->refs]++;
	g->least_bytes[s->refs] += s->bytes;
	if (s->refs || n > 2)
		return;
	g->once += n == 1;
	g->again += n == 2;
	if (n == 1 && (g->once == 1 || s->bytes < g->smallest))
		g->smallest = s->bytes;
}

/* The share of what saves nothing: contents seen once, and objects that cannot be merged. */
static double alone_share(const struct gathering *g, int k)
{
	return fmin(1, (g->single[k] + g->differing[k]) / g->sum[k]);
}

/*
 * What the error of `alone`, a share of bytes, has beside that of single observations: those of one
 * time that stand for skipped objects err alike. The covariance of a cluster sample (Kish 1965).
 */
static double alone_others(const struct gathering *g, double alone)
{
	double in = g->others_alone_square, out = g->others_square - in;
	double sum = -(1 - alone) * (1 - alone) * in - alone * alone * out;

	for (int b = 0; b < CLUSTER_BLOCKS; b++) {
		double error = alone * g->others[b] - g->others_alone[b];
		sum += error * error;
	}
	return fmax(0, sum) / (g->sum[1] * g->sum[1]);
}

/* The number of observations that tell as much about the share `alone`. */
static double alone_effective(const struct gathering *g, int k, double alone)
{
	double own = alone * (1 - alone);
	double n = bounds_effective_share(alone, g->sum[k], g->square[k], g->alone_square[k]);

	return k == 1 && own > 0 ? own / (own / n + alone_others(g, alone)) : n;
}

/*
 * Objects that cannot be merged count as contents of their own at the low end, and as observed at
 * the high end. The low end allows for objects that save weighing more than others: then there are
 * fewer of them than the mean weight tells.
 */
static struct bounds_range covered_range(const struct gathering *g, int k, double z)
{
	struct bounds_range none = { NAN, NAN };

	if (!(g->sum[k] > 0))
		return none;
	double n = bounds_effective(g->sum[k], g->square[k]);
	double single = g->single[k] / g->sum[k], twice = g->twice[k] / g->sum[k];
	struct bounds_range range = bounds_coverage(single, twice, n, z);
	double alone = alone_share(g, k);
	double effective = alone_effective(g, k, alone);
	range.low = 1 - binomial_high(alone * effective, effective, bounds_tail(z));
	double unknown = g->thin[k] / g->sum[k];
	range.high = unknown > 0.5 ? NAN : fmin(1, range.high + unknown);
	return range;
}

/*
 * A weight w adds w to the sum, and w (y - p) to the share of what saves, with the errors of its
 * being sampled; so the covariance is the sum of w^2 (y - p), and the correlation that divided by
 * sqrt(sum w^2 (y - p)^2 * sum w^2).
 */
static double correlation(const struct gathering *g, int k)
{
	double alone = alone_share(g, k), square = g->square[k], in = g->alone_square[k];
	double own = (1 - alone) * (1 - alone) * in + alone * alone * (square - in);

	return own > 0 ? (alone * square - in) / sqrt(own * square) : 0;
}

static void set_others(struct groups *groups, const struct gathering *g)
{
	double alone = alone_share(g, 1);

	for (int b = 0; b < CLUSTER_BLOCKS && g->sum[1] > 0; b++)
		groups->others[b] = (alone * g->others[b] - g->others_alone[b]) / g->sum[1];
}

/*
 * Chao's lower bound (1984, bias-corrected). NAN if the sample does not cover most objects or the
 * estimate goes far beyond what was seen: it would be a guess.
 */
static double distinct_contents(const struct gathering *g, double objects)
{
	double more = g->singles * (g->singles - 1) / (2 * (g->doubles + 1));
	double contents = fmin(g->contents + more, fmax(objects, g->contents));

	if (!(g->sum[0] > 0) || g->single[0] > g->sum[0] / 2 || g->thin[0] > 0 ||
	    g->several_epochs || contents > 2 * g->contents)
		return NAN;
	return contents;
}

/* ---- all together -------------------------------------------------------------------------- */

static void gather(struct gathering *g, struct observation *s, size_t n)
{
	struct observation *own = s; /* where the JVM at hand begins */

	for (size_t first = 0, next; first < n; first = next) {
		struct halves group = { { 0, 0 }, 0, s[first].group };
		for (next = first; next < n && s[next].refs == s[first].refs &&
				   s[next].group == s[first].group && s[next].jvm == s[first].jvm &&
				   (!s[first].refs || epoch_of(&s[next]) == epoch_of(&s[first]));
		     next++) {
			group.weight[s[next].half] += s[next].weight;
			group.squares += s[next].weight * s[next].weight;
			gather_observation(g, &s[next]);
		}
		gather_choice(g, &s[first], &group);
		gather_coverage(g, &s[first], next - first);
		gather_least(g, &s[first], next - first);
		g->several_epochs |= s[first].refs && epoch_of(&s[first]) != epoch_of(&s[n - 1]);
		if (!s[first].refs && (next == n || s[next].refs || s[next].jvm != s[first].jvm)) {
			end_jvm(g, own, s + next);
			own = s + next;
		}
	}
	end_epoch(g);
}

/*
 * The interval of the largest group. The low end is about the chosen contents, which are at most as
 * frequent as the most frequent one. If another is about as frequent, the halves agree when one
 * content was lucky in both. The two measures are then correlated and count as one. The high end
 * must hold for a content that was not chosen, too; no content was seen more often than the largest
 * of the sample.
 */
static struct bounds_range largest_range(const struct choice *c, double largest, double all,
					 double n, double z)
{
	double first = c->first / all, second = c->second / all;
	bool close = first - second < z * sqrt((first + second) / n);
	double most = fmin(fmax(largest, first), 1);

	return (struct bounds_range){ bounds_wilson(largest, close ? n / 2 : n, z).low,
				      bounds_wilson(most, n, z).high };
}

/*
 * Effective number for a choice. Its objects may have other weights than the rest, for example all
 * of a phase of the program that was sampled more rarely.
 */
static double effective(const struct choice *c, double largest, double all, double squares)
{
	return bounds_effective_share(largest, all, squares,
				      (c->by[0].squares + c->by[1].squares) / 2);
}

/*
 * The variance that a share has because some sampled objects were not observed and others stand for
 * them. Objects of one block were missed together: they are alike rather than independent, and may
 * belong to another phase of the program. So this is the variance of a cluster sample, of the
 * weight of these objects only. It is small if contents come in random order.
 */
static double others_variance(double share, double all, const struct observation *s, size_t n)
{
	struct cluster_error *e = xmallocarray(n, sizeof *e);

	for (size_t i = 0; i < n; i++)
		e[i] = (struct cluster_error){ s[i].jvm, s[i].own_block,
					       s[i].others * ((double)s[i].chosen - share) };
	double squares = cluster_squares(e, n);
	free(e);
	return squares / (all * all);
}

/* Effective number for a content, from `n` observations. */
static double plain_effective(const struct gathering *g, double share, double all,
			      const struct observation *s, size_t n)
{
	double alike = effective(&g->plain, share, all, g->all.squares);
	double own = share * (1 - share) / alike;

	if (!(own > 0))
		return alike;
	return alike * own / (own + others_variance(share, all, s, n));
}

/* Sets the larger of two candidates: a content pooled over the run, or the contents of epochs. */
static void set_largest(struct groups *groups, const struct gathering *g,
			const struct observation *s, size_t n, double z)
{
	double all = g->all.weight[0] + g->all.weight[1];
	double thick = g->thick.weight[0] + g->thick.weight[1];
	double plain = measure(&g->plain, &g->all), refs = measure(&g->refs, &g->thick);
	bool by_epochs = thick > 0 && refs > plain;
	double lost = by_epochs ? g->thick_lost / thick : g->lost / all;

	if (!(lost <= 0.5))
		return;
	groups->largest = by_epochs ? refs : plain;
	groups->largest_range =
		by_epochs ? largest_range(&g->refs, refs, thick,
					  effective(&g->refs, refs, thick, g->thick_squares), z)
			  : largest_range(&g->plain, plain, all,
					  plain_effective(g, plain, all, s, n), z);
	groups->largest_range.high = fmin(1, groups->largest_range.high + lost);
}

/* The least number of contents; `n` of the `objects` were observed. */
static void set_least(struct groups *groups, const struct gathering *g, size_t n, double objects,
		      double z)
{
	double sampled = objects > 0 ? (double)n / objects : 1;
	double unseen = bounds_unseen(g->once, g->again, sampled, z);

	groups->least = g->least[0] + g->least[2] + unseen;
	groups->least_bytes = g->least_bytes[0] + g->least_bytes[2] + unseen * g->smallest;
}

void groups_measure(struct groups *groups, struct observation *observations, size_t n,
		    double objects, double z, struct rng *rng)
{
	const struct bounds_range none = { NAN, NAN };
	struct gathering g = { .epoch_at_hand = 0 };

	*groups = (struct groups){ .largest = NAN,
				   .largest_range = none,
				   .covered = none,
				   .covered_bytes = none,
				   .covered_mean = NAN,
				   .contents = NAN,
				   .contents_bytes = NAN,
				   .least = NAN,
				   .least_bytes = NAN,
				   .distinct = NAN };
	if (n < 2)
		return;
	name_groups(observations, n, rng);
	split_halves(observations, n);
	sort_groups(observations, n);
	gather(&g, observations, n);
	set_largest(groups, &g, observations, n, z);
	groups->covered = covered_range(&g, 0, z);
	groups->covered_bytes = covered_range(&g, 1, z);
	groups->covered_mean = 1 - alone_share(&g, 1);
	groups->correlation = correlation(&g, 0);
	groups->correlation_bytes = correlation(&g, 1);
	set_others(groups, &g);
	groups->contents = g.contents;
	groups->contents_bytes = g.contents_bytes;
	groups->distinct = distinct_contents(&g, objects);
	set_least(groups, &g, n, objects, z);
}
