/* SPDX-License-Identifier: Apache-2.0 */
/* codetable.c - see codetable.h. */
#include "code/codetable.h"

#include <string.h>

#include "core/peek.h"

#define PROBES 8
#define PAGE   4096

bool code_read(uint64_t ip, uint64_t at, uint8_t *to, size_t len)
{
	/* the page of the running code is readable */
	if (at / PAGE != ip / PAGE || (at + len - 1) / PAGE != ip / PAGE)
		return peek(at, to, len);
	memcpy(to, (const void *)at, len);
	return true;
}

/* [handler] */
static uint32_t slot_of(uint64_t ip)
{
	uint64_t state = ip;
	return (uint32_t)random_next(&state) & (CODE_SLOTS - 1);
}

/* [handler] Whether the bytes of code of an entry are unchanged. */
static bool same_code(uint64_t ip, bool here, const struct code_entry *copy)
{
	uint8_t now[CODE_BYTES];
	uint64_t at = ip - copy->before;

	if (copy->len > CODE_BYTES)
		return false;
	bool read = here ? code_read(ip, at, now, copy->len) : peek(at, now, copy->len);
	if (!read || memcmp(now, copy->bytes, copy->len) != 0)
		return false;
	if (copy->far_len == 0 || copy->far_len > CODE_FAR)
		return copy->far_len == 0;
	at = ip + (uint64_t)(int64_t)copy->far;
	read = here ? code_read(ip, at, now, copy->far_len) : peek(at, now, copy->far_len);
	return read && memcmp(now, copy->far_bytes, copy->far_len) == 0;
}

bool code_table_find(const struct code_table *table, uint64_t ip, bool here, void *to, size_t size)
{
	uint32_t start = slot_of(ip);

	for (uint32_t i = 0; i < PROBES; i++) {
		const struct code_entry *e = &table->entries[(start + i) & (CODE_SLOTS - 1)];
		struct code_entry copy = { .len = 0 };
		uint32_t before;
		if (!code_turn_begin(&e->turn, ip, &before))
			continue;
		copy.before = e->before;
		copy.len = e->len;
		copy.far = e->far;
		copy.far_len = e->far_len;
		memcpy(copy.bytes, e->bytes, sizeof copy.bytes);
		memcpy(copy.far_bytes, e->far_bytes, sizeof copy.far_bytes);
		memcpy(copy.answer, e->answer, sizeof copy.answer);
		if (!code_turn_end(&e->turn, before) || !same_code(ip, here, &copy))
			continue;
		memcpy(to, copy.answer, size);
		return true;
	}
	return false;
}

void code_table_put(struct code_table *table, uint64_t ip, const struct code_basis *basis,
		    const void *answer, size_t size)
{
	uint32_t start = slot_of(ip);
	struct code_entry *e = &table->entries[start];

	for (uint32_t i = 0; i < PROBES; i++) {
		struct code_entry *there = &table->entries[(start + i) & (CODE_SLOTS - 1)];
		if (code_turn_suits(&there->turn, ip)) {
			e = there;
			break;
		}
	}
	code_turn_write(&e->turn);
	e->before = basis->before;
	e->len = basis->len;
	e->far = basis->far;
	e->far_len = basis->far_len;
	memcpy(e->bytes, basis->bytes, basis->len);
	if (basis->far_len)
		memcpy(e->far_bytes, basis->far_bytes, basis->far_len);
	memcpy(e->answer, answer, size);
	code_turn_wrote(&e->turn, ip);
}
