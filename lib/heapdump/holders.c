/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holders.c - see merge.h: what only one object holds, and which fields hold copies.
 *
 * If one object alone references another, and no root does, the second goes with the first. So the
 * bytes that go with an object are at least its own and those of all below it that have one
 * reference each. What has several, all of which come from below the object, is left out.
 */
#include <stdlib.h>

#include "base/big.h"
#include "base/grow.h"
#include "heapdump/merge.h"

enum { FIRST_ROOM = 64 };
#define NO_COPY UINT32_MAX

/* ---- what only one object holds ---------------------------------------------------------- */

static bool is_held(const struct merge *m, uint32_t x)
{
	return m->holder[x] < MERGE_SHARED;
}

static void add_references(struct merge *m, const struct heap *h, uint32_t x)
{
	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
		uint32_t y = h->to[e];
		if (y != PARTITION_NULL && m->holder[y] != x)
			m->holder[y] = m->holder[y] == HEAP_NONE && y != x ? x : MERGE_SHARED;
	}
}

/* Views that maps have made of themselves (heap_more.c): a bit for each. */
static unsigned char *find_views(const struct heap *h)
{
	unsigned char *view = xcalloc(bits_bytes(h->n), 1);

	for (size_t i = 0; i < h->nmore; i++)
		if (!heap_is_class_object(h, h->more[i].from) &&
		    !heap_is_class_object(h, h->more[i].to))
			bits_set(view, h->more[i].to);
	return view;
}

/* A view that anybody but its map refers to. So does what it refers to, another view perhaps. */
static void add_view(struct merge *m, const struct heap *h, unsigned char *view, uint32_t x)
{
	uint32_t *next = NULL;
	size_t n = 0, room = 0;

	for (;;) {
		bits_clear(view, x);
		add_references(m, h, x);
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
			if (h->to[e] == PARTITION_NULL || !bits_has(view, h->to[e]))
				continue;
			XGROW(next, n, room, FIRST_ROOM);
			next[n++] = h->to[e];
		}
		while (n > 0 && !bits_has(view, next[n - 1]))
			n--;
		if (n == 0)
			break;
		x = next[--n];
	}
	free(next);
}

/* A view that its map alone refers to goes with it, so it does not hold the map. */
static void find_holder(struct merge *m, const struct heap *h)
{
	unsigned char *view = find_views(h);

	for (uint32_t x = 0; x < h->n; x++)
		m->holder[x] = bits_has(h->rooted, x) ? MERGE_SHARED : HEAP_NONE;
	for (uint32_t x = 0; x < h->n; x++)
		if (!bits_has(view, x))
			add_references(m, h, x);
	for (size_t i = 0; i < h->nmore; i++) {
		uint32_t x = h->more[i].to;
		if (bits_has(view, x) && m->holder[x] != HEAP_NONE)
			add_view(m, h, view, x);
	}
	free(view);
}

/* What each object holds itself. */
static void begin_retained(struct merge *m, const struct heap *h)
{
	uint64_t all = 0;

	for (uint32_t x = 0; x < h->n; x++)
		all += heap_size(h, x);
	packed_make(&m->retained, h->n, all / HEAP_UNIT);
	for (uint32_t x = 0; x < h->n; x++)
		packed_set(&m->retained, x, heap_size(h, x) / HEAP_UNIT);
}

void merge_find_retained(struct merge *m, const struct heap *h)
{
	uint32_t *below = xbig_zeroed(h->n, sizeof *below); /* held objects, not added yet */

	m->holder = xbig_alloc(h->n, sizeof *m->holder);
	begin_retained(m, h);
	find_holder(m, h);
	for (uint32_t x = 0; x < h->n; x++)
		if (is_held(m, x))
			below[m->holder[x]]++;
	for (uint32_t x = 0; x < h->n; x++) {
		if (below[x])
			continue;
		/* upwards, as long as all below has been added; a ring is never begun */
		for (uint32_t y = x; is_held(m, y); y = m->holder[y]) {
			uint32_t above = m->holder[y];
			below[y] = UINT32_MAX;
			packed_set(&m->retained, above,
				   packed_get(&m->retained, above) + packed_get(&m->retained, y));
			if (--below[above] > 0)
				break;
		}
	}
	free(below);
}

/* ---- copies, block by block ---------------------------------------------------------------- */

struct search {
	struct merge *m;
	const struct heap *h;
	struct idmap index; /* of holders, from 1 */
	size_t room;
	uint32_t *copy;	 /* copies, by block */
	uint32_t *place; /* of an object: in `copy`, or NO_COPY */
	uint32_t ncopies;
	unsigned char *kept; /* a bit for each copy: it is the first of its block */
	uint32_t *arrows;    /* of each copy: where those that reference it begin */
	uint32_t *from;
	uint32_t block; /* of the copies that are being counted: the first of them */
	size_t last;	/* the holder that was asked for last, from 1: mostly the next one, too */
};

static bool is_copy(const struct search *s, uint32_t x)
{
	return s->place[x] != NO_COPY;
}

/* Whether an object is left if copies are merged: the first of its block. */
static bool is_kept(const struct search *s, uint32_t x)
{
	return !is_copy(s, x) || bits_has(s->kept, s->place[x]);
}

/*
 * Where the copies of each block begin among all copies, in place of their numbers; NO_COPY of
 * blocks of one object. How many copies there are.
 */
static uint32_t make_room(uint32_t *count, uint32_t nblocks)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < nblocks; b++) {
		uint32_t copies = count[b] > 1 ? count[b] : 0;
		count[b] = copies ? n : NO_COPY;
		n += copies;
	}
	return n;
}

