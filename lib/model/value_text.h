/* SPDX-License-Identifier: Apache-2.0 */
/* value_text.h - writes the text of a program's string. */
#ifndef OJX_VALUE_TEXT_H
#define OJX_VALUE_TEXT_H

#include <stdbool.h>
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

#endif
