/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfring.h - reads the samples that the kernel writes into the memory of a perf event.
 *
 * It needs nothing but that memory, so that it is tested with recorded bytes, and by a fuzzer.
 */
#ifndef OJX_PERFRING_H
#define OJX_PERFRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_event_mmap_page;

/* Of PERF_SAMPLE_*, what is understood. An event with others cannot be read. */
extern const uint64_t perfring_sample_types;

/* One sample; 0 is what the event does not tell. */
struct perfring_sample {
	uint64_t ip, address, data_src, time, period;
	uint32_t pid, tid;
	uint32_t weight; /* PERF_SAMPLE_WEIGHT, or the first of WEIGHT_STRUCT; at most UINT32_MAX */
	int32_t cpu;	 /* -1: not told */
	bool user;	 /* of user code */
	bool exact;	 /* ip is that of the instruction */
};

/* What else was in it; only counts up. */
struct perfring_counts {
	uint64_t lost;	    /* samples that found no room */
	uint64_t throttled; /* how many times the kernel stopped the event, being too frequent */
	uint64_t other;	    /* records that are no samples */
	uint64_t broken;    /* records that make no sense; what was behind them is dropped */
};

/*
 * [handler] The next sample of an event with that sample_type, whose memory is `page` and `size`
 * bytes (a power of two) of data behind it; it is taken out. False where there is none. One reader
 * at a time.
 */
bool perfring_next(struct perf_event_mmap_page *page, const unsigned char *data, uint64_t size,
		   uint64_t sample_type, struct perfring_sample *to,
		   struct perfring_counts *counts);

#endif
