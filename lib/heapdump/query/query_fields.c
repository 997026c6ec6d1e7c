/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_fields.c - see query.h: fields of the program's classes that have no value, or one
 * value, in all objects. What a class saves without the field is a difference of two layouts:
 * the bytes of one field alone may be lost in padding, and several together may save more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "heapdump/query/query.h"

enum { LEAST = 100 /* objects: fewer tell nothing */ };

/* A field, and what all objects so far have had in it. */
struct seen {
	uint32_t field, class;	    /* of the dump; that declares it */
	const unsigned char *entry; /* in the class's record */
	unsigned char value[8];
	uint8_t width;
	bool same, zero;
	uint64_t objects;
};

/* A field in bodies of a class. */
struct place {
	uint32_t offset, seen;
};

struct search {
	struct query *q;
	struct seen *seen;
	size_t n, room;
	uint32_t *first_seen;  /* of each class */
	struct place **places; /* of each class, and their number */
	uint32_t *nplaces;
	uint64_t *objects; /* of each class */
};

static void know_declared(struct search *s, uint32_t class)
{
	const struct heap *h = s->q->h;
	const struct heap_class *c = &h->class[class];
	const unsigned char *p = c->fields;

	s->first_seen[class] = (uint32_t)s->n;
	if (!query_is_program(h, class))
		return;
	for (uint16_t i = 0; i < c->nfields; i++, p += h->dump->id_size + 1) {
		XGROW(s->seen, s->n, s->room, LEAST);
		s->seen[s->n++] =
			(struct seen){ .field = h->field[c->first_field + i].one,
				       .class = class,
				       .entry = p,
				       .width = (uint8_t)hprof_width(h->dump, p[h->dump->id_size]),
				       .same = true,
				       .zero = true };
	}
}

/* The fields of a class, those inherited from classes of the program, too. */
static void know_places(struct search *s, uint32_t class)
{
	const struct heap *h = s->q->h;
	uint32_t offset = 0;
	size_t n = 0, room = 0;

	for (uint32_t at = class; h->class[class].planned && at != HEAP_NONE;
	     at = h->class[at].super) {
		const struct heap_class *c = &h->class[at];
		const unsigned char *p = c->fields;
		bool program = query_is_program(h, at);
		for (uint16_t i = 0; i < c->nfields; i++, p += h->dump->id_size + 1) {
			if (program) {
				XGROW(s->places[class], n, room, 8);
				s->places[class][n++] =
					(struct place){ offset, s->first_seen[at] + i };
			}
			offset += hprof_width(h->dump, p[h->dump->id_size]);
		}
	}
	s->nplaces[class] = (uint32_t)n;
}

static bool is_zero(const unsigned char *p, size_t n)
{
	return !p[0] && (n == 1 || memcmp(p, p + 1, n - 1) == 0);
}

static void look_at(struct search *s, uint32_t class, const unsigned char *body)
{
	for (uint32_t i = 0; i < s->nplaces[class]; i++) {
		const struct place *p = &s->places[class][i];
		struct seen *f = &s->seen[p->seen];
		if (f->objects++ == 0)
			memcpy(f->value, body + p->offset, f->width);
		if (f->same && memcmp(f->value, body + p->offset, f->width) != 0)
			f->same = false;
		f->zero = f->zero && f->same && is_zero(f->value, f->width);
	}
}

static void look_at_all(struct search *s)
{
	const struct heap *h = s->q->h;
	struct hprof_item item;

	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t class = heap_class_of(h, x);
		s->objects[class]++;
		if (!s->nplaces[class] || heap_is_class_object(h, x))
			continue;
		heap_item(h, x, &item);
		look_at(s, class, item.body);
	}
}

static bool inherits(const struct heap *h, uint32_t class, uint32_t from)
{
	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		if (class == from)
			return true;
		class = h->class[class].super;
	}
	return false;
}

/* Adds the bytes of all objects that have the field, and those of them that it costs. */
static void add_bytes(const struct search *s, const struct seen *f, uint64_t *bytes,
		      uint64_t *saved)
{
	const struct heap *h = s->q->h;

	for (uint32_t k = 0; k < h->nclasses; k++) {
		if (!s->objects[k] || !s->nplaces[k] || !inherits(h, k, f->class))
			continue;
		uint32_t with = heap_instance_size(h, &h->layout, k);
		*saved += s->objects[k] *
			  (with - heap_instance_size_without(h, &h->layout, k, f->entry));
		*bytes += s->objects[k] * with;
	}
}

/* `n` times one field, of classes of one name. What each of these has once may differ. */
static void tell(struct search *s, const struct seen *f, size_t n)
{
	uint64_t saved = 0, bytes = 0, objects = 0;
	bool zero = true;

	for (size_t i = 0; i < n; i++) {
		if (!f[i].same)
			return;
		zero &= f[i].zero || !f[i].objects;
		objects += f[i].objects;
		if (f[i].objects)
			add_bytes(s, &f[i], &bytes, &saved);
	}
	if (objects < LEAST || !saved)
		return;
	struct query_row *row =
		query_add_to(s->q, zero ? QUERY_NULL_FIELD : QUERY_SAME_FIELD,
			     s->q->m->class_group[f->class], f->field, HEAP_NONE, bytes, saved);
	row->objects = objects;
}

static int compare_seen(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	return ORDER(x->field, y->field) ?: ORDER(x->class, y->class);
}

static void tell_all(struct search *s)
{
	if (s->n)
		qsort(s->seen, s->n, sizeof *s->seen, compare_seen);
	for (size_t first = 0, next; first < s->n; first = next) {
		for (next = first + 1; next < s->n && s->seen[next].field == s->seen[first].field;)
			next++;
		tell(s, &s->seen[first], next - first);
	}
}

void query_fields(struct query *q)
{
	const struct heap *h = q->h;
	struct search s = { .q = q,
			    .first_seen = xcalloc(h->nclasses, sizeof *s.first_seen),
			    .places = xcalloc(h->nclasses, sizeof *s.places),
			    .nplaces = xcalloc(h->nclasses, sizeof *s.nplaces),
			    .objects = xcalloc(h->nclasses, sizeof *s.objects) };

	for (uint32_t i = 0; i < h->nclasses; i++)
		know_declared(&s, i);
	for (uint32_t i = 0; i < h->nclasses; i++)
		know_places(&s, i);
	look_at_all(&s);
	tell_all(&s);
	for (uint32_t i = 0; i < h->nclasses; i++)
		free(s.places[i]);
	free(s.seen);
	free(s.first_seen);
	free((void *)s.places);
	free(s.nplaces);
	free(s.objects);
}