/* Takes the memory of the blocks and their counts. */
static void sort_copies(struct search *s)
{
	struct partition *p = &s->m->partition;
	uint32_t *next = s->m->count;

	s->ncopies = make_room(next, p->nblocks);
	s->copy = xbig_alloc(s->ncopies + (size_t)1, sizeof *s->copy);
	s->kept = xcalloc(bits_bytes(s->ncopies), 1);
	for (uint32_t b = 0; b < p->nblocks; b++)
		if (next[b] != NO_COPY)
			bits_set(s->kept, next[b]);
	s->place = p->block;
	p->block = NULL;
	for (uint32_t x = 0; x < s->h->n; x++) {
		uint32_t block = s->place[x];
		s->place[x] = next[block];
		if (next[block] != NO_COPY)
			s->copy[next[block]++] = x;
	}
	free(next);
	s->m->count = NULL;
}

static void find_arrows(struct search *s)
{
	const struct heap *h = s->h;

	s->arrows = xbig_zeroed(s->ncopies + (size_t)2, sizeof *s->arrows);
	for (uint32_t e = 0; e < h->edge[h->n]; e++)
		if (h->to[e] != PARTITION_NULL && is_copy(s, h->to[e]))
			s->arrows[s->place[h->to[e]] + 2]++;
	for (uint32_t i = 0; i < s->ncopies; i++)
		s->arrows[i + 2] += s->arrows[i + 1];
	s->from = xbig_alloc(s->arrows[s->ncopies + 1] + (size_t)1, sizeof *s->from);
	for (uint32_t x = 0; x < h->n; x++)
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
			if (h->to[e] != PARTITION_NULL && is_copy(s, h->to[e]))
				s->from[s->arrows[s->place[h->to[e]] + 1]++] = x;
}

/* ---- holders ----------------------------------------------------------------------------- */

static struct merge_holder *holder_at(struct search *s, uint32_t field, uint32_t group)
{
	struct merge *m = s->m;

	if (s->last && m->holders[s->last - 1].field == field &&
	    m->holders[s->last - 1].group == group)
		return &m->holders[s->last - 1];
	uint64_t key = (uint64_t)field << 32 | group;
	uintptr_t number = (uintptr_t)idmap_get(&s->index, key);
	if (!number) {
		XGROW(m->holders, m->nholders, s->room, FIRST_ROOM);
		xidmap_put(&s->index, key, (void *)(uintptr_t)(m->nholders + 1));
		m->holders[m->nholders++] = (struct merge_holder){ .field = field,
								   .group = group,
								   .example = HEAP_NONE,
								   .object = HEAP_NONE,
								   .block = HEAP_NONE };
		number = m->nholders;
	}
	s->last = number;
	return &m->holders[s->last - 1];
}

/* Notes by which way the copies are held, as long as there is room. */
static void note_path(struct merge_holder *to, uint32_t way, uint32_t inner)
{
	for (unsigned i = 0; i < to->npaths; i++)
		if (to->path[i].way == way && to->path[i].inner == inner)
			return;
	if (to->npaths < MERGE_PATHS)
		to->path[to->npaths++] = (struct merge_path){ way, inner };
	else
		to->more_paths = true;
}

/* Counts that `x` is held there; copies of a block come one after another. */
static void count(const struct search *s, struct merge_holder *to, uint32_t x)
{
	uint64_t bytes = packed_get(&s->m->retained, x) * HEAP_UNIT;

	if (to->object == x)
		return;
	to->object = x;
	to->copies++;
	to->bytes += bytes;
	if (to->block != s->block) {
		to->block = s->block;
		to->distinct++;
		to->run = 0;
	} else {
		to->freed += bytes;
	}
	if (++to->run > to->largest) {
		to->largest = to->run;
		to->example = x;
	}
}

/* `from` has `x` in this field. */
static void count_field(struct search *s, uint32_t from, uint32_t field, uint32_t x)
{
	struct merge *m = s->m;
	uint32_t group = m->class_group[heap_class_of(s->h, x)];

	if (!m->owners.through[field]) {
		count(s, holder_at(s, field, group), x);
		return;
	}
	uint32_t way = owners_way(&m->owners, from);
	struct merge_holder *to = holder_at(s, m->owners.ways[way].field, group);
	note_path(to, way, field);
	if (to->object != x && owners_shared(&m->owners, from))
		to->shared++;
	count(s, to, x);
}

static void count_arrow(struct search *s, uint32_t from, uint32_t x)
{
	const struct heap *h = s->h;
	bool array = h->class[heap_class_of(h, from)].kind == HEAP_OBJECTS;

	for (uint32_t e = h->edge[from]; e < h->edge[from + 1]; e++) {
		if (!array && h->to[e] != x)
			continue;
		uint32_t field = heap_edge_field(h, from, e);
		if (field != HEAP_NONE)
			count_field(s, from, field, x);
		if (array)
			break;
	}
}

void merge_find_holders(struct merge *m, const struct heap *h)
{
	struct search s = { .m = m, .h = h };

	owners_make(&m->owners, h);
	sort_copies(&s);
	find_arrows(&s);
	for (uint32_t i = 0; i < s.ncopies; i++) {
		s.block = bits_has(s.kept, i) ? i : s.block;
		for (uint32_t a = s.arrows[i]; a < s.arrows[i + 1]; a++)
			if ((a == s.arrows[i] || s.from[a] != s.from[a - 1]) &&
			    is_kept(&s, s.from[a]))
				count_arrow(&s, s.from[a], s.copy[i]);
	}
	idmap_release(&s.index);
	free(s.copy);
	free(s.place);
	free(s.kept);
	free(s.arrows);
	free(s.from);
}
