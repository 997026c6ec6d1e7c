/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_fixes.h - the findings (fix/fix.h) above a table on a screen: one line each, the one at
 * the cursor, and what its page says.
 *
 * Sorting a table moves the rows that findings point at. So all that a screen shows of findings is
 * made at once, as texts. Nothing here depends on terminals.
 */
#ifndef OJX_SCREEN_FIXES_H
#define OJX_SCREEN_FIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/style.h"
#include "model/model.h"
#include "render/report.h"

enum {
	SCREEN_FIXES_SHOWN = 3, /* at once, one line each */
	SCREEN_FIXES_MOST = 40, /* that can be opened */
};

struct screen_fix {
	char *line;		 /* what a line above the table says */
	char *page;		 /* all that is known, in lines of any width */
	struct model_frame made; /* the first of its lines; its texts are the model's */
	uint64_t *contexts;	 /* its contexts, as screen_table_context names them */
	size_t ncontexts;
};

struct screen_fixes {
	struct screen_fix *fix; /* in their order */
	size_t n;
	char *sum;	    /* what they avoid; NULL: findings are not known */
	size_t cursor, top; /* top: the first one that is seen */
};

/*
 * Makes the texts anew; the old ones are released. `r` has the findings, whose rows must not have
 * been sorted since they were found. Without findings, nothing is shown. The cursor stays on its
 * place.
 */
void screen_fixes_take(struct screen_fixes *f, const struct report *r, const struct style *s);
void screen_fixes_release(struct screen_fixes *f);

/* Moves the cursor, and what is seen. False if there are no findings so far up or down. */
bool screen_fixes_move(struct screen_fixes *f, long by);

/* How many are seen, from `top` on. */
size_t screen_fixes_seen(const struct screen_fixes *f);

/* The one at the cursor, or NULL. */
const struct screen_fix *screen_fixes_at(const struct screen_fixes *f);

#endif
