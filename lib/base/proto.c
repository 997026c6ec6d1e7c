/* SPDX-License-Identifier: Apache-2.0 */
/* proto.c - see proto.h. */
#include "base/proto.h"

#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_LEN = 2 };
enum { VARINT_MAX = 10 }; /* bytes of a 64-bit number, 7 bits in each */

/* Makes room for `n` more bytes, or returns NULL. */
static unsigned char *reserve(struct proto *p, size_t n)
{
	if (n > p->cap - p->len) {
		size_t cap = 2 * p->cap + n + 64;
		unsigned char *bigger = p->failed ? NULL : realloc(p->data, cap);
		if (!bigger) {
			p->failed = true;
			return NULL;
		}
		p->data = bigger;
		p->cap = cap;
	}
	return p->data + p->len;
}

static void put_varint(struct proto *p, uint64_t value)
{
	unsigned char *to = reserve(p, VARINT_MAX);

	if (!to)
		return;
	for (; value >= 0x80; value >>= 7) {
		*to++ = (unsigned char)(value | 0x80);
		p->len++;
	}
	*to = (unsigned char)value;
	p->len++;
}

void proto_clear(struct proto *p)
{
	p->len = 0;
	p->failed = false;
}

void proto_release(struct proto *p)
{
	free(p->data);
	*p = (struct proto)PROTO_INIT;
}

void proto_number(struct proto *p, unsigned field, int64_t value)
{
	if (value == 0)
		return;
	put_varint(p, field << 3 | WIRE_VARINT);
	put_varint(p, (uint64_t)value);
}

void proto_text(struct proto *p, unsigned field, const void *text, size_t len)
{
	put_varint(p, field << 3 | WIRE_LEN);
	put_varint(p, len);
	unsigned char *to = reserve(p, len);
	if (to && len) {
		memcpy(to, text, len);
		p->len += len;
	}
}

void proto_message(struct proto *p, unsigned field, const struct proto *inner)
{
	proto_text(p, field, inner->data, inner->len);
	p->failed |= inner->failed;
}

void proto_packed(struct proto *content, int64_t value)
{
	put_varint(content, (uint64_t)value);
}
