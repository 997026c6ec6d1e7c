/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_put.h - cells of a table by RFC 4180, without the commas between them. A cell that was not
 * measured, or is not known, is empty.
 */
#ifndef OJX_CSV_PUT_H
#define OJX_CSV_PUT_H

#include <stdio.h>

#include "model/callstack.h"
#include "model/figure.h"
#include "render/frame_texts.h"

/* Writes the heading; two more cells if the figure has an interval. */
void csv_put_heading(FILE *out, const struct figure *f);

/*
 * Writes the figure's value, with at most nine decimals (json_number_text). Then both ends of the
 * interval with the quantile `z`, if it has one. A value that is not finite gives an empty cell.
 */
void csv_put_figure(FILE *out, const struct figure *f, const void *of, double z);

/*
 * Writes a text in quotes; nothing for NULL. A spreadsheet takes a text that begins with '=', '+',
 * '-' or '@' for a formula; such a text gets an apostrophe in front. No ordinary name in a Java
 * program begins so.
 */
void csv_put_text(FILE *out, const char *text);

/*
 * Writes the `n` innermost frames as one text, innermost first:
 * "com.acme.Shop.load(Shop.java:12);...".
 */
void csv_put_stack(FILE *out, const struct callstack *stack, size_t n);

/*
 * One frame of such a text (a frame_text_fn); and a whole stack, by the numbers of its frames
 * (callstack.h).
 */
int csv_put_frame(FILE *out, const struct model_frame *f);
void csv_put_numbered_stack(FILE *out, const struct frame_texts *texts, uint32_t jvm,
			    const uint32_t *numbers, size_t n);

#endif
