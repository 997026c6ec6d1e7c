/* SPDX-License-Identifier: Apache-2.0 */
/* shown_thread.c - see shown_thread.h. */
#include "model/shown_thread.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t shown_thread(char *to, const char *name)
{
	char *start = to;

	while (*name) {
		size_t len = 0, digits = 0, first = 0;
		for (; is_word(name[len]); len++) {
			first = is_digit(name[len]) && !digits ? len : first;
			digits += is_digit(name[len]);
		}
		bool cut = digits > SHOWN_DIGITS;
		size_t kept = cut ? first : len;
		to = (char *)memcpy(to, name, kept) + kept;
		if (cut)
			*to++ = '#';
		name += len;
		if (*name)
			*to++ = *name++;
	}
	*to = '\0';
	return (size_t)(to - start);
}
