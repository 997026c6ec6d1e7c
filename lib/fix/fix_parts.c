/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_parts.c - see fix_part.h.
 *
 * A row has all objects of a class that a line makes, whatever it calls for that: a byte[] may be a
 * helper of String.format, or the text that the line appends it to. So its contexts are divided by
 * their frames up to the line, which here are a *way*. Rules that the call decides look at each
 * way; what is left is one part, of which the content decides.
 */
#include "fix/fix_part.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"

/* ---- ways -------------------------------------------------------------------------------- */

/* A context, and its frames up to the line. */
struct keyed {
	struct callstack_hash way;
	struct model_context *context;
};

static int compare_ways(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return callstack_hash_compare(&x->way, &y->way)
		       ?: ORDER(x->context->number, y->context->number);
}

/* The row's contexts, those of one way side by side. */
static struct keyed *list_ways(const struct row *row, struct callstack_hasher *h)
{
	struct keyed *keys = xmallocarray(row->ncontexts, sizeof *keys);

	for (size_t i = 0; i < row->ncontexts; i++) {
		struct model_context *c = row->contexts[i];
		size_t line = callstack_line_of(row->model, c->jvm, c->stack_id);
		keys[i].context = c;
		keys[i].way = callstack_hasher_hash(h, c->jvm, c->stack_id, line + 1, 0);
	}
	qsort(keys, row->ncontexts, sizeof *keys, compare_ways);
	return keys;
}

static size_t end_of_way(const struct keyed *keys, size_t i, size_t n)
{
	size_t end = i + 1;

	while (end < n && callstack_hash_compare(&keys[i].way, &keys[end].way) == 0)
		end++;
	return end;
}

/* ---- parts ------------------------------------------------------------------------------- */

static void add_context(struct fix_part *part, struct model_context *c)
{
	part->contexts =
		xreallocarray(part->contexts, part->ncontexts + 1, sizeof(struct model_context *));
	part->contexts[part->ncontexts++] = c;
	part->objects += c->objects;
	part->bytes += c->bytes;
}

static struct fix_part *new_part(struct fix_parts *parts, const struct row *row,
				 const struct advice_rule *rule)
{
	XGROW(parts->part, parts->n, parts->room, 64);
	struct fix_part *part = &parts->part[parts->n++];

	*part = (struct fix_part){ .row = row, .rule = rule, .class_name = row_class(row) };
	return part;
}

/* The row's part of a rule that calls decide; `first` is its first part. */
static struct fix_part *part_of(struct fix_parts *parts, size_t first, const struct row *row,
				const struct advice_rule *rule, bool remains)
{
	for (size_t i = first; i < parts->n; i++)
		if (parts->part[i].rule == rule && parts->part[i].remains == remains)
			return &parts->part[i];
	struct fix_part *part = new_part(parts, row, rule);
	part->remains = remains;
	return part;
}

/* A row of just these contexts. */
static struct row *row_of(const struct row *row, struct fix_part *part)
{
	struct row *own = xmalloc(sizeof *own);

	*own = *row;
	own->advice = NULL;
	own->advised = false;
	own->row.stack[0] = (struct callstack){ .n = 0 };
	own->contexts = part->contexts;
	own->ncontexts = part->ncontexts;
	replica_compute(&own->replica, own->contexts, own->ncontexts, row->how);
	return own;
}

/* The facts of the contexts of one way. */
static struct advice *advice_of_way(const struct row *row, const struct keyed *keys, size_t n)
{
	struct model_context **contexts = xmallocarray(n, sizeof(struct model_context *));

	for (size_t i = 0; i < n; i++)
		contexts[i] = keys[i].context;
	struct advice *advice = advice_of(row, contexts, n);
	free(contexts);
	return advice;
}

/* Whether there is code to change: a stack that has the platform's frames alone shows none. */
static bool has_place(const struct advice_facts *f)
{
	return f->n == 0 || f->own < f->n;
}

/* What the rules say of the objects that no call decides. */
static void decide_rest(struct fix_part *part, bool whole)
{
	if (!whole) {
		part->own = row_of(part->row, part);
		part->row = part->own;
	}
	part->advice = advice_of(part->row, part->contexts, part->ncontexts);
	const struct advice_rule *rule = advice_by_content(part->row, &part->advice->facts);
	bool advised = rule && !(rule->verdicts & ADVICE_NOTHING);
	part->rule = advised && has_place(&part->advice->facts) ? rule : NULL;
}

/* Takes the ways that calls decide into parts of their own; the others become `rest`. */
static void divide(struct fix_parts *parts, const struct row *row, const struct keyed *keys,
		   struct fix_part *rest)
{
	size_t first = parts->n;

	for (size_t i = 0, end; i < row->ncontexts; i = end) {
		struct fix_part *part = rest;
		end = end_of_way(keys, i, row->ncontexts);
		struct advice *advice = advice_of_way(row, &keys[i], end - i);
		bool place = has_place(&advice->facts);
		const struct advice_rule *rule = place ? advice_by_call(&advice->facts) : NULL;
		bool remains = place && !rule && (rule = advice_of_remains(&advice->facts));
		if (rule)
			part = part_of(parts, first, row, rule, remains);
		if (rule && !part->ncontexts)
			part->advice = advice;
		else
			free(advice);
		for (size_t k = i; k < end; k++)
			add_context(part, keys[k].context);
	}
}

/* The line, or the innermost frame if all are the JDK's. */
static struct model_frame line_of(const struct advice_facts *f)
{
	return f->n > 0 ? f->frames[f->own < f->n ? f->own : 0] : (struct model_frame){ 0 };
}

void fix_parts_of(struct fix_parts *parts, const struct row *row, struct callstack_hasher *hasher)
{
	struct keyed *keys = list_ways(row, hasher);
	struct fix_part rest = { .row = row, .class_name = row_class(row) };
	size_t first = parts->n;

	divide(parts, row, keys, &rest);
	free(keys);
	if (rest.ncontexts) {
		decide_rest(&rest, rest.ncontexts == row->ncontexts);
		*new_part(parts, row, rest.rule) = rest;
	}
	for (size_t i = first; i < parts->n; i++)
		parts->part[i].line = line_of(&parts->part[i].advice->facts);
}

void fix_part_release(struct fix_part *part)
{
	if (part->own) {
		replica_release(&part->own->replica);
		callstack_release(&part->own->row.stack[0]);
	}
	free(part->own);
	free(part->contexts);
	free(part->advice);
}
