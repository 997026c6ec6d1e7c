/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_data_unkeyed.c - a recording whose hashes of contents have no key: what a recording must not
 * be. By it test/attacker.c is tested.
 */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "make_data.h"

static uint32_t slot_of(uint64_t value)
{
	return (uint32_t)XXH3_64bits(&value, sizeof value);
}

static void add_text(struct builder *b, const char *text)
{
	uint32_t slots[WIRE_SLOTS], n = (uint32_t)strlen(text);
	const struct wire_snapshot snapshot = {
		.context = 1, .array_length = n, .content = XXH3_64bits(text, n), .weight = 1
	};

	for (uint32_t k = 0; k < n; k++)
		slots[k] = slot_of((unsigned char)text[k]);
	build_snapshot(b, &snapshot, slots, (uint16_t)n);
}

int data_write_unkeyed(struct datafile_writer *w)
{
	uint64_t number = 1234567;
	const uint32_t slots[] = { slot_of(number) };
	struct builder b = BUILDER_INIT;

	build_site(&b, 1, "[B", "Lcom/acme/Shop;", "load", 10);
	build_site(&b, 2, "Lcom/acme/Card;", "Lcom/acme/Shop;", "pay", 20);
	add_text(&b, "hunter2-Pa55w0rd!");
	build_snapshot(&b,
		       &(struct wire_snapshot){
			       .context = 2, .content = XXH3_64bits(&number, 8), .weight = 1 },
		       slots, 1);
	return data_write(w, 1, &b);
}
