/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_put.h - cells of a table by RFC 4180, without the commas between them. What was not measured,
 * or is not known, is empty.
 */
#ifndef OJX_CSV_PUT_H
#define OJX_CSV_PUT_H

#include <stdio.h>

#include "model/callstack.h"
#include "model/figure.h"

/* Two cells more if the figure has an interval. */
void csv_put_heading(FILE *out, const struct figure *f);

/*
 * The figure's value, with nine decimals at most (json_number_text); then both ends of the interval
 * with the quantile `z`, or neither. What is not finite gives an empty cell.
 */
void csv_put_figure(FILE *out, const struct figure *f, const void *of, double z);

/*
 * A text in quotes; nothing for NULL. A spreadsheet takes a text that begins with '=', '+', '-' or
 * '@' for a formula. No name in a Java program does, unless somebody wants it to: such a text gets
 * an apostrophe in front.
 */
void csv_put_text(FILE *out, const char *text);

/* The `n` innermost frames as one text, "com.acme.Shop.load(Shop.java:12);...", the innermost
 * first. */
void csv_put_stack(FILE *out, const struct callstack *stack, size_t n);

#endif
