/* SPDX-License-Identifier: Apache-2.0 */
/*
 * referents.c - see referents.h. Snapshots and uses are sorted by what makes their own contents
 * comparable; neighbours with the same content are compared.
 */
#include "analyse/replica/referents.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyse/replica/in_constructor.h"
#include "base/order.h"

struct referred {
	uint64_t epoch; /* and JVM */
	uint64_t content, deep;
	uint32_t array_length;
};

static int compare(const void *a, const void *b)
{
	const struct referred *x = a, *y = b;

	int order = ORDER(x->epoch, y->epoch) ?: ORDER(x->content, y->content);

	return order ?: ORDER(x->array_length, y->array_length);
}

/* Whether own content and deep content were read as a whole. */
static bool tells(unsigned flags)
{
	unsigned wanted = WIRE_REFS | WIRE_DEEP;

	return (flags & (wanted | WIRE_PARTIAL)) == wanted;
}

static size_t add_context(struct referred *to, const struct model_context *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nsnapshots; i++) {
		const struct model_snapshot *l = c->snapshots[i];
		if (tells(l->flags))
			to[n++] = (struct referred){ (uint64_t)c->jvm << 32 | l->epoch, l->content,
						     l->deep, l->array_length };
	}
	for (size_t i = 0; i < c->nuses; i++) {
		const struct model_use *u = c->uses[i];
		if (tells(u->flags) && !in_constructor_use(c, u))
			to[n++] = (struct referred){ (uint64_t)c->jvm << 32 | u->epoch, u->content,
						     u->deep, u->array_length };
	}
	return n;
}

int referents_change(struct model_context *const *contexts, size_t n)
{
	size_t all = 0, found = 0, same = 0, changed = 0;

	for (size_t i = 0; i < n; i++)
		all += contexts[i]->nsnapshots + contexts[i]->nuses;
	struct referred *list = malloc((all + 1) * sizeof *list);
	if (!list)
		return -1;
	for (size_t i = 0; i < n; i++)
		found += add_context(list + found, contexts[i]);
	qsort(list, found, sizeof *list, compare);
	for (size_t i = 1; i < found; i++) {
		if (compare(&list[i - 1], &list[i]) != 0)
			continue;
		changed += list[i - 1].deep != list[i].deep;
		same += list[i - 1].deep == list[i].deep;
	}
	free(list);
	return changed > 0 && changed * REFERENTS_ONE_IN >= changed + same;
}
