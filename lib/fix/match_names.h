/* SPDX-License-Identifier: Apache-2.0 */
/* match_names.h - part of advice_match.h: questions about names of classes and methods. */
#ifndef OJX_MATCH_NAMES_H
#define OJX_MATCH_NAMES_H

#include "fix/advice.h"

/* Whether `name` is in a list such as "Integer Long Short". */
bool match_listed(const char *list, const char *name);

bool match_starts(const char *text, const char *with);
bool match_ends(const char *text, const char *with);

/* The class's name without `package`; "" if it is in another package. */
const char *match_within(const char *class_name, const char *package);

/* Whether the objects are of one of the classes in the list, which are all in `package`. */
bool match_class(const struct advice_facts *f, const char *package, const char *list);

/*
 * Whether a method allocated the objects on behalf of the reader's code: any frame before that
 * code whose class begins with `prefix`. `method` may be NULL: any.
 */
bool match_called(const struct advice_facts *f, const char *prefix, const char *method);

/* The innermost frame that is no helper that copies arrays; with empty names if there is none. */
const struct model_frame *match_maker(const struct advice_facts *f);

#endif
