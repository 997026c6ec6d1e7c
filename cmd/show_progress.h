/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_progress.h - a line on the terminal that tells how far a work is which takes longer than a
 * second.
 *
 * It is on standard error, and only where that is a terminal which can erase a line. It goes away
 * before anything else is said, and leaves nothing behind.
 */
#ifndef OJX_SHOW_PROGRESS_H
#define OJX_SHOW_PROGRESS_H

#include <stdbool.h>

#include "base/progress.h"

/* Begins to look; NULL where nobody wants to see it (`quiet`), or nobody could. */
struct progress *show_progress_start(bool quiet);

/* Erases the line and looks no more. To be called before results go to a terminal. May be called
 * twice. */
void show_progress_stop(void);

/* What work that is under way should count in; NULL: nowhere. */
struct progress *show_progress_now(void);

#endif
