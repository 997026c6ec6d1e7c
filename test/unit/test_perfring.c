/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples as the kernel writes them: recorded bytes, everything that can be wrong with them, and
 * real samples: of page faults, whose addresses are known exactly, and of a PMU if there is one.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../agent/perf/perfring.c"
#include "host/sampling.h"
#include "host/x86_64/pmu.h"

#define SIZE	   256u
#define PAGE	   4096u
#define ALL_FIELDS perfring_sample_types
#define FEW	   (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR)

/* A ring of SIZE bytes, and a writer. */
struct ring {
	struct perf_event_mmap_page page;
	unsigned char data[SIZE];
	struct perfring_counts counts;
};

static void put(struct ring *r, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		r->data[(r->page.data_head + i) % SIZE] = ((const unsigned char *)bytes)[i];
	r->page.data_head += len;
}

static void put_record(struct ring *r, uint32_t type, uint16_t misc, const uint64_t *body, size_t n)
{
	struct perf_event_header h = { type, misc, (uint16_t)(sizeof h + n * 8) };

	put(r, &h, sizeof h);
	put(r, body, n * 8);
}

static bool next(struct ring *r, uint64_t type, struct perfring_sample *to)
{
	return perfring_next(&r->page, r->data, SIZE, type, to, &r->counts);
}

/* ---- recorded bytes ---------------------------------------------------------------------- */

/*
 * A page fault by a store in user code, with all fields except the plain weight, as written by
 * Linux 6.18.
 */
static const unsigned char recorded[] = {
	0x09, 0x00, 0x00, 0x00, 0x02, 0x00, 0x60, 0x00, 0xdf, 0x7d, 0x06, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x8e, 0xd2, 0x5a, 0x1e, 0xaf, 0x55, 0x00, 0x00, 0x04, 0x3d, 0x00, 0x00,
	0x05, 0x3d, 0x00, 0x00, 0x42, 0xde, 0xff, 0x06, 0xbf, 0x17, 0x00, 0x00, 0x0b, 0x80,
	0xdb, 0x26, 0xae, 0x7f, 0x00, 0x00, 0xdf, 0x7d, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00,
	0xdf, 0x7d, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2a, 0x00, 0x00, 0x00,
	0x07, 0x00, 0x00, 0x00, 0x21, 0x00, 0x08, 0x05, 0x1e, 0x00, 0x00, 0x00,
};

static void check_recorded(const struct perfring_sample *s)
{
	assert_int_equal(s->ip, 0x55af1e5ad28e);
	assert_int_equal(s->pid, 0x3d04);
	assert_int_equal(s->tid, 0x3d05);
	assert_int_equal(s->time, 0x17bf06ffde42);
	assert_int_equal(s->address, 0x7fae26db800b);
	assert_int_equal(s->cpu, 1);
	assert_int_equal(s->period, 1);
	assert_int_equal(s->weight, 42); /* only its first part */
	assert_int_equal(s->data_src, 0x1e05080021);
	assert_true(s->user);
	assert_false(s->exact);
}

static void test_recorded(void **state)
{
	(void)state;
	struct perfring_sample s;

	/* at any position, so also where each field crosses the end of the ring */
	for (uint64_t start = 0; start < SIZE; start += 8) {
		struct ring r = { .page = { .data_head = start, .data_tail = start } };
		put(&r, recorded, sizeof recorded);
		put(&r, recorded, sizeof recorded);
		for (int i = 0; i < 2; i++) {
			assert_true(next(&r, ALL_FIELDS & ~(uint64_t)PERF_SAMPLE_WEIGHT, &s));
			check_recorded(&s);
		}
		assert_false(next(&r, ALL_FIELDS, &s));
		assert_int_equal(r.page.data_tail, r.page.data_head);
		assert_int_equal(r.counts.broken, 0);
	}
}

static void test_fields(void **state)
{
	(void)state;
	static const uint64_t types = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
				      PERF_SAMPLE_CPU | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	const uint64_t body[] = { 0x1000, 5ull << 32 | 4, 0x2000, 3, 1ull << 40, 0x68100142 };
	struct ring r = { .page = { .data_head = 0 } };
	struct perfring_sample s;

	put_record(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP,
		   body, 6);
	assert_true(next(&r, types, &s));
	assert_int_equal(s.ip, 0x1000);
	assert_int_equal(s.pid, 4);
	assert_int_equal(s.tid, 5);
	assert_int_equal(s.address, 0x2000);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.weight, UINT32_MAX); /* a larger value is clamped, not wrapped */
	assert_int_equal(s.data_src, 0x68100142);
	assert_false(s.user);
	assert_true(s.exact);
	/* fields that were not requested are not there */
	put_record(&r, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, 2);
	assert_true(next(&r, FEW, &s));
	assert_int_equal(s.address, body[1]);
	assert_int_equal(s.cpu, -1);
	assert_int_equal(s.weight, 0);
}

