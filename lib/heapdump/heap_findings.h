/* SPDX-License-Identifier: Apache-2.0 */
/* heap_findings.h - shared by the files that make the tables of a heap report. */
#ifndef OJX_HEAP_FINDINGS_H
#define OJX_HEAP_FINDINGS_H

#include "heapdump/heap_report.h"

/* A row of the class, still without figures. */
struct heap_row heap_row_of(const struct heap_report *r, const char *class);

/* Sorts `n` rows, and hands them over to the finding. `whole`: what shares are of, bytes. */
void heap_add_table(struct finding *f, struct heap_row *rows, size_t n, uint64_t whole);

/* Adds a finding of this kind, of those of HEAP_FINDINGS, to r->findings. */
struct finding *heap_add_finding(struct heap_report *r, size_t kind);

extern const struct finding_kind heap_wasteful_kind, heap_kept_kind, heap_outside_kind,
	heap_retained_kind;

/* Figures of rows of several tables. */
static inline const char *heap_row_label(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->label;
}

static inline double heap_row_bytes(const void *row)
{
	return (double)((const struct heap_row *)row)->sum.bytes;
}

static inline const char *heap_row_root_path(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->root_path;
}

#endif
