/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_line.c - see fix_part.h.
 *
 * What is made together goes together: what a constructor makes with its object (fix_owner.c), the
 * iterator of a wrapper with that of its list, a builder with its text. What is made for an object
 * that is kept is needed, though it may die itself.
 */
#include "fix/fix_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "fix/fix_amount.h"
#include "fix/match_names.h"

static int compare_lines(const void *a, const void *b)
{
	const struct fix_part *x = a, *y = b;

	return fix_compare_methods(x, y)
		       ?: ORDER(x->line.line, y->line.line)
		       ?: ORDER(y->bytes, x->bytes)
		       ?: strcmp(x->class_name, y->class_name);
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

/* ---- texts that are put together ------------------------------------------------------------ */

static bool has_rule(const struct fix_part *part, const char *name)
{
	return part->rule && strcmp(part->rule->name, name) == 0;
}

/* Whether the text comes out of a builder at the line itself, as that of `a + b`. */
static bool is_built(const struct fix_part *part)
{
	const struct advice_facts *f = &part->advice->facts;
	const struct model_frame *call = f->own > 0 ? &f->frames[f->own - 1] : NULL;

	return has_rule(part, "text") && call &&
	       match_listed("StringBuilder StringBuffer",
			    match_within(call->class_name, "java.lang.")) &&
	       strcmp(call->method, "toString") == 0;
}

/*
 * Whether the JVM joins a text at the line itself (invokedynamic): its frames are hidden, so what
 * it makes seems to be made by the line.
 */
static bool is_joined(const struct fix_part *part)
{
	const struct advice_facts *f = &part->advice->facts;

	return has_rule(part, "text") && f->n > 0 && f->own == 0 &&
	       strcmp(part->class_name, "java.lang.String") == 0;
}

/* The array of a text that is joined so: a line does not write `new byte[]` beside it. */
static bool is_joined_array(const struct fix_part *part)
{
	return strcmp(part->class_name, "byte[]") == 0 && part->advice->facts.own == 0 &&
	       (has_rule(part, "repeated-array") || has_rule(part, "some-arrays") ||
		has_rule(part, "constant-array") || has_rule(part, "alike-at-end"));
}

static void follow_text(struct fix_part *parts, size_t n, bool (*is_text)(const struct fix_part *),
			bool (*is_of_it)(const struct fix_part *))
{
	const struct fix_part *text = NULL;

	for (size_t i = 0; i < n; i++)
		if (is_text(&parts[i]) && (!text || parts[i].bytes > text->bytes))
			text = &parts[i];
	for (size_t i = 0; i < n && text; i++)
		if (is_of_it(&parts[i])) {
			parts[i].rule = text->rule;
			parts[i].follows = true;
		}
}

static bool is_builder(const struct fix_part *part)
{
	return has_rule(part, "builder");
}

/* A builder, or an array, goes with the text that it is for: without this text, there is none. */
static void follow_texts(struct fix_part *parts, size_t n)
{
	follow_text(parts, n, is_built, is_builder);
	follow_text(parts, n, is_joined, is_joined_array);
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
		fix_weigh_expressions(parts + i, end - i, z);
		fix_weigh_capacities(parts + i, end - i, z);
		fix_follow_owners(parts + i, end - i);
		follow_texts(parts + i, end - i);
		follow_all_wrapped(parts + i, end - i);
		spare_all_kept(parts + i, end - i);
	}
}
