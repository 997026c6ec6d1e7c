/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_owner.c - see fix_part.h.
 *
 * An object brings with it what its constructor makes: a HashMap that is not made has no table. So
 * a part whose frames lead through the constructor of a class of which the same line has a part
 * follows that part: the same share of it is avoided, for the same reason.
 */
#include "fix/fix_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "fix/fix_amount.h"

/* Whether the frame may be where the owner is made: calls decide for each way of their own. */
static bool may_make(const struct model_frame *frame, const struct fix_part *owner)
{
	const struct advice_facts *f = &owner->advice->facts;

	return !owner->rule || !owner->rule->by_call || f->n == 0 ||
	       frame_compare_methods(&f->frames[0], frame) == 0;
}

const struct fix_part *fix_owner_of(const struct fix_part *parts, size_t n,
				    const struct fix_part *part)
{
	const struct advice_facts *f = &part->advice->facts;
	const struct fix_part *found = NULL;

	for (size_t k = 0; k < f->own && k + 1 < f->n; k++) {
		if (strcmp(f->frames[k].method, "<init>") != 0)
			continue;
		for (size_t i = 0; i < n; i++)
			if (&parts[i] != part &&
			    strcmp(parts[i].class_name, f->frames[k].class_name) == 0 &&
			    may_make(&f->frames[k + 1], &parts[i]) &&
			    (!found || parts[i].bytes > found->bytes ||
			     strcmp(found->class_name, parts[i].class_name) != 0))
				found = &parts[i];
	}
	return found;
}

/* Whether both are about objects that hold nothing: then one look tells of the owner as well. */
static bool are_empty(const struct fix_part *part, const struct fix_part *owner)
{
	return owner->rule->removes == REMOVES_EMPTY &&
	       (!part->rule || part->rule->removes == REMOVES_UNFILLED);
}

/* What a part takes over from another one: as large a share of its bytes. */
static void take_amounts(struct fix_part *part, const struct fix_part *owner)
{
	struct fix_share share = fix_ratio(&owner->certain, &owner->all);

	part->certain = fix_part_of(&part->all, &share);
	part->likely = estimate_scale(owner->likely, part->bytes / owner->bytes);
	part->possible = owner->possible / owner->bytes * part->bytes;
	part->weight = owner->weight;
}

/* Gives a part the reason of its owner. Returns whether it has its amounts from there, too. */
static bool take_reason(struct fix_part *part, const struct fix_part *owner)
{
	if (!owner->rule || !(owner->bytes > 0) ||
	    (owner->rule->except && owner->rule->except(&part->advice->facts)))
		return false;
	bool more = fix_part_expected(owner) / owner->bytes * part->bytes > fix_part_expected(part);
	if (!more && !are_empty(part, owner))
		return false;
	if (more)
		take_amounts(part, owner);
	part->rule = owner->rule;
	part->follows = true;
	return more;
}

#define ROOT SIZE_MAX /* of a part that has its amounts from itself */

struct following {
	bool asked;
	size_t root; /* the part that its amounts come from */
};

/* An owner may follow one itself, so that comes first; two that make each other end there. */
static void follow(struct fix_part *parts, size_t n, size_t i, struct following *to)
{
	if (to[i].asked || (parts[i].rule && parts[i].rule->by_call))
		return;
	to[i].asked = true;
	const struct fix_part *owner = fix_owner_of(parts, n, &parts[i]);
	if (!owner)
		return;
	size_t at = (size_t)(owner - parts);
	follow(parts, n, at, to);
	if (take_reason(&parts[i], owner))
		to[i].root = to[at].root == ROOT ? at : to[at].root;
}

/* ---- errors of shares ----------------------------------------------------------------------- */

static bool is_of(const struct following *to, size_t i, size_t root)
{
	return i == root || to[i].root == root;
}

/*
 * The share of an owner is that of all that follows it, with the same error: that of their sum is
 * as large as if they were one. Sums of parts add up squares, so each part gets some of the square.
 */
static void share_errors(struct fix_part *parts, size_t n, const struct following *to, size_t root)
{
	struct fix_sum all = { 0 };
	const struct estimate likely = parts[root].likely;
	const struct fix_share share = fix_ratio(&parts[root].certain, &parts[root].all);

	for (size_t i = 0; i < n; i++)
		if (is_of(to, i, root))
			fix_sum_add(&all, &parts[i].all);
	for (size_t i = 0; i < n; i++) {
		struct fix_part *p = &parts[i];
		if (!is_of(to, i, root))
			continue;
		double wider = sqrt(all.value * p->all.value) / parts[root].all.value;
		const struct fix_sum certain = fix_part_of_all(&p->all, &all, &share);
		p->certain.below = certain.below;
		p->certain.above = certain.above;
		p->likely.range.low = p->likely.value - (likely.value - likely.range.low) * wider;
		p->likely.range.high = p->likely.value + (likely.range.high - likely.value) * wider;
	}
}

void fix_follow_owners(struct fix_part *parts, size_t n)
{
	struct following *to = xcalloc(n, sizeof *to);

	for (size_t i = 0; i < n; i++)
		to[i].root = ROOT;
	for (size_t i = 0; i < n; i++)
		follow(parts, n, i, to);
	for (size_t root = 0; root < n; root++)
		for (size_t i = 0; i < n; i++)
			if (to[i].root == root) {
				share_errors(parts, n, to, root);
				break;
			}
	free(to);
}
