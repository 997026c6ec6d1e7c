/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h - tells whose code a frame is, and which line a reader can change: the innermost frame
 * outside the platform.
 *
 * The platform is what the boot and the platform loader have loaded, as the recording says for each
 * method. Older recordings do not say; then names decide: java., javax., jdk., sun., com.sun.,
 * org.w3c.dom., org.xml.sax. The platform also includes, by name, the JDK's jrt-fs.jar, which
 * programs load themselves, what the JVM generates (lambdas, proxies, accessors), the runtimes of
 * Scala, Kotlin and Groovy, and what --transparent names. It includes what compilers add to a
 * program's classes (compiler_made.h).
 */
#ifndef OJX_PLATFORM_H
#define OJX_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Globs of Java names of classes that count as the platform's, too; the caller owns the texts. */
struct platform {
	const char *const *globs;
	size_t n;
};

/* Whether a frame belongs to the platform, or is a fold. `p` may be NULL. */
bool platform_frame(const struct platform *p, const struct model_frame *frame);

/* Index of the stack's line, from 0; 0 if all frames belong to the platform, or there are none. */
size_t platform_line(const struct platform *p, const struct model *m, uint32_t jvm,
		     uint32_t stack_id);

#endif
