/* SPDX-License-Identifier: Apache-2.0 */
/* browse_report.h - the interactive report. */
#ifndef OJX_BROWSE_REPORT_H
#define OJX_BROWSE_REPORT_H

#include "render/render.h"

/*
 * Browses the report's rows, which `how` tells how they were made, until the user leaves; rows are
 * sorted anew. 0; or 1 where the terminal cannot do it and nothing was shown; or -1 after saying
 * what failed. A signal that ends ojx ends it here, after the terminal has been restored.
 */
int browse_report(const struct report *report, struct rows *rows, const struct rows_options *how);

#endif
