/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfring.h - reads the samples that the kernel writes into the memory of a perf event.
 *
 * It needs only this memory, so that tests and a fuzzer can use recorded bytes.
 */
#ifndef OJX_PERFRING_H
#define OJX_PERFRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_mmap_page;

/* The supported bits of PERF_SAMPLE_*. An event with others cannot be read. */
extern const uint64_t perfring_sample_types;

/* One sample. Items that the event does not have are 0. */
struct perfring_sample {
	uint64_t ip, address, data_src, time, period;
	uint32_t pid, tid;
	uint32_t weight; /* PERF_SAMPLE_WEIGHT, or the first of WEIGHT_STRUCT; at most UINT32_MAX */
	int32_t cpu;	 /* -1: unknown */
	bool user;	 /* in user code */
	bool exact;	 /* ip is exactly that of the instruction */
};

/* Counts of other records; they only grow. */
struct perfring_counts {
	uint64_t lost;	    /* samples that found no room */
	uint64_t throttled; /* times that the kernel stopped the event as too frequent */
	uint64_t other;	    /* other records */
	uint64_t broken;    /* invalid records; data behind them is dropped */
};

/*
 * [handler] Takes out the next sample of an event with this sample_type. Its memory is `page` and
 * `size` bytes (a power of two) of data behind it. False if there is none. One reader at a time.
 */
bool perfring_next(struct perf_event_mmap_page *page, const unsigned char *data, uint64_t size,
		   uint64_t sample_type, struct perfring_sample *to,
		   struct perfring_counts *counts);

#endif
