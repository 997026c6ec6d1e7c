/* SPDX-License-Identifier: Apache-2.0 */
/*
 * in_constructor.h - uses of objects that are still being made.
 *
 * A constructor's stores are no uses, but some are met as loads, which is what a collector's
 * barrier makes of what a field held before; seen with G1, and not with Serial. What the object
 * holds at that moment says nothing of what it will.
 */
#ifndef OJX_IN_CONSTRUCTOR_H
#define OJX_IN_CONSTRUCTOR_H

#include <stdbool.h>

#include "model/model.h"

/* Whether the use is by a constructor of the object's own class. False where the stack, or the
 * model, is not known. */
bool in_constructor_use(const struct model_context *context, const struct model_use *use);

/* The same, of uses of fields that hold references: others have no barriers. Mostly without a look
 * at the stack. */
bool in_constructor_reference(const struct model_context *context, const struct model_use *use);

#endif
