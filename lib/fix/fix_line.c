/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_line.c - see fix_line.h.
 *
 * An object brings with it what its constructor makes: a HashMap that is not made has no table. So
 * a part whose frames lead through the constructor of a class of which the same line has a part
 * follows that part: the same share of it is avoided, for the same reason.
 *
 * A call such as String.split compiles an expression. That is in vain only if the expression comes
 * again, which shows in the field `pattern` of the Pattern: it leads to the same string, a constant
 * of the program. Patterns that are equal, with other strings, make it likely.
 *
 * What is made for an object that is kept is needed, though it may die itself.
 */
#include "fix/fix_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"
#include "fix/fix_amount.h"

static int compare_lines(const void *a, const void *b)
{
	const struct fix_part *x = a, *y = b;

	return fix_compare_methods(x, y)
		       ?: ORDER(x->line.line, y->line.line)
		       ?: ORDER(y->bytes, x->bytes)
		       ?: strcmp(x->class_name, y->class_name);
}

/* ---- what constructors make -------------------------------------------------------------- */

/* Whether the frame may be where the owner is made: calls decide for each way of their own. */
static bool may_make(const struct model_frame *frame, const struct fix_part *owner)
{
	const struct advice_facts *f = &owner->advice->facts;

	return !owner->rule || !owner->rule->by_call || f->n == 0 ||
	       frame_compare_methods(&f->frames[0], frame) == 0;
}

/* The part of the object in whose constructor this part is made, or NULL. */
static const struct fix_part *owner_of(const struct fix_part *parts, size_t n,
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

/* Gives a part the reason of its owner, if that avoids more of it. */
static void take_reason(struct fix_part *part, const struct fix_part *owner)
{
	if (!owner->rule || !(owner->bytes > 0) ||
	    (owner->rule->except && owner->rule->except(&part->advice->facts)))
		return;
	if (fix_part_expected(owner) / owner->bytes * part->bytes > fix_part_expected(part)) {
		struct fix_share share = fix_ratio(&owner->certain, &owner->all);
		part->certain = fix_part_of(&part->all, &share);
		part->likely = estimate_scale(owner->likely, part->bytes / owner->bytes);
		part->possible = owner->possible / owner->bytes * part->bytes;
		part->weight = owner->weight;
	} else if (!are_empty(part, owner)) {
		return;
	}
	part->rule = owner->rule;
	part->follows = true;
}

/* An owner may follow one itself, so that comes first; two that make each other end there. */
static void follow(struct fix_part *parts, size_t n, size_t i, bool *asked)
{
	if (asked[i] || (parts[i].rule && parts[i].rule->by_call))
		return;
	asked[i] = true;
	const struct fix_part *owner = owner_of(parts, n, &parts[i]);
	if (!owner)
		return;
	follow(parts, n, (size_t)(owner - parts), asked);
	take_reason(&parts[i], owner);
}

static void follow_owners(struct fix_part *parts, size_t n)
{
	bool *asked = xcalloc(n, sizeof *asked);

	for (size_t i = 0; i < n; i++)
		follow(parts, n, i, asked);
	free(asked);
}

/* ---- iterators over iterators ------------------------------------------------------------ */

#define WRAPPER "java.util.Collections$UnmodifiableCollection$1"

static bool made_by_wrapper(const struct fix_part *part)
{
	const struct advice_facts *f = &part->advice->facts;

	for (size_t i = 0; part->rule && part->rule->by_call && i < f->own; i++)
		if (strcmp(f->frames[i].class_name, WRAPPER) == 0 &&
		    strcmp(f->frames[i].method, "<init>") == 0)
			return true;
	return false;
}

/* An iterator of a wrapper goes with the one that it makes of the list behind it. */
static void follow_wrapped(struct fix_part *parts, size_t n, struct fix_part *wrapper)
{
	for (size_t i = 0; i < n; i++) {
		if (!made_by_wrapper(&parts[i]) || !(wrapper->objects > 0))
			continue;
		double share = fmin(1, parts[i].objects / wrapper->objects);
		struct fix_share of = { share, { share, share } };
		wrapper->rule = parts[i].rule;
		wrapper->certain = fix_part_of(&wrapper->all, &of);
		wrapper->likely = (struct estimate){ 0 };
		wrapper->possible = 0;
		return;
	}
}

static void follow_all_wrapped(struct fix_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(parts[i].class_name, WRAPPER) == 0)
			follow_wrapped(parts, n, &parts[i]);
}

/* ---- expressions ------------------------------------------------------------------------- */

static bool is_compiled(const struct fix_part *part)
{
	return part->rule && part->rule->by_call && strcmp(part->rule->name, "regex-compile") == 0;
}

/* The slot of the field `pattern`; WIRE_SLOTS if the part has none. */
static uint32_t expression_slot(const struct fix_part *part)
{
	const struct model_class *c = part->row->class;

	for (uint32_t i = 0; c && i < c->nfields && c->nfields <= WIRE_SLOTS; i++)
		if (strcmp(part->class_name, "java.util.regex.Pattern") == 0 && c->fields[i].name &&
		    strcmp(c->fields[i].name, "pattern") == 0)
			return i;
	return WIRE_SLOTS;
}

/* Values of a field, or hashes of what objects hold with all that they refer to. */
struct seen {
	uint64_t *value;
	size_t n;
};

