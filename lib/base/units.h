/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.h - numbers as people read them: 12.3 k, 4.5 MB, 98.4.
 *
 * Each function writes a NUL-terminated text of at most UNITS_TEXT bytes into `text` and returns
 * it. NAN means "not measured" and gives "-", which a style may show as a dash.
 */
#ifndef OJX_UNITS_H
#define OJX_UNITS_H

#include <stdio.h>

enum { UNITS_TEXT = 32 };

/* A count, rounded; thousands are "k", "M", "G", "T". */
const char *units_count(char text[UNITS_TEXT], double count);

/*
 * A rate per second: like units_count from 10 up; below that with one digit: "3.4", "0.4", "under
 * 0.1".
 */
const char *units_rate(char text[UNITS_TEXT], double rate);

/* Bytes; "kB", "MB", "GB", "TB" are powers of 1024, as in a JVM. */
const char *units_bytes(char text[UNITS_TEXT], double bytes);

/*
 * A share of 0 to 1 as percent with one digit. Only 0 shows as "0.0", and only 1 as "100.0": 99.97
 * % is shown as "99.9".
 */
const char *units_percent(char text[UNITS_TEXT], double share);

/* Seconds: "850 ms", "12.3 s", "3 min 4 s", "2 h 5 min". */
const char *units_seconds(char text[UNITS_TEXT], double seconds);

/*
 * Writes the rules of units_count, units_bytes and units_seconds as JSON, for a page that writes
 * numbers itself: {"count": [step, ...], "bytes": ..., "seconds": ...}. A step is [below, one,
 * digits, unit, parts, part]: a number whose size is less than `below` (null: any) is divided by
 * `one`, and has so many digits behind the point, ties going to the even digit. If `parts` is not
 * 0, the result is a whole number of `part`, of which so many make a unit.
 */
void units_put_json(FILE *out);

#endif
