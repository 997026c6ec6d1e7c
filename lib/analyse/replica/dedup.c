/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dedup.c - see dedup.h.
 *
 * Equal strings are recognised by their deep hash; the snapshot gives the size of their arrays.
 * Strings made by `new String(s)` share the array of s, so deduplication saves nothing. Whether
 * equal strings share is found from pairs of them in one epoch, in which addresses are comparable:
 * their slots of the field `value` are equal or not.
 */
#include "analyse/replica/dedup.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/replica/observations.h"
#include "base/rng.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/groups.h"

/* ---- Snapshots are sorted by deep content; each content is looked up among the texts. */

struct text_seen {
	uint64_t deep;
	double weight;
};

static int compare_texts(const void *a, const void *b)
{
	const struct text_seen *x = a, *y = b;

	return ORDER(x->deep, y->deep);
}

static int compare_values(const void *a, const void *b)
{
	const struct replica_value *x = a, *y = b;

	return ORDER(y->share, x->share) ?: ORDER(x->value->deep, y->value->deep);
}

static const struct model_value *find_in(const struct model_context *c, uint64_t deep)
{
	size_t i = model_value_index(c, deep);

	return i < c->nvalues && c->values[i]->deep == deep ? c->values[i] : NULL;
}

static const struct model_value *find(struct model_context *const *contexts, size_t n,
				      uint64_t deep)
{
	const struct model_value *v = NULL;

	for (size_t i = 0; i < n && !v; i++)
		v = find_in(contexts[i], deep);
	return v;
}

/* Adds the snapshots of a context, scaled to what it allocated. Returns their number. */
static size_t add_texts(struct text_seen *to, const struct model_context *c)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		if (c->snapshots[i]->flags & WIRE_DEEP) {
			to[n++] = (struct text_seen){ c->snapshots[i]->deep,
						      c->snapshots[i]->weight };
			sum += c->snapshots[i]->weight;
		}
	for (size_t i = 0; i < n && c->objects > 0 && sum > 0; i++)
		to[i].weight *= c->objects / sum;
	return n;
}

/* Inserts it among the first *n values; the last may drop out. */
static void insert(struct replica_value *values, size_t *n, struct replica_value v)
{
	size_t at = *n;

	while (at > 0 && compare_values(&v, &values[at - 1]) < 0)
		at--;
	if (at >= VALUES_MOST)
		return;
	if (*n < VALUES_MOST)
		++*n;
	for (size_t i = *n - 1; i > at; i--)
		values[i] = values[i - 1];
	values[at] = v;
}

static void rank(struct replica_value *values, size_t *n, const struct text_seen *s, size_t ns,
		 struct model_context *const *contexts, size_t ncontexts)
{
	double all = 0;

	for (size_t i = 0; i < ns; i++)
		all += s[i].weight;
	for (size_t first = 0, next; first < ns; first = next) {
		double weight = 0;
		for (next = first; next < ns && s[next].deep == s[first].deep; next++)
			weight += s[next].weight;
		const struct model_value *v = find(contexts, ncontexts, s[first].deep);
		if (v && all > 0)
			insert(values, n, (struct replica_value){ v, weight / all });
	}
}

void values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		 size_t ncontexts)
{
	size_t snapshots = 0, texts = 0, ns = 0;

	*values = NULL;
	*n = 0;
	for (size_t i = 0; i < ncontexts; i++) {
		snapshots += contexts[i]->nsnapshots;
		texts += contexts[i]->nvalues;
	}
	if (texts == 0 || snapshots == 0)
		return;
	struct text_seen *s = xcalloc(snapshots, sizeof *s);
	*values = xcalloc(VALUES_MOST, sizeof **values);
	for (size_t i = 0; i < ncontexts; i++)
		ns += add_texts(s + ns, contexts[i]);
	qsort(s, ns, sizeof *s, compare_texts);
	rank(*values, n, s, ns, contexts, ncontexts);
	free(s);
}

#define PAIRS_LEAST 10 /* pairs of equal strings; fewer do not tell whether strings share */

int dedup_applies(const struct model_class *class)
{
	return class && class->name && strcmp(class->name, "java.lang.String") == 0;
}

/* ---- sharing ------------------------------------------------------------------------------- */

struct string {
	uint64_t epoch, deep, random; /* epoch: combined with the JVM */
	uint32_t array;		      /* hash of the array's address */
};

static int compare_strings(const void *a, const void *b)
{
	const struct string *x = a, *y = b;

	return ORDER(x->epoch, y->epoch) ?: ORDER(x->deep, y->deep) ?: ORDER(x->random, y->random);
}

