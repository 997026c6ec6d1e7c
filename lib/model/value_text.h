/* SPDX-License-Identifier: Apache-2.0 */
/* value_text.h - writes the text of a program's string. */
#ifndef OJX_VALUE_TEXT_H
#define OJX_VALUE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "model/model.h"

/* Whether the text is the beginning of a longer one. */
bool value_is_cut(const struct model_value *v);

/*
 * Writes the text in quotes, as in Java: quotes, backslashes and control characters are escaped.
 * Other characters that could steer a terminal become U+FFFD. An ellipsis follows if the text is
 * cut.
 */
void value_put(FILE *out, const struct style *s, const struct model_value *v);

/*
 * ---- tells the arrays that are the characters of a String. A String never changes its array
 * and never hands it out. So an array that the JDK makes for a new String does not change once
 * the String is made, though arrays can change in general. Where the array was made tells that
 * it is one.
 */

/*
 * Whether arrays of this class that are allocated at this stack become the value of a String. False
 * if that is not certain: buffers of a StringBuilder and results of getBytes can change.
 */
bool string_value_made(const struct model *m, uint32_t jvm, const struct model_class *class,
		       uint32_t stack_id);

#endif