/* Other records are counted, and do not hide the samples behind them. */
static void test_other_records(void **state)
{
	(void)state;
	const uint64_t sample[] = { 1, 2 }, lost[] = { 77, 5 }, lost_samples[] = { 7 },
		       throttle[] = { 1, 2, 3 };
	struct ring r = { .page = { .data_head = 0 } };
	struct perfring_sample s;

	put_record(&r, PERF_RECORD_LOST, 0, lost, 2);
	put_record(&r, PERF_RECORD_LOST_SAMPLES, 0, lost_samples, 1);
	put_record(&r, PERF_RECORD_THROTTLE, 0, throttle, 3);
	put_record(&r, PERF_RECORD_UNTHROTTLE, 0, throttle, 3);
	put_record(&r, 0x7fff, 0, lost, 2);
	put_record(&r, PERF_RECORD_SAMPLE, 0, sample, 2);
	assert_true(next(&r, FEW, &s));
	assert_int_equal(s.address, 2);
	assert_false(next(&r, FEW, &s));
	assert_int_equal(r.counts.lost, 12);
	assert_int_equal(r.counts.throttled, 1);
	assert_int_equal(r.counts.other, 2);
	assert_int_equal(r.counts.broken, 0);
}

/* ---- bytes that make no sense ------------------------------------------------------------ */

static void test_short_sample(void **state)
{
	(void)state;
	const uint64_t body[] = { 1, 2 };
	struct ring r = { .page = { .data_head = 0 } };
	struct perfring_sample s;

	put_record(&r, PERF_RECORD_SAMPLE, 0, body, 1); /* an address is missing */
	put_record(&r, PERF_RECORD_SAMPLE, 0, body, 2);
	assert_true(next(&r, FEW, &s));
	assert_int_equal(s.address, 2);
	assert_int_equal(r.counts.broken, 1);
}

static void test_bad_sizes(void **state)
{
	(void)state;
	static const uint16_t sizes[] = { 0, 4, 7, 24, UINT16_MAX };
	struct perfring_sample s;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct ring r = { .page = { .data_head = 0 } };
		struct perf_event_header h = { PERF_RECORD_SAMPLE, 0, sizes[i] };
		put(&r, &h, sizeof h);
		put(&r, &h, sizeof h);
		assert_false(next(&r, FEW, &s));
		assert_int_equal(r.counts.broken, 1);
		assert_int_equal(r.page.data_tail, r.page.data_head);
	}
}

static void test_bad_head(void **state)
{
	(void)state;
	static const uint64_t heads[] = { 4, SIZE + 8, UINT64_MAX };
	struct perfring_sample s;

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct ring r = { .page = { .data_head = heads[i] } };
		assert_false(next(&r, FEW, &s));
		assert_int_equal(r.counts.broken, 1);
		assert_int_equal(r.page.data_tail, heads[i]);
	}
}

/* ---- real ones --------------------------------------------------------------------------- */

/* An event for this thread, with a ring of one page. */
struct live {
	int fd;
	struct perf_event_mmap_page *page;
	const struct wire_event *e;
};

static struct live open_live(const struct wire_event *e, uint64_t period)
{
	struct perf_event_attr attr = {
		.type = e->type,
		.size = sizeof attr,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.sample_period = period,
		.sample_type = e->sample_type,
		.precise_ip = e->precise & 3,
		.exclude_kernel = !e->kernel,
		.disabled = 1,
	};
	struct live l = { .e = e };

	l.fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	assert_true(l.fd >= 0);
	l.page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, l.fd, 0);
	assert_ptr_not_equal(l.page, MAP_FAILED);
	return l;
}

static void close_live(struct live *l)
{
	munmap(l->page, 2 * PAGE);
	close(l->fd);
}

