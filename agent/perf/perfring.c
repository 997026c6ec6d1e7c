/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfring.c - see perfring.h. The content is not trusted: lengths are checked against the written
 * bytes, and fields against lengths.
 */
#include "perf/perfring.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>

#define LONGEST 256 /* bytes of a record that are read; the requested samples are far shorter */

const uint64_t perfring_sample_types =
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
	PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC;

/* The rest of a record's body. */
struct body {
	const unsigned char *at;
	size_t left;
	bool short_of; /* a field was missing */
};

/* [handler] Copies from the ring, also across its end. */
static void copy_out(void *to, const unsigned char *data, uint64_t size, uint64_t at, size_t len)
{
	uint64_t offset = at & (size - 1);
	size_t first = len < size - offset ? len : (size_t)(size - offset);

	memcpy(to, data + offset, first);
	memcpy((unsigned char *)to + first, data, len - first);
}

/* [handler] */
static uint64_t take64(struct body *b)
{
	uint64_t value = 0;

	if (b->left < sizeof value) {
		b->short_of = true;
		return 0;
	}
	memcpy(&value, b->at, sizeof value);
	b->at += sizeof value;
	b->left -= sizeof value;
	return value;
}

/* [handler] The next field, if the event has it. */
static uint64_t field(struct body *b, uint64_t sample_type, uint64_t which)
{
	return sample_type & which ? take64(b) : 0;
}

/* [handler] Reads the fields of a sample, in the kernel's order. False if some are missing. */
static bool read_sample(struct body *b, uint64_t type, struct perfring_sample *to)
{
	field(b, type, PERF_SAMPLE_IDENTIFIER);
	to->ip = field(b, type, PERF_SAMPLE_IP);
	uint64_t thread = field(b, type, PERF_SAMPLE_TID);
	to->pid = (uint32_t)thread;
	to->tid = (uint32_t)(thread >> 32);
	to->time = field(b, type, PERF_SAMPLE_TIME);
	to->address = field(b, type, PERF_SAMPLE_ADDR);
	field(b, type, PERF_SAMPLE_ID);
	field(b, type, PERF_SAMPLE_STREAM_ID);
	to->cpu = type & PERF_SAMPLE_CPU ? (int32_t)(uint32_t)take64(b) : -1;
	to->period = field(b, type, PERF_SAMPLE_PERIOD);
	if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		to->weight = (uint32_t)take64(b); /* the other weights are parts of it */
	} else {
		uint64_t weight = field(b, type, PERF_SAMPLE_WEIGHT);
		to->weight = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
	}
	to->data_src = field(b, type, PERF_SAMPLE_DATA_SRC);
	return !b->short_of;
}

/* [handler] Reads one record. True if it is a sample. */
static bool read_record(const struct perf_event_header *h, struct body *b, uint64_t sample_type,
			struct perfring_sample *to, struct perfring_counts *counts)
{
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		*to = (struct perfring_sample){
			.user = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER,
			.exact = h->misc & PERF_RECORD_MISC_EXACT_IP,
		};
		if (read_sample(b, sample_type, to))
			return true;
		counts->broken++;
		return false;
	case PERF_RECORD_LOST:
		take64(b); /* the event's id */
		counts->lost += take64(b);
		return false;
	case PERF_RECORD_LOST_SAMPLES:
		counts->lost += take64(b);
		return false;
	case PERF_RECORD_THROTTLE:
		counts->throttled++;
		return false;
	default:
		counts->other++;
		return false;
	}
}

bool perfring_next(struct perf_event_mmap_page *page, const unsigned char *data, uint64_t size,
		   uint64_t sample_type, struct perfring_sample *to, struct perfring_counts *counts)
{
	/* the kernel has written all below `data_head`, and overwrites what is below `data_tail` */
	uint64_t head =
		atomic_load_explicit((_Atomic __u64 *)&page->data_head, memory_order_acquire);
	uint64_t tail =
		atomic_load_explicit((_Atomic __u64 *)&page->data_tail, memory_order_relaxed);
	unsigned char record[LONGEST];
	struct perf_event_header h;
	bool found = false;

	while (!found && head != tail) {
		if (head - tail > size || head - tail < sizeof h) {
			counts->broken++;
			tail = head;
			break;
		}
		copy_out(&h, data, size, tail, sizeof h);
		if (h.size < sizeof h || h.size > head - tail) {
			counts->broken++;
			tail = head;
			break;
		}
		size_t len = h.size < LONGEST ? h.size : LONGEST;
		copy_out(record, data, size, tail, len);
		struct body body = { .at = record + sizeof h, .left = len - sizeof h };
		found = read_record(&h, &body, sample_type, to, counts);
		tail += h.size;
	}
	atomic_store_explicit((_Atomic __u64 *)&page->data_tail, tail, memory_order_release);
	return found;
}
