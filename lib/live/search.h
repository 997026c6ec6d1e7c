/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.h - which rows contain a text that somebody types: in their class, or in a frame of their site.
 *
 * Each key asks anew, of a hundred thousand rows. They have some hundred classes and some thousand frames: each of those is
 * asked once a text, and of a row it is kept which ones are its own, so that no stack is resolved.
 */
#ifndef OJX_SEARCH_H
#define OJX_SEARCH_H

#include "base/idmap.h"
#include "report/rows.h"

/* What a row is found by. */
struct search_row {
	const struct model_class *class;
	uint32_t jvm, stack; /* what the frames are of */
	uint32_t first, own; /* numbers of frames; SEARCH_NONE */
	bool taken;
};
#define SEARCH_NONE UINT32_MAX

/* What is known of frames, by number. */
struct search_frames {
	unsigned char *known;
	size_t n;
};

struct search {
	const struct model *model; /* NULL: classes alone are searched */
	char *text;
	struct search_row *row; /* by index */
	size_t n, room;
	struct search_frames *jvm; /* by JVM less one */
	size_t njvms;
	struct idmap classes; /* by address: whether they contain the text */
};

/* Another text, of `rows` of a model; any may be found by it. 0, or -1 where memory lacks. Release with search_release. */
int search_begin(struct search *s, const struct model *m, const struct rows *rows,
		 const char *text);
/* Another text, where the rows are those of before. 0, or -1 where memory lacks. */
int search_text(struct search *s, const char *text);
/* Looks again at row i, which has changed or is new. 0, or -1 where memory lacks. */
int search_row(struct search *s, const struct rows *rows, size_t i);
void search_release(struct search *s);

/* Whether the row contains the text. Capitals count if the text has some. */
static inline bool search_takes(const struct search *s, size_t i)
{
	return i < s->n && s->row[i].taken;
}

#endif
