/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proto.h - writes messages in the wire format of Protocol Buffers: numbers (varints), texts and
 * nested messages.
 *
 * A message's length precedes it, so each message is built in memory (bytes.h).
 */
#ifndef OJX_PROTO_H
#define OJX_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* Adds a number as the given field. 0 is the default of every field and adds nothing. */
void proto_number(struct bytes *p, unsigned field, int64_t value);

/* Add bytes, or a message, as the given field. */
void proto_text(struct bytes *p, unsigned field, const void *text, size_t len);
void proto_message(struct bytes *p, unsigned field, const struct bytes *inner);

/* Adds an element to the content of a packed field; proto_message then adds that content. */
void proto_packed(struct bytes *content, int64_t value);

#endif
