/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_seen.c - see fix_part.h.
 *
 * A snapshot shows an object when it is old, and mostly dead. So two snapshots that agree tell that
 * it is not filled any more, but not that it never was: a buffer may have been used and cleared.
 *
 * An array that holds something was not cleared. What else of it is 0 never held anything, or was
 * overwritten by 0 in part, which is rare. For such an array the second snapshot is enough, or one
 * that was taken when a collection began which found it dead.
 *
 * An array that is 0 as a whole may have been cleared. A use tells that, if it saw another content.
 * A use that saw the same comes from the watch of a first load, so it may be from before the array
 * was filled. Only sampled accesses see objects of any age. Without them nothing is expected.
 *
 * So it is with arrays that are alike in the end: second snapshots do not tell when they were
 * filled.
 *
 * Objects that are the same at their first use and in the end may have been others in between, if
 * there is a field that can be assigned again. That they were not shows in uses at any age alone.
 * An array that holds something is mostly filled once; one that does not may be cleared, as the
 * table of a map of which all is removed.
 */
#include "fix/fix_part.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "fix/match_names.h"
#include "stats/binomial.h"

#define HALF   0.5
#define MOSTLY 0.75 /* of the elements of an array */

/* Objects that were looked at again, and those of them that had stayed as they were. */
struct looks {
	double looked, agreed;
};

static double limit(const struct looks *looks)
{
	return looks->looked > 0 ? binomial_low(looks->agreed, looks->looked, FIX_POSSIBLE_ALPHA)
				 : 0;
}

static void look_twice(struct looks *looks, const struct model_snapshot *l)
{
	looks->looked += (l->flags & WIRE_TWICE) != 0;
	looks->agreed += (l->flags & WIRE_TWICE) && !(l->flags & WIRE_CHANGED);
}

/* As look_twice; a collection that finds the object dead tells that this is its end. */
static void look_at_end(struct looks *looks, const struct model_snapshot *l)
{
	const struct wire_fill *fill = model_snapshot_fill(l);
	unsigned fate = fill ? fill->flags & (WIRE_FILL_DIED | WIRE_FILL_SURVIVED) : 0;

	if (l->flags & WIRE_TWICE && fate != WIRE_FILL_DIED) {
		look_twice(looks, l);
		return;
	}
	looks->looked += fate != 0;
	looks->agreed += fate == WIRE_FILL_DIED;
}

static bool is_array(const struct fix_part *part)
{
	return part->row->class && part->row->class->is_array;
}

void fix_weigh(struct fix_part *part)
{
	const struct replica *x = &part->row->replica;
	/* uses are the better evidence: they come before the end */
	struct looks looks = { (double)x->used_alike, (double)x->used_same };
	bool twice = !x->used_alike && !is_array(part);

	for (size_t i = 0; i < part->ncontexts && twice; i++)
		for (size_t k = 0; k < part->contexts[i]->nsnapshots; k++)
			look_twice(&looks, part->contexts[i]->snapshots[k]);
	part->looked = looks.looked;
	part->agreed = looks.agreed;
	part->weight = limit(&looks);
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* A snapshot of an array, with the context that it is of. */
struct look {
	const struct model_snapshot *snapshot;
	const struct model_context *context;
	bool alone; /* no other array of its length has its content */
};

static int compare_looks(const void *a, const void *b)
{
	const struct look *x = a, *y = b;

	return ORDER(x->snapshot->array_length, y->snapshot->array_length)
		       ?: ORDER(x->snapshot->content, y->snapshot->content)
		       ?: ORDER(x->snapshot->number, y->snapshot->number);
}

static bool same_content(const struct look *a, const struct look *b)
{
	return a->snapshot->array_length == b->snapshot->array_length &&
	       a->snapshot->content == b->snapshot->content;
}

/* All snapshots of the part, by content. The caller frees them. */
static struct look *list_looks(const struct fix_part *part, size_t *n)
{
	struct look *looks = NULL;

	*n = 0;
	for (size_t i = 0; i < part->ncontexts; i++) {
		const struct model_context *c = part->contexts[i];
		looks = xreallocarray(looks, *n + c->nsnapshots + 1, sizeof *looks);
		for (size_t k = 0; k < c->nsnapshots; k++)
			looks[(*n)++] = (struct look){ c->snapshots[k], c, false };
	}
	if (*n > 0) /* qsort takes no NULL */
		qsort(looks, *n, sizeof *looks, compare_looks);
	for (size_t i = 0; i < *n; i++)
		looks[i].alone = (i == 0 || !same_content(&looks[i - 1], &looks[i])) &&
				 (i + 1 == *n || !same_content(&looks[i + 1], &looks[i]));
	return looks;
}

/*
 * Whether the array holds something for sure. If not all of it is used, how far it is tells. Else
 * only some elements of a long one are in its slots. If
 * these are all 0, its content may be that of an array of zeros, which any two of them share.
 */
static bool holds(const struct look *look)
{
	const struct model_snapshot *l = look->snapshot;
	const struct wire_fill *fill = model_snapshot_fill(l);

	if (fill && fill->kind == WIRE_FILL_ARRAY && fill->flags & WIRE_FILL_SIZE)
		return fill->size > 0;
	return l->flags & WIRE_REFS || __builtin_popcount(l->zeros) < l->nslots || look->alone;
}

/* Adds what a use tells of an array that may have been cleared. */
static void look_in_use(struct looks *looks, const struct look *look)
{
	const struct model_context *c = look->context;
	const struct model_snapshot *l = look->snapshot;

	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		if (u->ticket != l->ticket || u->epoch != l->epoch ||
		    u->array_length != l->array_length)
			continue;
		bool same = u->content == l->content && !(l->flags & WIRE_CHANGED);
		looks->looked += !same || u->flags & WIRE_SAMPLED;
		looks->agreed += same && u->flags & WIRE_SAMPLED;
	}
}

