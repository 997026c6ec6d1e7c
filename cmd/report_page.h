/* SPDX-License-Identifier: Apache-2.0 */
/* report_page.h - the page that `ojx report -o FILE.html` writes, for a recording that was read. */
#ifndef OJX_REPORT_PAGE_H
#define OJX_REPORT_PAGE_H

#include "load.h"

/* 0, or -1 after an error message. */
int report_page(struct loaded *l, const char *path);

#endif