/* The slot of the field `value`; WIRE_SLOTS if there is none. */
static uint32_t value_slot(const struct model_class *class)
{
	for (uint32_t k = 0; class && class->fields && k < wire_slots(class->nfields); k++) {
		uint64_t position = wire_position(class->nfields, k);
		const char *name = class->fields[position].name;
		if (name && strcmp(name, "value") == 0)
			return k;
	}
	return WIRE_SLOTS;
}

static size_t add_strings(struct string *to, const struct model_context *c, struct rng *rng)
{
	uint32_t slot = value_slot(c->class);
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		if (!(l->flags & WIRE_DEEP) || slot >= l->nslots)
			continue;
		to[n++] = (struct string){ .epoch = (uint64_t)c->jvm << 32 | l->epoch,
					   .deep = l->deep,
					   .random = rng_next(rng),
					   .array = l->slot[slot] };
	}
	return n;
}

/* Counts disjoint pairs of equal neighbours; *shared receives how many of them share. */
static size_t count_pairs(const struct string *s, size_t n, size_t *shared)
{
	size_t pairs = 0;

	*shared = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		if (s[i].epoch != s[i + 1].epoch || s[i].deep != s[i + 1].deep)
			continue;
		*shared += s[i].array == s[i + 1].array;
		pairs++;
		i++;
	}
	return pairs;
}

/*
 * *share receives the share of equal strings that already share an array, at most; NAN if there are
 * too few pairs. 0, or -1 with ENOMEM.
 */
static void most_shared(double *share, struct model_context *const *contexts, size_t n, double z,
			uint64_t seed)
{
	struct rng rng = { rng_mix(seed + 3) };
	size_t all = 0, count = 0, shared;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nsnapshots;
	struct string *strings = xcalloc(all, sizeof *strings);
	for (size_t i = 0; i < n; i++)
		count += add_strings(strings + count, contexts[i], &rng);
	qsort(strings, count, sizeof *strings, compare_strings);
	size_t pairs = count_pairs(strings, count, &shared);
	free(strings);
	*share = pairs < PAIRS_LEAST
			 ? NAN
			 : bounds_wilson((double)shared / (double)pairs, (double)pairs, z).high;
}

/* ---- bytes --------------------------------------------------------------------------------- */

void dedup_measure(struct bounds_range *saved, struct model_context *const *contexts, size_t n,
		   double objects, const struct bounds_range *error, double z, uint64_t seed)
{
	struct rng rng = { rng_mix(seed + 2) };
	struct groups groups;
	double bytes, shared;

	observations_of_arrays(&groups, &bytes, contexts, n, objects, z, &rng);
	most_shared(&shared, contexts, n, z, seed);
	*saved = groups_saved(&groups.covered_bytes, groups.contents_bytes, groups.least_bytes,
			      bytes * error->low);
	saved->high += bytes * (error->high - error->low);
	if (saved->low > 0)
		saved->low *= 1 - shared;
	if (isnan(saved->low))
		saved->high = NAN;
}

/* ---- collectors that have it -------------------------------------------------------------- */

/* By the names that the agent gives to collectors. */
static const struct {
	const char *gc;
	long since; /* JDK */
} collectors[] = {
	/* JEP 192, JDK-8267185, 8272609, 8267186 */
	{ "G1", 8 }, { "Shenandoah", 8 },     { "Parallel", 18 },  { "Serial", 18 },
	{ "Z", 18 }, { "Epsilon", LONG_MAX }, { "CMS", LONG_MAX },
};

enum deduplication deduplication_of(const struct file_jvm *jvm)
{
	long jdk = strtol(jvm->vm_version, NULL, 10); /* "17.0.15+6" */

	for (size_t i = 0; jdk > 0 && i < sizeof collectors / sizeof *collectors; i++)
		if (strcmp(jvm->gc, collectors[i].gc) == 0)
			return jdk < collectors[i].since	    ? DEDUPLICATION_NONE
			       : jvm->flags & WIRE_JVM_DEDUPLICATES ? DEDUPLICATION_ON
								    : DEDUPLICATION_OFF;
	return DEDUPLICATION_UNKNOWN;
}

enum deduplication deduplication_at(struct model_context *const *contexts, size_t n)
{
	enum deduplication first = DEDUPLICATION_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		const struct model_jvm *jvm =
			contexts[i]->model ? model_jvm(contexts[i]->model, contexts[i]->jvm) : NULL;
		enum deduplication d = jvm ? deduplication_of(&jvm->info) : DEDUPLICATION_UNKNOWN;
		if (d == DEDUPLICATION_OFF)
			return d;
		if (i == 0)
			first = d;
	}
	return first;
}