static void add_seen(struct seen *seen, uint64_t value)
{
	seen->value = xreallocarray(seen->value, seen->n + 1, sizeof *seen->value);
	seen->value[seen->n++] = value;
}

static void collect(struct seen *same, struct seen *equal, const struct fix_part *part,
		    uint32_t slot)
{
	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = part->contexts[i]->snapshots[k];
			if (l->nslots > slot)
				add_seen(same, l->slot[slot]);
			if (l->flags & WIRE_DEEP)
				add_seen(equal, l->deep);
		}
}

static int compare_values(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return ORDER(*x, *y);
}

/* The share of those that were seen more than once. */
static struct fix_share share_repeated(struct seen *seen, double z)
{
	size_t repeated = 0;

	if (seen->n > 0) /* qsort takes no NULL */
		qsort(seen->value, seen->n, sizeof *seen->value, compare_values);
	for (size_t i = 0, end; i < seen->n; i = end) {
		for (end = i + 1; end < seen->n && seen->value[end] == seen->value[i];)
			end++;
		repeated += end - i > 1 ? end - i : 0;
	}
	free(seen->value);
	return fix_share_of((double)repeated, (double)seen->n, z);
}

/*
 * The part's share in what is avoided of all that compiles. The shares of all parts are the same
 * ones, with the same errors, so the squares of these are divided.
 */
static struct fix_sum part_of_all(const struct fix_part *part, const struct fix_sum *all,
				  const struct fix_share *share)
{
	struct fix_sum avoided = fix_part_of(all, share), own = fix_part_of(&part->certain, share);
	double ratio = all->value > 0 ? part->certain.value / all->value : 0;

	own.below = avoided.below * ratio;
	own.above = avoided.above * ratio;
	return own;
}

/*
 * Of what compiles, as much is certain as the expressions of which the same string comes again. A
 * string that the program makes for each call is another object each time: if the Patterns are
 * equal all the same, it is likely.
 */
static void weigh(struct fix_part *part, const struct fix_sum *all, const struct fix_share *same,
		  const struct fix_share *equal, double z)
{
	struct fix_sum again = part_of_all(part, all, equal);
	struct estimate e = fix_estimate(&again, z);
	double bytes = part->certain.value;

	part->certain = part_of_all(part, all, same);
	double certain = part->certain.value;
	if (again.value > certain)
		part->likely = (struct estimate){ again.value - certain,
						  { fmax(0, e.range.low - certain),
						    e.range.high - certain } };
	part->possible = fmax(0, bytes - certain - part->likely.value);
}

/* Constants have moved once or twice by the time they are old. */
static void weigh_expressions(struct fix_part *parts, size_t n, double z)
{
	struct seen seen = { .n = 0 }, contents = { .n = 0 };
	struct fix_sum all = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint32_t slot = is_compiled(&parts[i]) ? expression_slot(&parts[i]) : WIRE_SLOTS;
		if (slot < WIRE_SLOTS)
			collect(&seen, &contents, &parts[i], slot);
		if (is_compiled(&parts[i]))
			fix_sum_add(&all, &parts[i].certain);
	}
	struct fix_share same = share_repeated(&seen, z), equal = share_repeated(&contents, z);
	for (size_t i = 0; i < n; i++)
		if (is_compiled(&parts[i]))
			weigh(&parts[i], &all, &same, &equal, z);
}

/* ---- what is kept ------------------------------------------------------------------------ */

/* Whether a rule that uses one object again would take the part, if it were not kept. */
static bool is_kept(const struct fix_part *part, const struct advice_rule *rule)
{
	const struct advice_facts *f = &part->advice->facts;

	return part->rule != rule && rule->match(f) && advice_is_kept(f);
}

static void spare(struct fix_part *part)
{
	part->certain = (struct fix_sum){ 0 };
	part->likely = (struct estimate){ 0 };
}

/* If most of what a call makes is kept, its helpers are needed for that: nothing is certain. */
static void spare_kept(struct fix_part *parts, size_t n, const struct advice_rule *rule)
{
	double kept = 0, others = 0;

	for (size_t i = 0; i < n; i++) {
		kept += is_kept(&parts[i], rule) ? parts[i].bytes : 0;
		others += parts[i].rule == rule ? parts[i].bytes : 0;
	}
	for (size_t i = 0; i < n && kept > others; i++)
		if (parts[i].rule == rule)
			spare(&parts[i]);
}

static void spare_all_kept(struct fix_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (parts[i].rule && parts[i].rule->by_call && parts[i].rule->unless_kept)
			spare_kept(parts, n, parts[i].rule);
}

/* ---- all lines --------------------------------------------------------------------------- */

static bool same_line(const struct fix_part *a, const struct fix_part *b)
{
	return fix_compare_methods(a, b) == 0 && a->line.line == b->line.line;
}

void fix_lines(struct fix_part *parts, size_t n, double z)
{
	if (n > 0)
		qsort(parts, n, sizeof *parts, compare_lines);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_line(&parts[i], &parts[end]);)
			end++;
		weigh_expressions(parts + i, end - i, z);
		follow_owners(parts + i, end - i);
		follow_all_wrapped(parts + i, end - i);
		spare_all_kept(parts + i, end - i);
	}
}
