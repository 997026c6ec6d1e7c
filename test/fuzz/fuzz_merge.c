/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_merge.c - recordings that are merged, of which each may be merged already, and made by
 * anybody.
 *
 * The input is wire records one after the other; the unused half-word of their headers says which
 * JVM of which recording they are of. What comes out is read by a model, as a report would: it must
 * believe all of it. And it is merged again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "fuzz_records.h"
#include "merge/merge.h"
#include "model/model.h"

#define JVMS	   4u
#define RECORDINGS 4u
#define MACHINE	   "x86_64"

/* Feeds the record at `data`; returns its length. */
static size_t feed_one(struct merge_input *const *in, const uint8_t *data, size_t left)
{
	uint16_t word;
	struct wire_rec *rec = fuzz_record(data, left, &word);
	size_t len = rec->len;

	merge_feed(in[word >> 2 & (RECORDINGS - 1)], word % JVMS, rec, (uint32_t)len);
	free(rec);
	return len;
}

/* Where a merged recording goes: into a model, and into the next merge. */
struct readers {
	struct model *model;
	struct merge_input *again;
};

static int read_one(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct readers *r = arg;

	CHECK(model_feed(r->model, jvm, rec, len) != MODEL_BAD);
	CHECK(merge_feed(r->again, jvm, rec, len) != MODEL_BAD);
	return 0;
}

static int count_one(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	(void)jvm;
	(void)rec;
	*(size_t *)arg += len;
	return 0;
}

static void read_merged(struct merge *m)
{
	struct merge *next = merge_new(analyses);
	struct readers r = { .model = model_new(analyses), .again = merge_begin(next) };
	struct merge_size size = merge_size(m);
	struct file_header header = merge_header(m);
	size_t bytes = 0;

	CHECK(r.model);
	CHECK(merge_emit(m, read_one, &r) == 0);
	enum merge_added added = merge_end(r.again, &header, 5, NULL, NULL);
	CHECK(added == (size.parts ? MERGE_ADDED : MERGE_NOTHING));
	CHECK(merge_size(next).parts == size.parts);
	CHECK(model_nparts(r.model) == size.parts);
	CHECK(merge_emit(next, count_one, &bytes) == 0);
	CHECK((bytes > 0) == (size.parts > 0));
	model_free(r.model);
	merge_free(next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct merge *m = merge_new(analyses);
	struct merge_input *in[RECORDINGS];
	size_t at = 0;

	for (uint32_t i = 0; i < RECORDINGS; i++)
		in[i] = merge_begin(m);
	while (size - at >= sizeof(struct wire_rec))
		at += feed_one(in, data + at, size - at);
	for (uint32_t i = 0; i < RECORDINGS; i++) {
		struct file_header header = { .start_unix_ns = 1000 + i, .machine = MACHINE };
		merge_end(in[i], &header, 5, NULL, NULL);
	}
	read_merged(m);
	merge_free(m);
	return 0;
}
