/* SPDX-License-Identifier: Apache-2.0 */
/* series.h: names by a pattern, files that follow one another, and which of them are deleted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

#include "datafile_fixture.h"
#include "file/series.h"

#define HOUR 3600

/* ---- names ------------------------------------------------------------------------------- */

static void codes(void **state)
{
	char why[SERIES_WHY];

	(void)state;
	assert_int_equal(series_codes("/var/app.data", why), 0);
	assert_int_equal(series_codes("app-%%-%h.data", why), 0);
	assert_int_equal(series_codes("/var/app-%H%M.data", why), SERIES_HAS_TIME);
	assert_int_equal(series_codes("%Y-%p", why), SERIES_HAS_TIME | SERIES_HAS_PID);
	assert_int_equal(series_codes("a-%", why), -1);
	assert_int_equal(series_codes("a-%q", why), -1);
	assert_non_null(strstr(why, "'%q'"));
	assert_int_equal(series_codes("%Y/a", why), -1);
	assert_non_null(strstr(why, "folder"));
}

static void names(void **state)
{
	struct tm tm = { .tm_year = 126, .tm_mon = 10, .tm_mday = 8, .tm_hour = 7, .tm_isdst = -1 };
	time_t when = mktime(&tm);
	char *name = series_name("/d%%/a-%Y%m%dT%H%M%S-%p@%h", "box", 4711, when);

	(void)state;
	assert_string_equal(name, "/d%/a-20261108T070000-4711@box");
	free(name);
	name = series_folder("/d%%/%%/a-%Y");
	assert_string_equal(name, "/d%/%/");
	free(name);
	name = series_folder("a-%Y");
	assert_string_equal(name, ".");
	free(name);
}

static void matching(void **state)
{
	static const char pattern[] = "/var/app-%Y%m%dT%H%M%S-%p@%h.data";
	static const struct {
		const char *name;
		bool matches, part;
		size_t base;
	} cases[] = {
		{ "app-20261108T070000-4711@box.data", true, false, 28 },
		{ "app-20261108T070000-4711@box.2.data", true, false, 28 },
		{ "app-20261108T070000-4711@box.13.data.part", true, true, 28 },
		{ "app-20261108T070000-4711@box.2.2.data", true, false, 28 },
		{ "app-20261108T070000-4711@box.2.x.data", false, false, 0 },
		{ "app-20261108T070000-4711@box.data.part", true, true, 28 },
		{ "app-20261108T070000-4711@box.1.data", false, false, 0 },
		{ "app-20261108T070000-4711@box.02.data", false, false, 0 },
		{ "app-20261108T070000-4711@box.data.old", false, false, 0 },
		{ "app-20261108T070000-4711@other.data", false, false, 0 },
		{ "app-2026110T070000-4711@box.data", false, false, 0 },
		{ "app-20261108T070000-@box.data", false, false, 0 },
		{ "app-20261108T070000-12345678901@box.data", false, false, 0 },
		{ "app-20261108T070000-4711@box.data.partly", false, false, 0 },
		{ "xapp-20261108T070000-4711@box.data", false, false, 0 },
		{ "", false, false, 0 },
	};
	struct series_match m;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(series_matches(pattern, "box", cases[i].name, &m),
				 cases[i].matches);
		if (!cases[i].matches)
			continue;
		assert_int_equal(m.part, cases[i].part);
		assert_int_equal(m.base, cases[i].base);
	}
	assert_true(series_matches("a-%S", "", "a-59.2", &m));
	assert_false(series_matches("a-%S", "", "a-59.data", &m));
	/* a process id in front of digits */
	assert_true(series_matches("%p%M", "", "471159", &m));
	assert_false(series_matches("%p%M", "", "59", &m));
	assert_true(series_matches("100%%-%S", "", "100%-59", &m));
}

/* ---- files ------------------------------------------------------------------------------- */

struct place {
	struct fixture *f;
	char pattern[128], path[192];
	struct series series;
};

