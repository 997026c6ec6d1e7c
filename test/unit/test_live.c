/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_live.c - reads a recording while it grows: no record twice or in part; the writer notices
 * the reader; rates begin at the right time; a reset forgets; a copy is a valid recording.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "datafile_fixture.h"

#include <time.h>

#include "live/live.h"

static const struct rows_options how = { .replica = REPLICA_OPTIONS_INIT };

/* Definitions of context `id`, and `weight` objects of 100 bytes. */
static void put(struct datafile_writer *w, uint32_t id, double weight, bool define)
{
	struct builder b = BUILDER_INIT;

	if (define)
		build_site(&b, id, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", (int)id);
	build_count(&b, id, 0, 100, 1, weight);
	for (const struct wire_rec *rec = NULL; (rec = builder_next(&b, rec));)
		assert_int_equal(datafile_write(w, 1, rec, rec->len), 0);
	assert_int_equal(datafile_flush(w), 0);
	builder_release(&b);
}

static double objects(const struct live *l)
{
	double sum = 0;

	for (size_t i = 0; i < l->rows.table.n; i++)
		sum += rows_at(&l->rows, i)->replica.objects;
	return sum;
}

/* Times of chunks come from the clock; this makes the next one later. */
static void pass_time(void)
{
	const struct timespec t = { .tv_nsec = 20000000 };

	nanosleep(&t, NULL);
}

static void test_growing(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_int_equal(live_update(&l), 0);
	assert_int_equal(l.rows.table.n, 0);
	put(w, 1, 10, true);
	assert_int_equal(live_update(&l), 0);
	assert_float_equal(objects(&l), 10, 0);
	put(w, 1, 5, false);
	put(w, 2, 7, true);
	pass_time();
	assert_int_equal(live_update(&l), 0);
	assert_int_equal(l.rows.table.n, 2);
	assert_float_equal(objects(&l), 22, 0);
	assert_int_equal(live_update(&l), 0);
	assert_float_equal(objects(&l), 22, 0);
	live_close(&l);
	datafile_close(w);
}

/* As in a report, one record that makes no sense costs no other. */
static void test_bad_record(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct builder b = BUILDER_INIT;
	struct live l;

	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	put(w, 1, 10, true);
	build_alloc(&b, 1, 0, 16, NAN);
	const struct wire_rec *rec = builder_next(&b, NULL);
	assert_int_equal(datafile_write(w, 1, rec, rec->len), 0);
	builder_release(&b);
	put(w, 1, 5, false);
	assert_int_equal(live_update(&l), 0);
	assert_float_equal(objects(&l), 15, 0);
	assert_int_equal(l.bad, 1);
	assert_int_equal(live_reset(&l), 0);
	assert_int_equal(l.bad, 0); /* evidence from before is not looked at */
	live_close(&l);
	datafile_close(w);
}

/* Each grouping has rates of its own, and all of them come to the same. */
static void test_group(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;
	double bytes, saved, by_class;

	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	put(w, 1, 10, true);
	put(w, 2, 20, true);
	pass_time();
	put(w, 1, 30, false);
	assert_int_equal(live_update(&l), 0);
	assert_int_equal(l.rows.table.n, 2);
	live_totals(&l, &bytes, &saved);
	assert_true(bytes > 0);
	assert_int_equal(live_group(&l, ROWS_BY_CLASS), 0);
	assert_int_equal(l.rows.table.n, 1);
	live_totals(&l, &by_class, &saved);
	assert_float_equal(by_class, bytes, bytes / 1e6);
	assert_int_equal(live_group(&l, ROWS_BY_CONTEXT), 0);
	assert_int_equal(l.rows.table.n, 2);
	live_totals(&l, &by_class, &saved);
	assert_float_equal(by_class, bytes, bytes / 1e6);
	live_close(&l);
	datafile_close(w);
}

/* Wherever the file ends for now, whole chunks are read, once. */
static void test_cut_anywhere(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	char part[128];

	put(w, 1, 10, true);
	uint64_t first = datafile_size(w);
	put(w, 1, 5, false);
	uint64_t size = datafile_size(w);
	datafile_close(w);
	char *bytes = malloc(size);
	FILE *in = fopen(f->path, "r");
	assert_int_equal(fread(bytes, 1, size, in), size);
	fclose(in);
	snprintf(part, sizeof part, "%s/part", f->dir);
	FILE *out = fopen(part, "w");
	struct live l;
	assert_int_equal(live_open(&l, part, analyses, &how, true), 0);
	for (uint64_t i = 0; i < size; i++) {
		double want = i < first ? 0 : 10;
		assert_int_equal(live_update(&l), 0);
		assert_float_equal(objects(&l), want, 0);
		putc(bytes[i], out);
		fflush(out);
	}
	assert_int_equal(live_update(&l), 0);
	assert_float_equal(objects(&l), 15, 0);
	live_close(&l);
	fclose(out);
	unlink(part);
	free(bytes);
}

static void test_foreign(void **state)
{
	const struct fixture *f = *state;
	struct live l;
	FILE *out = fopen(f->path, "w");

	fputs("this is no recording, but it is long enough to be one\n", out);
	fclose(out);
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_int_equal(live_update(&l), -1);
	assert_int_equal(errno, EILSEQ);
	live_close(&l);
	unlink(f->path);
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), -1);
	assert_int_equal(errno, ENOENT);
}

