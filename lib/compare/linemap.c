/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linemap.c - see linemap.h. Methods are identified by class and name, and several may have the
 * same name (overloads, the same method in several JVMs). Those with equal tables are paired first,
 * the others in the order of their lines.
 */
#include "compare/linemap.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "stats/estimate.h"

struct entry {
	const struct model_frame *frame; /* any frame of the method */
	int first;			 /* first line */
	uint64_t print;			 /* hash of the table, relative to its first line */
	const struct entry *other;	 /* in the other recording; NULL: none */
	/* index for each entry of the table; NULL: moved as a whole */
	int32_t *at;
};

struct side {
	struct entry **entries; /* sorted by class, name, line */
	size_t n, room;
	struct idmap by_table;
};

struct linemap {
	struct side from, to;
};

int linemap_first_line(const struct model_frame *frame)
{
	int first = 0;

	for (uint32_t i = 0; i < frame->nlines; i++)
		if (first == 0 || frame->lines[i].line < first)
			first = frame->lines[i].line;
	return first;
}

/* ---- aligning ---------------------------------------------------------------------------- */

/* Bytes of bytecode of an entry; unknown for the last entry, which only equals a last entry. */
static int span(const struct wire_line *lines, uint32_t n, uint32_t i)
{
	return i + 1 < n ? lines[i + 1].bci - lines[i].bci : -1;
}

struct tables {
	const struct wire_line *from, *to;
	uint32_t nfrom, nto;
};

static double alike(size_t i, size_t k, void *arg)
{
	const struct tables *t = arg;

	return span(t->from, t->nfrom, (uint32_t)i) == span(t->to, t->nto, (uint32_t)k)
		       ? 0
		       : ALIGN_NEVER;
}

/*
 * Pairs the entries between two aligned ones if both sides have the same number there: then these
 * were edited and kept their order.
 */
static void fill_gaps(int32_t *at, uint32_t nfrom, uint32_t nto)
{
	uint32_t i = 0;
	int32_t behind = 0; /* the first entry of `to` after the last aligned one */

	while (i < nfrom) {
		if (at[i] >= 0) {
			behind = at[i++] + 1;
			continue;
		}
		uint32_t end = i;
		while (end < nfrom && at[end] < 0)
			end++;
		int32_t next = end < nfrom ? at[end] : (int32_t)nto;
		bool equal = next - behind == (int32_t)(end - i);
		for (; i < end; i++)
			if (equal)
				at[i] = behind++;
	}
}

void linemap_align(const struct wire_line *from, uint32_t nfrom, const struct wire_line *to,
		   uint32_t nto, int32_t *at)
{
	struct tables tables = { from, to, nfrom, nto };

	align(nfrom, nto, alike, &tables, at);
	fill_gaps(at, nfrom, nto);
}

/* ---- methods ----------------------------------------------------------------------------- */

static uint64_t fingerprint(const struct model_frame *f, int first)
{
	XXH64_hash_t hash = f->nlines;

	for (uint32_t i = 0; i < f->nlines; i++) {
		int entry[2] = { f->lines[i].bci, f->lines[i].line - first };
		hash = XXH3_64bits_withSeed(entry, sizeof entry, hash);
	}
	return hash;
}

static void add_method(struct side *s, const struct model_frame *f)
{
	if (f->nlines == 0 || idmap_get(&s->by_table, (uintptr_t)f->lines))
		return;
	XGROW(s->entries, s->n, s->room, 64);
	struct entry *e = xcalloc(1, sizeof *e);
	e->frame = f;
	e->first = linemap_first_line(f);
	e->print = fingerprint(f, e->first);
	s->entries[s->n++] = e;
	xidmap_put(&s->by_table, (uintptr_t)f->lines, e);
}

static int compare_names(const struct entry *x, const struct entry *y)
{
	int order = strcmp(x->frame->class_name, y->frame->class_name);

	return order ? order : strcmp(x->frame->method, y->frame->method);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	return compare_names(x, y) ?: ORDER(x->first, y->first) ?: ORDER(x->print, y->print);
}

