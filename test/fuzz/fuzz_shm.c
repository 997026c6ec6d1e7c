/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_shm.c - the shared memory of a JVM that writes anything, anywhere, between the tool's looks.
 *
 * Input: steps of 16 bytes. Each writes 8 bytes into the header, the table of definitions, the
 * rings or their data, and some of them let the tool read. Definitions and rings are much smaller
 * than in life, so that few steps reach all of them.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "wire/shm.h"

struct step {
	uint8_t where; /* which part, and in the upper bits whether to read then */
	uint8_t pad[3];
	uint32_t at;
	uint64_t value;
};

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	size_t *sum = arg;

	if (rec->len != len || len < sizeof *rec || len % WIRE_ALIGN || (uintptr_t)rec % WIRE_ALIGN)
		abort();
	for (uint32_t i = 0; i < len; i++) /* all of it must be there */
		*sum += ((const unsigned char *)rec)[i];
}

static void read_all(struct shm *s, bool gone, uint64_t now)
{
	struct file_status status = { .nnotes = 0 };
	struct file_jvm jvm = { .engines = 0 };
	size_t sum = 0;

	shm_drain(s, gone, now, take, &sum);
	shm_describe(s, &jvm);
	shm_status(s, &status);
	if (status.nnotes > WIRE_NOTES || jvm.gc[WIRE_TEXT - 1] || status.note[0][WIRE_NOTE - 1])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct shm_sizes sizes = {
		.defs = 4096, .service = 4096, .ring = 4096, .rings = 3, .blocks = 3
	};
	const struct wire_config config = { .budget = 2 };
	struct shm *s = shm_new(&sizes, &config);
	uint64_t now = 1;

	if (!s)
		return 0;
	unsigned char *base =
		mmap(NULL, shm_size(s), PROT_READ | PROT_WRITE, MAP_SHARED, shm_fd(s), 0);
	if (base == MAP_FAILED)
		abort();
	struct wire_shm *header = (struct wire_shm *)base;
	const struct wire_layout l = header->layout;
	const uint64_t from[] = { 0, l.defs_offset, l.rings_offset, l.blocks_offset };
	/* the maps lie behind the rings */
	const uint64_t room[] = { sizeof *header, 4096, l.defs_offset - l.rings_offset, 3 * 4096 };

	for (; size >= sizeof(struct step);
	     data += sizeof(struct step), size -= sizeof(struct step)) {
		struct step step;
		memcpy(&step, data, sizeof step);
		unsigned part = step.where % 4;
		memcpy(base + from[part] + (step.at % room[part] & ~7u), &step.value,
		       sizeof step.value);
		if (step.where & 4)
			atomic_store(&header->defs_tail, step.at % 5000);
		if (step.where & 8)
			read_all(s, step.where & 16, now);
		now += (uint64_t)step.where << 20;
	}
	read_all(s, true, now);
	munmap(base, shm_size(s));
	shm_free(s);
	return 0;
}
