/* SPDX-License-Identifier: Apache-2.0 */
/* fix_course.h - when what a fix (fix.h) is about was made: all along, or at first alone. */
#ifndef OJX_FIX_COURSE_H
#define OJX_FIX_COURSE_H

#include <stdbool.h>
#include <stddef.h>

#include "fix/fix_part.h"

/*
 * Seconds from the start of the recording after which nothing of these parts, of one JVM, was made,
 * though it ran on; 0: they went on, or that is not known.
 */
double fix_until(const struct fix_part *part, size_t n, const struct model *m);

enum { FIX_COURSE = 10 /* times of equal length */ };

/* Bytes a second, from the first to the last allocations that their JVMs had. */
struct fix_course {
	double from_s, to_s; /* since the start of the recording */
	double rate[FIX_COURSE];
};

/* The course of these parts; false: it is not known. */
bool fix_course(const struct fix_part *part, size_t n, struct fix_course *to);

#endif
