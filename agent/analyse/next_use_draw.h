/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_use_draw.h - which of the held objects is watched next, and which of its words. Those that
 * need few debug registers of each thread and those that need many are drawn apart.
 */
#ifndef OJX_NEXT_USE_DRAW_H
#define OJX_NEXT_USE_DRAW_H

#include "analyse/object_watch.h"
#include "heap/live_heap_view.h"

#define NEXT_USE_FEW 2u /* registers; more are many */

struct drawn {
	uint32_t n;	   /* of so many; 0: none */
	uint32_t entry;	   /* in the table of held objects */
	double stands_for; /* objects, the inverse of its probability */
	uint64_t birth_ns; /* since the start */
};

/*
 * Counts the objects that can be drawn, if it is time. Then it draws also one of those that have
 * just survived their first collection: of those with few needs, and of those with many.
 */
void next_use_count(struct drawn fresh[2], uint64_t *random);

/*
 * The part of the objects that needs many registers, at the last count: as objects and as bytes
 * that they stand for, on average.
 */
double next_use_share_of_many(void);

/*
 * Draws one of a kind. Half of the draws take all objects alike, the other half all bytes that the
 * objects stand for: few large objects can hold most. False if a number of attempts found none.
 */
bool next_use_draw(struct drawn *d, bool many, uint64_t *random);

/*
 * The words that are watched: all if they are few, with the mark word, since a lock is used by it.
 * Of a larger array one is that with the length, which nearly every use reads, unless the compiler
 * knows it; others are random. Returns whether uses are seen for sure.
 */
bool next_use_choose_words(struct object_watch *w, const struct live_heap_held *e,
			   uint64_t *random);

#endif
