/* SPDX-License-Identifier: Apache-2.0 */
/*
 * in_constructor.h - recognises uses of objects under construction.
 *
 * A constructor's stores are not uses, but a collector's barrier first loads the old value of the
 * field, and a watch sees that load (with G1, not with Serial). The content of the object at that
 * moment says nothing about its later content.
 */
#ifndef OJX_IN_CONSTRUCTOR_H
#define OJX_IN_CONSTRUCTOR_H

#include <stdbool.h>

#include "model/model.h"

/*
 * Whether the use is by a constructor of the object's own class. False if the stack or its model is
 * not known.
 */
bool in_constructor_use(const struct model_context *context, const struct model_use *use);

/*
 * Whether a constructor of the object's class is anywhere on the stack of the use: that of a
 * superclass, or a method, may use the object before its own constructor has ended.
 */
bool in_construction(const struct model_context *context, const struct model_use *use);

/*
 * As in_constructor_use, only for uses of fields that hold references: others have no barriers. It
 * seldom needs to look at the stack.
 */
bool in_constructor_reference(const struct model_context *context, const struct model_use *use);

#endif
