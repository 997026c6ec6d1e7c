/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - what a Java name tells: its package, whether it is the JDK's, the type of a field. */
#ifndef OJX_NAMES_H
#define OJX_NAMES_H

#include <stdbool.h>

/* The name without its package: "com.acme.Foo$Bar[]" gives "Foo$Bar[]". Points into the name. */
const char *names_simple(const char *class_name);

/* Whether a class belongs to the JDK. A reader can change its callers, not the class. */
bool names_in_jdk(const char *class_name);

/*
 * Whether a class belongs to the core of the JDK (java.* and its implementation), which the rest of
 * the JDK uses, too. If the JDK itself is the program (javac), a reader can change its other parts.
 */
bool names_in_core(const char *class_name);

/*
 * Java name of a primitive type by the first character of its JVM signature; "reference" for
 * references, since the character does not tell which class. NULL for other characters.
 */
const char *names_type(char signature);

#endif
