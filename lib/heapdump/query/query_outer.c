/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_outer.c - see query.h: objects that are alive only because an object of an inner class
 * refers to the one around it, by `this$0`.
 *
 * First all is reached that roots lead to without such fields. Where one of these fields leads on
 * from there, it keeps what it leads to, and all that this leads to, by whatever fields. What two
 * of them lead to is kept by neither alone, but by them together.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "heapdump/query/query.h"
#include "heapdump/retained/cut.h"
#include "heapdump/retained/reach.h"

enum { FIRST_ROOM = 64 };

/* What keeps objects: a field, or several. */
struct keeper {
	uint32_t field; /* HEAP_NONE: several */
	uint32_t group; /* of the first of them */
	uint32_t example;
	uint64_t objects, bytes;
};

struct search {
	struct query *q;
	struct reach reach;
	struct keeper *keeper; /* from 1 */
	size_t n, room;
	struct idmap index; /* of keepers, by field and group */
	struct packed of;   /* of each object: its keeper; 0: none */
	uint32_t *next;	    /* objects whose keeper is new */
	size_t nnext, next_room;
};

/* A slot of a class of the program that is named this$0, or with another number; HEAP_NONE. */
static uint32_t outer_slot(const struct heap *h, uint32_t class)
{
	static const char name[] = "this$";
	const struct heap_class *c = &h->class[class];

	for (uint32_t i = 0; i < c->nslots; i++) {
		const struct heap_field *f = &h->field[c->slot[i].field];
		size_t len;
		const char *text = heap_text(h, f->name, &len);
		if (len >= sizeof name && memcmp(text, name, sizeof name - 1) == 0 &&
		    query_is_program(h, f->class))
			return i;
	}
	return HEAP_NONE;
}

static uint32_t keeper_of(struct search *s, uint32_t field, uint32_t x)
{
	uint32_t group = query_group(s->q, x);
	uint64_t key = (uint64_t)field << 32 | group;
	uint32_t keeper = (uint32_t)(uintptr_t)idmap_get(&s->index, key);

	if (keeper)
		return keeper;
	XGROW(s->keeper, s->n, s->room, FIRST_ROOM);
	s->keeper[s->n++] = (struct keeper){ .field = field, .group = group, .example = x };
	xidmap_put(&s->index, key, (void *)(uintptr_t)(s->n - 1));
	return (uint32_t)(s->n - 1);
}

/* An object is kept by this, too. Its keeper changes twice at most. */
static void keep(struct search *s, uint32_t x, uint32_t keeper)
{
	uint32_t has = (uint32_t)packed_get(&s->of, x);

	if (has &&
	    (s->keeper[has].field == HEAP_NONE || s->keeper[has].field == s->keeper[keeper].field))
		return;
	if (has && s->keeper[keeper].field != HEAP_NONE)
		keeper = keeper_of(s, HEAP_NONE, x);
	packed_set(&s->of, x, keeper);
	XGROW(s->next, s->nnext, s->next_room, FIRST_ROOM);
	s->next[s->nnext++] = x;
}

static void keep_all(struct search *s)
{
	uint32_t y;

	while (s->nnext) {
		struct graph_step step = { s->next[--s->nnext], 0 };
		uint32_t keeper = (uint32_t)packed_get(&s->of, step.object);
		while ((y = graph_next(&s->reach.graph, &step)) != PARTITION_NULL)
			if (!bits_has(s->reach.seen, y))
				keep(s, y, keeper);
	}
}

/* Adds up, and gives each keeper an example that it keeps. */
static void tell(struct search *s)
{
	const struct heap *h = s->q->h;

	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t keeper = (uint32_t)packed_get(&s->of, x);
		struct keeper *k = &s->keeper[keeper];
		if (!keeper)
			continue;
		if (packed_get(&s->of, k->example) != keeper)
			k->example = x;
		k->objects++;
		k->bytes += heap_size(h, x);
	}
	for (size_t i = 1; i < s->n; i++) {
		const struct keeper *k = &s->keeper[i];
		if (!k->objects)
			continue;
		struct query_row *row =
			query_add_to(s->q, k->field == HEAP_NONE ? QUERY_OUTERS : QUERY_OUTER,
				     k->group, k->field, k->example, k->bytes, k->bytes);
		row->objects += k->objects - 1;
	}
}

/* Those that lead from what is reached to what is not; `outer` has them in front then. */
static size_t find_first(const struct search *s, struct cut *outer)
{
	size_t n = 0;

	for (size_t i = 0; i < outer->n; i++)
		if (bits_has(s->reach.seen, outer->item[i].from) &&
		    !bits_has(s->reach.seen, outer->item[i].to))
			outer->item[n++] = outer->item[i];
	return n;
}

static void search(struct search *s, struct cut *outer)
{
	struct heap *h = s->q->h;

	reach_begin(&s->reach, h);
	reach_roots(&s->reach);
	reach_all(&s->reach);
	cut_undo(outer, h);
	size_t first = find_first(s, outer);
	if (first) {
		packed_make(&s->of, h->n, first + h->nclasses + 1);
		memset(s->of.bytes, 0, (size_t)h->n * s->of.width);
		XGROW(s->keeper, s->n, s->room, FIRST_ROOM);
		s->keeper[s->n++] = (struct keeper){ .field = HEAP_NONE };
		for (size_t i = 0; i < first; i++) {
			const struct cut_edge *c = &outer->item[i];
			keep(s, c->to, keeper_of(s, heap_edge_field(h, c->from, c->edge), c->to));
		}
		keep_all(s);
		tell(s);
	}
	reach_release(&s->reach);
}

void query_outer(struct query *q)
{
	struct search s = { .q = q };
	struct cut outer = { .n = 0 }, weak = { .n = 0 };

	cut_slots(&outer, q->h, outer_slot);
	if (outer.n) {
		cut_weak(&weak, q->h);
		search(&s, &outer);
		cut_undo(&weak, q->h);
	}
	cut_release(&outer);
	cut_release(&weak);
	idmap_release(&s.index);
	free(s.keeper);
	free(s.of.bytes);
	free(s.next);
}
