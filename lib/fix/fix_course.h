/* SPDX-License-Identifier: Apache-2.0 */
/* fix_course.h - part of fix.c: whether a fix is about the beginning of the program alone. */
#ifndef OJX_FIX_COURSE_H
#define OJX_FIX_COURSE_H

#include "fix/fix_part.h"

/*
 * Seconds from the start of the recording after which nothing of these parts, of one JVM, was made,
 * though it ran on; 0: they went on, or that is not known.
 */
double fix_until(const struct fix_part *part, size_t n, const struct model *m);

#endif
