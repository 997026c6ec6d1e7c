/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_progress.h - a line on the terminal that shows the progress of work that takes longer than a
 * second.
 *
 * It is written to standard error, only if that is a terminal that can erase a line. It is erased
 * before any other output and leaves nothing behind.
 */
#ifndef OJX_SHOW_PROGRESS_H
#define OJX_SHOW_PROGRESS_H

#include <stdbool.h>

#include "base/progress.h"

/* Starts to show progress; NULL if it is not wanted (`quiet`) or not possible. */
struct progress *show_progress_start(bool quiet);

/* Erases the line and stops. Call it before results go to a terminal. May be called twice. */
void show_progress_stop(void);

/* Where current work should count its progress; NULL: nowhere. */
struct progress *show_progress_now(void);

#endif
