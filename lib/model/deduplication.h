/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deduplication.h - what -XX:+UseStringDeduplication would do in a JVM.
 *
 * Each collector that deduplicates strings does so from some JDK on. Until JDK 16 the others
 * ignored the option without a word; later JVMs turn it off and warn. It is never on by default,
 * except for Shenandoah's compact heuristics.
 */
#ifndef OJX_DEDUPLICATION_H
#define OJX_DEDUPLICATION_H

#include <stddef.h>

#include "model/model.h"

enum deduplication {
	DEDUPLICATION_UNKNOWN, /* the collector or the version is not known */
	DEDUPLICATION_NONE,    /* this collector does not have it in this JDK */
	DEDUPLICATION_OFF,     /* it can be turned on */
	DEDUPLICATION_ON,
};

enum deduplication deduplication_of(const struct file_jvm *jvm);

/* Of the JVMs of these contexts: OFF if it is so for any, otherwise that of the first one. */
enum deduplication deduplication_at(struct model_context *const *contexts, size_t n);

#endif
