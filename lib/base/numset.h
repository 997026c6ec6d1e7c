/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numset.h - a set of small numbers, as of rows that have changed: to add one costs the same however many there are, and so
 * does emptying it for each that is in it.
 */
#ifndef OJX_NUMSET_H
#define OJX_NUMSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct numset {
	uint32_t *item; /* in the order in which they came */
	size_t n, room;
	unsigned char *has; /* by number */
	size_t size;	    /* numbers that `has` covers */
};

/* 0, also where it is there already; -1 where memory lacks. */
int numset_add(struct numset *s, uint32_t number);
/* Puts them in ascending order, in which what they stand for is mostly in memory. */
void numset_sort(struct numset *s);
/* Makes it empty; memory is kept for the next ones. */
void numset_clear(struct numset *s);
void numset_release(struct numset *s);

static inline bool numset_has(const struct numset *s, uint32_t number)
{
	return number < s->size && s->has[number];
}

#endif
