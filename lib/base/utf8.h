/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - text from outside, made fit to print.
 *
 * A recording holds text of other programs: command lines, names, notes. A file name may be any
 * bytes, a damaged recording anything at all. Nothing of that goes to a terminal or into JSON as
 * it is: what is not UTF-8 becomes U+FFFD, and so do control characters where they could steer a
 * terminal.
 */
#ifndef OJX_UTF8_H
#define OJX_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum utf8_mode {
	UTF8_TERMINAL, /* control characters become U+FFFD */
	UTF8_ASCII,    /* the same, and whatever is beyond ASCII becomes '?' */
	UTF8_DATA,     /* control characters stay: the format that holds the text escapes them */
};

/*
 * The character that begins at *text, before `end`; *text moves behind it. A
 * byte that begins none gives U+FFFD. Needs *text < end.
 */
uint32_t utf8_next(const char **text, const char *end);

/* Writes `len` bytes of text, cleaned. Errors show in ferror(out). */
void utf8_put(FILE *out, const char *text, size_t len, enum utf8_mode mode);

/*
 * Columns that clean text takes in a terminal; wide characters take two, combining ones none.
 * Characters beyond ASCII count as wcwidth() says, so LC_CTYPE should name a UTF-8 locale.
 */
size_t utf8_width(const char *text);
size_t utf8_columns(const char *text, size_t len); /* of `len` bytes */

/* Bytes at the beginning of clean text, or at its end, that take at most `width` columns. */
size_t utf8_head(const char *text, size_t width);
size_t utf8_tail(const char *text, size_t width);

#endif