static struct place begin(void **state)
{
	struct place p = { .f = *state };

	snprintf(p.pattern, sizeof p.pattern, "%s/a-%%Y.data", p.f->dir);
	return p;
}

static const char *in(struct place *p, const char *name)
{
	snprintf(p->path, sizeof p->path, "%s/%s", p->f->dir, name);
	return p->path;
}

static bool is_there(struct place *p, const char *name)
{
	return access(in(p, name), F_OK) == 0;
}

/* A recording that ended so many hours ago, with so many bytes. */
static void make(struct place *p, const char *name, double hours, off_t bytes)
{
	int fd = open(in(p, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct timespec times[2];

	clock_gettime(CLOCK_REALTIME, &times[0]);
	times[0].tv_sec -= (time_t)(hours * HOUR);
	times[1] = times[0];
	assert_true(fd >= 0);
	struct datafile_writer *w = datafile_begin(fd);
	assert_non_null(w);
	if (bytes)
		assert_int_equal(truncate(p->path, bytes), 0);
	assert_int_equal(datafile_close(w), 0);
	assert_int_equal(utimensat(AT_FDCWD, p->path, times, 0), 0);
}

static void drop(struct place *p, const char *name)
{
	assert_int_equal(unlink(in(p, name)), 0);
}

static void one_after_another(void **state)
{
	struct place p = begin(state);
	struct series_file a, b;
	char first[192], year[8];
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(year, sizeof year, "%Y", &tm);
	series_init(&p.series, p.pattern, 0);
	snprintf(first, sizeof first, "%s/a-%s.data", p.f->dir, year);
	assert_int_equal(series_open(&p.series, &a), 0);
	assert_string_equal(a.path, first);
	assert_int_equal(strncmp(a.part, first, strlen(first)), 0);
	assert_string_equal(a.part + strlen(first), SERIES_PART);
	/* the same year: another number */
	assert_int_equal(series_open(&p.series, &b), 0);
	snprintf(p.path, sizeof p.path, "%s/a-%s.2.data", p.f->dir, year);
	assert_string_equal(b.path, p.path);
	/* somebody takes the name meanwhile: nothing is overwritten */
	int fd = open(first, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(series_publish(&a), 0);
	assert_string_equal(a.path, p.path);
	assert_int_equal(series_close(&a, false), 0);
	/* which is the name that the other one was to have */
	assert_int_equal(series_close(&b, false), 0);
	assert_int_equal(unlink(p.path), 0);
	snprintf(p.path, sizeof p.path, "%s/a-%s.3.data", p.f->dir, year);
	assert_int_equal(unlink(p.path), 0);
	assert_int_equal(unlink(first), 0);
}

static void one_that_is_removed(void **state)
{
	struct place p = begin(state);
	struct series_file a;

	series_init(&p.series, p.pattern, 0);
	assert_int_equal(series_open(&p.series, &a), 0);
	assert_int_equal(series_close(&a, true), 0); /* the teardown finds nothing */
	snprintf(p.pattern, sizeof p.pattern, "%s/none/a-%%Y.data", p.f->dir);
	assert_int_equal(series_open(&p.series, &a), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(series_close(&a, false), 0);
}

/* What a killed ojx left gets its name; what somebody writes does not. */
static void left_behind(void **state)
{
	struct place p = begin(state);

	series_init(&p.series, p.pattern, 0);
	make(&p, "a-2025.data.part", 0, 0);
	make(&p, "a-2025.data", 0, 0);
	make(&p, "a-2026.data.part", 0, 0);
	make(&p, "b-2026.data.part", 0, 0);
	make(&p, "a-2025.3.data.part", 0, 0); /* the number is not that of the name */
	make(&p, "a-2025.3.data", 0, 0);
	int fd = open(in(&p, "a-2026.data.part"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	series_adopt(&p.series);
	assert_false(is_there(&p, "a-2025.data.part"));
	assert_false(is_there(&p, "a-2026.data"));
	drop(&p, "a-2025.data");
	drop(&p, "a-2025.2.data");
	drop(&p, "a-2025.3.data");
	drop(&p, "a-2025.4.data");
	drop(&p, "a-2026.data.part");
	drop(&p, "b-2026.data.part");
	close(fd);
}

/* Of 5 hours: nothing else than recordings of the pattern goes, whatever its age. */
static void by_age(void **state)
{
	struct place p = begin(state);
	const struct series_bounds bounds = { .age_ns = 5 * HOUR * UINT64_C(1000000000) };
	int fd;

	series_init(&p.series, p.pattern, 0);
	make(&p, "a-2020.data", 6, 0);
	make(&p, "a-2021.data", 4, 0);
	make(&p, "a-2022.data.part", 9, 0);
	make(&p, "a-2023.data.old", 9, 0);
	make(&p, "b-2020.data", 9, 0);
	make(&p, "a-2024.data", 9, 10); /* no whole header */
	assert_int_equal(mkdir(in(&p, "a-2025.data"), 0700), 0);
	assert_int_equal(symlink("b-2020.data", in(&p, "a-2026.data")), 0);
	fd = open(in(&p, "a-2027.data"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "a text that is longer than a header", 35), 35);
	close(fd);
	struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	assert_int_equal(utimensat(AT_FDCWD, p.path, old, 0), 0);
	assert_int_equal(series_keep(&p.series, &bounds), 1);
	assert_false(is_there(&p, "a-2020.data"));
	assert_int_equal(series_keep(&p.series, &bounds), 0);
	assert_int_equal(rmdir(in(&p, "a-2025.data")), 0);
	drop(&p, "a-2021.data");
	drop(&p, "a-2022.data.part");
	drop(&p, "a-2023.data.old");
	drop(&p, "b-2020.data");
	drop(&p, "a-2024.data");
	drop(&p, "a-2026.data");
	drop(&p, "a-2027.data");
}

/* A folder whose name has a percent sign. */
static void in_a_folder(void **state)
{
	struct place p = begin(state);
	const struct series_bounds bounds = { .age_ns = UINT64_C(1000000000) };

	snprintf(p.pattern, sizeof p.pattern, "%s/100%%%%/a-%%Y.data", p.f->dir);
	series_init(&p.series, p.pattern, 0);
	assert_int_equal(series_keep(&p.series, &bounds), -1);
	assert_int_equal(mkdir(in(&p, "100%"), 0700), 0);
	make(&p, "100%/a-2025.data", 1, 0);
	assert_int_equal(series_keep(&p.series, &bounds), 1);
	assert_int_equal(rmdir(in(&p, "100%")), 0);
}

/* The oldest go first, and those that are being written count. */
static void by_size(void **state)
{
	struct place p = begin(state);
	struct series_bounds bounds = { .bytes = 5000 };

	series_init(&p.series, p.pattern, 0);
	make(&p, "a-2024.data", 1, 2000);
	make(&p, "a-2021.data", 2, 2000); /* older, whatever its name says */
	make(&p, "a-2022.data", 3, 2000);
	make(&p, "a-2023.data.part", 4, 2000);
	assert_int_equal(series_keep(&p.series, &bounds), 2);
	assert_false(is_there(&p, "a-2021.data"));
	assert_false(is_there(&p, "a-2022.data"));
	bounds.bytes = 1;
	assert_int_equal(series_keep(&p.series, &bounds), 1);
	drop(&p, "a-2023.data.part");
}

int unit_series(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(names),
		cmocka_unit_test(matching),
		cmocka_unit_test_setup_teardown(one_after_another, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_is_removed, setup, teardown),
		cmocka_unit_test_setup_teardown(left_behind, setup, teardown),
		cmocka_unit_test_setup_teardown(by_age, setup, teardown),
		cmocka_unit_test_setup_teardown(in_a_folder, setup, teardown),
		cmocka_unit_test_setup_teardown(by_size, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
