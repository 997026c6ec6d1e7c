/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_csv.h - cells of a table by RFC 4180, without the commas between them. A cell that was not
 * measured, or is not known, is empty.
 */
#ifndef OJX_RENDER_CSV_H
#define OJX_RENDER_CSV_H

#include <stdio.h>

#include "model/callstack.h"
#include "model/finding.h"
#include "render/export.h"

/*
 * Writes the `n` innermost frames as one text, innermost first:
 * "com.acme.Shop.load(Shop.java:12);...".
 */
void csv_put_stack(FILE *out, const struct callstack *stack, size_t n);

#endif
