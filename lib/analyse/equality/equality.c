/* SPDX-License-Identifier: Apache-2.0 */
/* equality.c - see equality.h: what its figures are called. */
#include "analyse/equality/equality.h"

const unsigned equality_caches[EQUALITY_CACHES] = { 16, 256, 4096 };

const char *equality_condition_name(enum equality_condition c)
{
	static const char *const names[] = {
		[EQUALITY_SAME_CLASS] = "same class",
		[EQUALITY_SAME_FIELDS] = "equal fields",
		[EQUALITY_NO_IDENTITY] = "identity not used",
		[EQUALITY_UNCHANGED] = "never changed",
		[EQUALITY_NO_SIDE_EFFECTS] = "no side effects of creation",
	};

	return names[c];
}

const char *equality_state_name(enum equality_state s)
{
	static const char *const names[] = {
		[EQUALITY_HELD] = "held",
		[EQUALITY_BROKEN] = "broken",
		[EQUALITY_NOT_SEEN] = "not seen",
		[EQUALITY_NOT_OBSERVABLE] = "not observable",
	};

	return names[s];
}
