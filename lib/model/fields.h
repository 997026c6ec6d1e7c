/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.h - the positions of a content: the fields of an object, or the elements of an array,
 * which are named "[3]".
 */
#ifndef OJX_FIELDS_H
#define OJX_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "model/model.h"

/* The field at a position; NULL for arrays, unknown classes and invalid positions. */
const struct model_field *field_at(const struct model_class *c, uint64_t position);

/*
 * Whether objects do not change after construction: all fields, if any, are final, or it is a
 * String (whose cached hash code does not count). False for arrays.
 */
bool fields_are_final(const struct model_class *c);

/*
 * Write "count" or "[3]"; "int" or "String"; "int" or "reference"; "?" if unknown. With
 * `qualified`, a field that a superclass declares is "Base.count".
 */
void field_put_name(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position, bool qualified);
void field_put_type(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position);
void field_put_kind(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position);

/*
 * Bytes from the start of the object; for an array, from the first element, since the size of its
 * header is not known here. False if the position does not exist.
 */
bool field_offset(const struct model_class *c, uint64_t position, uint64_t *offset);

#endif
