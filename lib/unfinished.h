/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unfinished.h - uses of objects that are still being made.
 *
 * A constructor's stores are no uses, but barriers of collectors load what a field held before: G1's while it marks, where
 * code is interpreted or compiled by C1. What the object holds at that moment says nothing of what it will.
 */
#ifndef OJX_UNFINISHED_H
#define OJX_UNFINISHED_H

#include <stdbool.h>

#include "model.h"

/* Whether the use is by a constructor of the object's own class. False where the stack, or the model, is not known. */
bool unfinished_use(const struct model_context *context, const struct model_use *use);

#endif
