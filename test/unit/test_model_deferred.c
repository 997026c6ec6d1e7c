/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence that is packed or stays in the file: what batches have is what one reading would have kept. */
#define _GNU_SOURCE 1 /* asprintf */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/datafile_again.h"
#include "model_fixture.h"
#include "report/columns.h"
#include "report/rows.h"
#include "report/rows_best.h"

/* ---- a recording ----------------------------------------------------------------------- */

/* A look and a use of the n-th object; some contexts have many objects, each content is one of a few. */
static void add_object(struct builder *b, uint32_t contexts, uint32_t n)
{
	uint64_t random = build_random(n);
	uint32_t context = 1 + (uint32_t)(random % contexts * (random >> 40 & 1) % contexts);
	uint64_t content = random >> 32 & 7;
	struct wire_look look = { .context = context,
				  .epoch = n / 10000,
				  .content = content,
				  .weight = 1 + (double)(n % 3),
				  .ticket = (uint32_t)build_random(2 * (uint64_t)n + 1) };
	struct wire_use use = { .context = context,
				.size = 4,
				.position = n % 2,
				.access = 1,
				.value = content,
				.content = content,
				.weight = 1,
				.ticket = (uint32_t)build_random(2 * (uint64_t)n + 2) };

	build_count(b, context, 0, 24, 1, 10);
	build_look(b, &look, (uint32_t[]){ (uint32_t)content, 5 }, 2);
	build_use(b, &use);
}

static void add_definitions(struct builder *b, uint32_t contexts)
{
	const struct build_field fields[] = { { "x", NULL, 'I', 12 }, { "y", NULL, 'I', 16 } };
	struct wire_line line = { .bci = 0, .line = 7 };

	build_class(b, 1, "Lcom/acme/Point;", fields, 2);
	build_method(b, 1, "Lcom/acme/Shop;", "load", "Shop.java", &line, 1);
	for (uint32_t i = 1; i <= contexts; i++) { /* no two stacks read the same */
		struct wire_frame frames[2] = { { .method = 1 }, { .method = 100 + i, .bci = -1 } };
		char name[32];
		snprintf(name, sizeof name, "caller%u", i);
		build_method(b, 100 + i, "Lcom/acme/Shop;", name, "Shop.java", NULL, 0);
		build_stack(b, i, 0, frames, 2);
		build_context(b, i, 1, i);
	}
}

static char *write_recording(const char *name, uint32_t contexts, uint32_t objects)
{
	struct builder b = BUILDER_INIT;
	char *path = NULL;

	assert_true(asprintf(&path, "/tmp/ojx-test-%ld-%s", (long)getpid(), name) > 0);
	struct datafile_writer *w = datafile_create(path);
	assert_non_null(w);
	build_jvm(&b, 4711, 0, "", "", "");
	add_definitions(&b, contexts);
	for (uint32_t n = 0; n < objects; n++)
		add_object(&b, contexts, n);
	for (const struct wire_rec *r = builder_next(&b, NULL); r; r = builder_next(&b, r))
		assert_int_equal(datafile_write(w, 1, r, r->len), 0);
	assert_int_equal(datafile_close(w), 0);
	builder_release(&b);
	return path;
}

struct reading {
	struct model *m;
	uint64_t records;
};

static void ahead(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg)
{
	model_ahead(((struct reading *)arg)->m, jvm, recs, n);
}

