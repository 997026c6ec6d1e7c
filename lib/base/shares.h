/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shares.h - shares as people read them, and their intervals. All texts of shares come from here or
 * from units_percent. A share is 0 to 1, or NAN if it was not measured.
 */
#ifndef OJX_SHARES_H
#define OJX_SHARES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "base/units.h"

enum { SHARE_FEW = 5 /* observations; fewer are told one by one, "2 of 3" */ };

/* Writes "12.3 %". */
void share_put(FILE *out, double share);

/* Whether an interval from 0 to 100 %, or none, says nothing of a share. */
bool share_says_nothing(double low, double high);

/* Writes "[7-15]", rounded outwards. */
void share_put_ends(FILE *out, const struct style *s, double low, double high);

/*
 * Writes a share with its interval: "12.3 % [7-15]"; "at most 4 %" if hardly any was seen; a dash
 * if nothing is known. An interval that is NAN is left out.
 */
void share_put_estimate(FILE *out, const struct style *s, double share, double low, double high);

/* The share of `n` among `of` observations: "2 of 3" if they are few, otherwise "12.3 %". */
const char *share_among(char text[UNITS_TEXT], double share, uint64_t n, uint64_t of);

#endif
