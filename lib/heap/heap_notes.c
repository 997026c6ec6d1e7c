/* SPDX-License-Identifier: Apache-2.0 */
/* heap_notes.c - see heap_report.h: what a reader of the figures must know besides them. */
#include <stdio.h>

#include "base/units.h"
#include "heap/heap_report.h"

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
		 r->dump.cut, units_count(missing, (double)r->heap.dangling));
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
	static note_fn *const notes[] = { note_erased, note_cut, note_unknown, note_dumps,
					  note_twice };

	for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++)
		if (notes[i](r, room) && number-- == 0)
			return room;
	return NULL;
}
