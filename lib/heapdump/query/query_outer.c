/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_outer.c - see query.h: objects that are alive only because an object of an inner class
 * refers to the one around it, by `this$0`. First all is found that roots lead to without such
 * fields; what these then lead to is kept by them alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "heapdump/query/query.h"
#include "heapdump/retained/retained.h"

enum { FIRST_ROOM = 64 };

struct search {
	struct query *q;
	struct graph graph;
	unsigned char *root, *has_more, *seen;
	uint32_t *next;
	size_t n, room;
	struct cut outer; /* the references by this$0 */
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

static void reach(struct search *s, uint32_t x)
{
	if (bits_has(s->seen, x))
		return;
	bits_set(s->seen, x);
	XGROW(s->next, s->n, s->room, FIRST_ROOM);
	s->next[s->n++] = x;
}

/* All that leads on from there, and what it comes to. */
static void spread(struct search *s, uint64_t *objects, uint64_t *bytes)
{
	uint32_t y;

	while (s->n) {
		struct graph_step step = { s->next[--s->n], 0 };
		++*objects;
		*bytes += heap_size(s->q->h, step.object);
		while ((y = graph_next(&s->graph, &step)) != PARTITION_NULL)
			reach(s, y);
	}
}

static void begin(struct search *s)
{
	struct heap *h = s->q->h;
	size_t bits = bits_bytes(h->n);
	uint64_t objects = 0, bytes = 0;

	s->has_more = xcalloc(bits, 1);
	s->seen = xcalloc(bits, 1);
	for (size_t i = 0; i < h->nmore; i++) {
		uint32_t x = h->more[i].from;
		bits_set(s->has_more, x);
	}
	s->graph = (struct graph){ .n = h->n,
				   .edge = h->edge,
				   .to = h->to,
				   .more = h->more,
				   .nmore = h->nmore,
				   .has_more = s->has_more };
	for (uint32_t x = 0; x < h->n; x++)
		if (bits_has(h->rooted, x) || bits_has(h->forever, x)) {
			reach(s, x);
			spread(s, &objects, &bytes);
		}
}

/* What the fields keep that lead from objects that are alive. True if there was any. */
static bool tell(struct search *s)
{
	struct heap *h = s->q->h;
	bool any = false;

	for (size_t i = 0; i < s->outer.n; i++) {
		const struct cut_edge *c = &s->outer.item[i];
		uint64_t objects = 0, bytes = 0;
		if (!bits_has(s->seen, c->from) || bits_has(s->seen, c->to))
			continue;
		reach(s, c->to);
		spread(s, &objects, &bytes);
		struct query_row *row =
			query_add_to(s->q, QUERY_OUTER, query_group(s->q, c->to),
				     heap_edge_field(h, c->from, c->edge), c->to, bytes, bytes);
		row->objects += objects - 1;
		any = true;
	}
	return any;
}

void query_outer(struct query *q)
{
	struct search s = { .q = q };
	struct cut weak = { .n = 0 };

	cut_slots(&s.outer, q->h, outer_slot);
	if (s.outer.n) {
		cut_weak(&weak, q->h);
		begin(&s);
		while (tell(&s))
			;
		cut_undo(&weak, q->h);
	}
	cut_undo(&s.outer, q->h);
	free(s.has_more);
	free(s.seen);
	free(s.next);
}