static int take(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct reading *r = arg;

	(void)time_ns;
	r->records++;
	return model_feed(r->m, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

/* `most` bytes of packed evidence; WHOLE: it is at hand. */
#define WHOLE SIZE_MAX

static struct model *read_model(const char *path, size_t most, struct datafile_again *again)
{
	struct reading r = { .m = model_new() };
	struct file_header header;
	uint64_t end_ns;

	assert_non_null(r.m);
	if (most != WHOLE)
		assert_int_equal(model_defer(r.m, most), 0);
	assert_int_equal(datafile_read_ahead(path, &header, &end_ns, ahead, take, &r), DATAFILE_OK);
	if (most != WHOLE)
		assert_int_equal(model_settle(r.m), 0);
	*again = (struct datafile_again){ .fd = open(path, O_RDONLY), .records = r.records };
	assert_true(again->fd >= 0);
	return r.m;
}

/* ---- evidence -------------------------------------------------------------------------- */

static int take_again(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg)
{
	return model_batch_take(arg, jvm, recs, n);
}

/* Of tickets, a batch has the lower bits. */
static uint32_t lower_bits(uint32_t ticket)
{
	return ticket & ((1u << MODEL_TICKET_BITS) - 1);
}

static void assert_same_look(const struct model_look *a, const struct model_look *b)
{
	struct model_look x = *a, y = *b;

	x.ticket = lower_bits(x.ticket);
	y.ticket = lower_bits(y.ticket);
	assert_memory_equal(&x, &y, sizeof x);
	assert_memory_equal(a->slot, b->slot, a->nslots * sizeof a->slot[0]);
}

static void assert_same_use(const struct model_use *a, const struct model_use *b)
{
	struct model_use x = *a, y = *b;

	x.ticket = lower_bits(x.ticket);
	y.ticket = lower_bits(y.ticket);
	assert_memory_equal(&x, &y, sizeof x);
}

static void assert_same_evidence(const struct model_context *x, const struct model_context *y)
{
	assert_int_equal(x->id, y->id);
	assert_int_equal(x->nlooks, y->nlooks);
	assert_int_equal(x->nuses, y->nuses);
	for (size_t i = 0; i < x->nlooks; i++)
		assert_same_look(x->looks[i], y->looks[i]);
	for (size_t i = 0; i < x->nuses; i++)
		assert_same_use(x->uses[i], y->uses[i]);
}

/* Reads `contexts` contexts of the deferred model in batches of `size`, and compares each with the other model's. */
static void compare_batches(const struct model *whole, const struct model *deferred,
			    const struct datafile_again *again, size_t size)
{
	size_t n = model_ncontexts(whole);
	struct model_context **contexts = calloc(n, sizeof(struct model_context *));
	uint32_t number = 0;

	assert_non_null(contexts);
	assert_int_equal(n, model_ncontexts(deferred));
	for (size_t i = 0; i < n; i++) {
		contexts[i] = model_context(deferred, i);
		assert_int_equal(contexts[i]->nlooks, 0);
		assert_int_equal(contexts[i]->kept_looks, model_context(whole, i)->nlooks);
		assert_int_equal(contexts[i]->kept_uses, model_context(whole, i)->nuses);
		assert_int_equal(contexts[i]->looks_seen, model_context(whole, i)->looks_seen);
	}
	for (size_t first = 0; first < n; first += size) {
		size_t more = n - first < size ? n - first : size;
		number++;
		for (size_t i = first; i < first + more; i++)
			contexts[i]->batch = number;
		struct model_batch *b = model_batch_new(deferred, number, contexts + first, more);
		assert_non_null(b);
		if (model_recalls(deferred))
			assert_int_equal(model_batch_recall(b), 0);
		else
			assert_int_equal(datafile_read_again(again, take_again, b), 0);
		for (size_t i = first; i < first + more; i++)
			assert_same_evidence(contexts[i], model_context(whole, i));
		model_batch_free(b);
		assert_int_equal(contexts[first]->nlooks, 0);
	}
	free(contexts);
}

static void check_evidence(const char *name, uint32_t contexts, uint32_t objects, size_t batch,
			   size_t most, bool recalls)
{
	char *path = write_recording(name, contexts, objects);
	struct datafile_again again, same;
	struct model *whole = read_model(path, WHOLE, &again);
	struct model *deferred = read_model(path, most, &same);

	assert_int_equal(model_recalls(deferred), recalls);
	compare_batches(whole, deferred, &same, batch);
	close(again.fd);
	close(same.fd);
	model_free(whole);
	model_free(deferred);
	unlink(path);
	free(path);
}

static void test_nothing_dropped(void **state)
{
	(void)state;
	check_evidence("few", 10, 1000, 3, 0, false);
	check_evidence("few", 10, 1000, 3, 1 << 20, true);
}

/* One context beyond its cap; all beyond theirs together, which lowers it. */
static void test_dropped(void **state)
{
	(void)state;
	check_evidence("one", 1, 40000, 1, 0, false);
	check_evidence("many", 2000, 200000, 700, 0, false);
}

/* With room for all that comes; with room for what is kept, so that it is swept; and with too little. */
static void test_packed(void **state)
{
	(void)state;
	check_evidence("one", 1, 40000, 1, 16 << 20, true);
	check_evidence("one", 1, 40000, 1, 1 << 20, true);
	check_evidence("one", 1, 40000, 1, 200 << 10, false);
	check_evidence("many", 2000, 200000, 700, 32 << 20, true);
	check_evidence("many", 2000, 200000, 700, 10 << 20, true);
	check_evidence("many", 2000, 200000, 700, 4 << 20, false);
}

/* A file that is shorter than it was gives what is left, and a longer one no more. */
static void test_changed_file(void **state)
{
	char *path = write_recording("changed", 10, 20000);
	struct datafile_again again;
	struct model *m = read_model(path, 0, &again);
	struct model_context *c = model_context(m, 0);
	size_t before;

	(void)state;
	c->batch = 1;
	struct model_batch *b = model_batch_new(m, 1, &c, 1);
	assert_non_null(b);
	assert_int_equal(datafile_read_again(&again, take_again, b), 0);
	before = c->nlooks;
	assert_true(before > 100);
	assert_int_equal(datafile_read_again(&again, take_again, b), 0); /* twice is once */
	assert_int_equal(c->nlooks, before);
	model_batch_free(b);

	assert_int_equal(truncate(path, lseek(again.fd, 0, SEEK_END) / 2), 0);
	b = model_batch_new(m, 1, &c, 1);
	assert_non_null(b);
	assert_int_equal(datafile_read_again(&again, take_again, b), 0);
	assert_in_range(c->nlooks, 1, before - 1);
	model_batch_free(b);
	close(again.fd);
	model_free(m);
	unlink(path);
	free(path);
}

/* ---- rows ------------------------------------------------------------------------------ */

static void assert_same_row(const struct row *x, const struct row *y, bool complete)
{
	const struct replica *a = &x->replica, *b = &y->replica;

	assert_int_equal(x->contexts[0]->id, y->contexts[0]->id);
	assert_int_equal(x->uses, y->uses);
	assert_int_equal(a->pairs, b->pairs);
	assert_memory_equal(&a->theta, &b->theta, sizeof a->theta);
	assert_memory_equal(&a->saved_bytes_ci, &b->saved_bytes_ci, sizeof a->saved_bytes_ci);
	assert_int_equal(a->verdict, b->verdict);
	assert_int_equal(a->nfields, complete ? b->nfields : 0);
	assert_int_equal(a->naccesses, complete ? b->naccesses : 0);
	assert_int_equal(x->stack.n, complete ? y->stack.n : 0);
	if (!complete)
		return;
	assert_memory_equal(a->fields, b->fields, b->nfields * sizeof *b->fields);
	assert_string_equal(x->stack.frames[1].method, y->stack.frames[1].method);
	assert_same_evidence(x->contexts[0], y->contexts[0]);
}

/* In brief and deferred, whatever the batches and threads, a row is what it is at once and in full. */
static void check_rows(size_t most)
{
	enum { CONTEXTS = 1500, OBJECTS = 300000, SHOWN = 20 };
	char *path = write_recording("rows", CONTEXTS, OBJECTS);
	struct datafile_again again, same;
	struct model *whole = read_model(path, WHOLE, &again);
	struct model *deferred = read_model(path, most, &same);
	struct rows_options full = { .replica = REPLICA_OPTIONS_INIT };
	struct rows_options brief = { .replica = REPLICA_OPTIONS_INIT,
				      .brief = true,
				      .again = &same };
	struct cell_context ctx = { .min_pairs = 5 };
	struct rows x, y;

	assert_int_equal(rows_make(&x, deferred, &brief), 0);
	assert_int_equal(rows_make(&y, whole, &full), 0);
	assert_int_equal(x.n, CONTEXTS);
	assert_int_equal(y.n, CONTEXTS);
	assert_true(x.seen && y.seen);
	columns_sort(&x, column_find("saved"), &ctx);
	columns_sort(&y, column_find("saved"), &ctx);
	for (size_t i = 0; i < x.n; i++)
		assert_same_row(&x.row[i], &y.row[i], false);
	assert_int_equal(rows_complete(&x, deferred, &brief, SHOWN), 0);
	for (size_t i = 0; i < x.n; i++)
		assert_same_row(&x.row[i], &y.row[i], i < SHOWN);
	rows_release(&x);
	rows_release(&y);
	close(again.fd);
	close(same.fd);
	model_free(whole);
	model_free(deferred);
	unlink(path);
	free(path);
}

static void test_rows(void **state)
{
	(void)state;
	check_rows(0);
	check_rows(32 << 20);
}

/* The best rows are the first of all of them, by any key and share. */
static void check_best(const struct model *m, const struct datafile_again *again,
		       const struct rows *all, const char *key, double share)
{
	enum { LIMIT = 7 };
	struct rows_options brief = { .replica = REPLICA_OPTIONS_INIT,
				      .brief = true,
				      .again = again };
	struct cell_context ctx = { .min_pairs = 5 };
	size_t above;
	struct rows_rank rank = { column_find(key), &ctx, LIMIT, share, &above };
	struct rows x;

	assert_int_equal(rows_best(&x, m, &brief, &rank), 0);
	assert_int_equal(above, columns_above(rank.key, all, &ctx, share));
	assert_int_equal(x.n, all->n);
	assert_int_equal(x.made, above == 0 ? 1 : above < LIMIT ? above : LIMIT);
	assert_int_equal(x.pairs, all->pairs);
	assert_int_equal(x.seen, all->seen);
	for (size_t i = 0; i < x.made; i++)
		assert_same_row(&x.row[i], &all->row[i], true);
	rows_release(&x);
}

static void test_best(void **state)
{
	static const char *const keys[] = { "saved", "bytes", "objects", "theta", "pairs" };
	char *path = write_recording("best", 1500, 200000);
	struct datafile_again again, same;
	struct model *whole = read_model(path, WHOLE, &again);
	struct model *packed = read_model(path, 32 << 20, &same);
	struct rows_options full = { .replica = REPLICA_OPTIONS_INIT };
	struct cell_context ctx = { .min_pairs = 5 };
	struct rows all;

	(void)state;
	assert_int_equal(rows_make(&all, whole, &full), 0);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		columns_sort(&all, column_find(keys[i]), &ctx);
		check_best(packed, &same, &all, keys[i], 0);
		check_best(packed, &same, &all, keys[i], 0.002);
		check_best(packed, &same, &all, keys[i], 2);
	}
	rows_release(&all);
	close(again.fd);
	close(same.fd);
	model_free(whole);
	model_free(packed);
	unlink(path);
	free(path);
}

int unit_model_deferred(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_dropped),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_changed_file),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
