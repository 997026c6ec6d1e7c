/* SPDX-License-Identifier: Apache-2.0 */
/* numset.c - see numset.h. */
#include "base/numset.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 256 };

static int cover(struct numset *s, uint32_t number)
{
	size_t size = s->size ? s->size : FIRST;

	while (size <= number)
		size *= 2;
	unsigned char *has = realloc(s->has, size);
	if (!has)
		return -1;
	memset(has + s->size, 0, size - s->size);
	s->has = has;
	s->size = size;
	return 0;
}

int numset_add(struct numset *s, uint32_t number)
{
	if (numset_has(s, number))
		return 0;
	if (number >= s->size && cover(s, number) < 0)
		return -1;
	if (s->n == s->room) {
		size_t room = s->room ? 2 * s->room : FIRST;
		uint32_t *item = realloc(s->item, room * sizeof *item);
		if (!item)
			return -1;
		s->item = item;
		s->room = room;
	}
	s->item[s->n++] = number;
	s->has[number] = 1;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

void numset_sort(struct numset *s)
{
	if (s->n < s->size / 16) {
		if (s->n)
			qsort(s->item, s->n, sizeof *s->item, compare);
		return;
	}
	s->n = 0;
	for (size_t i = 0; i < s->size; i++)
		if (s->has[i])
			s->item[s->n++] = (uint32_t)i;
}

void numset_clear(struct numset *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->has[s->item[i]] = 0;
	s->n = 0;
}

void numset_release(struct numset *s)
{
	free(s->item);
	free(s->has);
	*s = (struct numset){ .n = 0 };
}
