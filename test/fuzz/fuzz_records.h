/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_records.h - for fuzzers whose input is wire records, one after the other. */
#ifndef OJX_FUZZ_RECORDS_H
#define OJX_FUZZ_RECORDS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/wire.h"

#define CHECK(condition)                                                                        \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/*
 * The record at `data` in memory of just its size, with a thread of few; *word is what the input
 * has in place of that. `left`: at least a header. The caller frees it.
 */
static inline struct wire_rec *fuzz_record(const uint8_t *data, size_t left, uint16_t *word)
{
	struct wire_rec head;

	memcpy(&head, data, sizeof head);
	uint32_t len = head.len < left ? head.len : (uint32_t)left;
	len &= ~(uint32_t)(WIRE_ALIGN - 1);
	if (len < sizeof head)
		len = sizeof head;
	struct wire_rec *rec = malloc(len);
	CHECK(rec);
	memcpy(rec, data, len);
	rec->len = len;
	rec->thread = head.thread >> 4 & 3;
	*word = head.thread;
	return rec;
}

#endif