static bool next_live(struct live *l, struct perfring_sample *s, struct perfring_counts *counts)
{
	return perfring_next(l->page, (unsigned char *)l->page + PAGE, PAGE, l->e->sample_type, s,
			     counts);
}

/*
 * Each page of new memory faults once, at the byte that is accessed first: exactly this is sampled.
 */
static void test_page_faults(void **state)
{
	(void)state;
	struct wire_event e = pmu_page_faults();
	enum { PAGES = 200 };
	uint64_t seen = 0;

	if (pmu_try(&e) != 0)
		skip();
	struct live l = open_live(&e, 1);
	volatile unsigned char *memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	madvise((void *)memory, PAGES * PAGE, MADV_NOHUGEPAGE);
	struct perfring_counts counts = { 0 };
	struct perfring_sample s = { 0 };
	ioctl(l.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (uint64_t i = 0; i < PAGES; i++) {
		uint64_t at = i * PAGE + i * 19 % PAGE;
		memory[at] = 1;
		while (next_live(&l, &s, &counts)) {
			if (s.address - (uintptr_t)memory >= PAGES * PAGE)
				continue; /* from this test's own code and stack */
			assert_int_equal(s.address, (uintptr_t)memory + at);
			assert_int_equal(s.tid, gettid());
			assert_true(s.user);
			seen++;
		}
	}
	ioctl(l.fd, PERF_EVENT_IOC_DISABLE, 0);
	assert_int_equal(seen, PAGES);
	assert_int_equal(counts.broken + counts.lost, 0);
	munmap((void *)memory, PAGES * PAGE);
	close_live(&l);
}

/* A ring that nobody empties overflows; the number of lost samples is known. */
static void test_overflow(void **state)
{
	(void)state;
	struct wire_event e = pmu_page_faults();
	enum { PAGES = 400 };
	struct perfring_counts counts = { 0 };
	struct perfring_sample s;
	uint64_t seen = 0;

	if (pmu_try(&e) != 0)
		skip();
	struct live l = open_live(&e, 1);
	volatile unsigned char *memory = mmap(NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE,
					      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	madvise((void *)memory, (PAGES + 1) * PAGE, MADV_NOHUGEPAGE);
	ioctl(l.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (uint64_t i = 0; i < PAGES; i++)
		memory[i * PAGE] = 1;
	while (next_live(&l, &s, &counts))
		seen++;
	memory[(uint64_t)PAGES * PAGE] = 1; /* the kernel reports the loss with the next sample */
	while (next_live(&l, &s, &counts))
		seen++;
	ioctl(l.fd, PERF_EVENT_IOC_DISABLE, 0);
	assert_true(counts.lost > 0);
	assert_true(seen + counts.lost > PAGES);
	assert_int_equal(counts.broken, 0);
	munmap((void *)memory, (PAGES + 1) * PAGE);
	close_live(&l);
}

/* With a PMU: loads from an array are sampled with addresses in the array. */
static void test_pmu(void **state)
{
	(void)state;
	enum { WORDS = 1 << 16 };
	const struct pmu_cpu cpu = pmu_cpu();
	const struct pmu_family *family = pmu_family_of(&cpu);
	struct wire_event e[2] = { 0 };
	struct perfring_counts counts = { 0 };
	struct perfring_sample s;
	uint64_t inside = 0, sum = 0;

	if (family)
		pmu_pebs(family, PMU_WANT_LOADS, e);
	else if (pmu_ibs(PMU_DEVICES, e) < 0)
		skip();
	if (pmu_try(&e[0]) != 0)
		skip();
	volatile uint64_t *array = calloc(WORDS, sizeof *array);
	assert_non_null(array);
	struct live l = open_live(&e[0], 4096);
	ioctl(l.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < WORDS; i++)
			sum += array[i];
		while (next_live(&l, &s, &counts))
			inside += s.address - (uintptr_t)array < WORDS * sizeof *array;
	}
	ioctl(l.fd, PERF_EVENT_IOC_DISABLE, 0);
	assert_int_equal(sum, 0);
	assert_true(inside > 100);
	free((void *)array);
	close_live(&l);
}

int unit_perfring(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded),      cmocka_unit_test(test_fields),
		cmocka_unit_test(test_other_records), cmocka_unit_test(test_short_sample),
		cmocka_unit_test(test_bad_sizes),     cmocka_unit_test(test_bad_head),
		cmocka_unit_test(test_page_faults),   cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_pmu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
