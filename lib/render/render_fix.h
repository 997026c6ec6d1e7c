/* SPDX-License-Identifier: Apache-2.0 */
/* render_fix.h - what text, markdown and page say of findings (fix/fix.h), as sentences. */
#ifndef OJX_RENDER_FIX_H
#define OJX_RENDER_FIX_H

#include "base/style.h"
#include "fix/fix.h"
#include "render/report.h"

/* Writes where it is: "Shop.load:49, 50". */
void fix_put_where(FILE *out, const struct style *s, const struct fix *f);

/* Begins a line of a finding: "    Problem:  ". */
void fix_put_label(FILE *out, const char *label);

/*
 * Each writes one sentence, without a line end. "Shop.load:49, 50 makes 401 MB (26.0 %); 401 MB
 * avoidable (386 MB to 422 MB), certain."
 */
void fix_put_amounts(FILE *out, const struct report *r, const struct style *s, const struct fix *f);
/* "int[] 2.4 kB, Matcher 4.8 kB and 13 other classes"; with what was seen of the possible ones. */
void fix_put_made(FILE *out, const struct style *s, const struct fix *f);
/* "Main.run:5 (92 %) and 3 others": who calls its method; nothing if that is not known. */
void fix_put_callers(FILE *out, const struct report *r, const struct style *s, const struct fix *f);
/* What to do to know more of a finding without a rule. */
void fix_put_unfixed(FILE *out, const struct style *s, const struct fix *f);

/*
 * Finding i in one line, what matters most first: "1. Shop.load:49: 401 MB (26.0 %) avoidable,
 * certain. Pass the parts ..."
 */
void fix_put_short(FILE *out, const struct report *r, const struct style *s, size_t i);
/* Finding i in full: lines with labels, not wrapped. */
void fix_put(FILE *out, const struct report *r, const struct style *s, size_t i);

/* Whether finding i is told in full: one of the first `n`, or a large line without a fix. */
bool fixes_is_told(const struct fixes *all, size_t i, size_t n);

/* What the first `n` avoid, and all of them. */
void fixes_put_sum(FILE *out, const struct report *r, size_t n);

enum { FIXES_FIRST = 3, FIXES_NEXT = 5 /* these in full, and after them these in one line */ };

/*
 * Part of the text, not wrapped: the sum and the findings; `first` in full, then `next` in one line
 * each, and how many there are besides.
 */
void fixes_put(FILE *out, const struct report *r, const struct style *s, size_t first, size_t next);

#endif
