/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu.h - perf events that sample accesses to memory: by name, by processor, and whether they can
 * be had.
 *
 * Names are those of libpfm4, which are Intel's and AMD's own and mostly perf's. What a processor
 * samples precisely by default is a table. That the machine has it is believed only after
 * perf_event_open has been tried: libpfm4 looks at the processor alone, whose PMU a virtual machine
 * may lack.
 */
#ifndef OJX_PMU_H
#define OJX_PMU_H

#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

#define PMU_DEVICES "/sys/bus/event_source/devices" /* of the kernel */
#define PMU_NAME    128

/*
 * An event by name: "MEM_LOAD_RETIRED.L3_MISS:pp", "mem_load_retired:l3_miss", "page-faults",
 * "task-clock", "r20d1". Of a processor's event the samples are as precise as two p's make it if
 * nothing else is said. `period` and `hz` are left alone unless the name sets one (":period=1000").
 * 0, or -1 with errno: ENOENT there is no such event; ENOTSUP its samples have no address; EINVAL.
 */
int pmu_encode(const char *name, struct wire_event *to);

/*
 * Calls `tell` for each event of this processor that samples accesses precisely, by the name to
 * give to pmu_encode and a description.
 */
void pmu_memory_events(void (*tell)(const char *name, const char *help, void *arg), void *arg);

/* A processor family whose PMU can sample accesses. */
struct pmu_family {
	const char *name;	    /* of libpfm4; NULL where it does not know the family */
	const char *loads, *stores; /* libpfm4's names */
	const char *latency; /* loads with their latency; NULL where it takes more than one event */
	unsigned char models[8]; /* of Intel's family 6; ends with 0 */
};
extern const struct pmu_family pmu_families[];
extern const size_t pmu_family_count;

/* Raw codes that stand behind those names in all of the families. */
enum { PMU_LOADS = 0x81d0, PMU_STORES = 0x82d0, PMU_LATENCY = 0x1cd, PMU_LATENCY_LEAST = 3 };

/* Who made the processor. */
enum pmu_vendor { PMU_OTHER, PMU_INTEL, PMU_AMD };

struct pmu_cpu {
	enum pmu_vendor vendor;
	unsigned family, model;
};

/* The processor this runs on. */
struct pmu_cpu pmu_cpu(void);

/* The row of a processor; NULL where there is none. */
const struct pmu_family *pmu_family_of(const struct pmu_cpu *cpu);

/* What accesses are wanted; bits. */
enum pmu_wanted {
	PMU_WANT_LOADS = 1 << 0,
	PMU_WANT_STORES = 1 << 1,
	PMU_WANT_LATENCY = 1 << 2, /* of loads, if it can be had */
};

/* The events of a family that sample what is wanted. Returns how many: 1 or 2. */
size_t pmu_pebs(const struct pmu_family *f, unsigned wanted, struct wire_event to[2]);

/* AMD's instruction-based sampling, which samples all operations. -1 with errno ENOENT where the
 * kernel has none in `devices`. */
int pmu_ibs(const char *devices, struct wire_event *to);

/* A sampler by software. */
struct wire_event pmu_page_faults(void);
struct wire_event pmu_clock(void);

/*
 * Opens the event as the agent will, which sets `precise` to what can be had. 0, errno, or less
 * (machine.h).
 */
int pmu_try(struct wire_event *e);

#endif