void fix_weigh_unfilled(struct fix_part *part)
{
	struct looks held = { 0 }, nothing = { 0 };
	double all = 0, holding = 0;
	size_t n;
	struct look *looks = list_looks(part, &n);

	for (size_t i = 0; i < n; i++) {
		double elements = looks[i].snapshot->weight * looks[i].snapshot->array_length;
		all += elements;
		if (holds(&looks[i])) {
			holding += elements;
			look_at_end(&held, looks[i].snapshot);
		} else {
			look_in_use(&nothing, &looks[i]);
		}
	}
	free(looks);
	double share = all > 0 ? holding / all : 0;
	part->looked = held.looked + nothing.looked;
	part->agreed = held.agreed + nothing.agreed;
	part->weight = share * limit(&held) + (1 - share) * limit(&nothing);
}

/* ---- objects that could be others for a time ------------------------------------------------ */

/* Classes of the JDK whose objects nobody can change: their other fields are caches. */
static bool is_value(const char *class_name)
{
	return match_listed("BigInteger BigDecimal", match_within(class_name, "java.math.")) ||
	       match_listed("URI URL", match_within(class_name, "java.net.")) ||
	       match_listed("Color Font", match_within(class_name, "java.awt.")) ||
	       match_listed("File", match_within(class_name, "java.io."));
}

static bool is_at_end(const struct model_context *c, const struct model_use *u)
{
	for (size_t i = 0; i < c->nsnapshots; i++)
		if (c->snapshots[i]->content == u->content &&
		    (!(u->flags & WIRE_REFS) || c->snapshots[i]->epoch == u->epoch))
			return true;
	return false;
}

/* Uses at any age, and those of them that saw what others hold in the end. */
static struct looks look_at_any_age(const struct fix_part *part)
{
	struct looks looks = { 0 };

	for (size_t i = 0; i < part->ncontexts; i++) {
		const struct model_context *c = part->contexts[i];
		for (size_t k = 0; k < c->nuses; k++) {
			if (!(c->uses[k]->flags & WIRE_SAMPLED))
				continue;
			looks.looked++;
			looks.agreed += is_at_end(c, c->uses[k]);
		}
	}
	return looks;
}

bool fix_may_be_restored(const struct fix_part *part)
{
	const struct replica *x = &part->row->replica;
	bool filled = is_array(part) && !(part->advice->facts.zero >= MOSTLY);
	struct looks looks;

	if (filled || x->constant_class || is_value(part->class_name))
		return false;
	looks = look_at_any_age(part);
	return !(limit(&looks) > HALF);
}
