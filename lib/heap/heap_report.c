/* SPDX-License-Identifier: Apache-2.0 */
/* heap_report.c - see heap_report.h: from the file to the findings. */
#include "heap/heap_report.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 4 /* each fails once in some hundred thousand dumps */ };

/* 0, 1 if another seed is needed, or -1 with r->error. */
static int try(struct heap_report *r, uint64_t seed, struct progress *progress)
{
	struct heap *h = &r->heap;

	if (heap_read(h, &r->dump, seed, progress) < 0 || heap_link(h, progress) < 0) {
		memcpy(r->error, h->error, sizeof r->error);
		return -1;
	}
	int result = merge_make(&r->merge, h, progress);
	if (result < 0 || (result == 0 && heap_findings_make(r) < 0)) {
		snprintf(r->error, sizeof r->error, "out of memory");
		return -1;
	}
	return result;
}

static int analyse(struct heap_report *r, struct progress *progress)
{
	int result = 1;

	for (uint64_t seed = 0; result > 0 && seed < SEEDS; seed++) {
		merge_release(&r->merge);
		heap_release(&r->heap);
		result = try(r, seed, progress);
	}
	if (result > 0)
		snprintf(r->error, sizeof r->error,
			 "contents that differ had equal hashes, %d times", SEEDS);
	return result ? -1 : 0;
}

int heap_report_make(struct heap_report *r, const char *path, unsigned dump, bool values,
		     struct progress *progress)
{
	*r = (struct heap_report){ .values = values, .dump.wanted = dump };
	progress_begin(progress, "unpacking", 0);
	if (hprof_open(&r->dump, path) < 0) {
		memcpy(r->error, r->dump.error, sizeof r->error);
		return -1;
	}
	return analyse(r, progress);
}

int heap_report_memory(struct heap_report *r, const void *data, size_t size, unsigned dump,
		       bool values)
{
	*r = (struct heap_report){ .values = values, .dump.wanted = dump };
	if (hprof_open_memory(&r->dump, data, size) < 0) {
		memcpy(r->error, r->dump.error, sizeof r->error);
		return -1;
	}
	return analyse(r, NULL);
}

void heap_report_release(struct heap_report *r)
{
	findings_release(&r->findings);
	arena_release(&r->arena);
	merge_release(&r->merge);
	heap_release(&r->heap);
	hprof_close(&r->dump);
}
