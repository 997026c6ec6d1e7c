/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_more.c - see heap.h: references that keep objects alive, although equality does not see
 * them. These are the views that a map has made of itself (heap_classes.c has the fields); what a
 * class object refers to besides its statics, above all its loader; and of each object its class.
 *
 * The loaders of the JDK never die, nor do their classes. So their class objects count as held from
 * outside, and their objects do not hold them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "heapdump/heap.h"

enum { FIRST_ROOM = 1 << 10 };

/* Their classes live as long as the VM. */
static const char *const forever[] = {
	"jdk.internal.loader.ClassLoaders$AppClassLoader",
	"jdk.internal.loader.ClassLoaders$BootClassLoader",
	"jdk.internal.loader.ClassLoaders$PlatformClassLoader",
	"sun.misc.Launcher$AppClassLoader",
	"sun.misc.Launcher$ExtClassLoader",
};

struct more {
	struct heap *h;
	const struct heap_index *index;
	size_t room;
	uint32_t **views; /* of each class: offsets of references left out, ended by HEAP_NONE */
	uint32_t *object; /* of each class: its class object, if it can die */
};

/* ---- classes ----------------------------------------------------------------------------- */

/* The references in a body that are not among the slots of the class. */
static uint32_t *views_of(const struct heap *h, uint32_t class)
{
	uint32_t *views = NULL, offset = 0;
	size_t n = 0, room = 0;

	for (uint32_t at = class; at != HEAP_NONE; at = h->class[at].super) {
		const unsigned char *p = h->class[at].fields;
		for (uint16_t i = 0; i < h->class[at].nfields; i++, p += h->dump->id_size + 1) {
			if (p[h->dump->id_size] == HPROF_OBJECT &&
			    heap_slot_at(h, class, offset) == HEAP_NONE) {
				XGROW(views, n, room, 4);
				views[n++] = offset;
			}
			offset += hprof_width(h->dump, p[h->dump->id_size]);
		}
	}
	if (n) {
		XGROW(views, n, room, 4);
		views[n] = HEAP_NONE;
	}
	return views;
}

static bool is_forever(const struct heap *h, uint32_t loader)
{
	const char *name = h->class[heap_class_of(h, loader)].name;

	for (size_t i = 0; i < sizeof forever / sizeof forever[0]; i++)
		if (strcmp(forever[i], name) == 0)
			return true;
	return false;
}

static void know_class(struct more *m, uint32_t class)
{
	struct heap *h = m->h;
	struct hprof_item item;
	uint32_t x =
		h->class[class].id ? heap_index_find(m->index, h, h->class[class].id) : HEAP_NONE;

	m->object[class] = HEAP_NONE;
	if (h->class[class].planned)
		m->views[class] = views_of(h, class);
	if (x == HEAP_NONE || !heap_is_class_object(h, x))
		return;
	heap_item(h, x, &item);
	uint64_t id = hprof_id(h->dump, item.related + (size_t)HPROF_LOADER * h->dump->id_size);
	uint32_t loader = id ? heap_index_find(m->index, h, id) : HEAP_NONE;
	if (!id || (loader != HEAP_NONE && is_forever(h, loader)))
		bits_set(h->forever, x);
	else
		m->object[class] = x;
}

/* ---- references -------------------------------------------------------------------------- */

static void add(struct more *m, uint32_t from, uint32_t to)
{
	struct heap *h = m->h;

	if (to == HEAP_NONE)
		return;
	XGROW(h->more, h->nmore, m->room, FIRST_ROOM);
	h->more[h->nmore++] = (struct graph_more){ from, to };
}

static void add_at(struct more *m, uint32_t from, const unsigned char *id)
{
	uint64_t address = hprof_id(m->h->dump, id);

	if (address)
		add(m, from, heap_index_find(m->index, m->h, address));
}

static void add_views(struct more *m, uint32_t x, const uint32_t *views)
{
	struct hprof_item item;

	heap_item(m->h, x, &item);
	for (; *views != HEAP_NONE; views++)
		add_at(m, x, item.body + *views);
}

static void add_related(struct more *m, uint32_t x)
{
	struct hprof_item item;

	heap_item(m->h, x, &item);
	for (size_t i = 0; i < HPROF_RELATED; i++)
		add_at(m, x, item.related + i * m->h->dump->id_size);
}

int heap_find_more(struct heap *h, const struct heap_index *index)
{
	struct more m = { .h = h,
			  .index = index,
			  .views = xcalloc(h->nclasses, sizeof *m.views),
			  .object = xcalloc(h->nclasses, sizeof *m.object) };

	h->forever = xcalloc(bits_bytes(h->n), 1);
	for (uint32_t i = 0; i < h->nclasses; i++)
		know_class(&m, i);
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t class = heap_class_of(h, x);
		if (heap_is_class_object(h, x)) {
			add_related(&m, x);
			continue;
		}
		if (m.views[class])
			add_views(&m, x, m.views[class]);
		add(&m, x, m.object[class]);
	}
	for (uint32_t i = 0; i < h->nclasses; i++)
		free(m.views[i]);
	free((void *)m.views);
	free(m.object);
	if (h->edge[h->n] + (uint64_t)h->nmore >= UINT32_MAX)
		return heap_fail(h, HEAP_TOO_MANY_REFERENCES, UINT32_MAX);
	return 0;
}
