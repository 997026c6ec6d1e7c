/* SPDX-License-Identifier: Apache-2.0 */
/* line_key.h - what allocation contexts of one line have in common: JVM, class and line of code. */
#ifndef OJX_LINE_KEY_H
#define OJX_LINE_KEY_H

#include "model/callstack.h"
#include "model/finding.h"

/* A number for a class: that of its name, in a JVM. */
uint64_t line_key_class(const struct model_class *class, uint32_t jvm);

/* The key of a context's line. 0, or -1 if out of memory. */
int line_key(struct callstack_hasher *h, const struct model_context *c, struct callstack_hash *key);

/* Whether a context is among those that are asked for. */
bool line_key_wanted(const struct model_context *c, const struct findings_options *options);

#endif
