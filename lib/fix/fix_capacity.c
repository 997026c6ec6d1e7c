/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_capacity.c - see fix_part.h.
 *
 * The constructor of a collection makes a table of the capacity that it is given. How much came
 * into the collection later shows in its size when a garbage collection finds it dead, if nothing
 * was taken out: its count of changes tells that. A table that its constructor makes began empty,
 * so a list with one change has had that one element or collection added, and no other.
 *
 * The array of a builder or stream of bytes keeps what was written until somebody writes there
 * again. So there, the array itself tells how far it was ever used.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "fix/fix_amount.h"
#include "fix/fix_part.h"
#include "fix/match_names.h"

#define LEAST	    0.25 /* of the bytes: less is not worth a sentence */
#define LEAST_BYTES 32	 /* of a table */
#define OF_ONE	    0.9	 /* of the tables have the same length */

/* What is known of the collection that a table is of. */
struct look {
	double size, weight;
	bool first;   /* it still has the table that it was made with */
	bool told;    /* a garbage collection told whether it was dead */
	bool counted; /* it was, and its count of changes is known */
	bool certain; /* it was, and had never held more */
	bool likely;  /* it was, and each change may have been an element that came */
};

/* The tables of a part, and what was seen of their collections. */
struct tables {
	unsigned kind;
	uint32_t length;
	struct look *look; /* owned */
	size_t n;
};

/* The length of nearly all tables, if they have one in common; 0: they do not. */
static uint32_t common_length(const struct fix_part *part)
{
	double all = 0, most = 0, sum = 0;
	uint32_t length = 0;

	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nstrata; k++) {
			const struct model_stratum *s = &part->contexts[i]->strata[k];
			all += s->objects;
			if (s->array_length != MODEL_OTHER_SIZES && s->objects > most) {
				most = s->objects;
				length = s->array_length;
			}
		}
	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nstrata; k++)
			if (part->contexts[i]->strata[k].array_length == length)
				sum += part->contexts[i]->strata[k].objects;
	return sum >= OF_ONE * all ? length : 0;
}

/* Whether the constructor of the collection makes the table itself, without any elements. */
static bool begins_empty(const struct fix_part *part, const struct fix_part *owner)
{
	const struct advice_facts *f = &part->advice->facts;

	for (size_t i = 0; i < f->own; i++) {
		if (!match_listed("<init> init", f->frames[i].method))
			return false;
		if (strcmp(f->frames[i].class_name, owner->class_name) == 0)
			return true;
	}
	return false;
}

/* ---- what collections tell --------------------------------------------------------------- */

/* Whether the size is the most that it has held, if it began empty. */
static bool only_grew(const struct wire_fill *fill)
{
	if (fill->flags & WIRE_FILL_GREW)
		return true;
	if (!(fill->flags & WIRE_FILL_CHANGES))
		return false;
	return fill->kind == WIRE_FILL_IDENTITY
		       ? fill->changes == fill->size
		       : fill->kind == WIRE_FILL_LIST && fill->changes <= 1;
}

static void add_collection(struct tables *t, const struct model_snapshot *l)
{
	const unsigned all = WIRE_FILL_SIZE | WIRE_FILL_CAPACITY;
	const struct wire_fill *fill = model_snapshot_fill(l);

	if (!fill || (fill->flags & all) != all || fill->kind == WIRE_FILL_ARRAY ||
	    fill->kind == WIRE_FILL_LINKED)
		return;
	bool died = fill->flags & WIRE_FILL_DIED;
	t->kind = fill->kind;
	t->look[t->n++] = (struct look){
		.size = fill->size,
		.weight = l->weight,
		.first = fill->capacity == t->length,
		.told = died || fill->flags & WIRE_FILL_SURVIVED,
		.counted = died && fill->flags & WIRE_FILL_CHANGES,
		.certain = died && only_grew(fill),
		.likely = died && fill->flags & WIRE_FILL_CHANGES && fill->changes == fill->size,
	};
}

/* Of an array whose owner never clears it; without a fill it is used to its end. */
static void add_array(struct tables *t, const struct model_snapshot *l)
{
	const struct wire_fill *fill = model_snapshot_fill(l);
	bool died = fill && fill->flags & WIRE_FILL_DIED;

	t->kind = WIRE_FILL_BUFFER;
	t->look[t->n++] = (struct look){
		.size = fill ? fill->size : l->array_length,
		.weight = l->weight,
		.first = l->array_length == t->length,
		.told = !fill || fill->flags & (WIRE_FILL_DIED | WIRE_FILL_SURVIVED),
		.certain = died,
	};
}

static void look_at(struct tables *t, const struct fix_part *of,
		    void (*add)(struct tables *t, const struct model_snapshot *l))
{
	size_t room = t->n + 1;

	for (size_t i = 0; i < of->ncontexts; i++)
		room += of->contexts[i]->nsnapshots;
	t->look = xmallocarray(room, sizeof *t->look);
	for (size_t i = 0; i < of->ncontexts; i++)
		for (size_t k = 0; k < of->contexts[i]->nsnapshots; k++)
			add(t, of->contexts[i]->snapshots[k]);
}

/* Classes that write behind what is there, and leave what they take out. */
static bool keeps_what_was_there(const struct fix_part *owner)
{
	return match_listed("StringBuilder StringBuffer",
			    match_within(owner->class_name, "java.lang.")) ||
	       match_listed("ByteArrayOutputStream CharArrayWriter",
			    match_within(owner->class_name, "java.io."));
}

/* ---- what a capacity avoids -------------------------------------------------------------- */

