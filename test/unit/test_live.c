/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_live.c - a recording that is read while it grows: nothing twice, nothing half; the writer notices; rates
 * begin where they should; a reset forgets; a copy is a recording.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

	for (size_t i = 0; i < l->growing.rows.n; i++)
		sum += l->growing.rows.row[i].replica.objects;
	return sum;
}

/* Times of chunks come from the clock: later ones must be later. */
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

	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1, false), 0);
	assert_int_equal(l.growing.rows.n, 0);
	put(w, 1, 10, true);
	assert_int_equal(live_update(&l, 2, true), 0);
	assert_float_equal(objects(&l), 10, 0);
	put(w, 1, 5, false);
	put(w, 2, 7, true);
	pass_time();
	assert_int_equal(live_update(&l, 3, true), 0);
	assert_int_equal(l.growing.rows.n, 2);
	assert_float_equal(objects(&l), 22, 0);
	assert_int_equal(live_update(&l, 4, true), 0);
	assert_float_equal(objects(&l), 22, 0);
	live_close(&l);
	datafile_close(w);
}

static const struct row *row_of(const struct live *l, uint32_t id)
{
	for (size_t i = 0; i < l->growing.rows.n; i++)
		if (l->growing.rows.row[i].contexts[0]->id == id)
			return &l->growing.rows.row[i];
	fail_msg("no row of context %u", id);
	return NULL;
}

/* Objects of a context that are seen at the end of their life, all of one content. */
static void put_looks(struct datafile_writer *w, uint32_t id, uint32_t n)
{
	struct builder b = BUILDER_INIT;

	for (uint32_t i = 0; i < n; i++)
		build_look(&b,
			   &(struct wire_look){ .context = id,
						.content = 7,
						.weight = 1,
						.ticket = (uint32_t)build_random(i) },
			   NULL, 0);
	for (const struct wire_rec *rec = NULL; (rec = builder_next(&b, rec));)
		assert_int_equal(datafile_write(w, 1, rec, rec->len), 0);
	assert_int_equal(datafile_flush(w), 0);
	builder_release(&b);
}

/* Lines and amounts are those of now also where the analysis has to wait for its turn. */
static void test_between_analyses(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	put(w, 1, 10, true);
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1000, false), 0);
	assert_int_equal(l.growing.due.n, 0);
	l.allowance = 0; /* it was spent */
	put(w, 1, 5, false);
	put(w, 2, 7, true);
	put_looks(w, 1, 100);
	assert_int_equal(live_update(&l, 1000, false), 0);
	assert_int_equal(l.growing.rows.n, 2);
	assert_float_equal(objects(&l), 22, 0);
	assert_int_equal(l.growing.due.n, 2);
	assert_int_equal(row_of(&l, 1)->replica.pairs, 0);
	/* so much time has passed that it is affordable */
	assert_int_equal(live_update(&l, 1000 + (uint64_t)(LIVE_FIRST_NS / LIVE_SHARE), false), 0);
	assert_int_equal(l.growing.due.n, 0);
	assert_true(row_of(&l, 1)->replica.pairs > 0);
	assert_float_equal(objects(&l), 22, 0);
	live_close(&l);
	datafile_close(w);
}

/* Whether rows are brought up to date or made anew, rates and what is saved of them are the same. */
static void test_rates_either_way(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live some, all;
	double bytes[2], saved[2];

	assert_int_equal(live_open(&some, f->path, &how, true), 0);
	assert_int_equal(live_open(&all, f->path, &how, true), 0);
	for (uint64_t i = 1; i < 40; i++) {
		uint32_t id = 1 + (uint32_t)(build_random(i) % 9);
		if (i < 10)
			put(w, (uint32_t)i, 10, true);
		put(w, id < i ? id : (uint32_t)i, (double)i, false);
		put_looks(w, id < i ? id : (uint32_t)i, 20);
		assert_int_equal(live_update(&some, i * LIVE_LONGEST_NS, false), 0);
		assert_int_equal(live_update(&all, i * LIVE_LONGEST_NS, true), 0);
		assert_int_equal(some.follow.end_ns, all.follow.end_ns);
		live_totals(&some, &bytes[0], &saved[0]);
		live_totals(&all, &bytes[1], &saved[1]);
		assert_true(bytes[0] > 0);
		assert_float_equal(bytes[0], bytes[1], 1e-6 * bytes[1]);
		assert_float_equal(saved[0], saved[1], 1e-6 * bytes[1]);
		for (uint32_t k = 1; k <= (i < 9 ? i : 9); k++)
			assert_float_equal(rates_bytes(&some.rates, row_of(&some, k)),
					   rates_bytes(&all.rates, row_of(&all, k)),
					   1e-6 * bytes[1]);
	}
	assert_true(saved[0] > 0);
	live_close(&some);
	live_close(&all);
	datafile_close(w);
}

