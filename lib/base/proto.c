/* SPDX-License-Identifier: Apache-2.0 */
/* proto.c - see proto.h. */
#include "base/proto.h"

enum { WIRE_VARINT = 0, WIRE_LEN = 2 };
enum { VARINT_MAX = 10 }; /* bytes of a 64-bit number, 7 bits in each */

static void put_varint(struct bytes *p, uint64_t value)
{
	unsigned char *to = bytes_reserve(p, VARINT_MAX);

	if (!to)
		return;
	for (; value >= 0x80; value >>= 7) {
		*to++ = (unsigned char)(value | 0x80);
		p->len++;
	}
	*to = (unsigned char)value;
	p->len++;
}

void proto_number(struct bytes *p, unsigned field, int64_t value)
{
	if (value == 0)
		return;
	put_varint(p, field << 3 | WIRE_VARINT);
	put_varint(p, (uint64_t)value);
}

void proto_text(struct bytes *p, unsigned field, const void *text, size_t len)
{
	put_varint(p, field << 3 | WIRE_LEN);
	put_varint(p, len);
	bytes_add(p, text, len);
}

void proto_message(struct bytes *p, unsigned field, const struct bytes *inner)
{
	proto_text(p, field, inner->data, inner->len);
	p->failed |= inner->failed;
}

void proto_packed(struct bytes *content, int64_t value)
{
	put_varint(content, (uint64_t)value);
}
