/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto.h - messages in the wire format of Protocol Buffers, as much of it as a writer needs:
 * numbers (varints), texts and messages within messages.
 *
 * A message's length stands before it, so each is built in memory. What was added to a message is
 * checked once, at its end: `failed` tells that memory lacked.
 */
#ifndef OJX_PROTO_H
#define OJX_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proto {
	unsigned char *data;
	size_t len, cap;
	bool failed;
};
#define PROTO_INIT       \
	{                \
		.len = 0 \
	}

/* Empties it, keeping its memory for the next message. */
void proto_clear(struct proto *p);
void proto_release(struct proto *p);

/* Adds a number under a field's number; 0 is the default of every field and adds nothing. */
void proto_number(struct proto *p, unsigned field, int64_t value);

/* Add bytes, and a message, under a field's number. */
void proto_text(struct proto *p, unsigned field, const void *text, size_t len);
void proto_message(struct proto *p, unsigned field, const struct proto *inner);

/* Adds an element of a packed field to its content, which proto_message then adds as a whole. */
void proto_packed(struct proto *content, int64_t value);

#endif
