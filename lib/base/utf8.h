/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utf8.h - text from outside, made safe to print.
 *
 * A recording holds text of other programs: command lines, names, notes. A file name can be any
 * bytes, and so can anything in a damaged recording. None of it goes to a terminal or into JSON
 * unchanged: invalid UTF-8 becomes U+FFFD, and so do control characters that could steer a
 * terminal.
 */
#ifndef OJX_UTF8_H
#define OJX_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum utf8_mode {
	UTF8_TERMINAL, /* control characters become U+FFFD */
	UTF8_ASCII,    /* the same, and characters beyond ASCII become '?' */
	UTF8_DATA,     /* control characters stay; the format that holds the text escapes them */
};

/*
 * Returns the character at *text, before `end`, and moves *text behind it. An invalid byte gives
 * U+FFFD. Requires *text < end.
 */
uint32_t utf8_next(const char **text, const char *end);

/* Whether it can steer a terminal: C0, DEL, C1, and marks that change the direction of writing. */
bool utf8_is_control(uint32_t c);

/* Writes `len` bytes of text, cleaned. Check ferror(out) for errors. */
void utf8_put(FILE *out, const char *text, size_t len, enum utf8_mode mode);

/*
 * A link of a terminal (OSC 8): UTF8_LINK, the address, UTF8_LINK_END, the text; an empty address
 * ends it. Text from outside has none, since cleaning removes the escape character.
 */
#define UTF8_LINK     "\x1b]8;;"
#define UTF8_LINK_END "\x1b\\"
/* Length of what begins or ends a link here; 0: nothing does. */
size_t utf8_link(const char *text, const char *end);

/*
 * Columns of clean text on a terminal. Wide characters take two, combining ones none, and neither
 * does what begins or ends a link. Characters beyond ASCII count as wcwidth() says, so LC_CTYPE
 * should name a UTF-8 locale.
 */
size_t utf8_width(const char *text);
size_t utf8_columns(const char *text, size_t len); /* of `len` bytes */

/* Number of bytes at the beginning, or the end, of clean text that take at most `width` columns. */
size_t utf8_head(const char *text, size_t width);
size_t utf8_tail(const char *text, size_t width);

#endif
