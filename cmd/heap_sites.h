/* SPDX-License-Identifier: Apache-2.0 */
/* heap_sites.h - which lines allocate what a heap dump has copies of, from a recording. */
#ifndef OJX_HEAP_SITES_H
#define OJX_HEAP_SITES_H

#include "heap/heap_report.h"

/* Reads the recording and adds its lines to the report. 0, or -1 after an error message. */
int heap_sites_add(struct heap_report *r, const char *recording);

#endif
