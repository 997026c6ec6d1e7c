/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_loaders.c - see query.h: classes of one name that several loaders have, as a program
 * that was deployed again, and was not let go of. Hidden classes have names of their own.
 */
#include <stdlib.h>

#include "base/sort.h"
#include "heapdump/query/query.h"

/* A class object, its class's name and its loader. */
struct loaded {
	uint64_t name, loader;
	uint32_t class, object;
};

static int compare(const void *a, const void *b)
{
	const struct loaded *x = a, *y = b;

	return ORDER(x->name, y->name)
		       ?: ORDER(x->loader, y->loader)
		       ?: ORDER(x->object, y->object);
}

static size_t list(const struct heap *h, struct loaded *all)
{
	struct hprof_item item;
	size_t n = 0;

	for (uint32_t x = 0; x < h->n; x++) {
		if (!heap_is_class_object(h, x))
			continue;
		heap_item(h, x, &item);
		uint32_t class = heap_class_find(h, item.id);
		uint64_t loader =
			hprof_id(h->dump, item.related + (size_t)HPROF_LOADER * h->dump->id_size);
		if (h->class[class].name_id && h->class[class].kind == HEAP_INSTANCE)
			all[n++] = (struct loaded){ h->class[class].name_id, loader, class, x };
	}
	return n;
}

/* All but the largest go if one loader has the class. */
static void tell(struct query *q, const struct loaded *l, size_t n)
{
	uint64_t bytes = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t held = packed_get(&q->m->retained, l[i].object) * HEAP_UNIT;
		bytes += held;
		largest = held > largest ? held : largest;
	}
	struct query_row *row = query_add_to(q, QUERY_LOADED_TWICE, q->m->class_group[l->class],
					     HEAP_NONE, l->object, bytes, bytes - largest);
	row->objects += n - 1;
}

void query_loaders(struct query *q)
{
	struct loaded *all = xcalloc(q->h->nclasses + (size_t)1, sizeof *all);
	size_t n = list(q->h, all), next;

	qsort(all, n, sizeof *all, compare);
	for (size_t first = 0; first < n; first = next) {
		bool differ = false;
		for (next = first + 1; next < n && all[next].name == all[first].name; next++)
			differ |= all[next].loader != all[first].loader;
		if (differ)
			tell(q, all + first, next - first);
	}
	free(all);
}
