/* SPDX-License-Identifier: Apache-2.0 */
/*
 * labels.h - the labels of a recording and of its JVMs: what names them among others, such as
 * version=1.2. They were given (`ojx record --label`), or ojx found them out.
 *
 * A label that was given holds for all JVMs. One that was found of a JVM holds for it, in place of
 * one of that name that was found of the recording. A label with an empty value counts as none: who
 * gives it keeps ojx from looking.
 */
#ifndef OJX_LABELS_H
#define OJX_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

enum { LABELS_MAX = 64 /* of a recording, and of a JVM */ };

struct model_label {
	const char *name, *value; /* the value as received: any bytes without NUL, at most
				     FILE_LABEL_VALUE */
	bool given;
};

/* A letter, then letters, digits and "_.-", at most FILE_LABEL_NAME. */
bool label_name_ok(const char *name, size_t len);

/* Label i of a JVM alone, or with jvm 0 of the recording; NULL behind the last one. */
const struct model_label *model_label(const struct model *m, uint32_t jvm, size_t i);

/* Whether a label of the recording of that name was given, also an empty one. */
bool model_label_given(const struct model *m, const char *name);

/*
 * The labels that hold for a JVM, or with jvm 0 those of the recording. Reports leave the machine:
 * where a program ran (label_tells_place) is left out unless somebody gave that label, or `full`.
 */
struct label_list {
	struct model_label item[2 * LABELS_MAX];
	size_t n, left_out;
};

void labels_of(struct label_list *to, const struct model *m, uint32_t jvm, bool full);

/* The value of a label that holds for a JVM, shown or not; "" if it has none. */
const char *label_value(const struct model *m, uint32_t jvm, const char *name);

/* Whether a name is one that ojx finds out and that tells where a program runs. */
bool label_tells_place(const char *name);
/* Whether it is of one run of a program: it differs from one start to the next. */
bool label_tells_run(const char *name);

#endif
