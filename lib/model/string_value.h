/* SPDX-License-Identifier: Apache-2.0 */
/*
 * string_value.h - tells the arrays that are the characters of a String.
 *
 * A String never changes its array and never hands it out. So an array that the JDK makes for a new
 * String does not change once the String is made, though arrays can change in general. Where the
 * array was made tells that it is one.
 */
#ifndef OJX_STRING_VALUE_H
#define OJX_STRING_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/*
 * Whether arrays of this class that are allocated at this stack become the value of a String. False
 * if that is not certain: buffers of a StringBuilder and results of getBytes can change.
 */
bool string_value_made(const struct model *m, uint32_t jvm, const struct model_class *class,
		       uint32_t stack_id);

#endif
