/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h - whose code a frame is, and so the line that a reader can act on: the innermost frame
 * that is not of the platform.
 *
 * Of the platform is what the boot and the platform loader have loaded, as the recording says of
 * each method. Where it does not say (older recordings), names do: java., javax., jdk., sun.,
 * com.sun., org.w3c.dom., org.xml.sax. Besides, by name: what the JVM makes up (lambdas, proxies,
 * accessors), the runtimes of Scala, Kotlin and Groovy, and what --transparent names.
 */
#ifndef OJX_PLATFORM_H
#define OJX_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Globs of Java names of classes that are taken for the platform's as well; the texts are the
 * caller's. */
struct platform {
	const char *const *globs;
	size_t n;
};

/* Whether a frame is of the platform, or is none (a fold). `p` may be NULL. */
bool platform_frame(const struct platform *p, const struct model_frame *frame);

/* The index of a stack's line, 0..; 0 where all frames are of the platform, or there is none. */
size_t platform_line(const struct platform *p, const struct model *m, uint32_t jvm,
		     uint32_t stack_id);

#endif
