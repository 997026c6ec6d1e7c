/* SPDX-License-Identifier: Apache-2.0 */
/* collection_classes.c - see collection_classes.h. */
#include "hotspot/metadata/collection_classes.h"

#include <string.h>

#include "core/link.h"
#include "wire/wire.h"

/* Those that others have inside, all of the JDK. */
static struct inner {
	const char *signature, *name;
	bool exact; /* the field can have objects of other classes, too */
	bool known;
	uint64_t word;
	struct collection is;
} inners[] = {
	{ .signature = "Ljava/util/HashMap;", .name = "java/util/HashMap" },
	{ .signature = "Ljava/lang/StringBuffer;", .name = "java/lang/StringBuffer" },
	{ .signature = "Ljava/util/NavigableMap;", .name = "java/util/TreeMap", .exact = true },
};

#define INNERS (sizeof inners / sizeof inners[0])

const struct wire_collection *collection_class(const char *signature)
{
	for (const struct wire_collection *row = wire_collections; row->class; row++)
		if (strcmp(row->class, signature) == 0)
			return row;
	return NULL;
}

/* Finds a field that the row names; false if the class has no such field. */
static bool place(const struct class_plan *plan, const struct wire_collection *row,
		  const struct wire_collection_field *f, struct collection *to,
		  struct collection_place *at)
{
	const char *declarer = f->declarer ? f->declarer : row->class;

	*at = (struct collection_place){ 0 };
	if (!f->name)
		return true;
	for (size_t i = 0; i < plan->n; i++) {
		const struct class_field *own = &plan->fields[i];
		if (strcmp(own->name, f->name) != 0 || strcmp(own->signature, f->type) != 0 ||
		    strcmp(own->declarer, declarer) != 0)
			continue;
		*at = (struct collection_place){ own->offset, own->size };
		if (to->end < at->offset + at->size)
			to->end = at->offset + at->size;
		return true;
	}
	return false;
}

/* The class that a row has inside. */
static bool take_inner(const char *signature, struct collection *to)
{
	struct collection_place inner = to->inner;

	for (size_t i = 0; i < INNERS; i++)
		if (inners[i].known && strcmp(inners[i].signature, signature) == 0) {
			*to = inners[i].is;
			to->inner = inner;
			to->word = inners[i].exact ? inners[i].word : 0;
			return true;
		}
	return false;
}

static bool fits(const struct class_plan *plan, const struct wire_collection *row,
		 struct collection *to)
{
	*to = (struct collection){ .kind = row->kind, .rules = row->rules };
	bool ok = place(plan, row, &row->inner, to, &to->inner) &&
		  place(plan, row, &row->size, to, &to->size) &&
		  place(plan, row, &row->changes, to, &to->changes) &&
		  place(plan, row, &row->from, to, &to->from) &&
		  place(plan, row, &row->unless, to, &to->unless) &&
		  place(plan, row, &row->first, to, &to->first) &&
		  place(plan, row, &row->coder, to, &to->coder);

	for (uint32_t i = 0; ok && i < WIRE_COLLECTION_TABLES; i++)
		ok = place(plan, row, &row->table[i], to, &to->table[i]);
	return ok && (!row->inner.name || take_inner(row->inner.type, to));
}

bool collection_of(const struct class_plan *plan, const struct wire_collection *first,
		   struct collection *to)
{
	const struct wire_collection *row = first;

	do {
		if (fits(plan, row, to))
			return true;
		row++;
	} while (row->class && strcmp(row->class, first->class) == 0);
	link_note("how full objects are is not told of %.*s: its fields are others than known",
		  (int)strlen(first->class) - 2, first->class + 1);
	return false;
}

const char *collection_inner_name(uint32_t i)
{
	return i < INNERS ? inners[i].name : NULL;
}

void collection_inner(uint32_t i, const struct class_plan *plan, uint64_t word)
{
	inners[i].word = word;
	inners[i].known = plan->collection && (word || !inners[i].exact) &&
			  collection_of(plan, plan->collection, &inners[i].is);
}
