/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paths.c - see paths.h: a walk in breadth, in which each object keeps who has led to it first.
 * It goes over strong references, then from all that these reach over soft ones, then over others.
 * What is apart (retained.c) needs no walk, since only its holder leads to it.
 */
#include "heapdump/retained/paths.h"

#include <stdlib.h>

#include "base/big.h"
#include "base/grow.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "heapdump/retained/cut.h"

enum { FIRST_STEPS = 64, SHOWN = 12 /* steps at each end of a long way */ };

/* ---- the walk ---------------------------------------------------------------------------- */

struct walk {
	struct paths *p;
	const struct graph *g;
	struct referent *referent; /* of each class */
	uint32_t *queue;
	uint32_t n;
};

static void reach(struct walk *w, uint32_t x, uint32_t from)
{
	if (w->p->from[x] != HEAP_NONE || retained_is_apart(w->p->r, x))
		return;
	w->p->from[x] = from;
	w->queue[w->n++] = x;
}

static const struct referent *referent_of(const struct walk *w, uint32_t x)
{
	return &w->referent[heap_class_of(w->p->r->h, x)];
}

/* Goes on over all references that are as strong as that. */
static void go_on(struct walk *w, uint32_t x, enum strength weakest)
{
	const struct referent *referent = referent_of(w, x);
	struct graph_step s = { x, 0 };
	uint32_t y;

	while ((y = graph_next(w->g, &s)) != PARTITION_NULL)
		if (s.next - 1 != referent->slot || referent->strength <= weakest)
			reach(w, y, x);
}

/* From all so far, over the referents of this strength, and then over all that are as strong. */
static void go_on_from_all(struct walk *w, enum strength strength)
{
	const struct heap *h = w->p->r->h;
	uint32_t first = w->n;

	for (uint32_t i = 0; i < first; i++) {
		const struct referent *referent = referent_of(w, w->queue[i]);
		if (referent->slot == HEAP_NONE || referent->strength != strength)
			continue;
		uint32_t y = h->to[h->edge[w->queue[i]] + referent->slot];
		if (y != PARTITION_NULL)
			reach(w, y, w->queue[i]);
	}
	for (uint32_t i = strength == STRENGTH_STRONG ? 0 : first; i < w->n; i++)
		go_on(w, w->queue[i], strength);
}

void paths_make(struct paths *p, const struct retained *r)
{
	const struct heap *h = r->h;
	struct walk w = { .p = p, .g = &r->graph };

	*p = (struct paths){ .r = r, .from = xbig_alloc(h->n, sizeof *p->from) };
	w.queue = xbig_alloc(h->n + (size_t)1, sizeof *w.queue);
	w.referent = xcalloc(h->nclasses, sizeof *w.referent);
	for (uint32_t i = 0; i < h->nclasses; i++)
		w.referent[i] = cut_referent(h, i);
	w.referent[h->mirror].slot = HEAP_NONE; /* of class objects, edges are no slots */
	for (uint32_t x = 0; x < h->n; x++)
		p->from[x] = HEAP_NONE;
	for (uint32_t x = 0; x < h->n; x++)
		if (bits_has(r->root, x))
			reach(&w, x, x);
	for (enum strength s = STRENGTH_STRONG; s < STRENGTHS; s++)
		go_on_from_all(&w, s);
	free(w.queue);
	free(w.referent);
}

void paths_release(struct paths *p)
{
	free(p->from);
	*p = (struct paths){ .from = NULL };
}

/* ---- texts ------------------------------------------------------------------------------- */

void paths_put_field(FILE *out, const struct heap *h, uint32_t field, bool simple)
{
	const struct heap_field *f = &h->field[field];
	const char *class = h->class[f->class].name;
	size_t len;
	const char *text = heap_text(h, f->name, &len);

	fputs(simple ? names_short(class) : class, out);
	if (f->is_element)
		return;
	char *name = xmalloc(javaname_room(len));
	javaname_text(name, text, len);
	fprintf(out, ".%s", name);
	free(name);
}

struct way_step {
	uint32_t field, times;
	const char *other; /* instead of a field */
	const char *weak;  /* the kind of a reference that is not strong */
};

/* What leads from one object to the next; no field: none that the dump names. */
static struct way_step step_between(const struct heap *h, uint32_t x, uint32_t y)
{
	uint32_t e = heap_edge_between(h, x, y);
	struct way_step step = { .field = HEAP_NONE, .times = 1 };

	if (e == HEAP_NONE)
		return step;
	struct referent referent = cut_referent(h, heap_class_of(h, x));
	step.field = heap_edge_field(h, x, e);
	step.weak = e - h->edge[x] == referent.slot ? referent.name : NULL;
	return step;
}

