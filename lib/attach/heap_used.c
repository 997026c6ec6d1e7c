/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_used.c - see heap_used.h. Each collector has its own words:
 *
 *	garbage-first heap   total 262144K, used 1834K [0x...
 *	def new generation   total 78656K, used 5596K [0x...     and one line for each generation
 *	  eden space 69952K,   8% used [0x...                    which is counted above
 *	ZHeap           used 8M, capacity 256M, max capacity 4006M
 *	 262144K max, 262144K soft max, 262144K committed, 2304K used
 *	Metaspace       used 168K, committed 320K, ...           which is not the heap
 *	  class space    used 7K, committed 128K, ...
 */
#define _GNU_SOURCE 1 /* memmem */
#include "attach/heap_used.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a number with a unit, such as "1834K"; negative: it is none. */
static double amount(const char *text, const char *end)
{
	static const char units[] = "BKMGT";
	char *unit;

	if (text == end || !isdigit((unsigned char)*text))
		return -1;
	double value = (double)strtoull(text, &unit, 10);
	const char *at = unit < end && *unit ? strchr(units, *unit) : NULL;
	if (!at)
		return -1;
	for (; at > units; at--)
		value *= 1024;
	return value;
}

/* What is used according to one line; negative: it does not say. */
static double of_line(const char *line, const char *end)
{
	const char *used =
		memmem(line, (size_t)(end - line), HEAP_USED_SAID, strlen(HEAP_USED_SAID));

	if (!used || (used > line && used[-1] != ' ') ||
	    memmem(line, (size_t)(end - line), "Metaspace", strlen("Metaspace")) ||
	    memmem(line, (size_t)(end - line), "class space", strlen("class space")))
		return -1;
	const char *behind = used + strlen(HEAP_USED_SAID), *before = used;
	while (behind < end && *behind == ' ')
		behind++;
	double value = amount(behind, end);
	if (value >= 0)
		return value;
	while (before > line && before[-1] == ' ')
		before--;
	while (before > line && before[-1] != ' ')
		before--;
	return amount(before, used);
}

double heap_used(const char *answer)
{
	double sum = -1;

	for (const char *line = answer; *line;) {
		const char *end = line + strcspn(line, "\n");
		double value = of_line(line, end);
		if (value >= 0)
			sum = (sum < 0 ? 0 : sum) + value;
		line = *end ? end + 1 : end;
	}
	return sum;
}
