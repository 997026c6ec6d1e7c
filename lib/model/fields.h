/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.h - what the positions of a content stand for: the fields of an object, or the elements
 * of an array, which are called "[3]".
 */
#ifndef OJX_FIELDS_H
#define OJX_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "model/model.h"

/* The field at a position; NULL for arrays, unknown classes and positions that do not exist. */
const struct model_field *field_at(const struct model_class *c, uint64_t position);

/*
 * Write "count" or "[3]"; "int" or "String"; and "int" or "reference": "?" where it is not known. A
 * field that a superclass declares is "Base.count" where `qualified`.
 */
void field_put_name(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position, bool qualified);
void field_put_type(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position);
void field_put_kind(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position);

/*
 * Bytes from the object's start; of an array's element from the first element, since the size of
 * the header before it is not known here. False where the position does not exist.
 */
bool field_offset(const struct model_class *c, uint64_t position, uint64_t *offset);

#endif