static void put_step(FILE *out, const struct heap *h, const struct way_step *s, bool first)
{
	if (s->other)
		fputs(s->other, out);
	else
		paths_put_field(out, h, s->field, !first);
	if (s->times > 1)
		fprintf(out, " (%u times)", s->times);
	if (s->weak)
		fprintf(out, " (%s)", s->weak);
}

static void put_steps(FILE *out, const struct heap *h, const struct way_step *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (n > 2 * SHOWN + 1 && i == SHOWN) {
			fprintf(out, " > (%zu steps)", n - (size_t)2 * SHOWN);
			i = n - SHOWN;
		}
		fputs(i ? " > " : "", out);
		put_step(out, h, &s[i], i == 0);
	}
}

/* Steps by the same field count as one. */
static size_t add_step(struct way_step *s, size_t n, struct way_step one)
{
	if (n && s[n - 1].field == one.field && s[n - 1].other == one.other &&
	    s[n - 1].weak == one.weak) {
		s[n - 1].times++;
		return n;
	}
	s[n] = one;
	return n + 1;
}

/* What is there besides fields that the dump names (heap_more.c). */
static const char *other_between(const struct heap *h, uint32_t x, uint32_t y)
{
	if (heap_is_class_object(h, y))
		return "its class";
	return heap_is_class_object(h, x) ? "the loader of a class" : "a view";
}

static size_t add_way(struct way_step *s, size_t n, const struct heap *h, const uint32_t *object,
		      size_t objects, bool down)
{
	for (size_t i = 1; i < objects; i++) {
		struct way_step one = step_between(h, object[i - 1], object[i]);
		if (one.field == HEAP_NONE)
			one.other =
				down ? "several ways" : other_between(h, object[i - 1], object[i]);
		n = add_step(s, n, one);
	}
	return n;
}

void paths_put_down(FILE *out, const struct heap *h, const uint32_t *object, size_t n)
{
	struct way_step *s = xcalloc(n + 1, sizeof *s);

	put_steps(out, h, s, add_way(s, 0, h, object, n, true));
	free(s);
}

/* ---- roots ------------------------------------------------------------------------------- */

static const char *root_name(uint8_t tag)
{
	switch (tag) {
	case HPROF_ROOT_FRAME:
		return "a local variable";
	case HPROF_ROOT_JNI_LOCAL:
		return "a local reference of native code";
	case HPROF_ROOT_JNI_GLOBAL:
		return "a global reference of native code";
	case HPROF_ROOT_NATIVE:
	case HPROF_ROOT_BLOCK:
	case HPROF_ROOT_THREAD:
		return "a thread";
	case HPROF_ROOT_MONITOR:
		return "a monitor in use";
	case HPROF_ROOT_CLASS:
		return "a class of the system";
	default:
		return "a root";
	}
}

/* What holds an object from outside. */
static const char *held_by(const struct heap *h, uint32_t x)
{
	size_t at = SEARCH(i, 0, h->nheld, h->held[i].object < x);

	if (at < h->nheld && h->held[at].object == x)
		return root_name(h->held[at].tag);
	return "a class of the system";
}

/* The objects from the root to `x`, allocated; 0: there is no way. */
static size_t way_to(const struct paths *p, uint32_t x, uint32_t **way)
{
	size_t n = 0, room = 0;

	*way = NULL;
	for (;;) {
		XGROW(*way, n, room, FIRST_STEPS);
		(*way)[n++] = x;
		bool apart = retained_is_apart(p->r, x);
		uint32_t from = apart ? p->r->m->holder[x] : p->from[x];
		if (from == HEAP_NONE)
			return 0;
		if (from == x)
			break;
		x = from;
	}
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t swap = (*way)[i];
		(*way)[i] = (*way)[n - 1 - i];
		(*way)[n - 1 - i] = swap;
	}
	return n;
}

void paths_put(FILE *out, const struct paths *p, uint32_t x)
{
	const struct heap *h = p->r->h;
	uint32_t *way;
	size_t n = way_to(p, x, &way), steps = 0;

	if (n == 0) {
		fputs("no root leads to it", out);
	} else {
		struct way_step *s = xcalloc(n + 1, sizeof *s);
		/* a static field names the class */
		if (n == 1 || !heap_is_class_object(h, way[0]) ||
		    step_between(h, way[0], way[1]).field == HEAP_NONE)
			s[steps++] = (struct way_step){ .field = HEAP_NONE,
							.times = 1,
							.other = held_by(h, way[0]) };
		put_steps(out, h, s, add_way(s, steps, h, way, n, false));
		free(s);
	}
	free(way);
}
