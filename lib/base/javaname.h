/* SPDX-License-Identifier: Apache-2.0 */
/*
 * javaname.h - names as Java programmers write them, from the signatures of the JVM.
 *
 *	[I                              int[]
 *	[[Ljava/lang/String;            java.lang.String[][]
 *	Lcom/acme/Foo$Bar;              com.acme.Foo$Bar
 *	Lcom/acme/Foo$$Lambda$14.0x00;  com.acme.Foo$$Lambda
 *
 * The texts come from another process: the functions take any bytes, never fail, and what they
 * give is valid UTF-8 without control characters, fit for a terminal and for JSON.
 */
#ifndef OJX_JAVANAME_H
#define OJX_JAVANAME_H

#include <stddef.h>

/* Bytes, the NUL included, that hold any result for `len` bytes of input. */
size_t javaname_room(size_t len);

/* "int" for 'I', and so on, "void" for 'V'; NULL where the first character of a signature is of no
 * such type. */
const char *javaname_primitive(char type);

/*
 * Java name of the class of a JVM signature. `out` has javaname_room(len) bytes and is
 * NUL-terminated. Returns its length.
 *
 * Hidden classes carry an address and lambda classes a number, which differ from run to run; both
 * are left out, so that two recordings can be compared. All lambdas of one class thus share one
 * name; what tells them apart in both runs is the stack they are made on.
 */
size_t javaname_class(char *out, const char *signature, size_t len);

/*
 * Any other text of a class file (modified UTF-8), or of the JVM: as UTF-8, with '?' for what is
 * none and for control characters. `out` has javaname_room(len) bytes; len + 1 are enough.
 */
size_t javaname_text(char *out, const char *text, size_t len);

#endif
