/* SPDX-License-Identifier: Apache-2.0 */
/* heap_report.c - see heap_report.h: from the file to the findings. */
#include "heapdump/heap_report.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* ---- what a reader of the figures must know besides them. */

/* Each writes its text, if it applies. */
typedef bool note_fn(const struct heap_report *r, char room[HEAP_NOTE]);

static bool note_cut(const struct heap_report *r, char room[HEAP_NOTE])
{
	char missing[UNITS_TEXT];

	if (!r->dump.cut[0])
		return false;
	snprintf(room, HEAP_NOTE,
		 "the dump is cut short: %s. What is complete before that is told; %s references "
		 "lead to what is missing",
		 r->dump.cut,
		 units_count(missing, (double)atomic_load_explicit(&r->heap.dangling,
								   memory_order_relaxed)));
	return true;
}

static bool note_erased(const struct heap_report *r, char room[HEAP_NOTE])
{
	if (r->heap.erased)
		snprintf(room, HEAP_NOTE,
			 "the contents are erased, since all arrays of bytes and of characters are "
			 "alike but for their length: only sizes and shapes are told");
	return r->heap.erased;
}

static bool note_unknown(const struct heap_report *r, char room[HEAP_NOTE])
{
	char n[UNITS_TEXT];

	if (!r->heap.unknown)
		return false;
	snprintf(room, HEAP_NOTE, "%s objects are left out, since their classes are missing",
		 units_count(n, (double)r->heap.unknown));
	return true;
}

static bool note_dumps(const struct heap_report *r, char room[HEAP_NOTE])
{
	if (r->dump.dumps < 2)
		return false;
	snprintf(room, HEAP_NOTE, "the file has %u dumps, of as many moments; this is number %u%s",
		 r->dump.dumps, r->dump.dump,
		 r->dump.wanted ? "" : ", the last; --dump N shows another");
	return true;
}

static bool note_twice(const struct heap_report *r, char room[HEAP_NOTE])
{
	char n[UNITS_TEXT];

	if (!r->heap.twice)
		return false;
	snprintf(room, HEAP_NOTE, "%s objects are there twice; the first of each counts",
		 units_count(n, (double)r->heap.twice));
	return true;
}

const char *heap_report_note(const struct heap_report *r, unsigned number, char room[HEAP_NOTE])
{
	/* cppcheck-suppress ctuArrayIndex; it takes the end of the room for an index */
	static note_fn *const notes[] = { note_erased, note_cut, note_unknown, note_dumps,
					  note_twice };

	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
		if (notes[i](r, room) && number-- == 0)
			return room;
	return NULL;
}

enum { SEEDS = 4 /* each fails once in some hundred thousand dumps */ };

/* 0, 1 if another seed is needed, or -1 with r->error. */
static int try(struct heap_report *r, uint64_t seed, struct progress *progress)
{
	struct heap *h = &r->heap;

	if (heap_read(h, &r->dump, seed, progress) < 0 || heap_link(h, progress) < 0) {
		memcpy(r->error, h->error, sizeof r->error);
		return -1;
	}
	if (!merge_make(&r->merge, h, progress))
		return 1;
	heap_findings_make(r);
	heap_add_problems(r);
	return 0;
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
