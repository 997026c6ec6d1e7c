/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_types.c - see jfr_types.h: types of events. jfr_metadata.c writes them.
 */
#include "render/jfr/jfr_types.h"

#include <stdlib.h>

#include "base/grow.h"

enum { FIRST_ID = 1000 /* behind all types of values */ };

void jfr_types_init(struct jfr_types *t)
{
	*t = (struct jfr_types){ .first = NULL };
	t->end = &t->first;
}

void jfr_types_release(struct jfr_types *t)
{
	while (t->first) {
		struct jfr_type *type = t->first;
		t->first = type->next;
		free(type->fields);
		free(type);
	}
	jfr_types_init(t);
}

struct jfr_type *jfr_types_add(struct jfr_types *t, const struct jfr_type *like)
{
	struct jfr_type *type = malloc(sizeof *type);

	if (!type) {
		t->failed = true;
		return NULL;
	}
	*type = *like;
	type->next = NULL;
	type->id = FIRST_ID + t->n++;
	type->fields = NULL;
	type->n = type->room = 0;
	*t->end = type;
	t->end = &type->next;
	return type;
}

void jfr_type_field(struct jfr_types *t, struct jfr_type *type, const struct jfr_field *field)
{
	if (!type)
		return;
	if (!GROW(type->fields, type->n, type->room, 16)) {
		t->failed = true;
		return;
	}
	type->fields[type->n++] = *field;
}
