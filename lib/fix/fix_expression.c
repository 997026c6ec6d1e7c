/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_expression.c - see fix_part.h.
 *
 * A call such as String.split compiles an expression. That is in vain only if the expression comes
 * again, which shows in the field `pattern` of the Pattern: it leads to the same string, a constant
 * of the program. Patterns that are equal, with other strings, make it likely.
 *
 * The same address is the same string within an epoch. After a collection another one can be
 * there: a loop that makes the same objects each time, in a small young generation, puts its
 * strings at the same few places in every epoch. So across epochs the Patterns have to be equal
 * as well; or one address is seen so often that chance does not explain it. With a thousand
 * places, two snapshots are at one place once in 1000 programs, and three of twelve once in
 * 5000.
 */
#include "fix/fix_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "fix/fix_amount.h"

/* Also a Matcher that is made at once: without a Pattern to keep, it is needed as well. */
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

/* What a snapshot of a Pattern tells. */
struct sight {
	uint64_t string; /* the field's value */
	uint64_t
		deep; /* hash of what the Pattern holds, with all that it refers to; 0: not known */
	uint32_t process, epoch;
	bool again; /* the same string was seen by another one */
};

struct sights {
	struct sight *item;
	size_t n, room;
};

static void collect(struct sights *to, const struct fix_part *part, uint32_t slot)
{
	for (size_t i = 0; i < part->ncontexts; i++)
		for (size_t k = 0; k < part->contexts[i]->nsnapshots; k++) {
			const struct model_snapshot *l = part->contexts[i]->snapshots[k];
			if (l->nslots <= slot)
				continue;
			XGROW(to->item, to->n, to->room, 64);
			to->item[to->n++] =
				(struct sight){ .string = l->slot[slot],
						.deep = l->flags & WIRE_DEEP ? l->deep : 0,
						.process = l->process,
						.epoch = l->epoch };
		}
}

static int by_epoch(const void *a, const void *b)
{
	const struct sight *x = a, *y = b;

	return ORDER(x->string, y->string) ?: ORDER(x->process, y->process)
						?: ORDER(x->epoch, y->epoch);
}

static int by_content(const void *a, const void *b)
{
	const struct sight *x = a, *y = b;

	return ORDER(x->string, y->string) ?: ORDER(x->deep, y->deep);
}

/* Marks those that have a neighbour that is equal in the order. */
static void mark_again(struct sights *s, int (*order)(const void *a, const void *b), bool deep)
{
	if (s->n > 0) /* qsort takes no NULL */
		qsort(s->item, s->n, sizeof *s->item, order);
	for (size_t i = 1; i < s->n; i++)
		if (order(&s->item[i - 1], &s->item[i]) == 0 && (!deep || s->item[i].deep))
			s->item[i - 1].again = s->item[i].again = true;
}

/* Whether chance hardly puts so many of n snapshots at one place. */
static bool is_often(size_t many, size_t n)
{
	return (many >= 2 && 2 * many > n) || (many >= 3 && 4 * many >= n);
}

/* Marks those of an address that is seen often. They are in the order of `by_content`. */
static void mark_often(struct sights *s)
{
	for (size_t i = 0, end; i < s->n; i = end) {
		for (end = i + 1; end < s->n && s->item[end].string == s->item[i].string;)
			end++;
		if (is_often(end - i, s->n))
			for (size_t k = i; k < end; k++)
				s->item[k].again = true;
	}
}

/* The share of those whose string was seen more than once. */
static struct fix_share share_same(struct sights *s, double z)
{
	size_t again = 0;

	mark_again(s, by_epoch, false);
	mark_again(s, by_content, true);
	mark_often(s);
	for (size_t i = 0; i < s->n; i++)
		again += s->item[i].again;
	return fix_share_of((double)again, (double)s->n, z);
}

/* Values of a field, or hashes of what objects hold with all that they refer to. */
struct seen {
	uint64_t *value;
	size_t n;
};

/* The strings of all, or the contents that are known. The caller frees the values. */
static struct seen values_of(const struct sights *s, bool contents)
{
	struct seen seen = { .value = xmallocarray(s->n + 1, sizeof *seen.value) };

	for (size_t i = 0; i < s->n; i++)
		if (!contents || s->item[i].deep)
			seen.value[seen.n++] = contents ? s->item[i].deep : s->item[i].string;
	return seen;
}

static int compare_values(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return ORDER(*x, *y);
}

static void sort_seen(struct seen *seen)
{
	if (seen->n > 0) /* qsort takes no NULL */
		qsort(seen->value, seen->n, sizeof *seen->value, compare_values);
}

/* Of sorted ones, where those that are equal to the one at i end. */
static size_t end_of_run(const struct seen *seen, size_t i)
{
	size_t end = i + 1;

	while (end < seen->n && seen->value[end] == seen->value[i])
		end++;
	return end;
}

/* The share of those that were seen more than once. */
static struct fix_share share_repeated(const struct seen *seen, double z)
{
	size_t repeated = 0;

	for (size_t i = 0, end; i < seen->n; i = end) {
		end = end_of_run(seen, i);
		repeated += end - i > 1 ? end - i : 0;
	}
	return fix_share_of((double)repeated, (double)seen->n, z);
}

/* The share of the one that was seen most often. */
static double share_commonest(const struct seen *seen)
{
	size_t most = 0;

	for (size_t i = 0, end; i < seen->n; i = end) {
		end = end_of_run(seen, i);
		most = end - i > most ? end - i : most;
	}
	return seen->n > 0 ? (double)most / (double)seen->n : NAN;
}

/*
 * Of what compiles, as much is certain as the expressions of which the same string comes again. A
 * string that the program makes for each call is another object each time: if the Patterns are
 * equal all the same, it is likely.
 */
static void weigh(struct fix_part *part, const struct fix_sum *all, const struct fix_share *same,
		  const struct fix_share *equal, double z)
{
	struct fix_sum again = fix_part_of_all(&part->certain, all, equal);
	struct estimate e = fix_estimate(&again, z);
	double bytes = part->certain.value;

	part->certain = fix_part_of_all(&part->certain, all, same);
	double certain = part->certain.value;
	if (again.value > certain)
		part->likely = (struct estimate){ again.value - certain,
						  { fmax(0, e.range.low - certain),
						    e.range.high - certain } };
	part->possible = fmax(0, bytes - certain - part->likely.value);
}

/* Constants have moved once or twice by the time they are old. */
void fix_weigh_expressions(struct fix_part *parts, size_t n, double z)
{
	struct sights sights = { .n = 0 };
	struct fix_sum all = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint32_t slot = is_compiled(&parts[i]) ? expression_slot(&parts[i]) : WIRE_SLOTS;
		if (slot < WIRE_SLOTS)
			collect(&sights, &parts[i], slot);
		if (is_compiled(&parts[i]))
			fix_sum_add(&all, &parts[i].certain);
	}
	struct seen strings = values_of(&sights, false), contents = values_of(&sights, true);
	sort_seen(&strings);
	sort_seen(&contents);
	struct fix_share same = share_same(&sights, z), equal = share_repeated(&contents, z);
	double commonest = fmax(share_commonest(&strings), share_commonest(&contents));
	for (size_t i = 0; i < n; i++)
		if (is_compiled(&parts[i])) {
			weigh(&parts[i], &all, &same, &equal, z);
			parts[i].advice->facts.commonest = commonest;
		}
	free(sights.item);
	free(strings.value);
	free(contents.value);
}
