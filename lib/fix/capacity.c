/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capacity.c - see capacity.h.
 *
 * A snapshot of an array tells up to which element it is used, if its last one is 0 or null, and
 * which of its slots are. Of an array that is filled from its beginning, as that of a buffer or a
 * list, the used part is what it needs. A table in which elements are scattered has no such part:
 * there, only how many of the slots are filled tells.
 */
#include "fix/capacity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/xmalloc.h"

enum { HEADER = 16, ALIGNMENT = 8, REFERENCE = 4 }; /* bytes, of most JVMs */
#define NAMED	 0.5 /* of what exact lengths avoid: a capacity that avoids less is not named */
#define DENSE	 0.5 /* of the elements of a used part are not 0 or null */
#define AS_EXACT 8   /* lengths up to this are named as they are, others as a power of two */

/* ---- sizes ------------------------------------------------------------------------------- */

/* Bytes of an element; references are wide if the sizes of arrays say so. */
static size_t element_size(const char *class_name, struct model_context *const *contexts, size_t n)
{
	static const struct {
		const char *name;
		size_t size;
	} types[] = { { "byte[]", 1 }, { "boolean[]", 1 }, { "short[]", 2 },  { "char[]", 2 },
		      { "int[]", 4 },  { "float[]", 4 },   { "double[]", 8 }, { "long[]", 8 } };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(class_name, types[i].name) == 0)
			return types[i].size;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nstrata; k++) {
			const struct model_stratum *s = &contexts[i]->strata[k];
			if (s->array_length > 2 && s->array_length != MODEL_OTHER_SIZES &&
			    s->size >= 2 * REFERENCE * (uint64_t)s->array_length)
				return 2 * REFERENCE;
		}
	return REFERENCE;
}

static double array_bytes(double length, size_t element)
{
	return ceil((HEADER + length * (double)element) / ALIGNMENT) * ALIGNMENT;
}

double capacity_bytes(const char *class_name, struct model_context *const *contexts, size_t n,
		      double length)
{
	return array_bytes(length, element_size(class_name, contexts, n));
}

/* ---- enough for most --------------------------------------------------------------------- */

static int compare_weighed(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	return ORDER(x->value, y->value);
}

double capacity_enough(struct weighed *values, size_t n)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		all += values[i].weight;
	if (!(all > 0))
		return NAN;
	qsort(values, n, sizeof *values, compare_weighed);
	for (size_t i = 0; i < n; i++) {
		sum += values[i].weight;
		if (sum >= CAPACITY_OF * all)
			return values[i].value;
	}
	return values[n - 1].value;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* The tables of maps cannot be full: their length is a power of two, above what they hold. */
static bool is_table(const char *class_name)
{
	return strstr(class_name, "Map$Node[]") || strstr(class_name, "Map$Entry[]");
}

/* Elements that are not 0 or null, by the slots of a snapshot. */
static double filled(const struct model_snapshot *l)
{
	return ceil(l->array_length * (1 - __builtin_popcount(l->zeros) / (double)l->nslots) -
		    1e-9);
}

/* What was seen of some arrays. */
struct arrays {
	const char *class_name;
	size_t element;
	struct weighed *used; /* elements up to the last one that is used; owned */
	double *length;	      /* of these arrays; owned */
	size_t n;
	bool told;	      /* of some: then of all, since the others are used to their end */
	double filled, dense; /* elements that are not 0, and those up to the last one */
	double bytes, needed;
};

static void add_array(struct arrays *a, const struct model_snapshot *l)
{
	const struct wire_fill *fill = model_snapshot_fill(l);
	bool known = fill && fill->kind == WIRE_FILL_ARRAY && fill->flags & WIRE_FILL_SIZE;
	double holds = filled(l), bytes = array_bytes(l->array_length, a->element);
	double used = known ? fill->size : l->array_length;
	/* a part that is shorter than the distance of two slots may have none */
	bool between = used * l->nslots < l->array_length;

	if (between)
		holds = used;
	else if (known && holds < 1)
		holds = 1;
	double needs = is_table(a->class_name) && holds > 0
			       ? wire_fill_places(WIRE_FILL_HASH, holds)
			       : holds;
	a->told |= known;
	a->length[a->n] = l->array_length;
	a->used[a->n++] = (struct weighed){ used, l->weight };
	a->dense += between ? 0 : l->weight * used;
	a->filled += between ? 0 : l->weight * holds;
	a->bytes += l->weight * bytes;
	if (needs > 0)
		a->needed += l->weight * fmin(bytes, array_bytes(needs, a->element));
}

/*
 * The share of the bytes that is not made if arrays have `enough` elements at first. One that needs
 * more is made in vain, and the one that it had comes after it.
 */
static double named_share(const struct arrays *a, double enough)
{
	double made = 0;

	for (size_t i = 0; i < a->n; i++) {
		double before = array_bytes(a->length[i], a->element);
		double first = array_bytes(fmin(enough, a->length[i]), a->element);
		made += a->used[i].weight * (a->used[i].value <= enough ? first : first + before);
	}
	return fmax(0, 1 - made / a->bytes);
}

static struct capacity conclude(struct arrays *a)
{
	struct capacity c = { NAN, NAN, NAN };

	if (!(a->bytes > 0))
		return c;
	c.unfilled = 1 - a->needed / a->bytes;
	if (!a->told || is_table(a->class_name) || a->filled < DENSE * a->dense)
		return c;
	struct weighed *sorted = xmallocarray(a->n, sizeof *sorted);
	memcpy(sorted, a->used, a->n * sizeof *sorted);
	double enough = capacity_enough(sorted, a->n);
	free(sorted);
	if (enough > AS_EXACT)
		enough = wire_fill_power_of_two(enough);
	c.named = named_share(a, enough);
	if (c.named > 0)
		c.enough = enough;
	return c;
}

bool capacity_is_named(const struct capacity *c)
{
	return c->enough > 0 && c->named >= NAMED * c->unfilled && c->named > 0;
}

double capacity_avoids(const struct capacity *c)
{
	return capacity_is_named(c) ? c->named : c->unfilled;
}

struct capacity capacity_of_arrays(const char *class_name, struct model_context *const *contexts,
				   size_t n)
{
	size_t room = 1;

	for (size_t i = 0; i < n; i++)
		room += contexts[i]->nsnapshots;
	struct arrays a = { .class_name = class_name,
			    .element = element_size(class_name, contexts, n),
			    .used = xmallocarray(room, sizeof *a.used),
			    .length = xmallocarray(room, sizeof *a.length) };
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < contexts[i]->nsnapshots; k++)
			if (contexts[i]->snapshots[k]->nslots > 0)
				add_array(&a, contexts[i]->snapshots[k]);
	struct capacity c = conclude(&a);
	free(a.used);
	free(a.length);
	return c;
}