/* What was enough for most; of those that are known to their end, if there are enough of these. */
static double enough_of(const struct tables *t)
{
	struct weighed *sizes = xmallocarray(t->n + 1, sizeof *sizes);
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->look[i].told)
			sizes[n++] = (struct weighed){ t->look[i].size, t->look[i].weight };
	double enough = n >= REPLICA_MIN_PAIRS ? capacity_enough(sizes, n) : NAN;
	free(sizes);
	return enough;
}

/* Sums of weights. */
struct counted {
	double told, squares;
	double certain, likely; /* of those: the named capacity is enough, and they are known so */
	double more;		/* it is not enough: the first table is made in vain */
	double all, seen;	/* told or not: of these, those for which it is enough */
};

static struct counted count(const struct tables *t, double enough)
{
	struct counted c = { 0 };

	for (size_t i = 0; i < t->n; i++) {
		const struct look *l = &t->look[i];
		bool fits = l->first && l->size <= enough;
		c.all += l->weight;
		c.seen += fits ? l->weight : 0;
		if (!l->told)
			continue;
		c.told += l->weight;
		c.squares += l->weight * l->weight;
		c.certain += fits && l->certain ? l->weight : 0;
		c.likely += fits && !l->certain && l->likely ? l->weight : 0;
		c.more += fits ? 0 : l->weight;
	}
	return c;
}

/* What tables of the named capacity avoid of the bytes. */
struct avoided {
	struct fix_share certain, likely;
};

/* `saved` of a share of the tables, less `vain`; what is left of `vain` is for the next one. */
static double less_vain(double of, double saved, double *vain)
{
	double avoided = fmax(0, of * saved - *vain);

	*vain = fmax(0, *vain - of * saved);
	return avoided;
}

/*
 * `saved` of the bytes of those for which it is enough, less what the others get in vain: tables
 * that need more, and were not seen, count as well. So each end of the interval has the other end
 * of their share.
 */
static struct avoided avoided_of(const struct counted *c, double saved, double z)
{
	double effective = c->told * c->told / c->squares, each = effective / c->told;
	const struct fix_share certain = fix_share_of(c->certain * each, effective, z);
	const struct fix_share likely = fix_share_of(c->likely * each, effective, z);
	const struct fix_share more = fix_share_of(c->more * each, effective, z);
	double vain = (1 - saved) * more.value, most = (1 - saved) * more.range.high;
	double least = (1 - saved) * more.range.low;
	struct avoided a;

	a.certain.value = less_vain(certain.value, saved, &vain);
	a.certain.range.low = less_vain(certain.range.low, saved, &most);
	a.certain.range.high = less_vain(certain.range.high, saved, &least);
	a.likely.value = less_vain(likely.value, saved, &vain);
	a.likely.range.low = less_vain(likely.range.low, saved, &most);
	a.likely.range.high = less_vain(likely.range.high, saved, &least);
	return a;
}

static void take(struct fix_part *part, const struct tables *t, const struct counted *c,
		 double saved, double enough, double z)
{
	const struct avoided avoided = avoided_of(c, saved, z);
	struct fix_sum sum = fix_part_of(&part->all, &avoided.certain);
	struct fix_sum more = fix_part_of(&part->all, &avoided.likely);

	if (!(sum.value + more.value > fix_part_expected(part)) &&
	    !(part->rule && part->rule->removes == REMOVES_UNFILLED && sum.value > 0))
		return;
	part->certain = sum;
	part->likely = fix_estimate(&more, z);
	part->possible = fmax(0, c->seen / c->all * saved * part->bytes - sum.value - more.value);
	part->weight = part->rule && part->rule->removes == REMOVES_UNFILLED ? part->weight : 0;
	part->rule = advice_rule_named("capacity");
	/* that of a hash table is said in places */
	double named = t->kind == WIRE_FILL_HASH ? wire_fill_places(t->kind, enough) : enough;
	part->advice->facts.capacity = (struct capacity){ saved, named, saved };
}

/* What a table does without was used before, if something was taken out of most. */
static void doubt_taken_out(struct fix_part *part, const struct tables *t)
{
	double counted = 0, grew = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!t->look[i].counted)
			continue;
		n++;
		counted += t->look[i].weight;
		grew += t->look[i].certain || t->look[i].likely ? t->look[i].weight : 0;
	}
	if (n >= REPLICA_MIN_PAIRS && part->rule && part->rule->removes == REMOVES_UNFILLED)
		part->weight *= grew / counted;
}

static void weigh(struct fix_part *part, const struct fix_part *owner, double z)
{
	struct tables t = { .length = common_length(part) };

	if (!t.length || !begins_empty(part, owner))
		return;
	if (keeps_what_was_there(owner))
		look_at(&t, part, add_array);
	else
		look_at(&t, owner, add_collection);
	double enough = enough_of(&t);
	doubt_taken_out(part, &t);
	if (!isnan(enough)) {
		double before =
			capacity_bytes(part->class_name, part->contexts, part->ncontexts, t.length);
		double after = capacity_bytes(part->class_name, part->contexts, part->ncontexts,
					      wire_fill_places(t.kind, enough));
		struct counted c = count(&t, enough);
		if (before - after >= LEAST_BYTES && 1 - after / before >= LEAST)
			take(part, &t, &c, 1 - after / before, enough, z);
	}
	free(t.look);
}

void fix_weigh_capacities(struct fix_part *parts, size_t n, double z)
{
	for (size_t i = 0; i < n; i++) {
		bool by_call = parts[i].rule && parts[i].rule->by_call;
		const struct fix_part *owner = by_call || !parts[i].advice->facts.array
						       ? NULL
						       : fix_owner_of(parts, n, &parts[i]);
		if (owner)
			weigh(&parts[i], owner, z);
	}
}
