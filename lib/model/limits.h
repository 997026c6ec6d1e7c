/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h - the bounds of a recording (wire_layout.h) in words. */
#ifndef OJX_LIMITS_H
#define OJX_LIMITS_H

#include <stdint.h>

#include "wire/wire_layout.h"

enum { LIMITS_TEXT = 256 };

/* For programs: "rings". */
const char *limits_name(enum wire_limit limit);

/* What was refused, `count` times (> 0), why, and what to do. Returns `text`. */
const char *limits_say(char text[LIMITS_TEXT], enum wire_limit limit, uint64_t count);

#endif
