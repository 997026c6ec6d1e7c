/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto.h - writes messages in the wire format of Protocol Buffers: numbers (varints), texts and
 * nested messages.
 *
 * A message's length precedes it, so each message is built in memory. Check `failed` once at the
 * end: it is set if out of memory.
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

/* Empties it, but keeps its memory for the next message. */
void proto_clear(struct proto *p);
void proto_release(struct proto *p);

/* Adds a number as the given field. 0 is the default of every field and adds nothing. */
void proto_number(struct proto *p, unsigned field, int64_t value);

/* Add bytes, or a message, as the given field. */
void proto_text(struct proto *p, unsigned field, const void *text, size_t len);
void proto_message(struct proto *p, unsigned field, const struct proto *inner);

/* Adds an element to the content of a packed field; proto_message then adds that content. */
void proto_packed(struct proto *content, int64_t value);

#endif
