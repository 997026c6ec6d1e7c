/* SPDX-License-Identifier: Apache-2.0 */
/* merge_tapes.c - see merge_tapes.h. */
#include "merge_tapes.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"

static int record(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct tape *t = arg;

	memcpy(build_record(&t->b, atomic_load(&rec->type), len), rec, len);
	(void)jvm;
	t->n++;
	return 0;
}

void tape_release(struct tape *t)
{
	builder_release(&t->b);
	free(t);
}

static bool is_of_recording(uint16_t type)
{
	return type == FILE_END || type == FILE_COMMAND || type == FILE_SECRET;
}

void tape_be_of(struct tape *t, uint32_t process, uint64_t secret)
{
	struct file_secret *s = build_record(&t->b, FILE_SECRET, sizeof *s);
	struct wire_rec *rec = NULL;
	char start[] = { (char)('a' + process), 0 };

	s->fingerprint = secret;
	build_label(&t->b, 0, "start", start);
	while ((rec = (struct wire_rec *)builder_next(&t->b, rec)))
		if (atomic_load(&rec->type) == FILE_JVM)
			((struct file_jvm *)rec)->pid = (int32_t)(100 + process);
}

enum merge_added tape_add(struct merge *m, const struct tape *t)
{
	struct merge_input *in = merge_begin(m);

	for (const struct wire_rec *rec = builder_next(&t->b, NULL); rec;
	     rec = builder_next(&t->b, rec)) {
		uint16_t type = atomic_load(&rec->type);
		assert_int_not_equal(merge_feed(in, !is_of_recording(type), rec, rec->len),
				     MODEL_BAD);
	}
	return merge_end(in, &t->header, t->end_ns, NULL, NULL);
}

struct tape *tape_out(struct merge *m)
{
	struct tape *t = calloc(1, sizeof *t);

	t->header = merge_header(m);
	assert_int_equal(merge_emit(m, record, t), 0);
	merge_free(m);
	return t;
}

struct tape *tape_merge(struct tape *const *from, size_t n, struct rng *rng)
{
	struct tape *list[TAPES];
	struct merge *m = merge_new(analyses);

	memcpy(list, from, n * sizeof(struct tape *));
	for (size_t i = n; rng && i > 1; i--) {
		size_t k = rng_below(rng, (uint32_t)i);
		struct tape *swapped = list[i - 1];
		list[i - 1] = list[k];
		list[k] = swapped;
	}
	for (size_t first = 0, size; first < n; first += size) {
		size = rng && n > 2 ? 1 + rng_below(rng, (uint32_t)(n - first)) : 1;
		size = size == n ? n - 1 : size;
		struct tape *group = size > 1 ? tape_merge(list + first, size, rng) : NULL;
		assert_int_equal(tape_add(m, group ? group : list[first]), MERGE_ADDED);
		if (group)
			tape_release(group);
	}
	return tape_out(m);
}

static void assert_same(const struct tape *a, const struct tape *b)
{
	assert_memory_equal(&a->header, &b->header, sizeof a->header);
	assert_int_equal(a->n, b->n);
	assert_int_equal(a->b.len, b->b.len);
	assert_memory_equal(a->b.data, b->b.data, a->b.len);
}

struct tape *tape_merge_alike(struct tape *const *from, size_t n, unsigned trials)
{
	struct rng rng = { 1 };
	struct tape *flat = tape_merge(from, n, NULL);

	for (unsigned i = 0; i < trials; i++) {
		struct tape *other = tape_merge(from, n, &rng);
		assert_same(flat, other);
		tape_release(other);
	}
	struct merge *m = merge_new(analyses);
	assert_int_equal(tape_add(m, flat), MERGE_ADDED);
	struct tape *again = tape_out(m);
	assert_same(flat, again);
	tape_release(again);
	return flat;
}

void tape_load(struct model *to, const struct tape *t)
{
	for (const struct wire_rec *rec = builder_next(&t->b, NULL); rec;
	     rec = builder_next(&t->b, rec)) {
		uint16_t type = atomic_load(&rec->type);
		bool whole = is_of_recording(type);
		assert_int_not_equal(model_feed(to, !whole, rec, rec->len), MODEL_BAD);
	}
}

struct tape *tape_of_sites(uint32_t number, uint32_t n)
{
	struct tape *t = calloc(1, sizeof *t);

	t->header = (struct file_header){ .start_unix_ns = 1000 + number, .machine = "x86_64" };
	build_jvm(&t->b, (int32_t)(100 + number), WIRE_ENGINE_SCAN, "VM", "17", "G1");
	for (uint32_t i = 1; i <= n; i++) {
		char name[16];
		snprintf(name, sizeof name, "run%u", i);
		build_site(&t->b, i, "[I", "Lcom/acme/Main;", name, (int)i);
	}
	return t;
}
