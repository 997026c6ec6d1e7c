/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javaname.h - names as Java programmers write them, from the signatures of the JVM.
 *
 *	[I                              int[]
 *	[[Ljava/lang/String;            java.lang.String[][]
 *	Lcom/acme/Foo$Bar;              com.acme.Foo$Bar
 *	Lcom/acme/Foo$$Lambda$14.0x00;  com.acme.Foo$$Lambda
 *
 * The texts come from another process. The functions take any bytes and never fail. Their results
 * are valid UTF-8 without control characters, safe for a terminal and for JSON.
 */
#ifndef OJX_JAVANAME_H
#define OJX_JAVANAME_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes, NUL included, that hold any result for `len` bytes of input. */
size_t javaname_room(size_t len);

/*
 * "int" for 'I', and so on, "void" for 'V'; NULL if the first character of a signature is not of a
 * primitive type.
 */
const char *javaname_primitive(char type);

/*
 * Java name of the class of a JVM signature. `out` has javaname_room(len) bytes and is
 * NUL-terminated. Returns its length.
 *
 * The address in the name of a hidden class and the number in that of a lambda class differ from
 * run to run. Both are left out, so that two recordings can be compared. All lambdas of one class
 * therefore share one name; their allocation stacks distinguish them.
 */
size_t javaname_class(char *out, const char *signature, size_t len);

/*
 * Converts any other text of a class file (modified UTF-8) or of the JVM to UTF-8. Invalid bytes
 * and control characters become '?'. `out` has javaname_room(len) bytes; len + 1 are enough.
 */
size_t javaname_text(char *out, const char *text, size_t len);

/* ---- what a Java name tells: its package, whether it is the JDK's, the type of a field. */

/* The name without its package: "com.acme.Foo$Bar[]" gives "Foo$Bar[]". Points into the name. */
const char *names_simple(const char *class_name);

/*
 * The same as reports name a class in little room: with its package if a reader would take it for a
 * class of the JDK, as "com.acme.String". Points into the name.
 */
const char *names_short(const char *class_name);

/*
 * Of a source file of that class: how many bytes of the class's name, its package and a dot, are
 * shown before the file's name, since the JDK has a class of that name: "com.acme.String.java".
 */
size_t names_package_shown(const char *class_name, const char *file);

/* Whether a class belongs to the JDK by its name; of frames the recording tells it (platform.h). */
bool names_in_jdk(const char *class_name);

/*
 * Java name of a primitive type by the first character of its JVM signature; "reference" for
 * references, since the character does not tell which class. NULL for other characters.
 */
const char *names_type(char signature);

/* ---- the options of the `java` command that take a value. */

/* Whether the value of this option is the next argument: "-cp", but not "--class-path=a.jar". */
bool javaoption_takes_next(const char *option);

#endif
