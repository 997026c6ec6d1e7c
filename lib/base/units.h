/* SPDX-License-Identifier: Apache-2.0 */
/*
 * units.h - numbers as people read them: 12.3 k, 4.5 MB, 98.4.
 *
 * Each function writes a NUL-terminated text of at most UNITS_TEXT bytes into `text` and returns
 * it. NAN means "not measured" and gives "-", which a style may show as a dash.
 */
#ifndef OJX_UNITS_H
#define OJX_UNITS_H

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
 * A share of 0 to 1 as percent with one digit. Only 0 shows as "0.0", and only 1 as "100.0": what
 * is between the last digit and these shows as "<0.1" and ">99.9".
 */
const char *units_percent(char text[UNITS_TEXT], double share);

/* Seconds: "850 ms", "12.3 s", "3 min 4 s", "2 h 5 min". */
const char *units_seconds(char text[UNITS_TEXT], double seconds);

/*
 * ---- the rules of units_count, units_bytes and units_seconds, for a page that writes numbers
 * itself. The last step of a scale has `below` INFINITY.
 */

/* A number is written by the first step that it is below. */
struct units_step {
	double below;	  /* without the sign; INFINITY: the last step */
	double one;	  /* it is divided by this */
	int digits;	  /* behind the point */
	const char *unit; /* stands behind it; "": nothing */
	double parts;	  /* > 0: so many of `one` make a unit, and the rest is told as well */
	const char *part; /* the unit of the rest */
};

struct units_scale {
	const char *name; /* "count", "bytes", "seconds" */
	const struct units_step *steps;
};

/* End with name NULL. */
extern const struct units_scale units_scales[];

#endif