/* At whatever byte the file ends for now, what is whole is taken, once. */
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
	assert_int_equal(live_open(&l, part, &how, true), 0);
	for (uint64_t i = 0; i < size; i++) {
		double want = i < first ? 0 : 10;
		assert_int_equal(live_update(&l, i + 1, true), 0);
		assert_float_equal(objects(&l), want, 0);
		putc(bytes[i], out);
		fflush(out);
	}
	assert_int_equal(live_update(&l, size + 1, true), 0);
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
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1, false), -1);
	assert_int_equal(errno, EILSEQ);
	live_close(&l);
	unlink(f->path);
	assert_int_equal(live_open(&l, f->path, &how, true), -1);
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
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1, false), -1);
	assert_int_equal(errno, EBADMSG);
	live_close(&l);
}

static void test_watched(void **state)
{
	const struct fixture *f = *state;
	struct datafile_writer *w = datafile_create(f->path);
	struct live l;

	assert_false(datafile_watched(w));
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_true(datafile_watched(w));
	/* whoever else reads it here and closes it does not take the lock away */
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
	assert_int_equal(live_open(&own, f->path, &how, true), 0);
	assert_int_equal(live_open(&joined, f->path, &how, false), 0);
	assert_int_equal(live_update(&own, 1, true), 0);
	assert_int_equal(live_update(&joined, 1, true), 0);
	live_totals(&own, &bytes, &saved);
	assert_true(bytes > 0);
	live_totals(&joined, &bytes, &saved);
	assert_float_equal(bytes, 0, 0);
	pass_time();
	put(w, 1, 10, false);
	assert_int_equal(live_update(&joined, 2, true), 0);
	live_totals(&joined, &bytes, &saved);
	/* 1000 bytes in 20 ms or more; what was before were 100 times as many */
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
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1, true), 0);
	assert_int_equal(l.growing.rows.n, 2);
	assert_int_equal(live_reset(&l, 2), 0);
	assert_int_equal(l.growing.rows.n, 0);
	pass_time();
	put(w, 2, 3, false); /* defined before */
	assert_int_equal(live_update(&l, 3, true), 0);
	assert_int_equal(l.growing.rows.n, 1);
	assert_float_equal(objects(&l), 3, 0);
	assert_string_equal(row_class(&l.growing.rows.row[0]), "com.acme.Point");
	assert_true(rates_bytes(&l.rates, &l.growing.rows.row[0]) > 0);
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
	assert_int_equal(live_open(&l, f->path, &how, true), 0);
	assert_int_equal(live_update(&l, 1, true), 0);
	put(w, 1, 5, false); /* not yet read: no part of it */
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

/* What an update costs decides how soon the next may come. */
static void test_pause(void **state)
{
	struct live l = { .refresh_cost = 1000000 };

	(void)state;
	assert_true((double)l.refresh_cost <= LIVE_REFRESH_SHARE * (double)live_pause_ns(&l));
	l.refresh_cost = 0;
	assert_int_equal(live_pause_ns(&l), 0);
	/* what was saved up may be spent at once */
	l.refresh_cost = 1000000;
	l.credit = LIVE_FIRST_NS;
	assert_int_equal(live_pause_ns(&l), 0);
	/* but nobody wants to wait for minutes, whatever it once took */
	l.refresh_cost = 60000000000;
	assert_true(live_pause_ns(&l) == LIVE_LONGEST_NS);
}

int unit_live(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_growing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_between_analyses, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rates_either_way, setup, teardown),
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