static void collect(struct side *s, const struct rows *rows)
{
	for (size_t i = 0; i < rows->table.n; i++)
		for (size_t k = 0; k < rows_at(rows, i)->common; k++)
			add_method(s, &row_stack(rows_at(rows, i))->frames[k]);
	if (s->n > 0) /* qsort takes no NULL */
		qsort(s->entries, s->n, sizeof(struct entry *), compare_entries);
}

/* The entry with this table that is nearest by line. */
static const struct entry *find_print(struct entry *const *in, size_t n, const struct entry *e)
{
	const struct entry *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (in[i]->print == e->print &&
		    (!best || abs(in[i]->first - e->first) < abs(best->first - e->first)))
			best = in[i];
	return best;
}

/* Rank among the methods of one name whose table does not occur on the other side. */
static size_t edited_rank(struct entry *const *in, size_t n, struct entry *const *others,
			  size_t nothers, const struct entry *e)
{
	size_t rank = 0;

	for (size_t i = 0; i < n && in[i] != e; i++)
		if (!find_print(others, nothers, in[i]) &&
		    (i == 0 || in[i]->print != in[i - 1]->print ||
		     in[i]->first != in[i - 1]->first))
			rank++;
	return rank;
}

static void pair_edited(struct entry *const *from, size_t nfrom, struct entry *const *to,
			size_t nto, struct entry *e)
{
	size_t rank = edited_rank(from, nfrom, to, nto, e);

	for (size_t k = 0; k < nto && !e->other; k++)
		if (!find_print(from, nfrom, to[k]) &&
		    edited_rank(to, nto, from, nfrom, to[k]) == rank)
			e->other = to[k];
	if (!e->other)
		return;
	const struct model_frame *f = e->frame, *t = e->other->frame;
	e->at = xcalloc(f->nlines, sizeof *e->at);
	linemap_align(f->lines, f->nlines, t->lines, t->nlines, e->at);
}

/* Pairs the methods of one name. */
static void pair_methods(struct entry *const *from, size_t nfrom, struct entry *const *to,
			 size_t nto)
{
	for (size_t i = 0; i < nfrom; i++) {
		from[i]->other = find_print(to, nto, from[i]);
		if (!from[i]->other)
			pair_edited(from, nfrom, to, nto, from[i]);
	}
}

static size_t same_name(const struct side *s, size_t first)
{
	size_t n = 1;

	while (first + n < s->n && compare_names(s->entries[first], s->entries[first + n]) == 0)
		n++;
	return n;
}

static void pair_all(struct linemap *map)
{
	size_t i = 0, k = 0;

	while (i < map->from.n && k < map->to.n) {
		int order = compare_names(map->from.entries[i], map->to.entries[k]);
		size_t n = same_name(&map->from, i), nto = same_name(&map->to, k);
		if (order == 0)
			pair_methods(map->from.entries + i, n, map->to.entries + k, nto);
		i += order <= 0 ? n : 0;
		k += order >= 0 ? nto : 0;
	}
}

/* ---- the map ----------------------------------------------------------------------------- */

struct linemap *linemap_new(const struct rows *from, const struct rows *to)
{
	struct linemap *map = xcalloc(1, sizeof *map);

	collect(&map->from, from);
	collect(&map->to, to);
	pair_all(map);
	return map;
}

static void release_side(struct side *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->entries[i]->at);
		free(s->entries[i]);
	}
	free(s->entries);
	idmap_release(&s->by_table);
}

void linemap_free(struct linemap *map)
{
	release_side(&map->from);
	release_side(&map->to);
	free(map);
}

int linemap_line(const struct linemap *map, const struct model_frame *frame)
{
	const struct entry *e =
		frame->nlines ? idmap_get(&map->from.by_table, (uintptr_t)frame->lines) : NULL;
	uint32_t at = 0;

	if (!e || !e->other || frame->line == 0)
		return 0;
	if (!e->at)
		return frame->line - e->first + e->other->first;
	while (at + 1 < frame->nlines && frame->lines[at + 1].bci <= frame->bci)
		at++;
	return e->at[at] < 0 ? 0 : e->other->frame->lines[e->at[at]].line;
}
