/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_text.h - records as text, a line each: `context jvm=1 id=3 class_id=2 stack_id=7`.
 *
 * Fields have the names that they have in the structs. Numbers are decimal, and are read back as
 * the same number. Texts are in quotes. A byte that is no part of a printable character is written
 * as \xHH, so a terminal can show any text. A list has commas and lacks the zeros at its end. What
 * a struct contains is in braces. Counts and padding follow from the rest and are not written.
 */
#ifndef OJX_RECORD_TEXT_H
#define OJX_RECORD_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "wire/wire_file.h"

/*
 * Writes one line. A record of a type or a length that record_table.h does not have is written as
 * `raw`, with its bytes as a text. `utf8`: characters beyond ASCII are written as they are.
 */
void record_put(FILE *out, uint32_t jvm, const struct wire_rec *rec, uint32_t len, bool utf8);

/* Writes a text in quotes. */
void record_put_text(FILE *out, const char *text, size_t len, bool utf8);

#endif
