/* SPDX-License-Identifier: Apache-2.0 */
/* browse_report.h - the interactive report. */
#ifndef OJX_BROWSE_REPORT_H
#define OJX_BROWSE_REPORT_H

#include "render/render.h"

/*
 * Browses the report's rows until the user leaves; `how` tells how the rows were made. Sorts the
 * rows. `page` writes the page for a browser to a path, for `arg`: 0, or -1 after an error. 0; or 1
 * if the terminal is not suitable and nothing was shown; or -1 after an error message. A signal
 * that ends ojx takes effect here, after the terminal has been restored.
 */
int browse_report(const struct report *report, struct rows *rows, const struct rows_options *how,
		  int (*page)(void *arg, const char *path), void *arg);

#endif
