/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h - what a Java name tells: its package, whose code it is, the type of a field.
 */
#ifndef OJX_NAMES_H
#define OJX_NAMES_H

#include <stdbool.h>

/* The name without its package: "com.acme.Foo$Bar[]" gives "Foo$Bar[]". Points into the name. */
const char *names_simple(const char *class_name);

/* Whether a class belongs to the JDK, so that its callers, not it, are what a reader can change. */
bool names_in_jdk(const char *class_name);

/* The part of the JDK that serves the rest of it too: java.*, and what that is made of. Where the
 * JDK itself is the program, as with javac, its other parts are what a reader can change. */
bool names_in_core(const char *class_name);

/* Java name of a primitive type by the first character of its JVM signature; references are
 * "reference", since the character does not tell which. NULL for other characters. */
const char *names_type(char signature);

#endif
