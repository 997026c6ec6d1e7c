/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_put.h - JSON written directly to a stream, for tables that are too long to be built in
 * memory. The output is safe inside an HTML page.
 */
#ifndef OJX_JSON_PUT_H
#define OJX_JSON_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memtext.h"

/*
 * Write any bytes as a string. Invalid UTF-8 becomes U+FFFD; NULL gives null. '<' is escaped, so
 * that no text can end the <script> element around it.
 */
void json_put_text(FILE *out, const char *text);
void json_put_bytes(FILE *out, const char *text, size_t len);

/* The same for a text that is ended here. 0; or -1 if out of memory, and nothing is written. */
int json_put_memtext(FILE *out, struct memtext *t);

/* Writes six significant digits, enough for an estimate. A number that is not finite gives null. */
void json_put_number(FILE *out, double value);
/*
 * Like json_put_number, for a figure that is shown: six decimals of a share, all digits of a large
 * number.
 */
void json_put_figure(FILE *out, double value);
void json_put_whole(FILE *out, uint64_t value);

/* Writes [1,2,3]; an element equal to `nothing` is written as -1. */
void json_put_ids(FILE *out, const uint32_t *ids, size_t n, uint32_t nothing);

#endif
