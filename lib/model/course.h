/* SPDX-License-Identifier: Apache-2.0 */
/*
 * course.h - when an amount came: sums of times of equal length. There are always as many, so that
 * a recording of a day needs no more room than one of a minute: they become longer.
 */
#ifndef OJX_COURSE_H
#define OJX_COURSE_H

#include <stddef.h>

enum { COURSE_TIMES = 24 };

/* All zero to begin with. Times are in seconds. */
struct course {
	double begin, end; /* of all that came */
	double length;	   /* of each of these */
	float amount[COURSE_TIMES];
};

/* Adds an amount that came evenly between two times. */
void course_add(struct course *c, double from, double to, double amount);

/*
 * Adds what came between two times to `n` sums of equal length. What came in one time of the course
 * is taken as even.
 */
void course_spread(const struct course *c, double from, double to, double *sums, size_t n);

#endif