static void test_damaged(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	put(w, 1, 10, true);
	uint64_t first = datafile_size(w);
	put(w, 1, 10, false);
	datafile_close(w);
	FILE *file = fopen(f->path, "r+");
	fseek(file, (long)first - 9, SEEK_SET);
	putc(0x55, file);
	fclose(file);
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_int_equal(live_update(&l), -1);
	assert_int_equal(errno, EBADMSG);
	live_close(&l);
}

static void test_watched(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	assert_false(datafile_watched(w));
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_true(datafile_watched(w));
	/* other code that reads and closes the file here must not release the lock */
	fclose(fopen(f->path, "r"));
	assert_true(datafile_watched(w));
	live_close(&l);
	assert_false(datafile_watched(w));
	datafile_close(w);
}

static void test_rates_begin(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live own, joined;
	double bytes, saved;

	pass_time();
	put(w, 1, 1000, true);
	assert_int_equal(live_open(&own, f->path, analyses, &how, true), 0);
	assert_int_equal(live_open(&joined, f->path, analyses, &how, false), 0);
	assert_int_equal(live_update(&own), 0);
	assert_int_equal(live_update(&joined), 0);
	live_totals(&own, &bytes, &saved);
	assert_true(bytes > 0);
	live_totals(&joined, &bytes, &saved);
	assert_float_equal(bytes, 0, 0);
	pass_time();
	put(w, 1, 10, false);
	assert_int_equal(live_update(&joined), 0);
	live_totals(&joined, &bytes, &saved);
	/* 1000 bytes in 20 ms or more; before there were 100 times as many */
	assert_in_range((uint64_t)bytes, 1, 60000);
	live_close(&own);
	live_close(&joined);
	datafile_close(w);
}

static void test_reset(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	put(w, 1, 10, true);
	put(w, 2, 10, true);
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_int_equal(live_update(&l), 0);
	assert_int_equal(l.rows.table.n, 2);
	assert_int_equal(live_reset(&l), 0);
	assert_int_equal(l.rows.table.n, 0);
	pass_time();
	put(w, 2, 3, false); /* defined before */
	assert_int_equal(live_update(&l), 0);
	assert_int_equal(l.rows.table.n, 1);
	assert_float_equal(objects(&l), 3, 0);
	assert_string_equal(row_class(rows_at(&l.rows, 0)), "com.acme.Point");
	assert_true(rates_bytes(&l.rates, rows_at(&l.rows, 0)) > 0);
	live_close(&l);
	datafile_close(w);
}

/* The copy is complete although the recording goes on; an older file is kept. */
static void test_write(void **state)
{
	struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	char copy[128], old[160];
	struct live l;

	snprintf(copy, sizeof copy, "%s/copy", f->dir);
	snprintf(old, sizeof old, "%s.old", copy);
	put(w, 1, 10, true);
	assert_int_equal(live_open(&l, f->path, analyses, &how, true), 0);
	assert_int_equal(live_update(&l), 0);
	put(w, 1, 5, false); /* not yet read, so not in the copy */
	for (int i = 0; i < 2; i++) {
		struct file_header header;
		uint64_t end_ns;
		f->nrecords = 0;
		assert_int_equal(live_write(&l, copy), 0);
		assert_int_equal(datafile_read(copy, &header, &end_ns, take_record, f),
				 DATAFILE_OK);
		assert_int_equal(header.start_unix_ns, l.follow.header.start_unix_ns);
		assert_int_equal(f->nrecords, 6); /* class, method, stack, context, count, end */
	}
	assert_int_equal(access(old, F_OK), 0);
	assert_int_equal(live_write(&l, "/nonexistent/x"), -1);
	unlink(copy);
	unlink(old);
	live_close(&l);
	datafile_close(w);
}

/* The cost of an update determines the time of the next. */
static void test_pause(void **state)
{
	struct live l = { .cost_ns = 1000000 };

	(void)state;
	assert_true((double)l.cost_ns <= LIVE_SHARE * (double)live_pause_ns(&l));
	l.cost_ns = 0;
	assert_int_equal(live_pause_ns(&l), 0);
	/* at most a limit, however long the update took */
	l.cost_ns = 60000000000;
	assert_true(live_pause_ns(&l) == LIVE_LONGEST_NS);
}

int unit_live(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_growing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_record, setup, teardown),
		cmocka_unit_test_setup_teardown(test_group, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cut_anywhere, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_watched, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rates_begin, setup, teardown),
		cmocka_unit_test(test_pause),
		cmocka_unit_test_setup_teardown(test_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_write, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
