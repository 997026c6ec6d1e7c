/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jfr_put.h - values as a recording of JDK Flight Recorder has them: numbers of seven bits in each
 * byte, floating-point numbers and the header in network order, texts with a byte before them that
 * says how they are encoded.
 */
#ifndef OJX_JFR_PUT_H
#define OJX_JFR_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* Adds a number; a negative one is given as its 64 bits, and takes nine bytes. */
void jfr_put_number(struct bytes *b, uint64_t value);
/* Bytes that it takes. */
size_t jfr_number_length(uint64_t value);

/* Adds `size` bytes, the most significant first. */
void jfr_put_fixed(struct bytes *b, uint64_t value, size_t size);
void jfr_put_float(struct bytes *b, double value);
void jfr_put_double(struct bytes *b, double value);

/* Adds a text, cleaned: invalid UTF-8 and control characters become U+FFFD. */
void jfr_put_text(struct bytes *b, const char *text);

/* Adds the text with this number in the pool of texts; 0: no text. */
void jfr_put_pooled(struct bytes *b, uint32_t number);

#endif
