/* SPDX-License-Identifier: Apache-2.0 */
/* cut.c - see cut.h. */
#include "heapdump/retained/cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { FIRST_ROOM = 64 };

/* ---- references and their referents ------------------------------------------------------ */

/* By the class that a class of references inherits from. */
static struct referent kind_of(const struct heap *h, uint32_t class)
{
	static const struct {
		const char *class;
		struct referent is;
	} kinds[] = {
		{ "java.lang.ref.SoftReference", { HEAP_NONE, STRENGTH_SOFT, "soft" } },
		{ "java.lang.ref.WeakReference", { HEAP_NONE, STRENGTH_WEAK, "weak" } },
		{ "java.lang.ref.PhantomReference", { HEAP_NONE, STRENGTH_WEAK, "phantom" } },
		{ "java.lang.ref.FinalReference", { HEAP_NONE, STRENGTH_WEAK, "final" } },
	};

	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
			if (strcmp(h->class[class].name, kinds[i].class) == 0)
				return kinds[i].is;
		class = h->class[class].super;
	}
	return (struct referent){ HEAP_NONE, STRENGTH_STRONG, NULL };
}

struct referent cut_referent(const struct heap *h, uint32_t class)
{
	struct referent of = kind_of(h, class);

	if (of.strength != STRENGTH_STRONG)
		of.slot = heap_slot_of(h, class, "java.lang.ref.Reference", "referent");
	return of.slot != HEAP_NONE ? of : (struct referent){ HEAP_NONE, STRENGTH_STRONG, NULL };
}

/* ---- a heap without some ------------------------------------------------------------------ */

void cut_slots(struct cut *c, struct heap *h, uint32_t (*slot_of)(const struct heap *, uint32_t))
{
	uint32_t *slot = xmallocarray(h->nclasses, sizeof *slot);

	for (uint32_t i = 0; i < h->nclasses; i++)
		slot[i] = slot_of(h, i);
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t at = slot[heap_class_of(h, x)];
		if (at == HEAP_NONE || heap_is_class_object(h, x))
			continue;
		uint32_t e = h->edge[x] + at;
		if (h->to[e] == PARTITION_NULL)
			continue;
		XGROW(c->item, c->n, c->room, FIRST_ROOM);
		c->item[c->n++] = (struct cut_edge){ x, e, h->to[e] };
		h->to[e] = PARTITION_NULL;
	}
	free(slot);
}

static uint32_t weak_slot(const struct heap *h, uint32_t class)
{
	struct referent of = cut_referent(h, class);

	return of.strength == STRENGTH_WEAK ? of.slot : HEAP_NONE;
}

void cut_weak(struct cut *c, struct heap *h)
{
	cut_slots(c, h, weak_slot);
}

void cut_undo(const struct cut *c, struct heap *h)
{
	for (size_t i = 0; i < c->n; i++)
		h->to[c->item[i].edge] = c->item[i].to;
}

void cut_again(const struct cut *c, struct heap *h)
{
	for (size_t i = 0; i < c->n; i++)
		h->to[c->item[i].edge] = PARTITION_NULL;
}

void cut_release(struct cut *c)
{
	free(c->item);
	*c = (struct cut){ .n = 0 };
}
