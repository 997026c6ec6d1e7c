/* SPDX-License-Identifier: Apache-2.0 */
/*
 * string_values.h - the characters of strings of which snapshots were taken, only if the user
 * requests them (WIRE_VALUES).
 *
 * A text is taken with the string's snapshot and kept beside it. It is sent with the snapshot,
 * unless the same text was sent for that context recently.
 */
#ifndef OJX_STRING_VALUES_H
#define OJX_STRING_VALUES_H

#include "core/state.h"

struct deep;
struct link_ring;

struct string_value {
	uint32_t chars; /* of the whole string, in UTF-16 units */
	uint16_t len;
	bool there;
	char utf8[WIRE_VALUE_TEXT];
};

/* [pause] Takes the text of the string that was walked last; none if it was no string. */
void string_value_take(struct string_value *t, struct deep *d);

/* Service thread: sends the text. */
void string_value_send(struct link_ring *ring, const struct string_value *t, uint32_t context,
		       uint64_t deep);

#endif
