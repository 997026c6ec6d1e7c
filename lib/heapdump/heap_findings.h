/* SPDX-License-Identifier: Apache-2.0 */
/* heap_findings.h - shared by the files that make the tables of a heap report. */
#ifndef OJX_HEAP_FINDINGS_H
#define OJX_HEAP_FINDINGS_H

#include "heapdump/heap_report.h"

/* A row of the class, still without figures. */
struct heap_row heap_row_of(const struct heap_report *r, const char *class);

/* Sorts `n` rows, and hands them over to the finding. `whole`: what shares are of, bytes. */
void heap_add_table(struct finding *f, struct heap_row *rows, size_t n, uint64_t whole);

#endif
