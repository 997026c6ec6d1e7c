/* SPDX-License-Identifier: Apache-2.0 */
/* name_numbers.c - see name_numbers.h. */
#include "core/name_numbers.h"

#include <string.h>

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Replaces the digits that end before `end` by '*'. Returns its position. */
static char *fold_before(char *name, char *end)
{
	char *begin = end;

	while (begin > name && is_digit(begin[-1]))
		begin--;
	*begin = '*';
	memmove(begin + 1, end, strlen(end) + 1);
	return begin;
}

static void fold_nothing(char *name)
{
	(void)name;
}

static void fold_last(char *name)
{
	char *p = name + strlen(name);

	while (p > name && !is_digit(p[-1]))
		p--;
	if (p > name)
		fold_before(name, p);
}

static void fold_all(char *name)
{
	char *p = name + strlen(name);

	while (p > name)
		p = is_digit(p[-1]) ? fold_before(name, p) : p - 1;
}

static uint32_t find(const struct name_numbers *n, const char *name)
{
	for (uint32_t i = 1; i <= n->last; i++)
		if (strcmp(n->name[i], name) == 0)
			return i;
	return 0;
}

uint32_t name_numbers_get(struct name_numbers *n, const char *name)
{
	static const struct {
		void (*fold)(char *name);
		uint32_t most; /* highest number before the next way is taken */
	} ways[] = {
		{ fold_nothing, NAMEFOLD_WHOLE },
		{ fold_last, NAMEFOLD_LAST },
		{ fold_all, WIRE_THREADS - 1 },
	};
	char told[WIRE_THREAD_NAME + 1];

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		strncpy(told, name, WIRE_THREAD_NAME);
		told[WIRE_THREAD_NAME] = '\0';
		ways[i].fold(told);
		uint32_t number = find(n, told);
		if (number)
			return number;
		if (n->last >= ways[i].most)
			continue;
		memcpy(n->name[++n->last], told, sizeof told);
		return n->last;
	}
	return 0;
}
